use std::borrow::Borrow;
use std::fmt;
use std::str::FromStr;

use crate::ModelColumn;

/// The name of a model: 1 to 32 letters, digits, `_`, `.` or `-`, of which the first is a letter.
///
/// The bytes are kept inline, so that a name is copied without memory of its own. Names are ordered by their bytes, and
/// compared with their letter case.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ModelName([u8; ModelName::MOST]);

/// The error for text that is not the name of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a name of 1 to 32 letters, digits, `_`, `.` or `-` that begins with a letter")]
pub struct NotAModelName;

impl ModelName {
    /// The length of the longest name, in bytes.
    pub const MOST: usize = 32;

    /// The names as a regular expression.
    pub const PATTERN: &str = "^[A-Za-z][A-Za-z0-9_.-]{0,31}$";

    /// Returns the name of a column of the specification.
    pub const fn of(column: ModelColumn) -> Self {
        Self::padded(column.name().as_bytes())
    }

    /// Copies a valid name; the rest is zeros, which no name contains.
    const fn padded(name: &[u8]) -> Self {
        let mut bytes = [0; Self::MOST];
        let (start, _) = bytes.split_at_mut(name.len());
        start.copy_from_slice(name);
        Self(bytes)
    }

    /// Returns the name as text.
    pub fn as_str(&self) -> &str {
        let length = self.0.iter().position(|byte| *byte == 0).unwrap_or(Self::MOST);
        std::str::from_utf8(&self.0[..length]).unwrap_or_default()
    }

    /// Returns the column of the specification that has this name, if any.
    pub fn column(&self) -> Option<ModelColumn> {
        self.as_str().parse().ok()
    }
}

impl From<ModelColumn> for ModelName {
    fn from(column: ModelColumn) -> Self {
        Self::of(column)
    }
}

impl Borrow<str> for ModelName {
    fn borrow(&self) -> &str {
        self.as_str()
    }
}

impl fmt::Display for ModelName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for ModelName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for ModelName {
    type Err = NotAModelName;

    /// Parses a name, which is not trimmed.
    fn from_str(raw: &str) -> Result<Self, Self::Err> {
        let is_inside = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte);
        let [first, rest @ ..] = raw.as_bytes() else { return Err(NotAModelName) };
        let is_name = first.is_ascii_alphabetic() && rest.iter().all(|byte| is_inside(*byte));
        if is_name && raw.len() <= Self::MOST { Ok(Self::padded(raw.as_bytes())) } else { Err(NotAModelName) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_parsed_and_written_unchanged() {
        for name in ["ELO", "nn_v2", "PoissonGLM", "a", "x.y-z_0", &"m".repeat(32)] {
            let parsed: ModelName = name.parse().expect("a name");
            assert_eq!((parsed.as_str(), parsed.to_string().as_str()), (name, name));
        }
        for column in ModelColumn::ALL {
            assert_eq!(ModelName::of(column).column(), Some(column));
        }
    }

    #[test]
    fn text_outside_the_pattern_is_no_name() {
        for text in ["", "2nd", "_x", "x y", " x", "Größe", "x\0", &"m".repeat(33)] {
            assert_eq!(text.parse::<ModelName>(), Err(NotAModelName), "{text:?}");
        }
    }

    #[test]
    fn names_are_in_the_order_of_their_text() {
        let names: Vec<ModelName> = ["A", "AA", "B", "a", "a-", "a.b"].map(|name| name.parse().expect("a name")).into();
        assert!(names.is_sorted());
    }
}
