use std::fmt;

/// What signs links: at least 32 bytes that nobody outside knows. `Debug` does not show them.
#[derive(Clone)]
pub struct LinkSecret(Vec<u8>);

/// Too little to be a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a secret for download links has at least {} characters", LinkSecret::SHORTEST)]
pub struct TooShort;

impl LinkSecret {
    /// The fewest bytes that a secret has.
    pub const SHORTEST: usize = 32;

    /// Takes a text or bytes as the secret.
    ///
    /// # Errors
    ///
    /// [`TooShort`] for fewer than [`SHORTEST`](Self::SHORTEST) bytes.
    pub fn new(secret: impl Into<Vec<u8>>) -> Result<Self, TooShort> {
        let secret = secret.into();
        if secret.len() < Self::SHORTEST { Err(TooShort) } else { Ok(Self(secret)) }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for LinkSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LinkSecret(*****)")
    }
}
