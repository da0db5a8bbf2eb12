use std::fmt;

/// The address of a resource of the program, such as its store. `Debug` and `Display` mask the user and password.
#[derive(Clone, PartialEq, Eq)]
pub struct ConnectionUrl(String);

/// The error for a text that is not an address with an accepted scheme.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("an address that starts with {}", scheme_list(schemes))]
pub struct NotAnAddress {
    schemes: Vec<&'static str>,
}

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
    /// [`NotAnAddress`] if the text is not such an address.
    pub fn new(text: &str, schemes: &[&'static str]) -> Result<Self, NotAnAddress> {
        match text.split_once(':') {
            Some((scheme, rest))
                if schemes.contains(&scheme) && !rest.is_empty() && (is_path(scheme) || rest.starts_with("//")) =>
            {
                Ok(Self(text.to_owned()))
            }
            _ => Err(NotAnAddress { schemes: schemes.to_vec() }),
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
}
