//! The link between two entries of a log.

use sports_ports::PortError;
use sports_ports::publication::{LogEntry, PublicationLog};

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
