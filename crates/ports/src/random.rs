use crate::PortError;

/// A source of unpredictable bytes for keys and ids.
///
/// # Contract
///
/// - Every call draws every byte anew.
/// - No two draws of ten bytes or more are equal.
///
/// No test shows that bytes are unpredictable.
pub trait Random: Send + Sync {
    /// Fills `bytes`.
    ///
    /// # Errors
    ///
    /// [`PortError::Unavailable`] if the source has no bytes.
    fn fill(&self, bytes: &mut [u8]) -> Result<(), PortError>;
}

/// Draws `N` bytes from a source.
///
/// # Errors
///
/// [`PortError::Unavailable`] if the source has no bytes.
pub fn random_bytes<const N: usize>(random: &dyn Random) -> Result<[u8; N], PortError> {
    let mut bytes = [0; N];
    random.fill(&mut bytes)?;
    Ok(bytes)
}
