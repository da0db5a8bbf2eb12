use std::fmt;
use std::str::FromStr;

use sports_domain::{FormError, Label};
use url::Url;

/// The way to reach the operator of a service: an email address, a web address, or a few words, which fit in one sentence.
pub type Contact = Label<200>;

/// The name of a site.
pub type SiteName = Label<60>;

/// The addresses to which vulnerabilities are reported, in the order of preference: `https:`, `mailto:` or `tel:` each, as the
/// `Contact` of RFC 9116 requires.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecurityContact(Vec<String>);

const NOT_A_SECURITY_CONTACT: FormError =
    FormError::fixed("addresses that start with mailto: or https:// or tel:, separated by commas");

impl SecurityContact {
    /// Returns the addresses, of which there is at least one.
    pub fn addresses(&self) -> &[String] {
        &self.0
    }
}

impl FromStr for SecurityContact {
    type Err = FormError;

    /// Parses a list; blanks around an address do not count.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let is_address = |address: &str| {
            let Ok(url) = Url::parse(address) else { return false };
            let is_complete = match url.scheme() {
                "https" => address.contains("://"),
                "mailto" => url.path().contains('@'),
                "tel" => !url.path().is_empty(),
                _ => false,
            };
            is_complete && address.bytes().all(|byte| byte.is_ascii_graphic())
        };
        let addresses = text.split(',').map(str::trim);
        addresses
            .map(|address| is_address(address).then(|| address.to_owned()).ok_or(NOT_A_SECURITY_CONTACT))
            .collect::<Result<_, _>>()
            .map(Self)
    }
}

impl fmt::Display for SecurityContact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_security_contact_is_a_list_of_whole_addresses() {
        let two: SecurityContact =
            "mailto:security@example.com , https://example.com/report?x=1".parse().expect("a list");
        assert_eq!(two.addresses(), ["mailto:security@example.com", "https://example.com/report?x=1"]);
        assert_eq!(two.to_string(), "mailto:security@example.com, https://example.com/report?x=1");
        assert!("tel:+1-201-555-0123".parse::<SecurityContact>().is_ok());
        for text in [
            "",
            ",",
            "security@example.com",
            "http://example.com",
            "https:example.com",
            "https://",
            "mailto:",
            "mailto:security",
            "tel:",
            "javascript:alert(1)",
            "mailto:a@example.com\nExpires: never",
            "mailto:a@example.com,",
            "mailto:jörg@example.com",
            "https://example.com/a b",
        ] {
            assert_eq!(text.parse::<SecurityContact>(), Err(NOT_A_SECURITY_CONTACT), "{text}");
        }
    }
}
