//! Listing what was published.

use std::sync::Arc;

use sports_domain::Sport;
use sports_ports::PortError;
use sports_ports::publication::{LogEntry, PublicationLog};
use sports_publication::{ClockSource, Generation};

use crate::record::{Chain, Link, StrayReason, is_simulated};

/// A league's newest releases.
#[derive(Debug, Clone, PartialEq)]
pub struct Releases {
    /// Entries of the log, newest first.
    pub entries: Vec<LogEntry>,
    /// Whether the record has entries that were published at a time set by hand, listed here or not.
    pub simulated: bool,
}

/// The newest `limit` entries of a league's log, newest first.
///
/// # Errors
///
/// [`PortError`] when the log cannot be read; an entry missing from its middle is
/// [`PortError::Corrupt`].
pub async fn releases(log: &dyn PublicationLog, sport: Sport, limit: usize) -> Result<Releases, PortError> {
    let hole = |number: &Generation| {
        let reason = format!("entry {number} of {sport} does not continue those before it, or some are missing");
        PortError::corrupt("the publication log", reason)
    };
    let mut chain = Chain::listed(log, sport).await?;
    let (head, mut passed_over) = chain.head().await?;
    let newest = head.as_ref().map(|(entry, _)| &entry.catalog);
    if let Some((number, _)) = passed_over.iter().find(|(_, why)| why.may_be_lost_history(newest)) {
        return Err(hole(number));
    }
    // A log with something in it is no empty one.
    if head.is_none()
        && let Some((number, why)) = passed_over.pop()
    {
        return Err(match why {
            StrayReason::Unreadable(error) => error,
            StrayReason::Unlinked { .. } => hole(&number),
        });
    }
    let mut entries = Vec::new();
    let mut next = head;
    while let Some((entry, link)) = next.filter(|_| entries.len() < limit) {
        let before = match link {
            Link::Holds(before) | Link::Unknown(before) => before,
            Link::Rootless | Link::Broken if entries.len() + 1 < limit => {
                return Err(hole(&entry.catalog.generation));
            }
            Link::Rootless | Link::Broken => None,
        };
        next = match before {
            Some(before) => {
                let link = chain.link(&before.catalog).await?;
                Some((before, link))
            }
            None => None,
        };
        entries.push(Arc::unwrap_or_clone(entry));
    }
    let listed = entries.iter().any(|entry| entry.catalog.clock == ClockSource::Set);
    let simulated = match entries.first() {
        Some(newest) if !listed => is_simulated(log, &newest.catalog).await?,
        _ => listed,
    };
    Ok(Releases { entries, simulated })
}
