//! Proofs that the newest tree extends what was signed before.

use sports_content::ObjectHash;
use sports_ports::PortError;
use sports_transparency::{Checkpoint, TreeHash, consistency_nodes, consistency_path, verify_consistency};

use crate::record::{NewestTree, TreeReader};

const PORT: &str = "the tree";

/// Returns the path from the first `old` leaves to the whole tree: from the tree of the entry before it is read from the newest entry,
/// else from tiles.
pub(super) async fn path_from(tree: &TreeReader, newest: &NewestTree, old: u64) -> Result<Vec<TreeHash>, PortError> {
    let head = &newest.head;
    let path = match newest.growth_from(tree, old).await? {
        Some(growth) => consistency_path(&growth, old, head.size),
        None => consistency_path(&tree.nodes(head, &consistency_nodes(old, head.size)).await?, old, head.size),
    };
    path.map_err(|missing| PortError::corrupt(PORT, missing))
}

/// Returns `true` if a leaf from the index `from` on states the loss of a checkpoint; of any one, if none is given.
pub(super) async fn states_loss(
    tree: &TreeReader,
    newest: &NewestTree,
    from: u64,
    checkpoint: Option<ObjectHash>,
) -> Result<bool, PortError> {
    let leaves = newest.leaves(tree, from..newest.head.size).await?;
    let mut stated = leaves.iter().filter_map(|leaf| leaf.fact.lost_checkpoint());
    Ok(stated.any(|lost| checkpoint.is_none_or(|it| it == lost)))
}

/// Returns `true` if the tree begins with the leaves of a checkpoint.
pub(super) async fn extends(tree: &TreeReader, newest: &NewestTree, signed: &Checkpoint) -> Result<bool, PortError> {
    let head = &newest.head;
    if signed.size > head.size {
        return Ok(false);
    }
    let path = path_from(tree, newest, signed.size).await?;
    Ok(verify_consistency((signed.size, signed.root), (head.size, head.root), &path).is_ok())
}
