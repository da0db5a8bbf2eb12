use std::fmt;
use std::str::FromStr;

use sports_domain::FormError;
use url::Url;

/// Origins of web pages, in order: scheme, host and port. The default has none.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Origins(Vec<String>);

/// The error of a text that is no list of origins.
const NOT_ORIGINS: FormError =
    FormError::fixed("origins start with https:// or http:// and have a host and no path, separated by commas");

impl Origins {
    /// Returns the origins, in the form of a browser.
    pub fn as_slice(&self) -> &[String] {
        &self.0
    }
}

impl FromStr for Origins {
    type Err = FormError;

    fn from_str(text: &str) -> Result<Self, FormError> {
        text.split(',').map(|part| origin(part.trim()).ok_or(NOT_ORIGINS)).collect::<Result<_, _>>().map(Self)
    }
}

/// Returns the origin of an address that has nothing else.
fn origin(text: &str) -> Option<String> {
    let url = Url::parse(text).ok().filter(|url| matches!(url.scheme(), "https" | "http") && url.path() == "/")?;
    let is_bare = url.username().is_empty() && url.password().is_none() && url.query().or(url.fragment()).is_none();
    // A host with a wildcard is no host of a page.
    let is_host = url.host_str().is_some_and(|host| !host.contains('*'));
    (is_bare && is_host && !text.ends_with('/')).then(|| url.origin().ascii_serialization())
}

impl fmt::Display for Origins {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_a_scheme_a_host_and_a_port() {
        let parsed: Origins =
            "https://Blog.example.com, http://127.0.0.1:8000,https://a.example:443".parse().expect("origins");
        assert_eq!(parsed.to_string(), "https://blog.example.com, http://127.0.0.1:8000, https://a.example");
        for bad in [
            "",
            "*",
            "blog.example.com",
            "https://",
            "https://*.example.com",
            "https://a.example/",
            "https://a.example/page",
            "https://a.example?x",
            "https://a.example#x",
            "https://user@a.example",
            "ftp://a.example",
            "https://a.example; script-src *",
            "https://a.example,",
        ] {
            assert_eq!(bad.parse::<Origins>(), Err(NOT_ORIGINS), "{bad}");
        }
    }
}
