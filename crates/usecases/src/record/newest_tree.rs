//! The newest tree of a league, with the part that its newest entry added.

use std::ops::Range;

use bytes::Bytes;
use sports_domain::Sport;
use sports_ledger::{Link, Newest};
use sports_ports::PortError;
use sports_publication::{EntryLeaves, TreeEntry};
use sports_transparency::{Growth, RightEdge, TileKind, TilePath, TreeHash, VerifierKey, WrittenLeaf};
use tokio::sync::OnceCell;

use super::{TreeHead, TreeReader};

/// The number of narrower tiles that are looked for: a release of 680 games in three markets adds as many hashes.
const NARROWER: usize = 8;

/// The newest tree of a league. The leaves of its newest entry are read once.
pub struct NewestTree {
    pub head: TreeHead,
    entry: TreeEntry,
    /// The edge of the tree before, if the entry before is known.
    before: Option<RightEdge>,
    added: OnceCell<EntryLeaves>,
}

impl NewestTree {
    /// Reads the tree of a league's newest entry; `None` if that has none.
    ///
    /// # Errors
    ///
    /// [`PortError`] if the log cannot be read.
    pub(crate) async fn read(tree: &TreeReader, sport: Sport) -> Result<Option<Self>, PortError> {
        let newest = tree.ledgers().of(sport).read_newest().await?;
        Ok(newest.and_then(|Newest { entry: newest, link }| {
            let (head, entry) = (TreeHead::of(&newest.catalog)?, newest.catalog.tree.clone()?);
            let before = if let Link::Proven(before) = link { Some(before) } else { None };
            let before = before.and_then(|before| before.catalog.tree.as_ref().map(|tree| tree.edge.clone()));
            let before = before.filter(|before| before.size() == entry.first);
            Some(Self { head, entry, before, added: OnceCell::new() })
        }))
    }

    /// Returns the keys that the leaves announce.
    pub(crate) fn announced(&self) -> &[VerifierKey] {
        &self.entry.keys
    }

    /// Returns the growth of the tree since it had `old` leaves, if the newest entry added all others.
    ///
    /// # Errors
    ///
    /// [`PortError`] if the leaves of the newest entry cannot be read.
    pub(crate) async fn growth_from(&self, tree: &TreeReader, old: u64) -> Result<Option<Growth>, PortError> {
        let Some(before) = self.before.clone().filter(|before| before.size() == old) else { return Ok(None) };
        let added = self.added(tree).await?;
        Ok(Some(Growth::new(before, added.leaves.iter().map(WrittenLeaf::hash).collect())))
    }

    /// Returns some of the leaves.
    ///
    /// # Errors
    ///
    /// The errors of [`TreeReader::entry_of`].
    pub(crate) async fn leaves(&self, tree: &TreeReader, range: Range<u64>) -> Result<Vec<WrittenLeaf>, PortError> {
        let mut leaves = tree.leaves(&self.head, range.start..range.end.min(self.entry.first)).await?;
        let added = self.added(tree).await?.placed().filter(|(place, _)| range.contains(place));
        leaves.extend(added.map(|(_, leaf)| leaf.clone()));
        Ok(leaves)
    }

    /// Computes a tile above the leaves. A partial one continues a narrower one that is stored, if that is of this tree.
    ///
    /// # Errors
    ///
    /// The errors of [`TreeReader::computed_tile`].
    pub(crate) async fn tile(&self, tree: &TreeReader, path: TilePath) -> Result<Bytes, PortError> {
        if let (TileKind::Hashes { level: above @ 1.. }, Some(items), true) =
            (path.kind(), path.items(), path.is_partial())
        {
            for narrower in std::iter::successors(path.narrower(), |path| path.narrower()).take(NARROWER) {
                let Some(begun) = tree.stored(self.head.sport, narrower).await? else { continue };
                let behind = items.start + u64::from(narrower.width())..items.end;
                let bytes = [&begun[..], &tree.roots(&self.head, above - 1, behind).await?].concat();
                if self.ends_with(path, &bytes) {
                    return Ok(bytes.into());
                }
                break;
            }
        }
        tree.computed_tile(&self.head, path).await
    }

    /// Returns `true` if these are the hashes of the last tile of a level: the edge of the tree has the roots of their subtrees.
    fn ends_with(&self, path: TilePath, bytes: &[u8]) -> bool {
        let (hashes, rest) = bytes.as_chunks();
        let edge: RightEdge = hashes.iter().copied().map(TreeHash::new).collect();
        let larger = path.number().count_ones() as usize;
        let known = self.entry.edge.hashes().get(larger..larger + edge.hashes().len());
        rest.is_empty() && edge.size() == u64::from(path.width()) && known == Some(edge.hashes())
    }

    async fn added(&self, tree: &TreeReader) -> Result<&EntryLeaves, PortError> {
        self.added.get_or_try_init(|| tree.leaves_of(self.head.sport, &self.entry)).await
    }
}
