//! Verification of the losses that `restart` leaves state, against the keys and the tree of the store.

use std::collections::BTreeMap;
use std::num::NonZeroU32;

use sports_content::ObjectHash;
use sports_publication::Generation;
use sports_transparency::{Checkpoint, TreeHash};

use super::difference::Difference;
use crate::record::ListedKey;

/// The trees that the entries of a log state, and the losses after which it began anew.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StatedTrees {
    /// The root of each size at which an entry ends.
    pub roots: BTreeMap<u64, TreeHash>,
    /// The losses, oldest first.
    pub losses: Vec<StatedLoss>,
}

/// A loss that an entry states in a `restart` leaf.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StatedLoss {
    pub generation: Generation,
    /// The size of the tree before the entry.
    pub after: u64,
    /// The SHA-256 of the text of the lost checkpoint.
    pub checkpoint: ObjectHash,
}

/// Verifies that a key signs a record that began anew, and that no stated loss is of a tree with which the log goes on.
///
/// A loss of a tree that the store never had follows from nothing in it: that is the publisher's statement.
pub(super) fn verify_losses(trees: &StatedTrees, keys: &[ListedKey]) -> Result<(), Difference> {
    for StatedLoss { generation, after, checkpoint } in trees.losses.iter().copied() {
        if keys.iter().all(|key| key.record == NonZeroU32::MIN) {
            let reason = "no key in the store signs a record that began anew".to_owned();
            return Err(Difference::Loss { generation, checkpoint, reason });
        }
        let mut kept = keys.iter().map(|key| key.vkey.name()).flat_map(|origin| {
            let signed = move |(size, root): (&u64, &TreeHash)| (origin.clone(), *size, *root);
            trees.roots.range(..=after).map(signed).map(|(origin, size, root)| Checkpoint { origin, size, root })
        });
        if let Some(it) = kept.find(|kept| ObjectHash::from_bytes(kept.to_string().as_bytes()) == checkpoint) {
            let reason = format!("the log goes on with this tree of {} leaves of {}", it.size, it.origin);
            return Err(Difference::Loss { generation, checkpoint, reason });
        }
    }
    Ok(())
}
