use serde_json::{Value, json};
use sports_domain::Sport;
use sports_publication::{Catalog, ClockSource};
use sports_usecases::releases::{ListedRelease, Releases, releases, with_models};

use crate::commands::{exceptions, models};
use crate::failure::Failure;
use crate::instant;
use crate::places::Places;
use crate::report::Report;

/// Lists a league's newest releases.
pub async fn run(places: &Places<'_>, sport: Sport, limit: usize) -> Result<Report, Failure> {
    let store = places.existing_store().await?;
    let Releases { entries, simulated } = releases(&*store.log, sport, limit).await.map_err(Failure::other)?;
    let releases = with_models(&store.slates, entries).await.map_err(Failure::other)?;
    let mut lines: Vec<_> = releases.iter().flat_map(lines_of).collect();
    if lines.is_empty() {
        lines.push(format!("{sport}: nothing published"));
    }
    if simulated {
        lines.push(format!("the record of {sport} is simulated: it has releases published at a time set by hand"));
    }
    let releases: Vec<_> = releases.iter().map(written).collect();
    Ok(Report::new(lines, json!({ "sport": sport.code(), "simulated": simulated, "releases": releases })))
}

/// Returns a release as a line of text, with its exceptions and its changes of the models as lines below.
fn lines_of(release: &ListedRelease) -> impl Iterator<Item = String> {
    let exceptions = release.entry.catalog.exceptions.phrases().into_iter();
    let models = models::phrases(&release.models_declared, &release.models_retired);
    let below = exceptions.chain(models).map(|phrase| format!("        {phrase}"));
    [line(&release.entry.catalog)].into_iter().chain(below)
}

/// Returns an entry of the log as a line of text.
fn line(catalog: &Catalog) -> String {
    let changed = catalog.results.values().filter(|results| results.artifact.release_id == catalog.release_id);
    format!(
        "{:>6}  {}  slate {}  {} archives  {}{}",
        catalog.generation.get(),
        catalog.published_at.format("%Y-%m-%d %H:%M:%SZ"),
        catalog.slate_date,
        changed.count(),
        catalog.release_id,
        if catalog.clock == ClockSource::Set { "  simulated" } else { "" },
    )
}

/// Returns a release as JSON.
fn written(release: &ListedRelease) -> Value {
    let ListedRelease { entry, models_declared, models_retired } = release;
    let mut json = json!({
        "generation": entry.catalog.generation.get(),
        "release_id": entry.catalog.release_id.as_str(),
        "published_at": instant::written(entry.catalog.published_at),
        "clock": entry.catalog.clock.word(),
        "slate_date": entry.catalog.slate_date.to_string(),
        "digest": entry.digest.to_string(),
        "previous": entry.catalog.previous.map(|hash| hash.to_string()),
        "models_declared": models::names(models_declared),
        "models_retired": models::names(models_retired),
    });
    exceptions::add_to(&mut json, &entry.catalog.exceptions);
    json
}
