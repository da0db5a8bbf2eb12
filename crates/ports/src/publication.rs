//! The publication log, its objects and how a season archive is written as bytes.

use async_trait::async_trait;
use bytes::Bytes;
use sports_content::ObjectHash;
use sports_domain::{Market, Season, Sport};
use sports_publication::{Catalog, Generation, SeasonArchive, SlateArtifact};

use crate::PortError;

/// An entry of a league's log as the store has it.
#[derive(Debug, Clone, PartialEq)]
pub struct LogEntry {
    /// What the entry says.
    pub catalog: Catalog,
    /// The hash of its bytes: what the next entry names as its `previous`.
    pub digest: ObjectHash,
}

/// An entry in a form that this program does not know yet: it may be part of the record all the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the entry has schema_version {found}, of a newer program; this one reads up to {newest}")]
pub struct NewerForm {
    /// The version of its form.
    pub found: u32,
    /// The newest version that is known.
    pub newest: u32,
}

/// What has the name of an entry and cannot be opened, in a store that answers otherwise: it may be one.
#[derive(Debug, thiserror::Error)]
#[error("entry {generation} of {sport} cannot be opened: {reason}")]
pub struct Unopened {
    /// The league.
    pub sport: Sport,
    /// Its number.
    pub generation: Generation,
    /// What the system says.
    pub reason: String,
}

/// What became of an attempt to append.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Appended {
    /// The entry is in the log.
    Committed {
        /// The hash of its bytes.
        digest: ObjectHash,
    },
    /// Another publisher has that number; nothing was written.
    Taken,
}

/// The append-only log of one store, one log a league.
///
/// # Contract
///
/// - `append` writes an entry whole or not at all, and of several at once for one number exactly
///   one is committed.
/// - An appended entry reads back equal, with the digest `append` gave.
/// - `numbers` is every number that is taken, once each and the lowest first, whatever has it; none for a league
///   never published. `numbers_after` is those above one.
/// - A number that is still free is `Ok(None)`, a store out of reach [`PortError::Unavailable`]. What has a number and
///   is no entry of that league with that number is [`PortError::Corrupt`], caused by a [`NewerForm`] where a newer
///   program wrote it, and by [`Unopened`] where the system does not let it be opened.
/// - An append whose answer was lost may be asked again: an entry of the same release that
///   has that number already is our own, and committed.
#[async_trait]
pub trait PublicationLog: Send + Sync {
    /// The numbers that are taken.
    async fn numbers(&self, sport: Sport) -> Result<Vec<Generation>, PortError>;

    /// The numbers that are taken above one. A log grows for years; who follows it need not list all of it.
    async fn numbers_after(&self, sport: Sport, generation: Generation) -> Result<Vec<Generation>, PortError>;

    /// The entry with one number.
    async fn entry(&self, sport: Sport, generation: Generation) -> Result<Option<LogEntry>, PortError>;

    /// Appends `catalog` under its own number, if that is still free.
    async fn append(&self, catalog: &Catalog) -> Result<Appended, PortError>;

    /// Whether the store honours put-if-absent, without which the log could be overwritten.
    async fn honours_put_if_absent(&self) -> Result<bool, PortError>;

    /// Asks the store for a sign of life.
    async fn ping(&self) -> Result<(), PortError>;
}

/// What kind of bytes an object holds; it gives the stored file its ending.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ObjectKind {
    /// A season archive.
    Parquet,
    /// Predictions or odds.
    Json,
}

/// Immutable objects named by the hash of their bytes.
///
/// # Contract
///
/// - What was put reads back equal; putting it again changes nothing.
/// - An object that was never put is `Ok(None)`; a store that cannot answer is [`PortError::Unavailable`].
/// - Bytes that do not hash to the object's name are [`PortError::Corrupt`], never handed out; putting
///   the right bytes again mends them.
#[async_trait]
pub trait Objects: Send + Sync {
    /// Stores bytes and gives their name. Durable once it returns.
    async fn put(&self, sport: Sport, kind: ObjectKind, bytes: Bytes) -> Result<ObjectHash, PortError>;

    /// Reads an object.
    async fn get(&self, sport: Sport, kind: ObjectKind, object: &ObjectHash) -> Result<Option<Bytes>, PortError>;
}

/// How a season archive is written as bytes.
///
/// # Contract
///
/// - Decoding what was encoded gives an equal archive.
/// - Equal archives encode to equal bytes.
/// - Bytes that are no archive are [`PortError::Corrupt`], whatever they are.
pub trait ArchiveCodec: Send + Sync {
    /// Writes an archive.
    ///
    /// # Errors
    ///
    /// [`PortError::Corrupt`] when a value cannot be written in the format.
    fn encode(&self, archive: &SeasonArchive) -> Result<Bytes, PortError>;

    /// Reads an archive of `market` and `season`.
    ///
    /// # Errors
    ///
    /// [`PortError::Corrupt`] when the bytes are not such an archive.
    fn decode(&self, market: Market, season: Season, bytes: Bytes) -> Result<SeasonArchive, PortError>;
}

/// How odds, predictions and openers are written as bytes.
///
/// # Contract
///
/// - Decoding what was encoded gives an equal artifact, every number to the last digit.
/// - Equal artifacts encode to equal bytes.
/// - Bytes that are no such artifact, or one of another league, are [`PortError::Corrupt`].
pub trait SlateCodec: Send + Sync {
    /// Writes an artifact of `sport`.
    ///
    /// # Errors
    ///
    /// [`PortError::Corrupt`] when a value cannot be written in the format.
    fn encode(&self, sport: Sport, artifact: &SlateArtifact) -> Result<Bytes, PortError>;

    /// Reads an artifact of `sport`.
    ///
    /// # Errors
    ///
    /// [`PortError::Corrupt`] when the bytes are not such an artifact.
    fn decode(&self, sport: Sport, bytes: &Bytes) -> Result<SlateArtifact, PortError>;
}
