use std::fmt;
use std::net::SocketAddr;
use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use chrono::{DateTime, SecondsFormat, Utc};
use sports_accounts::{Networks, expect_no_key, hide_keys};
use sports_domain::{OutOfReach, printable_line, within_reach};
use sports_transparency::{NotAnOrigin, Origin};
use toml::Value;

use crate::byte_size::ByteSize;
use crate::connection_url::{ConnectionUrl, ServiceUrl, masked};
use crate::contact::{Contact, NotASecurityContact, SecurityContact};
use crate::error::SettingsError;
use crate::secret::Secret;
use crate::settings::Settings;
use crate::witnesses::{ServiceUrls, Witnesses};

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

    /// Parses the addresses to which vulnerabilities are reported.
    pub(crate) fn security_contact(&self) -> Result<SecurityContact, SettingsError> {
        let text = expect_no_key(&self.value).map_err(|error| self.bad(&error.to_string()))?;
        text.parse().map_err(|error: NotASecurityContact| self.bad(&error.to_string()))
    }

    /// Parses the common name of logs.
    pub(crate) fn origin(&self) -> Result<Origin, SettingsError> {
        self.value.parse().map_err(|error: NotAnOrigin| self.bad(&error.to_string()))
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

show!(text: SocketAddr, ServiceUrl, ConnectionUrl, ByteSize, Contact, SecurityContact, Origin);

show!(number: NonZeroUsize, NonZeroU32, NonZeroU64);

fn text(value: &impl ToString) -> Shown {
    Shown::Value(Value::String(value.to_string()))
}

/// Formats a number; as a text if it exceeds TOML's range.
fn number(value: &impl ToString) -> Shown {
    value.to_string().parse().map_or_else(|_| text(value), |number| Shown::Value(Value::Integer(number)))
}

impl fmt::Display for Settings {
    /// Formats the settings as a TOML file that sets all of them. Credentials are masked; a setting that is unset or
    /// secret is a comment.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, (section, values)) in self.sections().into_iter().enumerate() {
            let gap = if place == 0 { "" } else { "\n" };
            writeln!(f, "{gap}[{section}]")?;
            for (name, shown) in values {
                match shown {
                    Shown::Value(value) => writeln!(f, "{name} = {value}")?,
                    Shown::Hidden => writeln!(f, "# {name} is set")?,
                    Shown::NotSet => writeln!(f, "# {name} is not set")?,
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sources;

    #[test]
    fn the_defaults_are_printed_as_a_file() {
        let expected = concat!(
            "[http]\nbind = \"127.0.0.1:8080\"\n# public_url is not set\n# trusted_proxies is not set\n# workers is not set\n",
            "max_connections = 4096\nmax_connections_per_address = 1024\n",
            "head_timeout = \"10s\"\nbody_timeout = \"30s\"\nanswer_timeout = \"30s\"\nidle_timeout = \"1m 15s\"\ndrain = \"0s\"\n# contact is not set\n# security_contact is not set\n",
            "\n[store]\nurl = \"file:./var/store\"\npoll_interval = \"1s\"\n",
            "\n[database]\nurl = \"sqlite:./var/sports.db\"\n",
            "\n[prices]\n# kalshi_url is not set\n",
            "\n[watch]\nsettle = \"3s\"\n",
            "\n[record]\n# origin is not set\n# key_file is not set\n# witnesses is not set\n# timestamps is not set\ntimeout = \"4s\"\n",
            "\n[limits]\n# redis is not set\nmonthly = 200000\nper_second = 50\npublic_per_second = 50\nfailed_keys_per_second = 10\nqueue_timeout = \"5s\"\n",
            "\n[downloads]\n# secret is not set\n",
            "\n[memory]\narchives = \"512MiB\"\n",
            "\n[metrics]\n# bind is not set\n",
            "\n[log]\nclient_network = true\n",
            "\n[clock]\n# as_of is not set\n",
        );
        assert_eq!(Settings::default().to_string(), expected);
    }

    fn printed_and_loaded(settings: &Settings) -> Settings {
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), settings.to_string()).expect("written");
        Settings::load(&Sources { file: Some(file.path().to_owned()), ..Sources::default() }).expect("read back")
    }

    #[test]
    fn printed_settings_set_the_same_again() {
        let mut settings = Settings::default();
        settings.http.workers = std::num::NonZeroUsize::new(3);
        settings.store.poll_interval = std::time::Duration::from_millis(2500);
        settings.http.trusted_proxies = "10.0.0.0/8, ::1".parse().expect("networks");
        settings.limits.monthly = std::num::NonZeroU64::MIN;
        settings.clock.as_of = "2024-11-24T15:00:00.5Z".parse().ok();
        assert_eq!(printed_and_loaded(&settings), settings);
    }

    #[test]
    fn awkward_texts_and_numbers_set_the_same_again() {
        let mut settings = Settings::default();
        settings.store.url = crate::ConnectionUrl::new("file:C:\\a \"b\" 'c'\n", &["file"]).expect("an address");
        settings.limits.monthly = std::num::NonZeroU64::MAX;
        assert_eq!(printed_and_loaded(&settings), settings);
    }
}
