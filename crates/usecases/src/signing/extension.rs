//! Proofs that the newest tree extends what was signed before.

use sports_content::ObjectHash;
use sports_ports::PortError;
use sports_transparency::{Checkpoint, Leaf, TreeHash, consistency_nodes, consistency_path, verify_consistency};

use crate::record::{TreeHead, TreeReader};

const PORT: &str = "the tree";

/// Returns the path from the first `old` leaves to the whole tree.
pub(super) async fn path_from(tree: &TreeReader, head: &TreeHead, old: u64) -> Result<Vec<TreeHash>, PortError> {
    let tiles = tree.nodes(head, &consistency_nodes(old, head.size)).await?;
    consistency_path(&tiles, old, head.size).map_err(|missing| PortError::corrupt(PORT, missing))
}

/// Returns `true` if a leaf from the index `from` on states the loss of a checkpoint; of any one, if none is given.
pub(super) async fn states_loss(
    tree: &TreeReader,
    head: &TreeHead,
    from: u64,
    checkpoint: Option<ObjectHash>,
) -> Result<bool, PortError> {
    let leaves = tree.leaves(head, from..head.size).await?;
    let mut stated = leaves.iter().filter_map(Leaf::lost_checkpoint);
    Ok(stated.any(|lost| checkpoint.is_none_or(|it| it == lost)))
}

/// Returns `true` if the tree begins with the leaves of a checkpoint.
pub(super) async fn extends(tree: &TreeReader, head: &TreeHead, signed: &Checkpoint) -> Result<bool, PortError> {
    if signed.size > head.size {
        return Ok(false);
    }
    let path = path_from(tree, head, signed.size).await?;
    Ok(verify_consistency((signed.size, signed.root), (head.size, head.root), &path).is_ok())
}
