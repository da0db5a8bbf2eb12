//! Verification of a league's tree: every leaf, edge and root follows from the entries and their objects.

use std::collections::{BTreeMap, HashSet};
use std::num::NonZeroU32;

use sports_domain::content::ObjectHash;
use sports_domain::{ModelType, Season};
use sports_ports::PortError;
use sports_ports::publication::LogEntry;
use sports_ports::seasons::SeasonRef;
use sports_publication::registry::Registry;
use sports_publication::{
    Catalog, EntryChanges, EntryLeaves, Generation, LateWithdrawal, RowChanges, RowComparison, TreeEntry,
};
use sports_transparency::{Checkpoint, LeafFact, TreeHash, VerifierKey, WrittenLeaf};

use super::archives::{VerifiedArchives, archives_of};
use super::difference::{Difference, SlatePart, VerifyError};
use super::live_rows::CommittedForecasts;
use crate::record::{Archives, ListedKey, Slates};

/// The trees of a log up to an entry.
#[derive(Default)]
pub(super) struct VerifiedTrees {
    /// The last entry.
    before: Option<Catalog>,
    registry: Registry,
    /// The objects with leaves.
    objects: HashSet<ObjectHash>,
    /// The trees and losses that the entries state.
    stated: StatedTrees,
    /// The forecasts to which the leaves commit.
    pub(super) forecasts: CommittedForecasts,
}

impl VerifiedTrees {
    /// Returns the objects with leaves.
    pub(super) fn objects(&self) -> impl Iterator<Item = ObjectHash> {
        self.objects.iter().copied()
    }

    /// Returns the tree of the last entry.
    pub(super) fn newest(&self) -> Option<&TreeEntry> {
        self.before.as_ref()?.tree.as_ref()
    }

    /// Returns the trees and losses that the entries state.
    pub(super) fn into_stated(self) -> StatedTrees {
        self.stated
    }

    /// Verifies the tree of the next entry, whose archives and registry were verified before.
    pub(super) async fn verify_entry(
        &mut self,
        archives: &Archives,
        slates: &Slates,
        verified: &mut VerifiedArchives,
        entry: &LogEntry,
    ) -> Result<(), VerifyError> {
        let (catalog, generation) = (&entry.catalog, entry.catalog.generation);
        let registry = verified.registry();
        let models = registry.new_versions(&self.registry);
        self.registry.clone_from(registry);
        let tree = catalog.tree.as_ref().ok_or(Difference::NoTree(generation))?;
        let stored = leaves(slates, catalog, tree).await?;
        let rows = self.row_changes(archives, verified, catalog).await?;
        // A loss follows from no entry. It is compared with the keys and the trees of the store afterwards.
        let restart = stored.leaves.get(1).and_then(|leaf| leaf.fact.lost_checkpoint());
        let known = self.newest().map(|before| before.keys.as_slice()).unwrap_or_default();
        let keys = tree.keys.strip_prefix(known).ok_or(Difference::Keys(generation))?.to_vec();
        let changes = EntryChanges { restart, keys, models, rows };
        self.verify_leaves(catalog, tree, &stored, &changes)?;
        self.forecasts.follow(catalog, changes);
        self.objects.insert(tree.leaves.object);
        self.before = Some(catalog.clone());
        Ok(())
    }

