use std::fmt;
use std::str::FromStr;

use sports_domain::Sport;

/// The name of a key, which is also the origin of a log: text without spaces, `+` or control characters, such as
/// `example.com/api/v1/record/nfl`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct KeyName(String);

/// The error for text that cannot name a key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` cannot name a key: expected text without spaces, `+` or control characters")]
pub struct NotAKeyName(pub String);

impl KeyName {
    /// Creates a name of text that is one.
    pub(crate) const fn unchecked(name: String) -> Self {
        Self(name)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the league of a log with this name, as [`Origin::log`] makes it; `None` for other names.
    ///
    /// [`Origin::log`]: crate::Origin::log
    pub fn league(&self) -> Option<Sport> {
        let (_, code) = self.0.rsplit_once('/')?;
        Sport::ALL.into_iter().find(|sport| sport.code() == code)
    }
}

impl FromStr for KeyName {
    type Err = NotAKeyName;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let is_foreign = |symbol: char| symbol.is_whitespace() || symbol == '+' || symbol < ' ';
        if name.is_empty() || name.contains(is_foreign) {
            Err(NotAKeyName(name.to_owned()))
        } else {
            Ok(Self(name.to_owned()))
        }
    }
}

impl fmt::Display for KeyName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
