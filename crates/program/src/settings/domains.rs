use std::fmt;
use std::str::FromStr;

use sports_domain::FormError;

/// Names of this service in DNS, in order. The default has none.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Domains(Vec<String>);

/// The error of a text that is no list of domains.
const NOT_DOMAINS: FormError = FormError::fixed("domains are whole names without a wildcard, separated by commas");

impl Domains {
    pub fn as_slice(&self) -> &[String] {
        &self.0
    }
}

impl FromStr for Domains {
    type Err = FormError;

    fn from_str(text: &str) -> Result<Self, FormError> {
        let domains = text.split(',').map(|name| name.trim().to_ascii_lowercase());
        domains
            .map(|name| if is_domain(&name) { Ok(name) } else { Err(NOT_DOMAINS) })
            .collect::<Result<_, _>>()
            .map(Self)
    }
}

/// Returns true for a whole name without a wildcard, and not an address.
fn is_domain(name: &str) -> bool {
    let is_label = |label: &str| {
        let fits = (1..=63).contains(&label.len()) && !label.starts_with('-') && !label.ends_with('-');
        fits && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    let last = name.rsplit('.').next().unwrap_or_default();
    name.len() <= 253
        && name.contains('.')
        && name.split('.').all(is_label)
        && !last.bytes().all(|byte| byte.is_ascii_digit())
}

impl fmt::Display for Domains {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_domain_is_a_whole_name_without_a_wildcard() {
        let parsed: Domains = "api.example.com, Example.COM".parse().expect("domains");
        assert_eq!(parsed.to_string(), "api.example.com, example.com");
        for bad in
            ["", "localhost", "*.example.com", "a..example", "192.0.2.1", "-a.example", "a.example/x", "a.example,"]
        {
            assert_eq!(bad.parse::<Domains>(), Err(NOT_DOMAINS), "{bad}");
        }
    }
}
