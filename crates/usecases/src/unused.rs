//! Files of a store that no entry names, and remains of killed writers.

use std::collections::HashSet;

use chrono::{DateTime, TimeDelta, Utc};
use sports_domain::Sport;
use sports_domain::content::ObjectHash;
use sports_ports::PortError;
use sports_ports::contents::{FoundFile, Part, StoreContents};
use sports_ports::publication::PublicationLog;
use sports_publication::Catalog;

/// The age at which an unfinished write counts as abandoned. A write takes seconds.
const GIVEN_UP: TimeDelta = TimeDelta::hours(1);

/// Removes the remains of killed writers from a league, from the keys and from the datasets. Failures are ignored: a publish does not
/// depend on the removal, and verification lists the files.
///
/// `machine_now` is the machine's own time, which dates the files, even if a release is published with another time.
pub async fn remove_leftovers(contents: &dyn StoreContents, sport: Sport, machine_now: DateTime<Utc>) {
    for part in [Part::League(sport), Part::Keys, Part::Datasets] {
        let _ = contents.remove_leftovers(part, machine_now - GIVEN_UP).await;
    }
}

/// Returns the files among a league's objects that no entry of its log names, such as those of a publish that was
/// killed or overtaken. A publish in progress has such files until its entry is appended.
///
/// # Errors
///
/// [`PortError`] if the log or the store cannot be read, including any entry, since the objects it names would be
/// unknown.
pub async fn unused_objects(
    log: &dyn PublicationLog,
    contents: &dyn StoreContents,
    sport: Sport,
) -> Result<Vec<FoundFile>, PortError> {
    // Files are listed before the log is read, so that a publish in between has its entry.
    let mut files = contents.objects(sport).await?;
    let mut named = HashSet::new();
    for generation in log.numbers(sport).await? {
        if let Some(entry) = log.entry(sport, generation).await? {
            named.extend(objects_of(&entry.catalog));
        }
    }
    files.retain(|file| file.object.is_none_or(|object| !named.contains(&object)));
    Ok(files)
}

fn objects_of(catalog: &Catalog) -> impl Iterator<Item = ObjectHash> {
    let results = catalog.results.values().map(|entry| &entry.artifact);
    let predictions = catalog.predictions.values().map(|entry| &entry.artifact);
    let artifacts = results.chain(predictions).chain(&catalog.odds).chain(&catalog.openers);
    let named = artifacts.map(|artifact| artifact.object).chain(catalog.models.iter().map(|models| models.object));
    named.chain(catalog.tree.iter().map(|tree| tree.leaves.object))
}
