use crate::PortError;

/// A source of bytes that cannot be guessed: keys and ids are made of them.
///
/// # Contract
///
/// - Every byte is drawn anew at each call.
/// - No two draws of ten bytes or more are equal.
///
/// No test shows that bytes cannot be guessed.
pub trait Random: Send + Sync {
    /// Fills `bytes`.
    ///
    /// # Errors
    ///
    /// [`PortError::Unavailable`] when the source has no bytes.
    fn fill(&self, bytes: &mut [u8]) -> Result<(), PortError>;
}

/// Draws `N` bytes from a source.
///
/// # Errors
///
/// [`PortError::Unavailable`] when the source has no bytes.
pub fn random_bytes<const N: usize>(random: &dyn Random) -> Result<[u8; N], PortError> {
    let mut bytes = [0; N];
    random.fill(&mut bytes)?;
    Ok(bytes)
}
