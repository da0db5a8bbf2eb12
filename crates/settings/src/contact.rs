use std::fmt;
use std::str::FromStr;

use url::Url;

/// The way to reach the operator of a service, in one line: an email address, a web address, or a few words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contact(String);

/// The error for a text that is not one line for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("one line of at most {} characters", Contact::LONGEST)]
pub struct NotAContact;

impl Contact {
    /// The maximum number of characters, which fit in one sentence.
    pub const LONGEST: usize = 200;

    /// Returns the text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Contact {
    type Err = NotAContact;

    /// Parses a line; blanks around it do not count.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let line = text.trim();
        let is_one = !line.is_empty() && !line.contains(char::is_control) && line.chars().count() <= Self::LONGEST;
        if is_one { Ok(Self(line.to_owned())) } else { Err(NotAContact) }
    }
}

impl fmt::Display for Contact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The addresses to which vulnerabilities are reported, in the order of preference: `https:`, `mailto:` or `tel:` each, as the
/// `Contact` of RFC 9116 requires.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecurityContact(Vec<String>);

/// The error for a text that is not a list of such addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("addresses that start with mailto: or https:// or tel:, separated by commas")]
pub struct NotASecurityContact;

impl SecurityContact {
    /// Returns the addresses, of which there is at least one.
    #[must_use]
    pub fn addresses(&self) -> &[String] {
        &self.0
    }
}

impl FromStr for SecurityContact {
    type Err = NotASecurityContact;

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
            .map(|address| is_address(address).then(|| address.to_owned()).ok_or(NotASecurityContact))
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
    fn a_contact_is_one_line_of_up_to_200_characters() {
        for (text, line) in [
            ("keys@example.com", "keys@example.com"),
            (" https://example.com/keys ", "https://example.com/keys"),
            ("Frag Jörg im Büro", "Frag Jörg im Büro"),
        ] {
            assert_eq!(text.parse::<Contact>().expect("a line").as_str(), line);
        }
        assert!("ü".repeat(200).parse::<Contact>().is_ok());
        for text in ["", "  ", "two\nlines", "a\ttab", &"ü".repeat(201)] {
            assert_eq!(text.parse::<Contact>(), Err(NotAContact), "{text}");
        }
    }

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
            assert_eq!(text.parse::<SecurityContact>(), Err(NotASecurityContact), "{text}");
        }
    }
}
