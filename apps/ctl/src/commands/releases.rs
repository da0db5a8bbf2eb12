use serde_json::{Value, json};
use sports_domain::Sport;
use sports_ports::publication::LogEntry;
use sports_publication::{Catalog, ClockSource};
use sports_usecases::releases::{Releases, releases};

use crate::commands::exceptions;
use crate::failure::Failure;
use crate::instant;
use crate::places::Places;
use crate::report::Report;

/// Lists a league's newest releases.
pub async fn run(places: &Places<'_>, sport: Sport, limit: usize) -> Result<Report, Failure> {
    let store = places.existing_store().await?;
    let Releases { entries, simulated } = releases(&*store.log, sport, limit).await.map_err(Failure::other)?;
    let mut lines: Vec<_> = entries.iter().flat_map(|entry| lines_of(&entry.catalog)).collect();
    if lines.is_empty() {
        lines.push(format!("{sport}: nothing published"));
    }
    if simulated {
        lines.push(format!("the record of {sport} is simulated: it has releases published at a time set by hand"));
    }
    let releases: Vec<_> = entries.iter().map(written).collect();
    Ok(Report::new(lines, json!({ "sport": sport.code(), "simulated": simulated, "releases": releases })))
}

/// Returns an entry of the log as a line of text, and its exceptions as lines below.
fn lines_of(catalog: &Catalog) -> impl Iterator<Item = String> {
    let exceptions = catalog.exceptions.phrases().into_iter().map(|phrase| format!("        {phrase}"));
    [line(catalog)].into_iter().chain(exceptions)
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

/// Returns an entry of the log as JSON.
fn written(entry: &LogEntry) -> Value {
    let mut json = json!({
        "generation": entry.catalog.generation.get(),
        "release_id": entry.catalog.release_id.as_str(),
        "published_at": instant::written(entry.catalog.published_at),
        "clock": entry.catalog.clock.word(),
        "slate_date": entry.catalog.slate_date.to_string(),
        "digest": entry.digest.to_string(),
        "previous": entry.catalog.previous.map(|hash| hash.to_string()),
    });
    exceptions::add_to(&mut json, &entry.catalog.exceptions);
    json
}
