use std::fmt;

/// An email address in lower case: one `@` with something on either side, no blanks, at most 254 bytes.
///
/// Whether an address works shows only in use, so nothing finer is checked. Letter case is dropped, so that one mailbox cannot open two accounts.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Email(String);

/// A text that no mail can be sent to.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not an email address: it has one @ with text on both sides, no blanks, and at most {longest} bytes",
    longest = Email::LONGEST
)]
pub struct NotAnEmail(pub String);

impl Email {
    /// The most bytes an address can have and still be delivered to.
    pub const LONGEST: usize = 254;

    /// Checks an address and puts it in lower case.
    ///
    /// # Errors
    ///
    /// [`NotAnEmail`] when it is none.
    pub fn new(raw: &str) -> Result<Self, NotAnEmail> {
        let address = raw.to_lowercase();
        if is_address(&address) { Ok(Self(address)) } else { Err(NotAnEmail(raw.to_owned())) }
    }

    /// The address.
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
