use crate::PortError;

/// Bytes that cannot be guessed: keys and ids are made of them.
///
/// # Contract
///
/// - Every byte is drawn anew at each call.
///
/// There is no suite in the test kit: no test shows that bytes cannot be guessed. That two draws differ, each implementation
/// tests itself.
pub trait Random: Send + Sync {
    /// Fills `bytes`.
    ///
    /// # Errors
    ///
    /// [`PortError::Unavailable`] when there are none to be had.
    fn fill(&self, bytes: &mut [u8]) -> Result<(), PortError>;
}

/// So many bytes from a source.
///
/// # Errors
///
/// [`PortError::Unavailable`] when there are none to be had.
pub fn random_bytes<const N: usize>(random: &dyn Random) -> Result<[u8; N], PortError> {
    let mut bytes = [0; N];
    random.fill(&mut bytes)?;
    Ok(bytes)
}
