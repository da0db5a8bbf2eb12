/// How a dataset's content in the store differs from its record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The store does not have the file.
    #[error("is missing")]
    Missing,
    /// The store has another size than the record.
    #[error("has {found} bytes and not the {recorded} on record")]
    Size {
        /// How many bytes the store has.
        found: u64,
        /// How many there were when it was added.
        recorded: u64,
    },
    /// The size is right and the content is not.
    #[error("does not hash to its name")]
    Content,
}

impl Fault {
    /// The fault that the size alone shows.
    pub(super) fn by_size(found: Option<u64>, recorded: u64) -> Result<(), Self> {
        match found {
            None => Err(Self::Missing),
            Some(found) if found != recorded => Err(Self::Size { found, recorded }),
            Some(_) => Ok(()),
        }
    }
}
