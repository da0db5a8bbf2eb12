/// A difference between a dataset's content in the store and its record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The store does not have the file.
    #[error("is missing")]
    Missing,
    /// The size in the store differs from the record.
    #[error("has {found} bytes and not the {recorded} on record")]
    Size {
        /// The number of bytes in the store.
        found: u64,
        /// The number of bytes on record.
        recorded: u64,
    },
    /// The content does not have the recorded hash, although its size is right.
    #[error("does not hash to its name")]
    Content,
}

impl Fault {
    /// Returns the fault that is visible from the size alone.
    pub(super) fn by_size(found: Option<u64>, recorded: u64) -> Result<(), Self> {
        match found {
            None => Err(Self::Missing),
            Some(found) if found != recorded => Err(Self::Size { found, recorded }),
            Some(_) => Ok(()),
        }
    }
}
