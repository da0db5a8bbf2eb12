//! The times by which others had a league's tree.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use chrono::{DateTime, Utc};
use futures::{StreamExt as _, TryStreamExt as _, stream};
use sports_ports::PortError;
use sports_ports::record::{CheckpointFile, CheckpointKind, RecordFile};
use sports_transparency::{Cosignature, stated_timestamp};
use tokio::time::Instant;

use super::{CheckpointListings, ListedTree, TreeHead, TreeReader, checkpoints_of_size};

/// The number of trees whose files are read concurrently.
const READS: usize = 8;

/// The checkpoints of a league's tree as of an entry: they hash as their files do, and none is read before [`Self::read`].
pub(crate) struct EvidentTrees {
    reader: Arc<TreeReader>,
    head: TreeHead,
    /// The instant after which nothing counts.
    until: DateTime<Utc>,
    trees: Vec<Arc<ListedTree>>,
}

impl Hash for EvidentTrees {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // An entry never changes, so the same checkpoints are of the same entries.
        self.trees.iter().for_each(|tree| tree.files().hash(state));
    }
}

/// A word of others about an entry and all entries before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Evident {
    /// The publication of the entry.
    through: DateTime<Utc>,
    /// The earliest time that a cosignature or a timestamp states.
    at: DateTime<Utc>,
}

/// The evidence of the commitments of a league.
#[derive(Debug, Default)]
pub(crate) struct CommitmentTimes {
    /// The publication of the first entry with a commitment.
    since: Option<DateTime<Utc>>,
    /// In the order of entries; the times only rise.
    evident: Vec<Evident>,
}

impl EvidentTrees {
    /// Lists the checkpoints of a league as of an entry that have what was published from one instant to another, to the entry without
    /// one; returns them with the instant until which a request gets no others. Nothing counts after `until`.
    ///
    /// # Errors
    ///
    /// [`PortError`] if the store cannot be read.
    pub(crate) async fn listed(
        listings: &CheckpointListings,
        head: TreeHead,
        (from, through): (DateTime<Utc>, Option<DateTime<Utc>>),
        until: DateTime<Utc>,
    ) -> Result<(Self, Instant), PortError> {
        let reader = Arc::clone(listings.reader());
        let size_at = async |instant| {
            let facts = reader.facts_at((head.sport, head.generation), instant).await?;
            Ok::<_, PortError>(facts.and_then(|facts| facts.tree).map_or(0, |tree| tree.size))
        };
        let first = size_at(from).await?;
        let last = match through {
            Some(through) => size_at(through).await?,
            None => head.size,
        };
        let (listing, end) = listings.with_end(head.sport).await?;
        let trees = listing.of_sizes(first..=last).to_vec();
        Ok((Self { reader, head, until, trees }, end))
    }

    /// Reads the checkpoints. Those of another tree than the log's, and those of no entry, are no evidence.
    ///
    /// # Errors
    ///
    /// [`PortError`] if the store cannot be read.
    pub(crate) async fn read(&self) -> Result<CommitmentTimes, PortError> {
        let since = self.reader.facts_of(&self.head, 0).await?.published_at;
        let read = self.trees.iter().map(|tree| self.evident(tree)).collect::<Vec<_>>();
        let read: Vec<_> = stream::iter(read).buffered(READS).try_collect().await?;
        let mut evident: Vec<Evident> = read.into_iter().flatten().filter(|evident| evident.at <= self.until).collect();
        evident.sort_unstable();
        // A later tree has what an earlier one has.
        let mut earliest = None;
        for evident in evident.iter_mut().rev() {
            evident.at = earliest.map_or(evident.at, |at| evident.at.min(at));
            earliest = Some(evident.at);
        }
        Ok(CommitmentTimes { since: Some(since), evident })
    }

    async fn evident(&self, tree: &ListedTree) -> Result<Option<Evident>, PortError> {
        let (files, sport, size) = (self.reader.files(), self.head.sport, tree.size());
        let Some(last) = size.checked_sub(1) else { return Ok(None) };
        let facts = self.reader.facts_of(&self.head, last).await?;
        let mut times = Vec::new();
        for checkpoint in checkpoints_of_size(files, sport, tree.files()).await? {
            let note = checkpoint.note.checkpoint();
            if facts.tree.is_none_or(|known| (known.size, known.root) != (size, note.root)) {
                continue;
            }
            let cosigned = checkpoint.note.signatures().filter_map(|line| Cosignature::stated_time(&line));
            times.extend(cosigned.filter_map(|time| DateTime::from_timestamp(i64::try_from(time).ok()?, 0)));
            for content in checkpoint.timestamps {
                let file = CheckpointFile { size, kind: CheckpointKind::Timestamp, content };
                let token = files.record_file(&RecordFile::Checkpoint(sport, file)).await?;
                times.extend(token.and_then(|token| stated_timestamp(&note.to_string(), &token)));
            }
        }
        Ok(times.into_iter().min().map(|at| Evident { through: facts.published_at, at }))
    }
}

impl CommitmentTimes {
    /// Returns true if others had what an entry published at an instant before the game started.
    pub(crate) fn precede(&self, start: DateTime<Utc>, published_at: DateTime<Utc>) -> bool {
        self.of(published_at).is_some_and(|at| at < start)
    }

    /// Returns the earliest time at which others had what an entry published at an instant; `None` if nobody states one.
    pub(crate) fn of(&self, published_at: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let first = self.evident.partition_point(|evident| evident.through < published_at);
        let is_committed = self.since.is_some_and(|since| since <= published_at);
        self.evident.get(first).filter(|_| is_committed).map(|evident| evident.at)
    }
}
