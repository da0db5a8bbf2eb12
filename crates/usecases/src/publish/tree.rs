//! The tree of the next entry: its leaves, computed from the change and from the entry that it continues.

use sports_domain::Sport;
use sports_ledger::entry_before;
use sports_ports::publication::{LogEntry, PublicationLog};
use sports_ports::signing::TreeLoss;
use sports_ports::{PortError, Random, random_bytes};
use sports_publication::{Catalog, EntryChanges, EntryLeaves, TreeEntry};
use sports_transparency::{Nonce, RightEdge};

use crate::record::Slates;

/// The tree of an entry whose leaves are not stored yet.
pub(super) struct NextTree {
    nonce: Nonce,
    edge: RightEdge,
    leaves: EntryLeaves,
}

impl NextTree {
    /// Continues the tree of an entry. `entry` has its number, time, clock and link.
    pub(super) fn behind(
        before: Option<&Catalog>,
        entry: &Catalog,
        changes: &EntryChanges,
        random: &dyn Random,
    ) -> Result<Self, PortError> {
        let nonce = Nonce::new(random_bytes(random)?);
        let before = before.and_then(|before| before.tree.as_ref());
        let leaves = EntryLeaves::behind(before, changes.leaves(entry, &nonce));
        Ok(Self { nonce, edge: leaves.edge(before), leaves })
    }

    /// Stores the leaves; returns the tree that names them.
    pub(super) async fn store(self, slates: &Slates, sport: Sport) -> Result<TreeEntry, PortError> {
        let Self { nonce, edge, leaves } = self;
        let first = leaves.first;
        Ok(TreeEntry { nonce, first, edge, leaves: slates.write_leaves(sport, leaves).await? })
    }
}

/// Returns `true` if an entry that was added to the tree since a loss states it.
pub(super) async fn states_loss(
    log: &dyn PublicationLog,
    slates: &Slates,
    newest: &LogEntry,
    after: TreeLoss,
) -> Result<bool, PortError> {
    let sport = newest.catalog.sport;
    let mut catalog = newest.catalog.clone();
    while let Some(tree) = catalog.tree.as_ref().filter(|tree| tree.edge.size() > after.size) {
        let leaves = slates.leaves(sport, &tree.leaves).await?.leaves;
        if leaves.iter().filter_map(|leaf| leaf.fact.lost_checkpoint()).any(|lost| lost == after.checkpoint) {
            return Ok(true);
        }
        let Some(before) = entry_before(log, &catalog).await? else { break };
        catalog = before.catalog;
    }
    Ok(false)
}
