use std::fmt;

/// The name that a customer gave a key: 1 to 64 characters without control characters, and without blanks at either
/// end.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct KeyName(String);

/// A text that is not a valid name of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a key name has 1 to {longest} characters and no control characters", longest = KeyName::LONGEST)]
pub struct NotAKeyName;

impl KeyName {
    /// The maximum length of a name, in characters, after trimming.
    pub const LONGEST: usize = 64;

    /// Trims and checks a name.
    ///
    /// # Errors
    ///
    /// [`NotAKeyName`] if the trimmed text is empty, is too long, or has a control character.
    pub fn new(raw: &str) -> Result<Self, NotAKeyName> {
        trimmed(raw, Self::LONGEST).map(Self).ok_or(NotAKeyName)
    }

    /// Returns the name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for KeyName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The name of the person or company behind an account: 1 to 100 characters without control characters, and without
/// blanks at either end.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CustomerName(String);

/// A text that is not a valid name of a customer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a customer name has 1 to {longest} characters and no control characters", longest = CustomerName::LONGEST)]
pub struct NotACustomerName;

impl CustomerName {
    /// The maximum length of a name, in characters, after trimming.
    pub const LONGEST: usize = 100;

    /// Trims and checks a name.
    ///
    /// # Errors
    ///
    /// [`NotACustomerName`] if the trimmed text is empty, is too long, or has a control character.
    pub fn new(raw: &str) -> Result<Self, NotACustomerName> {
        trimmed(raw, Self::LONGEST).map(Self).ok_or(NotACustomerName)
    }

    /// Returns the name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for CustomerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Trims a text that should fit on one line; returns `None` if it is empty, too long, or has control characters.
fn trimmed(raw: &str, longest: usize) -> Option<String> {
    let text = raw.trim();
    let fits = (1..=longest).contains(&text.chars().count());
    (fits && !text.contains(char::is_control)).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_trimmed_and_keeps_its_inner_blanks() {
        let key = KeyName::new("  nightly  notebook ").expect("a name");
        assert_eq!((key.as_str(), key.to_string().as_str()), ("nightly  notebook", "nightly  notebook"));
        let customer = CustomerName::new("Zoë & Söhne\n").expect("a name");
        assert_eq!((customer.as_str(), customer.to_string().as_str()), ("Zoë & Söhne", "Zoë & Söhne"));
    }

    #[test]
    fn the_limits_count_characters_after_trimming() {
        assert!(KeyName::new(&format!(" {} ", "é".repeat(64))).is_ok());
        assert_eq!(KeyName::new(&"é".repeat(65)), Err(NotAKeyName));
        assert!(CustomerName::new(&"é".repeat(100)).is_ok());
        assert_eq!(CustomerName::new(&"é".repeat(101)), Err(NotACustomerName));
    }

    #[test]
    fn empty_texts_and_control_characters_are_no_name() {
        for raw in ["", " \t\n ", "a\nb", "a\u{0}b", "a\u{7f}b", "a\u{85}b"] {
            assert_eq!(KeyName::new(raw), Err(NotAKeyName), "{raw:?}");
            assert_eq!(CustomerName::new(raw), Err(NotACustomerName), "{raw:?}");
        }
    }

    #[test]
    fn the_messages_state_the_limits() {
        assert_eq!(NotAKeyName.to_string(), "a key name has 1 to 64 characters and no control characters");
        assert_eq!(NotACustomerName.to_string(), "a customer name has 1 to 100 characters and no control characters");
    }
}
