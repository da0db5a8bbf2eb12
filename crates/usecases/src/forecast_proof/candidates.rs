//! The trees among whose checkpoints that of a proof is chosen.

use std::ops::RangeInclusive;
use std::sync::Arc;

use sports_domain::Sport;
use sports_ports::PortError;
use sports_ports::record::RecordFiles;

use crate::record::{CheckpointListing, ListedTree};

/// The number of sizes, from the first that has the leaf, in which a cosigned checkpoint is looked for. A later one would
/// prove little.
const SIZES: usize = 64;

/// The first trees of some sizes. No file is ever replaced, so the choice among the same files is the same.
pub(super) struct Candidates {
    sizes: RangeInclusive<u64>,
    trees: Vec<Arc<ListedTree>>,
}

impl Candidates {
    /// Lists the trees of these sizes in the store.
    pub(super) async fn read(
        files: &dyn RecordFiles,
        sport: Sport,
        sizes: RangeInclusive<u64>,
    ) -> Result<Self, PortError> {
        let files = files.first_checkpoints(sport, sizes.clone(), SIZES).await?;
        Ok(Self { sizes, trees: ListedTree::all(&files).collect() })
    }

    /// Returns the trees of these sizes that a listing has.
    pub(super) fn listed(listing: &CheckpointListing, sizes: RangeInclusive<u64>) -> Self {
        let trees = listing.of_sizes(sizes.clone()).iter().take(SIZES).cloned().collect();
        Self { sizes, trees }
    }

    /// Returns the trees, the smallest one first.
    pub(super) fn trees(&self) -> &[Arc<ListedTree>] {
        &self.trees
    }

    /// Returns the trees up to a size.
    pub(super) fn up_to(mut self, size: u64) -> Self {
        self.trees.retain(|tree| tree.size() <= size);
        Self { sizes: *self.sizes.start()..=size, ..self }
    }

    /// Returns `true` if a listing has the same files about these sizes.
    pub(super) fn are_those_of(&self, listing: &CheckpointListing) -> bool {
        let listed = listing.of_sizes(self.sizes.clone()).iter().take(SIZES);
        listed.map(|tree| tree.files()).eq(self.trees.iter().map(|tree| tree.files()))
    }

    /// Returns the bytes of memory that the list takes.
    pub(super) fn weight(&self) -> usize {
        self.trees.iter().map(|tree| size_of::<ListedTree>() + size_of_val(tree.files())).sum()
    }
}
