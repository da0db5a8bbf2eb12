use crate::TreeHash;
use crate::edge::RightEdge;
use crate::node::{Node, Nodes};

/// A tree that has grown, as its right edge before and the hashes of the leaves behind: the source of a consistency proof from the
/// size before.
#[derive(Debug, Clone)]
pub struct Growth {
    before: RightEdge,
    leaves: Vec<TreeHash>,
}

impl Growth {
    /// Adds the leaves with these hashes to a tree.
    pub const fn new(before: RightEdge, leaves: Vec<TreeHash>) -> Self {
        Self { before, leaves }
    }
}

impl Nodes for Growth {
    fn node(&self, node: Node) -> Option<TreeHash> {
        let start = node.index.checked_shl(node.height)?;
        let Some(behind) = start.checked_sub(self.before.size()) else {
            let place = RightEdge::nodes(self.before.size()).iter().position(|known| *known == node)?;
            return self.before.hashes().get(place).copied();
        };
        let first = usize::try_from(behind).ok()?;
        let end = first.checked_add(1_usize.checked_shl(node.height)?)?;
        let leaves = self.leaves.get(first..end)?;
        Some(leaves.iter().copied().collect::<RightEdge>().root())
    }
}
