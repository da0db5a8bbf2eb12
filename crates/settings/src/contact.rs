use std::fmt;
use std::str::FromStr;

/// The way to reach the operator of a service, in one line: an email address, a web address, or a few words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contact(String);

/// The error for a text that is not one line for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("one line of at most {} characters", Contact::LONGEST)]
pub struct NotAContact;

impl Contact {
    /// The maximum number of characters, which fit in one sentence.
    pub const LONGEST: usize = 200;

    /// Returns the text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Contact {
    type Err = NotAContact;

    /// Parses a line; blanks around it do not count.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let line = text.trim();
        let is_one = !line.is_empty() && !line.contains(char::is_control) && line.chars().count() <= Self::LONGEST;
        if is_one { Ok(Self(line.to_owned())) } else { Err(NotAContact) }
    }
}

impl fmt::Display for Contact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_contact_is_one_line_of_up_to_200_characters() {
        for (text, line) in [
            ("keys@example.com", "keys@example.com"),
            (" https://example.com/keys ", "https://example.com/keys"),
            ("Frag Jörg im Büro", "Frag Jörg im Büro"),
        ] {
            assert_eq!(text.parse::<Contact>().expect("a line").as_str(), line);
        }
        assert!("ü".repeat(200).parse::<Contact>().is_ok());
        for text in ["", "  ", "two\nlines", "a\ttab", &"ü".repeat(201)] {
            assert_eq!(text.parse::<Contact>(), Err(NotAContact), "{text}");
        }
    }
}
