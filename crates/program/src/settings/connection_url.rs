use std::fmt;

use sports_domain::{FormError, check_visible};
use url::Url;

/// The address of a resource of the program, such as its store. `Debug` and `Display` mask the user and password.
#[derive(Clone, PartialEq, Eq)]
pub struct ConnectionUrl(String);

pub(crate) fn scheme_list(schemes: &[&str]) -> String {
    let written = |scheme: &&str| format!("{scheme}:{}", if is_path(scheme) { "" } else { "//" });
    schemes.iter().map(written).collect::<Vec<_>>().join(" or ")
}

/// Returns `true` for a scheme with a path of this machine behind it.
fn is_path(scheme: &str) -> bool {
    ["file", "sqlite"].contains(&scheme)
}

impl ConnectionUrl {
    /// Parses an address with one of these schemes and a non-empty rest, which begins with `//` unless it is a path.
    ///
    /// # Errors
    ///
    /// [`FormError`] if the text is not such an address.
    pub fn new(text: &str, schemes: &[&'static str]) -> Result<Self, FormError> {
        match text.split_once(':') {
            Some((scheme, rest))
                if schemes.contains(&scheme) && !rest.is_empty() && (is_path(scheme) || rest.starts_with("//")) =>
            {
                Ok(Self(text.to_owned()))
            }
            _ => Err(FormError::new(format!("an address that starts with {}", scheme_list(schemes)))),
        }
    }

    pub(crate) fn literal(text: &'static str) -> Self {
        Self(text.to_owned())
    }

    /// Returns the whole address with its credentials, for connecting.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ConnectionUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&masked(&self.0))
    }
}

impl fmt::Debug for ConnectionUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ConnectionUrl({self})")
    }
}

/// Returns the text with asterisks in place of everything between `//` and the last `@` before the path, and in place
/// of the values of secret options. In addresses of databases and Redis, a password can contain the characters that end
/// the authority of other addresses. A text that is no address by mistake is masked up to its last `@`, and in words that are options.
pub fn masked(text: &str) -> String {
    let Some((scheme, rest)) = text.split_once("://") else {
        return if is_path(text.split(':').next().unwrap_or(text)) { text.to_owned() } else { masked_text(text) };
    };
    let is_login = ["postgres", "postgresql", "redis", "rediss"].contains(&scheme);
    let authority = if is_login { rest.len() } else { rest.find(['/', '?', '#']).unwrap_or(rest.len()) };
    let shown = match rest[..authority].rfind('@') {
        Some(at) => format!("{scheme}://*****{}", &rest[at..]),
        None => text.to_owned(),
    };
    match shown.split_once('?') {
        Some((place, options)) => {
            format!("{place}?{}", options.split('&').map(masked_option).collect::<Vec<_>>().join("&"))
        }
        None => shown,
    }
}

fn masked_text(text: &str) -> String {
    match text.rfind('@') {
        Some(at) => format!("*****{}", &text[at..]),
        None => text.split(' ').map(masked_option).collect::<Vec<_>>().join(" "),
    }
}

/// Masks the value of a secret option. An option whose name is percent-encoded is masked, too.
fn masked_option(option: &str) -> String {
    const SECRETS: [&str; 5] = ["pass", "secret", "token", "key", "%"];
    match option.split_once('=') {
        Some((name, _)) if SECRETS.iter().any(|secret| name.to_ascii_lowercase().contains(secret)) => {
            format!("{name}=*****")
        }
        _ => option.to_owned(),
    }
}

/// The base address of a web service: a host and optionally a path, without a trailing slash, so that further paths can
/// be appended. It contains no credentials.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServiceUrl(String);

impl ServiceUrl {
    /// The schemes of web addresses.
    pub const WEB: [&'static str; 2] = ["https", "http"];

    /// Parses a base address with one of these schemes; removes a trailing slash.
    ///
    /// # Errors
    ///
    /// [`FormError`] if the text is not a base address.
    pub fn new(text: &str, schemes: &[&'static str]) -> Result<Self, FormError> {
        read(text, schemes).map(Self).map_err(|problem| {
            let schemes = scheme_list(schemes);
            FormError::new(format!(
                "an address that starts with {schemes}, with a host, perhaps a path, and nothing else{problem}"
            ))
        })
    }

    /// Returns the whole address.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Reads a base address. The error continues the sentence that names the expected form.
fn read(text: &str, schemes: &[&'static str]) -> Result<String, String> {
    let has = |what: &str| Err(format!("; this one has {what}"));
    let (_, rest) = text.split_once(':').filter(|(scheme, _)| schemes.contains(scheme)).ok_or_else(String::new)?;
    // Browsers skip blanks and may take a path for a host, so an address with a blank or without a host is refused.
    if text.contains(char::is_whitespace) {
        return has("a blank");
    }
    // The conversion of a host would drop it.
    if check_visible(text).is_err() {
        return has("an invisible character");
    }
    if rest.strip_prefix("//").is_none_or(|rest| rest.is_empty() || rest.starts_with(['/', '\\'])) {
        return has("no host");
    }
    let url = Url::parse(text).map_err(|error| format!("; this one has an {error}"))?;
    let flaws = [
        (url.host().is_none(), "no host"),
        (!url.username().is_empty() || url.password().is_some(), "a user or password"),
        (url.query().is_some(), "a query"),
        (url.fragment().is_some(), "a fragment"),
    ];
    match flaws.into_iter().find(|(is_there, _)| *is_there) {
        Some((_, problem)) => has(problem),
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
    fn credentials_are_masked_wherever_an_address_is_printed() {
        let table = [
            ("sqlite:./var/sports.db", "sqlite:./var/sports.db"),
            ("https://api.example.com/a@b", "https://api.example.com/a@b"),
            ("postgres://ann:secret@db.internal/sports", "postgres://*****@db.internal/sports"),
            ("redis://:p@ss@cache:6379", "redis://*****@cache:6379"),
            ("https://token@host?x=@", "https://*****@host?x=@"),
            ("postgres://ann:se/c?r#et@db/sports?sslmode=require", "postgres://*****@db/sports?sslmode=require"),
            (
                "postgres://db/sports?user=ann&password=secret&sslmode=require",
                "postgres://db/sports?user=ann&password=*****&sslmode=require",
            ),
            ("postgres://db/sports?p%61ssword=secret", "postgres://db/sports?p%61ssword=*****"),
            ("redis:ann:secret@cache:6379", "*****@cache:6379"),
            ("ann:s@cret@db/sports", "*****@db/sports"),
            ("host=db user=ann password=secret dbname=sports", "host=db user=ann password=***** dbname=sports"),
        ];
        for (text, shown) in table {
            let url = ConnectionUrl(text.to_owned());
            assert_eq!(url.to_string(), shown);
            assert_eq!(format!("{url:?}"), format!("ConnectionUrl({shown})"));
            assert_eq!(url.reveal(), text);
        }
    }

    #[test]
    fn the_scheme_must_be_one_that_is_understood() {
        assert!(ConnectionUrl::new("file:/srv", &["file", "s3"]).is_ok());
        assert!(ConnectionUrl::new("s3:bucket", &["file", "s3"]).is_err());
        let error = ConnectionUrl::new("ftp://host", &["file", "s3"]).expect_err("no such scheme");
        assert_eq!(error.to_string(), "an address that starts with file: or s3://");
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
