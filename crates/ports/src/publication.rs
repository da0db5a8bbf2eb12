//! The publication log, its objects, and the encoding of archives and slates.

use async_trait::async_trait;
use bytes::Bytes;
use sports_domain::content::ObjectHash;
use sports_domain::{Market, Season, Sport};
use sports_publication::{Catalog, Generation, SeasonArchive, SlateArtifact};

use crate::PortError;

/// An entry of a league's log as stored.
#[derive(Debug, Clone, PartialEq)]
pub struct LogEntry {
    /// The content of the entry.
    pub catalog: Catalog,
    /// The hash of the entry's bytes, which the next entry names as `previous`.
    pub digest: ObjectHash,
}

/// The error for an entry in a form that this program does not read; it may be part of the record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum OtherForm {
    /// A newer program wrote the entry; the version of its form, and the newest one that this program reads.
    #[error("the entry has schema_version {found}, of a newer program; this one reads up to {newest}")]
    Newer { found: u32, newest: u32 },
    /// A version before 0.5.0 wrote the entry; the version of its form.
    #[error(
        "the entry has schema_version {found}, of a version before 0.5.0: serve this store with version 0.5.0, or copy it \
         with the `sportsctl store copy` of 0.5.0, and publish into a new store"
    )]
    Older { found: u32 },
}

/// The error for a file with the name of an entry that cannot be opened, although the store responds otherwise; it may
/// be an entry.
#[derive(Debug, thiserror::Error)]
#[error("entry {generation} of {sport} cannot be opened: {reason}")]
pub struct Unopened {
    pub sport: Sport,
    pub generation: Generation,
    /// The reason given by the system.
    pub reason: String,
}

/// The outcome of an attempt to append.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Appended {
    /// The entry is in the log.
    Committed {
        /// The hash of the entry's bytes.
        digest: ObjectHash,
    },
    /// Another publisher's entry has this number; nothing was written.
    Taken,
}

/// The append-only logs of one store, one per league.
///
/// # Contract
///
/// - `append` writes an entry whole or not at all; of several concurrent appends with one number, exactly one is
///   committed.
/// - An appended entry reads back equal, with the digest that `append` returned.
/// - `numbers` lists every number in use, each once and in ascending order, whatever its file contains; it is empty for
///   a league without releases. `numbers_after` lists the numbers above one.
/// - A free number is `Ok(None)`; an unreachable store is [`PortError::Unavailable`]. A file that is not an entry of
///   that league with that number is [`PortError::Corrupt`]. The cause is an [`OtherForm`] if a newer or an older
///   program wrote the file, and [`Unopened`] if the system refuses to open it.
/// - An append with a lost response may be repeated: if an entry of the same release already has the number, the append
///   is committed.
#[async_trait]
pub trait PublicationLog: Send + Sync {
    /// Lists the numbers in use.
    async fn numbers(&self, sport: Sport) -> Result<Vec<Generation>, PortError>;

    /// Lists the numbers in use above one. A log grows for years, and a poll need not list all of it.
    async fn numbers_after(&self, sport: Sport, generation: Generation) -> Result<Vec<Generation>, PortError>;

    /// Returns the entry with this number.
    async fn entry(&self, sport: Sport, generation: Generation) -> Result<Option<LogEntry>, PortError>;

    /// Appends `catalog` under its own number, if the number is free.
    async fn append(&self, catalog: &Catalog) -> Result<Appended, PortError>;

    /// Returns true if the store honours put-if-absent, without which the log could be overwritten.
    async fn honours_put_if_absent(&self) -> Result<bool, PortError>;

    /// Checks that the store responds.
    async fn ping(&self) -> Result<(), PortError>;
}

/// A number that was moved out of a log.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct SetAside {
    pub generation: Generation,
    /// The name under which its content is kept.
    pub name: String,
}

/// The numbers that a person had moved out of the logs of one store.
///
/// # Contract
///
/// - `set_aside` frees a number, whatever its content is, and keeps the content under a name of its own. A free number is an
///   error.
/// - `all_set_aside` lists what was moved, each once, in ascending order.
#[async_trait]
pub trait LogRepairs: Send + Sync {
    /// Moves the content of a number out of the log.
    async fn set_aside(&self, sport: Sport, generation: Generation) -> Result<SetAside, PortError>;

    /// Lists what was moved out of a log.
    async fn all_set_aside(&self, sport: Sport) -> Result<Vec<SetAside>, PortError>;
}

/// The kind of an object's bytes, which determines the extension of the stored file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ObjectKind {
    /// A season archive.
    Parquet,
    /// Predictions, odds, first quotes, a registry of models or leaves.
    Json,
}

/// Immutable objects named by the hash of their bytes.
///
/// # Contract
///
/// - A stored object reads back equal; storing it again changes nothing.
/// - An object that was never stored is `Ok(None)`; a store that cannot be read is [`PortError::Unavailable`].
/// - Bytes that do not hash to the object's name are [`PortError::Corrupt`] and never returned; storing the right bytes
///   again repairs the object.
#[async_trait]
pub trait Objects: Send + Sync {
    /// Stores bytes and returns their name. The object is durable once the call returns.
    async fn put(&self, sport: Sport, kind: ObjectKind, bytes: Bytes) -> Result<ObjectHash, PortError>;

    async fn get(&self, sport: Sport, kind: ObjectKind, object: &ObjectHash) -> Result<Option<Bytes>, PortError>;
}

/// The encoding of season archives.
///
/// # Contract
///
/// - Decoding an encoded archive yields an equal archive.
/// - Equal archives encode to equal bytes.
/// - Any bytes that are not an archive are [`PortError::Corrupt`].
pub trait ArchiveCodec: Send + Sync {
    /// Encodes an archive.
    ///
    /// # Errors
    ///
    /// [`PortError::Corrupt`] if the format cannot represent a value.
    fn encode(&self, archive: &SeasonArchive) -> Result<Bytes, PortError>;

    /// Decodes an archive of `market` and `season`.
    ///
    /// # Errors
    ///
    /// [`PortError::Corrupt`] if the bytes are not such an archive.
    fn decode(&self, market: Market, season: Season, bytes: Bytes) -> Result<SeasonArchive, PortError>;
}

/// The encoding of odds, predictions and openers.
///
/// # Contract
///
/// - Decoding an encoded artifact yields an equal artifact, with every number exact.
/// - Equal artifacts encode to equal bytes.
/// - Bytes that are not such an artifact, or belong to another league, are [`PortError::Corrupt`].
pub trait SlateCodec: Send + Sync {
    /// Encodes an artifact of `sport`.
    ///
    /// # Errors
    ///
    /// [`PortError::Corrupt`] if the format cannot represent a value.
    fn encode(&self, sport: Sport, artifact: &SlateArtifact) -> Result<Bytes, PortError>;

    /// Decodes an artifact of `sport`.
    ///
    /// # Errors
    ///
    /// [`PortError::Corrupt`] if the bytes are not such an artifact.
    fn decode(&self, sport: Sport, bytes: &Bytes) -> Result<SlateArtifact, PortError>;
}
