//! The whole tree of a record, computed from its entry bundles and compared with the signed root.

use sports_transparency::audit::StatedLeaves;
use sports_transparency::{RightEdge, SignedCheckpoint, TileKind, TilePath, Tree, TreeHash, read_bundle};

use super::super::remote::Remote;
use super::answers::progress;
use crate::failure::Failure;

/// A tree whose every leaf was read, with the root that the log signed.
pub struct SignedTree<'r> {
    pub remote: &'r Remote,
    pub leaves: StatedLeaves,
    tree: Tree,
    note: SignedCheckpoint,
}

/// The sign that the answers are newer than the tree.
#[derive(Debug, Clone, Copy)]
pub struct StaleTree;

impl<'r> SignedTree<'r> {
    /// Reads the trees of the newest checkpoints of these records.
    pub async fn of_each(records: &'r [Remote]) -> Result<Vec<Self>, Failure> {
        let mut trees = Vec::new();
        for remote in records {
            trees.push(Self::read(remote).await?);
        }
        Ok(trees)
    }

    async fn read(remote: &'r Remote) -> Result<Self, Failure> {
        let note = remote.newest().await?;
        let checkpoint = note.checkpoint();
        let size = checkpoint.size;
        progress(&format!("{}: reading the {size} leaves of the newest checkpoint", checkpoint.origin));
        let mut bundles = Vec::new();
        for number in 0.. {
            let Some(path) = TilePath::widest(TileKind::Entries, number, size) else { break };
            bundles.push((path, remote.tile(path).await.map_err(Failure::other)?));
        }
        let mut texts: Vec<&str> = Vec::new();
        for (path, bytes) in &bundles {
            let bundle = read_bundle(bytes).map_err(Failure::other)?;
            let leaves = bundle.get(..usize::from(path.width()));
            let few = || Failure::other(format!("the bundle {path} has {} leaves only", bundle.len()));
            texts.extend(leaves.ok_or_else(few)?);
        }
        let tree: Tree = texts.iter().map(|text| TreeHash::of_leaf(text.as_bytes())).collect();
        let root = RightEdge::of(&tree, size).map_err(Failure::other)?.root();
        if root != checkpoint.root {
            let signed = checkpoint.root;
            return Err(Failure::other(format!("the {size} leaves have the root {root}, and the log signed {signed}")));
        }
        Ok(Self { remote, leaves: StatedLeaves::read(&texts).map_err(Failure::other)?, tree, note })
    }

    /// Returns the number of leaves.
    pub const fn size(&self) -> u64 {
        self.note.checkpoint().size
    }

    /// Returns the root.
    pub const fn root(&self) -> TreeHash {
        self.note.checkpoint().root
    }

    /// Returns the root of the first leaves; `None` if the tree has fewer.
    pub fn root_of(&self, size: u64) -> Option<TreeHash> {
        let is_within = size <= self.size();
        RightEdge::of(&self.tree, size).ok().filter(|_| is_within).map(|edge| edge.root())
    }
}

/// Returns the largest tree, and a sentence for each of the others that is not its beginning.
pub fn largest(mut trees: Vec<SignedTree<'_>>) -> Option<(SignedTree<'_>, Vec<String>)> {
    let place = (0..trees.len()).max_by_key(|place| trees[*place].size())?;
    let tree = trees.swap_remove(place);
    let other = |other: &SignedTree<'_>| {
        let checkpoint = other.note.checkpoint();
        let is_beginning = tree.root_of(checkpoint.size) == Some(checkpoint.root);
        (!is_beginning)
            .then(|| format!("the checkpoint of size {} of {} is of another tree", checkpoint.size, checkpoint.origin))
    };
    let contradictions = trees.iter().filter_map(other).collect();
    Some((tree, contradictions))
}
