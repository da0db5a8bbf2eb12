//! Proofs that the newest tree extends what was signed before.

use sports_ports::PortError;
use sports_ports::signing::TreeLoss;
use sports_transparency::{Checkpoint, Leaf, TreeHash, consistency_nodes, consistency_path, verify_consistency};

use crate::record::{TreeHead, TreeReader};

const PORT: &str = "the tree";

/// Returns the path from the first `old` leaves to the whole tree.
pub(super) async fn path_from(tree: &TreeReader, head: &TreeHead, old: u64) -> Result<Vec<TreeHash>, PortError> {
    let tiles = tree.nodes(head, &consistency_nodes(old, head.size)).await?;
    consistency_path(&tiles, old, head.size).map_err(|missing| PortError::corrupt(PORT, missing))
}

/// Returns `true` if a leaf of the tree states a loss.
pub(super) async fn states(tree: &TreeReader, head: &TreeHead, loss: TreeLoss) -> Result<bool, PortError> {
    let leaves = tree.leaves(head, loss.size..head.size).await?;
    Ok(leaves.iter().any(|leaf| matches!(leaf, Leaf::Restart { lost, .. } if *lost == loss.checkpoint)))
}

/// Returns `true` if the tree begins with the leaves of a checkpoint.
///
/// # Errors
///
/// [`PortError`] if the tree cannot be read.
pub async fn extends(tree: &TreeReader, head: &TreeHead, signed: &Checkpoint) -> Result<bool, PortError> {
    if signed.size > head.size {
        return Ok(false);
    }
    let path = path_from(tree, head, signed.size).await?;
    Ok(verify_consistency((signed.size, signed.root), (head.size, head.root), &path).is_ok())
}
