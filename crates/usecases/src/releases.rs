//! Listing what was published.

use sports_domain::Sport;
use sports_ports::PortError;
use sports_ports::publication::{LogEntry, PublicationLog};
use sports_publication::ClockSource;

use crate::chain::is_simulated;

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
    let mut entries = Vec::new();
    let mut next = log.newest(sport).await?;
    while let Some(generation) = next.filter(|_| entries.len() < limit) {
        let entry = log.entry(sport, generation).await?;
        let gap = || PortError::corrupt("the publication log", format!("entry {generation} of {sport} is missing"));
        entries.push(entry.ok_or_else(gap)?);
        next = generation.previous();
    }
    let listed = entries.iter().any(|entry| entry.catalog.clock == ClockSource::Set);
    let simulated = match entries.first() {
        Some(newest) if !listed => is_simulated(log, &newest.catalog).await?,
        _ => listed,
    };
    Ok(Releases { entries, simulated })
}
