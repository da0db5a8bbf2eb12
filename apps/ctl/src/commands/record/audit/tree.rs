//! The whole tree of a record, computed from its entry bundles and compared with the signed root.

use sports_transparency::audit::StatedLeaves;
use sports_transparency::{KeyName, RightEdge, SignedCheckpoint, TileKind, TilePath, Tree, TreeHash, read_bundle};

use super::super::remote::{Remote, unanswered};
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
    /// Reads the trees of the newest checkpoints of these records, and returns the names of logs of which the service has none. One
    /// that was lost as a whole has none.
    pub async fn of_each(records: &'r [Remote]) -> Result<(Vec<Self>, Vec<String>), Failure> {
        let (mut trees, mut missing) = (Vec::new(), Vec::new());
        for remote in records {
            match remote.newest_if_any().await? {
                Some(note) => trees.push(Self::read(remote, note).await?),
                None => missing.extend(remote.named_logs().iter().map(|log| log.name().to_string())),
            }
        }
        Ok((trees, missing))
    }

    async fn read(remote: &'r Remote, note: SignedCheckpoint) -> Result<Self, Failure> {
        let checkpoint = note.checkpoint();
        let size = checkpoint.size;
        progress(&format!("{}: reading the {size} leaves of the newest checkpoint", checkpoint.origin));
        let mut bundles = Vec::new();
        for number in 0.. {
            let Some(path) = TilePath::widest(TileKind::Entries, number, size) else { break };
            bundles.push((path, remote.tile(path).await.map_err(unanswered)?));
        }
        let mut texts: Vec<&str> = Vec::new();
        for (path, bytes) in &bundles {
            let bundle = read_bundle(bytes).map_err(Failure::unchecked)?;
            let leaves = bundle.get(..usize::from(path.width()));
            let few = || Failure::unchecked(format!("the bundle {path} has {} leaves only", bundle.len()));
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

    /// Returns the name of the log that signed the tree.
    pub const fn origin(&self) -> &KeyName {
        &self.note.checkpoint().origin
    }

    pub const fn root(&self) -> TreeHash {
        self.note.checkpoint().root
    }

    /// Returns the root of the first leaves; `None` if the tree has fewer.
    pub fn root_of(&self, size: u64) -> Option<TreeHash> {
        let is_within = size <= self.size();
        RightEdge::of(&self.tree, size).ok().filter(|_| is_within).map(|edge| edge.root())
    }
}

/// The largest of several trees.
pub struct LargestTree<'r> {
    pub tree: SignedTree<'r>,
    /// The records whose trees are its beginnings, such as that from before a restart.
    pub beginnings: Vec<&'r Remote>,
    /// A sentence for each tree that is not.
    pub contradictions: Vec<String>,
}

/// Returns the largest tree; `None` without a tree.
pub fn largest(mut trees: Vec<SignedTree<'_>>) -> Option<LargestTree<'_>> {
    let place = (0..trees.len()).max_by_key(|place| trees[*place].size())?;
    let tree = trees.swap_remove(place);
    let (mut beginnings, mut contradictions) = (Vec::new(), Vec::new());
    for other in &trees {
        let checkpoint = other.note.checkpoint();
        if tree.root_of(checkpoint.size) == Some(checkpoint.root) {
            beginnings.push(other.remote);
        } else {
            let (size, origin) = (checkpoint.size, &checkpoint.origin);
            contradictions.push(format!("the checkpoint of size {size} of {origin} is of another tree"));
        }
    }
    Some(LargestTree { tree, beginnings, contradictions })
}
