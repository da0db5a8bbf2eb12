use std::fmt;
use std::str::FromStr;

/// The status of an ending in a leaf: 1 to 64 lower-case letters, digits, `_`, `-` or spaces, other than `-` alone, which
/// stands for no status.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct StatusWord(String);

/// The error for a status that cannot stand in a leaf.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` cannot be recorded as the status of a game: expected 1 to {most} lower-case letters, digits, `_`, `-` or \
     spaces, other than `-` alone", most = StatusWord::MOST
)]
pub struct NotAStatusWord(pub String);

impl StatusWord {
    /// The length of the longest status.
    pub const MOST: usize = 64;
    const NONE: &str = "-";

    /// Returns the word, or the nearest status of a word that an earlier program recorded in another form: in lower case,
    /// each other character as `_`, one `_` behind it, and cut off.
    pub fn like(word: &str) -> Self {
        word.parse().unwrap_or_else(|_| {
            let plain = word.chars().map(|symbol| symbol.to_ascii_lowercase());
            let plain = plain.map(|symbol| if is_plain(symbol) { symbol } else { '_' });
            Self(plain.take(Self::MOST - 1).chain(['_']).collect())
        })
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

const fn is_plain(symbol: char) -> bool {
    matches!(symbol, 'a'..='z' | '0'..='9' | '_' | ' ' | '-')
}

impl FromStr for StatusWord {
    type Err = NotAStatusWord;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        let fits = (1..=Self::MOST).contains(&word.len()) && word.chars().all(is_plain) && word != Self::NONE;
        if fits { Ok(Self(word.to_owned())) } else { Err(NotAStatusWord(word.to_owned())) }
    }
}

impl fmt::Display for StatusWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
