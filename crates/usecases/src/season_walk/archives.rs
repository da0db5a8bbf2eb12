//! The archives of a season that an entry names.

use sports_domain::{Market, Season};
use sports_ports::PortError;
use sports_ports::seasons::SeasonRef;
use sports_publication::{Catalog, SeasonArchive};

use crate::record::{Archives, WorkQueue, run_queued};

/// Returns the archives of a season in an entry, one of each market that has the season.
pub(super) fn archives_of(catalog: &Catalog, season: Season) -> impl Iterator<Item = SeasonRef> {
    let results = catalog.results.iter().filter(move |((_, of), _)| *of == season);
    results.map(move |((model_type, _), entry)| {
        SeasonRef::from_artifact(Market::new(catalog.sport, *model_type), season, &entry.artifact)
    })
}

/// Reads an archive when its turn comes.
pub(super) async fn read_archive(
    archives: &Archives,
    queue: &dyn WorkQueue,
    place: SeasonRef,
) -> Result<SeasonArchive, PortError> {
    let archives = archives.clone();
    run_queued(queue, async move { archives.read(&place).await }).await
}