    /// Compares the leaves and the tree of an entry with those that follow from the rest of the record.
    fn verify_leaves(
        &mut self,
        catalog: &Catalog,
        tree: &TreeEntry,
        stored: &EntryLeaves,
        changes: &EntryChanges,
    ) -> Result<(), Difference> {
        let generation = catalog.generation;
        let mut expected = EntryLeaves::behind(self.newest(), changes.leaves(catalog, &tree.nonce));
        let known = stored.leaves.iter().filter(|leaf| !leaf.fact.is_unknown()).count();
        let unforecast = changes.rows.unforecast_ended.len();
        if unforecast > 0 && known + unforecast == expected.leaves.len() {
            // Earlier versions stated no ending of a game without a forecast.
            let mut earlier = changes.clone();
            earlier.rows.unforecast_ended.clear();
            expected = EntryLeaves::behind(self.newest(), earlier.leaves(catalog, &tree.nonce));
        }
        if let Some(first) = [tree.first, stored.first].into_iter().find(|first| *first != expected.first) {
            return Err(Difference::TreeStart { generation, found: first, expected: expected.first });
        }
        // A later program states what this one does not know.
        for (place, leaf) in stored.leaves.iter().enumerate().filter(|(_, leaf)| leaf.fact.is_unknown()) {
            expected.leaves.insert(place.min(expected.leaves.len()), leaf.clone());
            *self.stated.unknown.entry(leaf.fact.kind().to_owned()).or_default() += 1;
        }
        verify_each(generation, stored, &expected)?;
        let late: Vec<_> = stored.late_withdrawals().iter().map(LateWithdrawal::to_string).collect();
        if !late.is_empty() {
            return Err(Difference::LateWithdrawals { generation, withdrawn: late });
        }
        let edge = expected.edge(self.newest());
        if edge == tree.edge {
            let loss = |checkpoint| StatedLoss { generation, after: expected.first, checkpoint };
            self.stated.losses.extend(changes.restart.map(loss));
            self.stated.roots.insert(edge.size(), edge.root());
            let places = expected.placed().filter_map(|(place, leaf)| match &leaf.fact {
                LeafFact::Key { vkey } => Some((place, vkey.clone())),
                _ => None,
            });
            self.stated.keys.extend(places);
            return Ok(());
        }
        let of =
            |edge: &sports_transparency::RightEdge| format!("{} leaves with the root {}", edge.size(), edge.root());
        Err(Difference::Tree { generation, found: of(&tree.edge), expected: of(&edge) })
    }

    /// Returns the changes of live rows by an entry, from the archives that it changes.
    async fn row_changes(
        &self,
        archives: &Archives,
        verified: &mut VerifiedArchives,
        catalog: &Catalog,
    ) -> Result<RowChanges, VerifyError> {
        let generation = catalog.generation;
        let mut places: BTreeMap<(ModelType, Season), [Option<SeasonRef>; 2]> = BTreeMap::new();
        for (side, entry) in [self.before.as_ref(), Some(catalog)].into_iter().enumerate() {
            for (archive, _) in entry.into_iter().flat_map(archives_of) {
                let place = (archive.market.model_type, archive.season);
                places.entry(place).or_default()[side] = Some(archive);
            }
        }
        places.retain(|_, [before, after]| before != after);
        let mut comparison = RowComparison::of(&catalog.release_id);
        for sides in places.into_values() {
            if !verified.may_change(&sides) {
                continue;
            }
            let [mut before, mut after] = [None, None];
            for (archive, read) in [(&sides[0], &mut before), (&sides[1], &mut after)] {
                let Some(archive) = archive else { continue };
                *read = Some(verified.stored(archives, archive, generation).await?);
            }
            comparison.compare(before.as_deref(), after.as_deref());
        }
        Ok(comparison.finish())
    }
}

/// Reads the leaves of an entry.
async fn leaves(slates: &Slates, catalog: &Catalog, tree: &TreeEntry) -> Result<EntryLeaves, VerifyError> {
    let (generation, what) = (catalog.generation, SlatePart::Leaves);
    slates.leaves(catalog.sport, &tree.leaves).await.map_err(|error| match error {
        source @ PortError::Corrupt { .. } => Difference::Slate { generation, what, source }.into(),
        source @ PortError::Unavailable { .. } => VerifyError::Port(source),
    })
}

/// Compares leaves one by one; the first that differs is the difference.
fn verify_each(generation: Generation, stored: &EntryLeaves, expected: &EntryLeaves) -> Result<(), Difference> {
    let length = stored.leaves.len().max(expected.leaves.len());
    for (place, index) in (0..length).zip(expected.first..) {
        let [found, expected] = [stored, expected].map(|leaves| leaves.leaves.get(place));
        if found != expected {
            return Err(Difference::Leaf { generation, index, found: shown(found), expected: shown(expected) });
        }
    }
    Ok(())
}

/// Returns a leaf in one line.
fn shown(leaf: Option<&WrittenLeaf>) -> String {
    leaf.map_or_else(|| "no leaf".to_owned(), |leaf| format!("`{}`", leaf.text().trim_end().replace('\n', " / ")))
}

// Verification of the losses that `restart` leaves state, against the keys and the tree of the store.

/// The trees that the entries of a log state, and the losses after which it began anew.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StatedTrees {
    /// The root of each size at which an entry ends.
    pub roots: BTreeMap<u64, TreeHash>,
    /// The losses, oldest first.
    pub losses: Vec<StatedLoss>,
    /// The keys that leaves announce, with the places of the leaves.
    pub keys: Vec<(u64, VerifierKey)>,
    /// The kinds of leaves that this program does not know, with the number of each.
    pub unknown: BTreeMap<String, usize>,
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
