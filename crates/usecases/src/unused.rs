//! What is in a store and serves nothing.

use std::collections::HashSet;

use sports_domain::Sport;
use sports_ports::PortError;
use sports_ports::contents::{FoundFile, StoreContents};
use sports_ports::publication::PublicationLog;
use sports_publication::{Catalog, ObjectHash};

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
