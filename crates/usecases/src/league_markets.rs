//! The markets of a league as of an entry, and the slate dates on record that they follow from.

use std::borrow::Cow;
use std::collections::BTreeSet;

use sports_domain::ModelType;
use sports_ledger::entry_before;
use sports_ports::PortError;
use sports_ports::publication::PublicationLog;
use sports_publication::Catalog;
use sports_publication::registry::LeagueSettings;
use sports_publication::slate::SlateDates;

/// Returns the markets that a league has as of an entry: the declared ones, else those of its last slate dates on record.
///
/// The log is read back only if the current predictions of a market are older than [`SlateDates::LAST`] days.
///
/// # Errors
///
/// [`PortError`] if the log cannot be read.
pub async fn markets_of(
    log: &dyn PublicationLog,
    entry: &Catalog,
    settings: &LeagueSettings,
) -> Result<BTreeSet<ModelType>, PortError> {
    match &settings.markets {
        Some(declared) => Ok(declared.clone()),
        None => Ok(slate_dates(log, entry, |dates, oldest| dates.needs_before(entry, oldest)).await?.markets()),
    }
}

/// Reads the slate dates back from an entry, as long as the entries before the oldest one are needed.
///
/// # Errors
///
/// [`PortError`] if the log cannot be read.
pub(crate) async fn slate_dates(
    log: &dyn PublicationLog,
    newest: &Catalog,
    needs_before: impl Fn(&SlateDates, &Catalog) -> bool + Send,
) -> Result<SlateDates, PortError> {
    let (mut dates, mut oldest) = (SlateDates::of(newest), Cow::Borrowed(newest));
    while needs_before(&dates, &oldest) {
        let Some(before) = entry_before(log, &oldest).await? else { break };
        dates.note(&before.catalog);
        oldest = Cow::Owned(before.catalog);
    }
    Ok(dates)
}
