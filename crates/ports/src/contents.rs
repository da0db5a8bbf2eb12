//! The files of a store, referenced or not.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use sports_domain::Sport;
use sports_domain::content::ObjectHash;

use crate::PortError;

/// A file of the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundFile {
    /// The path in the store.
    pub path: String,
    /// The object named by the path; `None` for a file that is not an object of the service.
    pub object: Option<ObjectHash>,
    /// The size, in bytes.
    pub bytes: u64,
    /// The time of the last write.
    pub written_at: DateTime<Utc>,
}

/// A part of the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The log, the objects and the record of a league.
    League(Sport),
    /// The public keys of the records.
    Keys,
    /// Files that customers buy.
    Datasets,
}

/// Lists the files of a store, and removes the remains of killed writers.
///
/// # Contract
///
/// - `objects` returns every complete file among a league's objects, once, in path order.
/// - `leftovers` returns the unfinished files of killed writers in a part. It is empty for a store that does not expose
///   such files.
/// - `remove_leftovers` removes the leftovers written before an instant, and nothing else; it returns their number.
/// - A store that cannot be read is [`PortError::Unavailable`], never an empty list.
#[async_trait]
pub trait StoreContents: Send + Sync {
    /// Lists the files among a league's objects.
    async fn objects(&self, sport: Sport) -> Result<Vec<FoundFile>, PortError>;

    /// Lists the unfinished files of killed writers.
    async fn leftovers(&self, part: Part) -> Result<Vec<FoundFile>, PortError>;

    /// Removes the unfinished files of killed writers that are older than an instant of the machine's own time; returns
    /// their number.
    async fn remove_leftovers(&self, part: Part, before: DateTime<Utc>) -> Result<usize, PortError>;
}
