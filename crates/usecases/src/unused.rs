//! Files of a store that nothing names, and what killed writers left.

use std::collections::HashSet;

use chrono::{DateTime, TimeDelta, Utc};
use sports_content::ObjectHash;
use sports_domain::Sport;
use sports_ports::PortError;
use sports_ports::contents::{FoundFile, Part, StoreContents};
use sports_ports::publication::PublicationLog;
use sports_publication::Catalog;

/// How old an unfinished write is once it is taken for given up. A write takes seconds.
const GIVEN_UP: TimeDelta = TimeDelta::hours(1);

/// Removes the files that killed writers left of a league and of the datasets. A failure is not reported: it takes nothing
/// from a publish, and the files are listed by a verification.
///
/// `machine_now` is the time of the machine that files are dated by, whatever a release is published as of.
pub async fn remove_leftovers(contents: &dyn StoreContents, sport: Sport, machine_now: DateTime<Utc>) {
    for part in [Part::League(sport), Part::Datasets] {
        let _ = contents.remove_leftovers(part, machine_now - GIVEN_UP).await;
    }
}

/// The files among a league's objects that no entry of its log names, such as those of a publish that was
/// killed or overtaken. A publish that is under way has some, too, until its entry is there.
///
/// # Errors
///
/// [`PortError`] when log or store cannot be read: what an unreadable entry names is not known.
pub async fn unused_objects(
    log: &dyn PublicationLog,
    contents: &dyn StoreContents,
    sport: Sport,
) -> Result<Vec<FoundFile>, PortError> {
    // Listed first: what is published meanwhile is named by the time the log is read.
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
    artifacts.map(|artifact| artifact.object)
}
