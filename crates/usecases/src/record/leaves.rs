use sports_domain::Sport;
use sports_ports::PortError;
use sports_ports::publication::PublicationLog;
use sports_publication::{EntryLeaves, Generation};

use super::Slates;

/// Reads the leaves that a number of a log adds to the tree; `None` for a free number and for an entry from before the tree.
///
/// # Errors
///
/// [`PortError`] if the entry or its leaves cannot be read.
pub async fn leaves_of(
    log: &dyn PublicationLog,
    slates: &Slates,
    sport: Sport,
    generation: Generation,
) -> Result<Option<EntryLeaves>, PortError> {
    match log.entry(sport, generation).await?.and_then(|entry| entry.catalog.tree) {
        Some(tree) => slates.leaves(sport, &tree.leaves).await.map(Some),
        None => Ok(None),
    }
}
