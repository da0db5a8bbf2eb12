//! The signed checkpoint that a proof leads to.

use std::ops::RangeInclusive;
use std::sync::Arc;

use sports_domain::Sport;
use sports_ports::PortError;
use sports_ports::record::RecordFiles;
use sports_transparency::{SignedCheckpoint, TreeHash, inclusion_nodes, inclusion_path, verify_inclusion};

use super::NoProof;
use crate::record::{
    CheckpointListing, ListedTree, StoredCheckpoint, Strength, TreeHead, TreeReader, checkpoints_of_size,
};

const PORT: &str = "the tree";

/// The checkpoints that have a leaf.
pub(super) struct Evidence<'r> {
    pub(super) reader: &'r TreeReader,
    pub(super) head: &'r TreeHead,
    pub(super) index: u64,
    /// The checkpoints as they were listed last. Without it, the store's are listed.
    pub(super) listing: Option<&'r CheckpointListing>,
}

/// A checkpoint, the path that leads to it, and the files among which it was chosen.
pub(super) struct Chosen {
    pub(super) checkpoint: StoredCheckpoint,
    pub(super) path: Vec<TreeHash>,
    pub(super) candidates: Candidates,
}

impl Evidence<'_> {
    /// Returns the checkpoint of one size; of several, the one with the strongest evidence.
    pub(super) async fn of_size(&self, leaf: &[u8], size: u64) -> Result<Result<Chosen, NoProof>, PortError> {
        let sport = self.head.sport;
        let no_such_size = Ok(Err(NoProof::NoSuchSize { sport, size }));
        if size > self.head.size {
            return no_such_size;
        }
        let candidates = self.candidates(size..=size).await?;
        let mut stored = Vec::new();
        for tree in candidates.trees() {
            stored.extend(checkpoints_of_size(self.reader.files(), sport, tree.files()).await?);
        }
        if stored.is_empty() {
            return no_such_size;
        }
        if size <= self.index {
            return Ok(Err(NoProof::BeforeLeaf { size, index: self.index }));
        }
        stored.sort_by_key(|checkpoint| std::cmp::Reverse(checkpoint.strength()));
        for checkpoint in stored {
            if let Some(path) = self.path(leaf, &checkpoint.note).await? {
                return Ok(Ok(Chosen { checkpoint, path, candidates }));
            }
        }
        no_such_size
    }

    /// Returns the earliest checkpoint of the strongest evidence; of one size the one that was cosigned first. `None` if none has the
    /// leaf.
    pub(super) async fn earliest(&self, leaf: &[u8]) -> Result<Option<Chosen>, PortError> {
        let (files, sport) = (self.reader.files(), self.head.sport);
        let candidates = self.candidates(self.index + 1..=self.head.size).await?;
        let mut best: Option<(Strength, StoredCheckpoint, Vec<TreeHash>)> = None;
        for tree in candidates.trees() {
            let best_before = best.as_ref().map(|(strength, ..)| *strength);
            if tree.strength(files, sport).await? <= best_before {
                continue;
            }
            for checkpoint in checkpoints_of_size(files, sport, tree.files()).await? {
                let strength = checkpoint.strength();
                if best.as_ref().is_some_and(|(best, ..)| strength <= *best) {
                    continue;
                }
                if let Some(path) = self.path(leaf, &checkpoint.note).await? {
                    best = Some((strength, checkpoint, path));
                }
            }
            if matches!(best, Some((Strength::Cosigned(_), ..))) {
                break;
            }
        }
        Ok(best.map(|(strength, checkpoint, path)| {
            let size = checkpoint.note.checkpoint().size;
            // Nothing that is signed later can be preferred to it.
            let is_final = matches!(strength, Strength::Cosigned(_));
            let candidates = if is_final { candidates.up_to(size) } else { candidates };
            Chosen { checkpoint, path, candidates }
        }))
    }

    async fn candidates(&self, sizes: RangeInclusive<u64>) -> Result<Candidates, PortError> {
        match self.listing {
            Some(listing) => Ok(Candidates::listed(listing, sizes)),
            None => Candidates::read(self.reader.files(), self.head.sport, sizes).await,
        }
    }

    /// Returns the path to a checkpoint; `None` if the checkpoint is of another tree, such as that of a lost record.
    async fn path(&self, leaf: &[u8], note: &SignedCheckpoint) -> Result<Option<Vec<TreeHash>>, PortError> {
        let (checkpoint, index) = (note.checkpoint(), self.index);
        let nodes = self.reader.nodes(self.head, &inclusion_nodes(index, checkpoint.size)).await?;
        let path = inclusion_path(&nodes, index, checkpoint.size);
        let path = path.map_err(|missing| PortError::corrupt(PORT, missing))?;
        let hash = TreeHash::of_leaf(leaf);
        Ok(verify_inclusion(hash, index, checkpoint.size, &path, checkpoint.root).is_ok().then_some(path))
    }
}

// The trees among whose checkpoints that of a proof is chosen.

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
