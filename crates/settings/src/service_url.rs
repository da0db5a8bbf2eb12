use std::fmt;

use url::Url;

/// The address of something the program talks to. `Debug` and `Display` mask the user and password in it.
#[derive(Clone, PartialEq, Eq)]
pub struct ServiceUrl(String);

/// A text that is no address of the kind that was asked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("an address that starts with {}", schemes.iter().map(|scheme| format!("{scheme}:")).collect::<Vec<_>>().join(" or "))]
pub struct NotAnAddress {
    schemes: Vec<&'static str>,
}

/// A text that is no address other addresses can begin with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotAWebAddress {
    /// It begins otherwise.
    #[error("{WEB_ADDRESS}")]
    Beginning,
    /// It does not read.
    #[error("{WEB_ADDRESS}; this one has an {0}")]
    Unreadable(url::ParseError),
    /// It has something that a base address has not, or lacks a host.
    #[error("{WEB_ADDRESS}; this one has {0}")]
    Has(&'static str),
}

const WEB_ADDRESS: &str = "an address that starts with https: or http:, with a host, perhaps a path, and nothing else";

impl ServiceUrl {
    /// Reads the base address of something on the web: others are made of it by writing a path behind it, so it
    /// ends without a slash.
    ///
    /// # Errors
    ///
    /// [`NotAWebAddress`] for any other text.
    pub fn web(text: &str) -> Result<Self, NotAWebAddress> {
        let rest = text.strip_prefix("https:").or_else(|| text.strip_prefix("http:"));
        let rest = rest.ok_or(NotAWebAddress::Beginning)?;
        // Browsers pass over blanks and take a path for a host; nobody who sets an address means that.
        if text.contains(|c: char| c.is_whitespace() || c.is_control()) {
            return Err(NotAWebAddress::Has("a blank"));
        }
        if rest.strip_prefix("//").is_none_or(|rest| rest.is_empty() || rest.starts_with(['/', '\\'])) {
            return Err(NotAWebAddress::Has("no host"));
        }
        let url = Url::parse(text).map_err(NotAWebAddress::Unreadable)?;
        let flaws = [
            (url.host().is_none(), "no host"),
            (!url.username().is_empty() || url.password().is_some(), "a user or password"),
            (url.query().is_some(), "a query"),
            (url.fragment().is_some(), "a fragment"),
        ];
        match flaws.into_iter().find(|(is_there, _)| *is_there) {
            Some((_, flaw)) => Err(NotAWebAddress::Has(flaw)),
            None => Ok(Self(url.as_str().trim_end_matches('/').to_owned())),
        }
    }

    /// Reads an address with one of these schemes, and something after it.
    ///
    /// # Errors
    ///
    /// [`NotAnAddress`] for any other text.
    pub fn new(text: &str, schemes: &[&'static str]) -> Result<Self, NotAnAddress> {
        match text.split_once(':') {
            Some((scheme, rest)) if schemes.contains(&scheme) && !rest.is_empty() => Ok(Self(text.to_owned())),
            _ => Err(NotAnAddress { schemes: schemes.to_vec() }),
        }
    }

    pub(crate) fn literal(text: &'static str) -> Self {
        Self(text.to_owned())
    }

    /// The whole address, credentials included: for whoever connects to it.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ServiceUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&masked(&self.0))
    }
}

impl fmt::Debug for ServiceUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ServiceUrl({self})")
    }
}

/// The text with whatever stands between `//` and the last `@` before the path replaced by asterisks.
pub(crate) fn masked(text: &str) -> String {
    let Some((scheme, rest)) = text.split_once("://") else { return text.to_owned() };
    let authority = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    match rest[..authority].rfind('@') {
        Some(at) => format!("{scheme}://*****{}", &rest[at..]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_are_masked_wherever_an_address_is_printed() {
        let table = [
            ("sqlite:./var/sports.db", "sqlite:./var/sports.db"),
            ("https://api.example.com/a@b", "https://api.example.com/a@b"),
            ("postgres://ann:secret@db.internal/sports", "postgres://*****@db.internal/sports"),
            ("redis://:p@ss@cache:6379", "redis://*****@cache:6379"),
            ("https://token@host?x=@", "https://*****@host?x=@"),
        ];
        for (text, shown) in table {
            let url = ServiceUrl(text.to_owned());
            assert_eq!(url.to_string(), shown);
            assert_eq!(format!("{url:?}"), format!("ServiceUrl({shown})"));
            assert_eq!(url.reveal(), text);
        }
    }

    #[test]
    fn a_base_address_is_a_host_and_perhaps_a_path() {
        let table = [
            ("https://api.example.com", "https://api.example.com"),
            ("http://127.0.0.1:8080/", "http://127.0.0.1:8080"),
            ("https://[2001:db8::1]/base/path/", "https://[2001:db8::1]/base/path"),
            ("https://API.Example.com:443/Base", "https://api.example.com/Base"),
        ];
        for (text, read) in table {
            assert_eq!(ServiceUrl::web(text).as_ref().map(ServiceUrl::reveal), Ok(read), "{text}");
        }
    }

    #[test]
    fn what_no_path_can_be_written_behind_is_no_base_address() {
        let table = [
            ("", ""),
            ("api.example.com", ""),
            ("localhost:8080", ""),
            ("ftp://api.example.com", ""),
            ("https:", "; this one has no host"),
            ("https:api.example.com", "; this one has no host"),
            ("https://", "; this one has no host"),
            ("https:///base", "; this one has no host"),
            ("https://:8080", "; this one has an empty host"),
            ("https://?x", "; this one has an empty host"),
            ("https://api.example.com:99999", "; this one has an invalid port number"),
            ("https://api.example.com/a b", "; this one has a blank"),
            ("https://api.example.com ", "; this one has a blank"),
            ("https://api.exam\nple.com", "; this one has a blank"),
            ("https://ann@api.example.com", "; this one has a user or password"),
            ("https://ann:secret@api.example.com", "; this one has a user or password"),
            ("https://api.example.com?", "; this one has a query"),
            ("https://api.example.com/base?x=1", "; this one has a query"),
            ("https://api.example.com/#top", "; this one has a fragment"),
        ];
        for (text, flaw) in table {
            let error = ServiceUrl::web(text).expect_err(text).to_string();
            assert_eq!(error, format!("{WEB_ADDRESS}{flaw}"), "{text}");
        }
    }

    #[test]
    fn the_scheme_must_be_one_that_is_understood() {
        assert!(ServiceUrl::new("file:/srv", &["file", "s3"]).is_ok());
        let error = ServiceUrl::new("ftp://host", &["file", "s3"]).expect_err("no such scheme");
        assert_eq!(error.to_string(), "an address that starts with file: or s3:");
    }
}
