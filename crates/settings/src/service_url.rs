use std::fmt;

use sports_domain::check_visible;
use url::Url;

use crate::connection_url::scheme_list;

/// The base address of a web service: a host and optionally a path, without a trailing slash, so that further paths can
/// be appended. It contains no credentials.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServiceUrl(String);

/// The error for a text that is not a base address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("an address that starts with {}, with a host, perhaps a path, and nothing else{problem}", scheme_list(schemes))]
pub struct NotABaseAddress {
    schemes: Vec<&'static str>,
    problem: UrlProblem,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum UrlProblem {
    Beginning,
    Unreadable(url::ParseError),
    Has(&'static str),
}

impl fmt::Display for UrlProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Beginning => Ok(()),
            Self::Unreadable(error) => write!(f, "; this one has an {error}"),
            Self::Has(what) => write!(f, "; this one has {what}"),
        }
    }
}

impl ServiceUrl {
    /// The schemes of web addresses.
    pub const WEB: [&'static str; 2] = ["https", "http"];

    /// Parses a base address with one of these schemes; removes a trailing slash.
    ///
    /// # Errors
    ///
    /// [`NotABaseAddress`] if the text is not a base address.
    pub fn new(text: &str, schemes: &[&'static str]) -> Result<Self, NotABaseAddress> {
        read(text, schemes).map(Self).map_err(|problem| NotABaseAddress { schemes: schemes.to_vec(), problem })
    }

    /// Returns the whole address.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn read(text: &str, schemes: &[&'static str]) -> Result<String, UrlProblem> {
    let (_, rest) = text.split_once(':').filter(|(scheme, _)| schemes.contains(scheme)).ok_or(UrlProblem::Beginning)?;
    // Browsers skip blanks and may take a path for a host, so an address with a blank or without a host is refused.
    if text.contains(char::is_whitespace) {
        return Err(UrlProblem::Has("a blank"));
    }
    // The conversion of a host would drop it.
    if check_visible(text).is_err() {
        return Err(UrlProblem::Has("an invisible character"));
    }
    if rest.strip_prefix("//").is_none_or(|rest| rest.is_empty() || rest.starts_with(['/', '\\'])) {
        return Err(UrlProblem::Has("no host"));
    }
    let url = Url::parse(text).map_err(UrlProblem::Unreadable)?;
    let flaws = [
        (url.host().is_none(), "no host"),
        (!url.username().is_empty() || url.password().is_some(), "a user or password"),
        (url.query().is_some(), "a query"),
        (url.fragment().is_some(), "a fragment"),
    ];
    match flaws.into_iter().find(|(is_there, _)| *is_there) {
        Some((_, problem)) => Err(UrlProblem::Has(problem)),
        None => Ok(url.as_str().trim_end_matches('/').to_owned()),
    }
}

impl fmt::Display for ServiceUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_address_is_a_host_and_perhaps_a_path() {
        let table = [
            ("https://api.example.com", "https://api.example.com"),
            ("http://127.0.0.1:8080/", "http://127.0.0.1:8080"),
            ("https://[2001:db8::1]/base/path/", "https://[2001:db8::1]/base/path"),
            ("https://API.Example.com:443/Base", "https://api.example.com/Base"),
        ];
        for (text, read) in table {
            assert_eq!(ServiceUrl::new(text, &ServiceUrl::WEB).as_ref().map(ServiceUrl::as_str), Ok(read), "{text}");
        }
    }

    #[test]
    fn an_address_that_takes_no_path_is_no_base_address() {
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
            ("https://api.exam\u{200b}ple.com", "; this one has an invisible character"),
            ("https://ann@api.example.com", "; this one has a user or password"),
            ("https://ann:secret@api.example.com", "; this one has a user or password"),
            ("https://api.example.com?", "; this one has a query"),
            ("https://api.example.com/base?x=1", "; this one has a query"),
            ("https://api.example.com/#top", "; this one has a fragment"),
        ];
        for (text, problem) in table {
            let error = ServiceUrl::new(text, &ServiceUrl::WEB).expect_err(text).to_string();
            let expected =
                "an address that starts with https:// or http://, with a host, perhaps a path, and nothing else";
            assert_eq!(error, format!("{expected}{problem}"), "{text}");
        }
    }
}
