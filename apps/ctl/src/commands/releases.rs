use serde_json::{Value, json};
use sports_domain::Sport;
use sports_ports::publication::LogEntry;
use sports_publication::{Catalog, ClockSource, Upload};
use sports_usecases::releases::{ListedRelease, NoReleaseAt, Releases, release_at, releases, with_models};

use super::{models, outcome, verify};
use crate::failure::Failure;
use crate::places::Places;
use crate::report;
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
    let newest = releases.first().map(|release| release.entry.catalog.generation);
    let warnings = verify::warnings_above(&*store.log, sport, newest).await?;
    let releases: Vec<_> = releases.iter().map(release_json).collect();
    let json = json!({ "sport": sport.code(), "simulated": simulated, "releases": releases });
    let mut report = Report::new(lines, json);
    if !warnings.is_empty() {
        report.warn(warnings);
    }
    Ok(report)
}

/// Prints the release that was the newest at an instant, the one before and the one after.
pub async fn at(places: &Places<'_>, sport: Sport, at: &str) -> Result<Report, Failure> {
    let at = report::read_instant(at).map_err(Failure::bad_input)?;
    let now = places.clock.now();
    if at > now {
        return Err(Failure::bad_input(format!("--at is in the future: it is {} here", report::written_instant(now))));
    }
    let store = places.existing_store().await?;
    let found = release_at(&store.ledgers, sport, at).await.map_err(|error| match error {
        NoReleaseAt::Unreadable(error) => Failure::other(error),
        none => Failure::bad_input(none),
    })?;
    let entries =
        [("previous", found.previous.as_ref()), ("current", Some(&found.current)), ("next", found.next.as_ref())];
    let described = |(word, entry): &(&str, Option<&LogEntry>)| match entry {
        Some(entry) => format!("{word:<8}  {}", line(&entry.catalog)),
        None => format!("{word:<8}  none"),
    };
    let lines = entries.iter().map(described).collect();
    let mut json = json!({ "at": report::written_instant(at) });
    for (word, entry) in entries {
        json[word] = entry.map_or(Value::Null, |entry| {
            json!({
                "generation": entry.catalog.generation.get(),
                "published_at": report::written_instant(entry.catalog.published_at),
                "release_id": entry.catalog.release_id.as_str(),
                "sha256": entry.digest.to_string(),
            })
        });
    }
    Ok(Report::new(lines, json))
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
fn release_json(release: &ListedRelease) -> Value {
    let ListedRelease { entry, models_declared, models_retired } = release;
    let mut json = json!({
        "generation": entry.catalog.generation.get(),
        "release_id": entry.catalog.release_id.as_str(),
        "published_at": report::written_instant(entry.catalog.published_at),
        "clock": entry.catalog.clock.word(),
        "slate_date": entry.catalog.slate_date.to_string(),
        "digest": entry.digest.to_string(),
        "previous": entry.catalog.previous.map(|hash| hash.to_string()),
        "models_declared": models::names(models_declared),
        "models_retired": models::names(models_retired),
    });
    outcome::add_exceptions(&mut json, &entry.catalog.exceptions);
    if let Some(Upload { token, key, content }) = &entry.catalog.upload {
        json["upload"] = json!({ "token": token, "key": key.to_string(), "content": content.to_string() });
    }
    json
}
