use std::net::SocketAddr;
use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use chrono::{DateTime, SecondsFormat, Utc};
use sports_accounts::{Networks, expect_no_key, hide_keys};
use sports_domain::FormError;
use sports_domain::{OutOfReach, printable_line, within_reach};
use sports_transparency::Origin;
use toml::Value;

use crate::settings::about::About;
use crate::settings::accent::Accent;
use crate::settings::bind::Bind;
use crate::settings::byte_size::ByteSize;
use crate::settings::connection_url::{ConnectionUrl, ServiceUrl, masked};
use crate::settings::contact::{Contact, SecurityContact, SiteName};
use crate::settings::domains::Domains;
use crate::settings::error::SettingsError;
use crate::settings::origins::Origins;
use crate::settings::public_records::PublicRecords;
use crate::settings::secret::Secret;
use crate::settings::witnesses::{ServiceUrls, Witnesses};

/// The prefix of every variable.
pub(crate) const PREFIX: &str = "SPORTS_";

/// The prefix of an entry's origin if the entry is a variable.
pub(crate) const VARIABLE: &str = "environment variable ";

/// The prefix of the widest IPv4 network of proxies: that of `10.0.0.0/8`, the largest private network.
const WIDEST_IPV4: u8 = 8;

/// The prefix of the widest IPv6 network of proxies, that of all customers of one provider.
const WIDEST_IPV6: u8 = 32;

/// One setting from a source: key, text and origin.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) key: String,
    pub(crate) value: String,
    pub(crate) origin: String,
}

/// Returns the variable of a setting.
pub(crate) fn variable(key: &str) -> String {
    format!("{PREFIX}{}", key.to_uppercase().replace('.', "__"))
}

impl Entry {
    /// Returns the name of a setting in the notation of this entry's source.
    pub(crate) fn in_source_notation(&self, key: &str) -> String {
        if self.origin.starts_with(VARIABLE) { variable(key) } else { format!("`{key}`") }
    }

    pub(crate) fn parse<T: FromStr>(&self, expected: &str) -> Result<T, SettingsError> {
        self.value.parse().map_err(|_| self.bad(expected))
    }

    /// Parses an instant in the supported range.
    pub(crate) fn instant(&self) -> Result<DateTime<Utc>, SettingsError> {
        let expected = format!("an RFC 3339 instant, such as 2024-11-24T15:00:00Z, {OutOfReach}");
        within_reach(self.parse(&expected)?).map_err(|_| self.bad(&expected))
    }

