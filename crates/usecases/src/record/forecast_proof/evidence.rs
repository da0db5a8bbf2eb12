//! The signed checkpoint that a proof leads to.

use std::collections::BTreeSet;

use sports_ports::PortError;
use sports_transparency::{Cosignature, SignedCheckpoint, TreeHash, inclusion_nodes, inclusion_path, verify_inclusion};

use super::refusal::NoProof;
use crate::record::{StoredCheckpoint, TreeHead, TreeReader, stored_checkpoints};

const PORT: &str = "the tree";

/// The number of sizes, from the first that has the leaf, in which a cosigned checkpoint is looked for. A later one would
/// prove little.
const SIZES: usize = 64;

/// The checkpoints that have a leaf.
pub(super) struct Evidence<'r> {
    pub(super) reader: &'r TreeReader,
    pub(super) head: &'r TreeHead,
    pub(super) index: u64,
}

/// A checkpoint and the path that leads to it.
type Found = (SignedCheckpoint, Vec<TreeHash>);

/// The word of others on the time of a checkpoint, the strongest last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    Signed,
    Timestamped,
    Cosigned,
}

impl Strength {
    fn of(checkpoint: &StoredCheckpoint) -> Self {
        let is_cosigned = checkpoint.note.signatures().any(|line| Cosignature::stated_time(&line).is_some());
        match (is_cosigned, &checkpoint.timestamps[..]) {
            (true, _) => Self::Cosigned,
            (false, []) => Self::Signed,
            (false, _) => Self::Timestamped,
        }
    }
}

impl Evidence<'_> {
    /// Returns the checkpoint of one size; of several, the one with the strongest evidence.
    pub(super) async fn of_size(&self, leaf: &[u8], size: u64) -> Result<Result<Found, NoProof>, PortError> {
        let sport = self.head.sport;
        let mut stored = if size > self.head.size {
            Vec::new()
        } else {
            stored_checkpoints(self.reader.files(), sport, size..=size).await?
        };
        if stored.is_empty() {
            return Ok(Err(NoProof::NoSuchSize { sport, size }));
        }
        if size <= self.index {
            return Ok(Err(NoProof::BeforeLeaf { size, index: self.index }));
        }
        stored.sort_by_key(|checkpoint| std::cmp::Reverse(Strength::of(checkpoint)));
        for checkpoint in stored {
            if let Some(path) = self.path(leaf, &checkpoint.note).await? {
                return Ok(Ok((checkpoint.note, path)));
            }
        }
        Ok(Err(NoProof::NoSuchSize { sport, size }))
    }

    /// Returns the earliest checkpoint of the strongest evidence; `None` if none has the leaf.
    pub(super) async fn earliest(&self, leaf: &[u8]) -> Result<Option<Found>, PortError> {
        let (files, sport) = (self.reader.files(), self.head.sport);
        let listed = files.checkpoints(sport, self.index + 1..=self.head.size).await?;
        let sizes: BTreeSet<_> = listed.iter().map(|file| file.size).collect();
        let mut best: Option<(Strength, Found)> = None;
        for size in sizes.into_iter().take(SIZES) {
            for checkpoint in stored_checkpoints(files, sport, size..=size).await? {
                let strength = Strength::of(&checkpoint);
                if best.as_ref().is_some_and(|(best, _)| strength <= *best) {
                    continue;
                }
                if let Some(path) = self.path(leaf, &checkpoint.note).await? {
                    best = Some((strength, (checkpoint.note, path)));
                }
            }
            if matches!(best, Some((Strength::Cosigned, _))) {
                break;
            }
        }
        Ok(best.map(|(_, found)| found))
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
