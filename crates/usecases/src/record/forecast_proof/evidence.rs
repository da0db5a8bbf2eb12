//! The signed checkpoint that a proof leads to.

use sports_ports::PortError;
use sports_transparency::{Cosignature, SignedCheckpoint, TreeHash, inclusion_nodes, inclusion_path, verify_inclusion};

use super::candidates::Candidates;
use super::refusal::NoProof;
use crate::record::checkpoints::checkpoints_of_size;
use crate::record::{StoredCheckpoint, TreeHead, TreeReader};

const PORT: &str = "the tree";

/// The checkpoints that have a leaf.
pub(super) struct Evidence<'r> {
    pub(super) reader: &'r TreeReader,
    pub(super) head: &'r TreeHead,
    pub(super) index: u64,
}

/// A checkpoint, the path that leads to it, and the files among which it was chosen.
pub(super) struct Chosen {
    pub(super) checkpoint: SignedCheckpoint,
    pub(super) path: Vec<TreeHash>,
    pub(super) candidates: Candidates,
}

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
    pub(super) async fn of_size(&self, leaf: &[u8], size: u64) -> Result<Result<Chosen, NoProof>, PortError> {
        let sport = self.head.sport;
        let no_such_size = Ok(Err(NoProof::NoSuchSize { sport, size }));
        if size > self.head.size {
            return no_such_size;
        }
        let candidates = Candidates::read(self.reader.files(), sport, size..=size).await?;
        let mut stored = Vec::new();
        for of_size in candidates.by_size() {
            stored.extend(checkpoints_of_size(self.reader.files(), sport, of_size).await?);
        }
        if stored.is_empty() {
            return no_such_size;
        }
        if size <= self.index {
            return Ok(Err(NoProof::BeforeLeaf { size, index: self.index }));
        }
        stored.sort_by_key(|checkpoint| std::cmp::Reverse(Strength::of(checkpoint)));
        for StoredCheckpoint { note: checkpoint, .. } in stored {
            if let Some(path) = self.path(leaf, &checkpoint).await? {
                return Ok(Ok(Chosen { checkpoint, path, candidates }));
            }
        }
        no_such_size
    }

    /// Returns the earliest checkpoint of the strongest evidence; `None` if none has the leaf.
    pub(super) async fn earliest(&self, leaf: &[u8]) -> Result<Option<Chosen>, PortError> {
        let (files, sport) = (self.reader.files(), self.head.sport);
        let candidates = Candidates::read(files, sport, self.index + 1..=self.head.size).await?;
        let mut best: Option<(Strength, SignedCheckpoint, Vec<TreeHash>)> = None;
        for of_size in candidates.by_size() {
            for checkpoint in checkpoints_of_size(files, sport, of_size).await? {
                let strength = Strength::of(&checkpoint);
                if best.as_ref().is_some_and(|(best, ..)| strength <= *best) {
                    continue;
                }
                if let Some(path) = self.path(leaf, &checkpoint.note).await? {
                    best = Some((strength, checkpoint.note, path));
                }
            }
            if matches!(best, Some((Strength::Cosigned, ..))) {
                break;
            }
        }
        Ok(best.map(|(strength, checkpoint, path)| {
            let size = checkpoint.checkpoint().size;
            // Nothing that is signed later can be preferred to it.
            let candidates = if strength == Strength::Cosigned { candidates.up_to(size) } else { candidates };
            Chosen { checkpoint, path, candidates }
        }))
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
