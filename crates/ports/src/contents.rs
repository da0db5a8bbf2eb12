//! What a store holds, whether anything names it or not.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use sports_content::ObjectHash;
use sports_domain::Sport;

use crate::PortError;

/// A file of the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundFile {
    /// Where it is in the store.
    pub path: String,
    /// The object it is by its name; `None` for a file that is no object of ours.
    pub object: Option<ObjectHash>,
    /// How large it is.
    pub bytes: u64,
    /// When it was written.
    pub written_at: DateTime<Utc>,
}

/// A part of the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Log and objects of a league.
    League(Sport),
    /// Files that customers buy.
    Datasets,
}

/// Lists what is in a store, and tidies up after writers that were killed.
///
/// # Contract
///
/// - `objects` is every file among a league's objects that is whole, once, in the order of their paths.
/// - `leftovers` is what writers that were killed left of files of that part. A store that keeps no such
///   pieces where we could see them has none.
/// - `remove_leftovers` removes those that were written before an instant, and nothing else; it gives how many.
/// - A store that cannot answer is [`PortError::Unavailable`], never an empty list.
#[async_trait]
pub trait StoreContents: Send + Sync {
    /// The files among a league's objects.
    async fn objects(&self, sport: Sport) -> Result<Vec<FoundFile>, PortError>;

    /// What killed writers left behind.
    async fn leftovers(&self, part: Part) -> Result<Vec<FoundFile>, PortError>;

    /// Removes what killed writers left behind before an instant of the machine's own time.
    async fn remove_leftovers(&self, part: Part, before: DateTime<Utc>) -> Result<usize, PortError>;
}
