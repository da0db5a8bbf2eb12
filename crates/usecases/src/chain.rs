//! What entries of a log say of each other.

use sports_ports::PortError;
use sports_ports::publication::{LogEntry, PublicationLog};
use sports_publication::{Catalog, ClockSource, Generation};

/// Whether an entry names the entry before it as it stands in the log.
///
/// What an unreadable entry was cannot be told, so it breaks no link; a missing one does.
///
/// # Errors
///
/// [`PortError::Unavailable`] when the log cannot be asked.
pub async fn continues_the_log(log: &dyn PublicationLog, entry: &LogEntry) -> Result<bool, PortError> {
    let catalog = &entry.catalog;
    let Some(before) = catalog.generation.previous() else { return Ok(catalog.previous.is_none()) };
    match log.entry(catalog.sport, before).await {
        Ok(before) => Ok(before.is_some_and(|before| catalog.previous == Some(before.digest))),
        Err(PortError::Corrupt { .. }) => Ok(true),
        Err(error) => Err(error),
    }
}

/// Whether any entry of the log up to `newest` was published at a time set by hand: the record is simulated then.
///
/// Publishing adds no such entry to one of a machine's own clock, so the newest entry and the first that can be read tell;
/// `verify` looks at all of them.
///
/// # Errors
///
/// [`PortError::Unavailable`] when the log cannot be asked.
pub async fn is_simulated(log: &dyn PublicationLog, newest: &Catalog) -> Result<bool, PortError> {
    if newest.clock == ClockSource::Set {
        return Ok(true);
    }
    let mut next = Generation::FIRST;
    while next < newest.generation {
        match log.entry(newest.sport, next).await {
            Ok(Some(first)) => return Ok(first.catalog.clock == ClockSource::Set),
            Ok(None) | Err(PortError::Corrupt { .. }) => next = next.next(),
            Err(error) => return Err(error),
        }
    }
    Ok(false)
}