    pub(crate) fn connection_url(&self, schemes: &[&'static str]) -> Result<ConnectionUrl, SettingsError> {
        ConnectionUrl::new(&self.value, schemes).map_err(|error| self.bad(&error.to_string()))
    }

    /// Parses the address of a store; a text without a scheme is a folder.
    pub(crate) fn store_url(&self) -> Result<ConnectionUrl, SettingsError> {
        let is_folder = !self.value.is_empty() && !self.value.contains(':');
        let address = if is_folder { format!("file:{}", self.value) } else { self.value.clone() };
        ConnectionUrl::new(&address, &["file", "s3", "gs", "az"]).map_err(|error| self.bad(&error.to_string()))
    }

    pub(crate) fn service_url(&self) -> Result<ServiceUrl, SettingsError> {
        ServiceUrl::new(&self.value, &ServiceUrl::WEB).map_err(|error| self.bad(&error.to_string()))
    }

    /// Parses addresses of web services, separated by commas.
    pub(crate) fn service_urls(&self) -> Result<ServiceUrls, SettingsError> {
        ServiceUrls::new(&self.value).map_err(|reason| self.bad(&reason))
    }

    /// Parses the keys and addresses of witnesses, separated by commas.
    pub(crate) fn witnesses(&self) -> Result<Witnesses, SettingsError> {
        Witnesses::new(&self.value).map_err(|reason| self.bad(&reason))
    }

    /// Parses the leagues whose record is open.
    pub(crate) fn public_records(&self) -> Result<PublicRecords, SettingsError> {
        self.value.parse().map_err(|error: FormError| self.bad(&error.to_string()))
    }

    /// Parses the networks of proxies.
    pub(crate) fn networks(&self) -> Result<Networks, SettingsError> {
        let networks: Networks = self.parse("addresses and networks, such as 10.0.0.0/8, 192.0.2.7")?;
        networks.wider_than(WIDEST_IPV4, WIDEST_IPV6).map_or(Ok(networks), |wide| {
            Err(self.bad(&format!(
                "the addresses of your proxies; {wide} is wider than /{WIDEST_IPV4} (IPv4) or /{WIDEST_IPV6} (IPv6), and any client in \
                 it could make up the address that its limits go by"
            )))
        })
    }

    /// Parses one line for people.
    pub(crate) fn contact(&self) -> Result<Contact, SettingsError> {
        let example = "one line of at most 200 characters, such as keys@example.com";
        let text = expect_no_key(&self.value).map_err(|error| self.bad(&format!("{example}: {error}")))?;
        Contact::new(text).map_err(|error| self.bad(&format!("{example}: {error}")))
    }

    /// Parses the name of a site.
    pub(crate) fn site_name(&self) -> Result<SiteName, SettingsError> {
        let example = "a name in one line, such as Ann's picks";
        let text = expect_no_key(&self.value).map_err(|error| self.bad(&format!("{example}: {error}")))?;
        SiteName::new(text).map_err(|error| self.bad(&format!("{example}: {error}")))
    }

    /// Parses the text about a site. The error repeats its beginning alone.
    pub(crate) fn about(&self) -> Result<About, SettingsError> {
        const SHOWN: usize = 40;
        let read = expect_no_key(&self.value).map_err(|error| error.to_string());
        read.and_then(|text| About::new(text).map_err(|error| error.to_string())).map_err(|reason| {
            let mut value: String = hide_keys(&self.value).chars().take(SHOWN).collect();
            if self.value.chars().count() > SHOWN {
                value.push('…');
            }
            Self { value, key: self.key.clone(), origin: self.origin.clone() }.bad(&reason)
        })
    }

    /// Parses the colour of a site.
    pub(crate) fn accent(&self) -> Result<Accent, SettingsError> {
        self.value.parse().map_err(|error: FormError| self.bad(&error.to_string()))
    }

    /// Parses the addresses to which vulnerabilities are reported.
    pub(crate) fn security_contact(&self) -> Result<SecurityContact, SettingsError> {
        let text = expect_no_key(&self.value).map_err(|error| self.bad(&error.to_string()))?;
        text.parse().map_err(|error: FormError| self.bad(&error.to_string()))
    }

    /// Parses the common name of logs.
    pub(crate) fn origin(&self) -> Result<Origin, SettingsError> {
        self.value.parse().map_err(|error: FormError| self.bad(&error.to_string()))
    }

    /// Parses the path of a file.
    pub(crate) fn path(&self) -> Result<PathBuf, SettingsError> {
        if self.value.is_empty() { Err(self.bad("the path of a file")) } else { Ok(self.value.clone().into()) }
    }

    pub(crate) fn duration(&self) -> Result<Duration, SettingsError> {
        let duration = humantime::parse_duration(&self.value).ok().filter(|duration| !duration.is_zero());
        duration.ok_or_else(|| self.bad("a duration above zero, such as 500ms or 2s"))
    }

    /// Parses a duration above zero and no longer than `longest`.
    pub(crate) fn duration_up_to(&self, longest: Duration) -> Result<Duration, SettingsError> {
        let duration = self.duration().ok().filter(|duration| *duration <= longest);
        duration.ok_or_else(|| {
            let longest = humantime::format_duration(longest);
            self.bad(&format!("a duration above zero and no longer than {longest}, such as 10s"))
        })
    }

    /// Parses a duration no longer than `longest`; zero is valid.
    pub(crate) fn pause_up_to(&self, longest: Duration) -> Result<Duration, SettingsError> {
        let pause = humantime::parse_duration(&self.value).ok().filter(|pause| *pause <= longest);
        pause.ok_or_else(|| {
            let longest = humantime::format_duration(longest);
            self.bad(&format!("a duration no longer than {longest}, such as 10s or 0s"))
        })
    }

    /// Parses a whole number from 1 to `most`.
    pub(crate) fn up_to(&self, most: u32) -> Result<NonZeroU32, SettingsError> {
        let number = self.value.parse().ok().filter(|number: &NonZeroU32| number.get() <= most);
        number.ok_or_else(|| self.bad(&format!("a whole number from 1 to {most}")))
    }

    pub(crate) fn secret(&self) -> Result<Secret, SettingsError> {
        let hidden = Self { value: "*****".to_owned(), key: self.key.clone(), origin: self.origin.clone() };
        Secret::new(&self.value).map_err(|error| hidden.bad(&error.to_string()))
    }

    /// Returns the error of this entry. Its parts may repeat texts of a file, whose hidden characters are escaped.
    fn bad(&self, expected: &str) -> SettingsError {
        let [value, key, origin, expected] = [&*hide_keys(&masked(&self.value)), &self.key, &self.origin, expected]
            .map(|text| printable_line(text).into_owned());
        SettingsError::Bad { key, value, origin, expected }
    }
}

// The printed form of a setting's value.

/// The printed form of a value.
pub(crate) enum Shown {
    NotSet,
    /// The value is set but not printed.
    Hidden,
    Value(Value),
}

/// A type of a setting's value.
pub(crate) trait Show {
    fn shown(&self) -> Shown;
}

impl<T: Show> Show for Option<T> {
    fn shown(&self) -> Shown {
        self.as_ref().map_or(Shown::NotSet, Show::shown)
    }
}

impl Show for Secret {
    fn shown(&self) -> Shown {
        Shown::Hidden
    }
}

impl Show for Networks {
    fn shown(&self) -> Shown {
        if self.is_empty() { Shown::NotSet } else { text(self) }
    }
}

impl Show for Witnesses {
    fn shown(&self) -> Shown {
        if self.is_empty() { Shown::NotSet } else { text(self) }
    }
}

impl Show for ServiceUrls {
    fn shown(&self) -> Shown {
        if self.is_empty() { Shown::NotSet } else { text(self) }
    }
}

impl Show for PublicRecords {
    fn shown(&self) -> Shown {
        if self.is_empty() { Shown::NotSet } else { text(self) }
    }
}

impl Show for Domains {
    fn shown(&self) -> Shown {
        if self.as_slice().is_empty() { Shown::NotSet } else { text(self) }
    }
}

impl Show for Origins {
    fn shown(&self) -> Shown {
        if self.as_slice().is_empty() { Shown::NotSet } else { text(self) }
    }
}

impl Show for About {
    fn shown(&self) -> Shown {
        text(&self.as_str())
    }
}

impl Show for bool {
    fn shown(&self) -> Shown {
        Shown::Value(Value::Boolean(*self))
    }
}

impl Show for PathBuf {
    fn shown(&self) -> Shown {
        text(&self.display())
    }
}

impl Show for Duration {
    fn shown(&self) -> Shown {
        text(&humantime::format_duration(*self))
    }
}

impl Show for DateTime<Utc> {
    fn shown(&self) -> Shown {
        text(&self.to_rfc3339_opts(SecondsFormat::AutoSi, true))
    }
}

macro_rules! show {
    ($format:ident: $($kind:ty),*) => {
        $( impl Show for $kind {
            fn shown(&self) -> Shown {
                $format(self)
            }
        } )*
    };
}

show!(text: Bind, SocketAddr, ServiceUrl, ConnectionUrl, ByteSize, Contact, SiteName, SecurityContact, Accent, Origin);

show!(number: NonZeroUsize, NonZeroU32, NonZeroU64);

fn text(value: &impl ToString) -> Shown {
    Shown::Value(Value::String(value.to_string()))
}

/// Formats a number; as a text if it exceeds TOML's range.
fn number(value: &impl ToString) -> Shown {
    value.to_string().parse().map_or_else(|_| text(value), |number| Shown::Value(Value::Integer(number)))
}
