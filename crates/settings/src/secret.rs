use std::fmt;

/// A secret of at least 32 bytes. `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

/// The error for a text that is too short for a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("at least {} characters that cannot be guessed", Secret::SHORTEST)]
pub struct TooShort;

impl Secret {
    /// The minimum length in bytes.
    pub const SHORTEST: usize = 32;

    /// Creates a secret from a text.
    ///
    /// # Errors
    ///
    /// [`TooShort`] if the text has fewer than [`SHORTEST`](Self::SHORTEST) bytes.
    pub fn new(text: &str) -> Result<Self, TooShort> {
        if text.len() < Self::SHORTEST { Err(TooShort) } else { Ok(Self(text.to_owned())) }
    }

    /// Returns the secret, for signing.
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
