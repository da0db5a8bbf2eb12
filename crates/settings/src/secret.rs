use std::fmt;

/// A secret of at least 32 characters. `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

/// A text too short to be a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("at least {} characters that cannot be guessed", Secret::SHORTEST)]
pub struct TooShort;

impl Secret {
    /// The fewest bytes that a secret has.
    pub const SHORTEST: usize = 32;

    /// Takes a text as a secret.
    ///
    /// # Errors
    ///
    /// [`TooShort`] for fewer than [`SHORTEST`](Self::SHORTEST) bytes.
    pub fn new(text: &str) -> Result<Self, TooShort> {
        if text.len() < Self::SHORTEST { Err(TooShort) } else { Ok(Self(text.to_owned())) }
    }

    /// The secret, to sign with it.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(*****)")
    }
}
