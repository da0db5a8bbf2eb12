use std::str::FromStr;

/// The operations that a key may call, from the narrowest to the widest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum KeyScope {
    /// Everything that is read, and refreshes of datasets.
    Read,
    /// The same, and changes of the account's keys.
    Full,
}

/// A word that is not a scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a scope is read or full")]
pub struct UnknownScope;

impl KeyScope {
    /// Every scope, the narrowest first.
    pub const ALL: [Self; 2] = [Self::Read, Self::Full];

    /// Returns the scope's code: `read` or `full`.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Full => "full",
        }
    }
}

impl FromStr for KeyScope {
    type Err = UnknownScope;

    fn from_str(raw: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|scope| scope.code() == raw).ok_or(UnknownScope)
    }
}
