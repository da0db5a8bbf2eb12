//! The files about checkpoints as they were listed last. Requests for one league share a listing for a second.

use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Duration;

use sports_domain::Sport;
use sports_ports::PortError;
use sports_ports::record::{CheckpointFile, RecordFiles, of_each_size};
use tokio::sync::OnceCell;
use tokio::time::Instant;

use super::TreeReader;
use super::checkpoints::{StoredCheckpoint, Strength, checkpoints_of_size};
use super::recent::Recent;

/// The time after which all files are listed again. Before, only those of the newest tree and above it are.
const WHOLE_AFTER: Duration = Duration::from_secs(10);

/// The listings of all leagues of one store.
pub struct CheckpointListings {
    reader: Arc<TreeReader>,
    leagues: HashMap<Sport, Recent<CheckpointListing>>,
}

impl CheckpointListings {
    /// Creates the listings of the files that `reader` reads.
    pub fn new(reader: Arc<TreeReader>) -> Self {
        Self { reader, leagues: Sport::ALL.into_iter().map(|sport| (sport, Recent::default())).collect() }
    }

    /// Returns the listing of a league.
    pub(crate) async fn of(&self, sport: Sport) -> Result<CheckpointListing, PortError> {
        self.with_end(sport).await.map(|(listing, _)| listing)
    }

    /// Returns the listing of a league, and the instant until which no later one is made.
    pub(crate) async fn with_end(&self, sport: Sport) -> Result<(CheckpointListing, Instant), PortError> {
        let read = |before| CheckpointListing::read(self.reader.files(), sport, before);
        self.leagues[&sport].with_end(read).await
    }
}

/// The checkpoints of a league. Cosignatures of an older checkpoint are found within ten seconds, new checkpoints and
/// cosignatures of the newest one at once.
#[derive(Clone)]
pub(crate) struct CheckpointListing {
    trees: Arc<Vec<Arc<ListedTree>>>,
    whole_at: Instant,
}

/// The files about the tree of one size, and the strength of their evidence once that was read.
pub(crate) struct ListedTree {
    files: Vec<CheckpointFile>,
    strength: OnceCell<Option<Strength>>,
}

impl CheckpointListing {
    /// Lists the checkpoints, those below the newest known size from `before` if that is recent enough.
    async fn read(files: &dyn RecordFiles, sport: Sport, before: Option<Self>) -> Result<Self, PortError> {
        let newest = before
            .filter(|before| before.whole_at.elapsed() < WHOLE_AFTER)
            .and_then(|before| Some((before.trees.last()?.size(), before)));
        let Some((newest, before)) = newest else {
            let whole_at = Instant::now();
            let listed = files.checkpoints(sport, 0..=u64::MAX).await?;
            return Ok(Self { trees: Arc::new(ListedTree::all(&listed).collect()), whole_at });
        };
        let above = files.checkpoints(sport, newest..=u64::MAX).await?;
        let (below, known) = before.trees.split_at(before.trees.partition_point(|tree| tree.size() < newest));
        if known.iter().flat_map(|tree| &tree.files).eq(&above) {
            return Ok(before);
        }
        let trees = below.iter().cloned().chain(ListedTree::all(&above)).collect();
        Ok(Self { trees: Arc::new(trees), whole_at: before.whole_at })
    }

    /// Returns the trees of these sizes, smallest first.
    pub(crate) fn of_sizes(&self, sizes: RangeInclusive<u64>) -> &[Arc<ListedTree>] {
        let first = self.trees.partition_point(|tree| tree.size() < *sizes.start());
        let end = self.trees.partition_point(|tree| tree.size() <= *sizes.end());
        self.trees.get(first..end).unwrap_or_default()
    }
}

impl ListedTree {
    /// Divides a list of files by their trees.
    pub(crate) fn all(listed: &[CheckpointFile]) -> impl Iterator<Item = Arc<Self>> {
        of_each_size(listed).map(|files| Arc::new(Self { files: files.to_vec(), strength: OnceCell::new() }))
    }

    /// Returns the number of leaves.
    pub(crate) fn size(&self) -> u64 {
        self.files[0].size
    }

    /// Returns the files about the tree.
    pub(crate) fn files(&self) -> &[CheckpointFile] {
        &self.files
    }

    /// Returns the strength of the strongest evidence; `None` if no file is a checkpoint. The files are read the first time.
    pub(crate) async fn strength(&self, files: &dyn RecordFiles, sport: Sport) -> Result<Option<Strength>, PortError> {
        let strongest = async || {
            let stored = checkpoints_of_size(files, sport, &self.files).await?;
            Ok(stored.iter().map(StoredCheckpoint::strength).max())
        };
        self.strength.get_or_try_init(strongest).await.copied()
    }
}
