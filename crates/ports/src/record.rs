//! The files of a record beside its log and its objects: tiles of the tree, signed checkpoints, and public keys.

use std::ops::RangeInclusive;

use async_trait::async_trait;
use bytes::Bytes;
use sports_domain::Sport;
use sports_domain::content::ObjectHash;
use sports_publication::Generation;
use sports_transparency::{KeyId, TilePath};

use crate::PortError;

/// A file of the record, by its name in the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RecordFile {
    /// A tile of hashes or an entry bundle of a league's tree.
    Tile(Sport, TilePath),
    /// A signed checkpoint of a league, or a timestamp of one.
    Checkpoint(Sport, CheckpointFile),
    /// A public key that has signed checkpoints, in the text form of keys.
    Key(KeyId),
    /// The facts of the entries of a league's log up to a number, for readers of many.
    Index(Sport, Generation),
}

/// A file about the tree of one size. Its name has the hash of its bytes, so there can be any number of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CheckpointFile {
    /// The size of the tree.
    pub size: u64,
    /// The kind of the file.
    pub kind: CheckpointKind,
    /// The hash of the file's bytes.
    pub content: ObjectHash,
}

/// The kinds of files about the tree of one size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CheckpointKind {
    /// A signed checkpoint with its cosignatures.
    Note,
    /// A reply of a timestamp server for a checkpoint.
    Timestamp,
}

/// The outcome of storing a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoredAs {
    /// The file was written.
    New,
    /// The file was there already, with these bytes.
    Present,
    /// A file with other bytes has this name. It was not replaced.
    Different,
}

/// Returns the files about each tree, the smallest tree first. `listed` has the order of [`CheckpointFile`].
pub fn of_each_size(listed: &[CheckpointFile]) -> impl DoubleEndedIterator<Item = &[CheckpointFile]> {
    listed.chunk_by(|one, next| one.size == next.size)
}

/// The files of the records of one store. No file is ever replaced or removed.
///
/// # Contract
///
/// - A stored file reads back equal; storing the same bytes again is [`StoredAs::Present`], and other bytes are
///   [`StoredAs::Different`] and change nothing. A file is written whole or not at all.
/// - A file that was never stored is `Ok(None)`; a store that cannot be read is [`PortError::Unavailable`]. Something that no
///   file of the record can be is [`PortError::Corrupt`].
/// - `checkpoints` lists the files about trees of these sizes, each once, in the order of [`CheckpointFile`].
/// - `first_checkpoints` lists the beginning of that list: the files about at most so many trees.
/// - `tiles` lists the stored tiles of a league, each once, in order.
/// - `record_keys` lists the stored keys, each once, in order.
/// - Names of other forms are never listed.
#[async_trait]
pub trait RecordFiles: Send + Sync {
    async fn record_file(&self, file: &RecordFile) -> Result<Option<Bytes>, PortError>;

    /// Stores a file, if its name is free.
    async fn put_record_file(&self, file: &RecordFile, bytes: Bytes) -> Result<StoredAs, PortError>;

    /// Lists the files about trees of these sizes.
    async fn checkpoints(&self, sport: Sport, sizes: RangeInclusive<u64>) -> Result<Vec<CheckpointFile>, PortError>;

    /// Lists the files about the smallest trees of these sizes, at most `trees` of them.
    async fn first_checkpoints(
        &self,
        sport: Sport,
        sizes: RangeInclusive<u64>,
        trees: usize,
    ) -> Result<Vec<CheckpointFile>, PortError> {
        let listed = self.checkpoints(sport, sizes).await?;
        Ok(of_each_size(&listed).take(trees).flatten().copied().collect())
    }

    /// Lists the tiles.
    async fn tiles(&self, sport: Sport) -> Result<Vec<TilePath>, PortError>;

    /// Lists the keys.
    async fn record_keys(&self) -> Result<Vec<KeyId>, PortError>;
}
