use std::fmt;
use std::str::FromStr;

use sports_domain::{Sport, is_hidden};

use crate::KeyName;

/// The common name of the logs of all leagues: an address without a scheme, such as `example.com/api/v1/record`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Origin(String);

/// The reason for which text cannot be the common name of logs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotAnOrigin {
    /// The text has a scheme.
    #[error("an address without a scheme, such as example.com/api/v1/record; leave out https://")]
    Scheme,
    /// The text has a symbol that no name of a key has.
    #[error("an address without spaces, +, and control or invisible characters, such as example.com/api/v1/record")]
    Symbol,
    /// The text is no address.
    #[error("an address that begins with a host, without a slash at its end, such as example.com/api/v1/record")]
    Form,
    /// The text is too long.
    #[error("an address of at most {} characters, such as example.com/api/v1/record", Origin::LONGEST)]
    Long,
}

impl Origin {
    /// The maximum length in bytes.
    pub const LONGEST: usize = 200;

    /// Returns the name of a league's log, which is also the name of its key.
    pub fn log(&self, sport: Sport) -> KeyName {
        KeyName::unchecked(format!("{}/{}", self.0, sport.code()))
    }
}

impl FromStr for Origin {
    type Err = NotAnOrigin;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let host = text.split('/').next().unwrap_or_default();
        // A host has a port behind its colon, or is an address in brackets.
        let is_port = |port: &str| !port.is_empty() && port.bytes().all(|symbol| symbol.is_ascii_digit());
        if text.contains("://") || host.rsplit_once(':').is_some_and(|(_, port)| !is_port(port) && !port.ends_with(']'))
        {
            return Err(NotAnOrigin::Scheme);
        }
        if text.contains(|symbol: char| symbol.is_whitespace() || is_hidden(symbol) || symbol == '+') {
            return Err(NotAnOrigin::Symbol);
        }
        if text.is_empty() || text.starts_with('/') || text.ends_with('/') {
            return Err(NotAnOrigin::Form);
        }
        if text.len() > Self::LONGEST { Err(NotAnOrigin::Long) } else { Ok(Self(text.to_owned())) }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_league_has_a_log_below_the_origin() {
        let origin: Origin = "example.com/api/v1/record".parse().expect("an origin");
        assert_eq!(origin.log(Sport::Nfl).as_str(), "example.com/api/v1/record/nfl");
        assert_eq!(
            "127.0.0.1:8080/record".parse::<Origin>().map(|origin| origin.to_string()).as_deref(),
            Ok("127.0.0.1:8080/record")
        );
    }

    #[test]
    fn a_scheme_a_plus_and_a_space_are_refused() {
        let long = "a".repeat(201);
        for (text, reason) in [
            ("https://example.com/record", NotAnOrigin::Scheme),
            ("https:example.com", NotAnOrigin::Scheme),
            ("https:/example.com", NotAnOrigin::Scheme),
            ("example.com/a+b", NotAnOrigin::Symbol),
            ("example.com/a b", NotAnOrigin::Symbol),
            ("example.com/a\n", NotAnOrigin::Symbol),
            ("example.com/a\u{202e}", NotAnOrigin::Symbol),
            ("", NotAnOrigin::Form),
            ("/record", NotAnOrigin::Form),
            ("example.com/", NotAnOrigin::Form),
            (long.as_str(), NotAnOrigin::Long),
        ] {
            assert_eq!(text.parse::<Origin>(), Err(reason), "{text}");
        }
    }
}
