use std::fmt;

/// An email address in lower case: one `@` with text on both sides, no blanks, at most 254 bytes.
///
/// Nothing finer is checked, because only mail that arrives proves that an address works. Letter case is dropped, so
/// that one mailbox cannot open two accounts.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Email(String);

/// A text that is not an email address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not an email address: it has one @ with text on both sides, no blanks, and at most {longest} bytes",
    longest = Email::LONGEST
)]
pub struct NotAnEmail(pub String);

impl Email {
    /// The maximum length of a deliverable address, in bytes.
    pub const LONGEST: usize = 254;

    /// Checks an address and converts it to lower case.
    ///
    /// # Errors
    ///
    /// [`NotAnEmail`] if the text is not an address.
    pub fn new(raw: &str) -> Result<Self, NotAnEmail> {
        let address = raw.to_lowercase();
        if is_address(&address) { Ok(Self(address)) } else { Err(NotAnEmail(raw.to_owned())) }
    }

    /// Returns the address.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn is_address(text: &str) -> bool {
    let parts = text.split_once('@');
    let two_parts = parts.is_some_and(|(name, host)| !name.is_empty() && !host.is_empty() && !host.contains('@'));
    two_parts && text.len() <= Email::LONGEST && !text.contains(|c: char| c.is_whitespace() || c.is_control())
}

impl fmt::Display for Email {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_mailbox_has_one_spelling() {
        for raw in ["ann@example.com", "Ann@Example.COM", "ANN@EXAMPLE.COM"] {
            let email = Email::new(raw).expect("an address");
            assert_eq!((email.as_str(), email.to_string().as_str()), ("ann@example.com", "ann@example.com"));
        }
        assert!(Email::new("o'hara+models@sub.example.co.uk").is_ok());
    }

    #[test]
    fn a_bad_address_is_refused() {
        let table =
            ["", "@", "ann", "ann@", "@example.com", "a@b@c", "an n@example.com", "ann@example.com ", "a\u{0}@b.com"];
        for raw in table {
            assert_eq!(Email::new(raw), Err(NotAnEmail(raw.to_owned())));
        }
    }

    #[test]
    fn an_address_has_at_most_254_bytes() {
        let of_length = |length: usize| format!("{}@b.com", "a".repeat(length - "@b.com".len()));
        assert!(Email::new(&of_length(254)).is_ok());
        assert!(Email::new(&of_length(255)).is_err());
    }
}
