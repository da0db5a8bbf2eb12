use serde_json::{Value, json};
use sports_domain::{ModelType, Season};
use sports_publication::{Problem, Release};
use sports_releases_folder::{ReadError, ReadRelease, read, read_games};
use sports_usecases::publish::{Mode, PublishOutcome, Published, SeasonChange};

use crate::cli::Publish;
use crate::commands::{outcome, slate, unused};
use crate::failure::Failure;
use crate::places::Places;
use crate::report::Report;

/// Reads the folder, publishes it and lists what changed.
pub async fn run(places: &Places<'_>, publish: &Publish) -> Result<Report, Failure> {
    let ReadRelease { release, warnings } = match read(&publish.folder, places.clock.now()) {
        Err(ReadError::Problems(problems)) => return Err(unread(places, publish, problems).await),
        read => read?,
    };
    if publish.dry_run || publish.strict {
        let rehearsal = places.rehearsal_store().await?.publisher(places);
        let report = report(&release, &rehearsal.publish(&release, Mode::DryRun).await?, warnings.clone());
        if publish.strict && !report.warnings.is_empty() {
            return Err(Failure::Warned(report.warnings));
        }
        if publish.dry_run {
            return Ok(report);
        }
    }
    let mode = if publish.strict { Mode::CommitUnlessWarned } else { Mode::Commit };
    let store = places.store().await?;
    let published = store.publisher(places).publish(&release, mode).await?;
    unused::remove_leftovers(&*store.contents, release.sport).await;
    Ok(report(&release, &published, warnings))
}

/// Returns the failure to read a folder. If its games can be read, the problems of the games are added.
async fn unread(places: &Places<'_>, publish: &Publish, mut problems: Vec<Problem>) -> Failure {
    let Some(release) = read_games(&publish.folder, places.clock.now()) else { return Failure::Unread(problems) };
    // A store that cannot be read leaves the problems of the files.
    let Ok(store) = places.rehearsal_store().await else { return Failure::Unread(problems) };
    let Ok(found) = store.publisher(places).problems_of_games(&release).await else { return Failure::Unread(problems) };
    problems.extend(found);
    problems.sort_by(|one, other| one.place.cmp(&other.place));
    Failure::Problems(problems)
}

fn report(release: &Release, published: &Published, mut warnings: Vec<String>) -> Report {
    warnings.extend(published.slate.warnings.iter().map(ToString::to_string));
    Report::with_warnings(lines(release, published), warnings, json(release, published))
}

fn lines(release: &Release, published: &Published) -> Vec<String> {
    let mut lines: Vec<_> = release.history.iter().map(|history| season_line(history.season, published)).collect();
    lines.extend(kept(published));
    lines.extend(slate::lines(&published.slate, matches!(published.outcome, PublishOutcome::WouldBe { .. })));
    lines.push(outcome::line(release.sport, &published.outcome));
    lines
}

/// Formats one season's markets in one line, such as `2023-24  over_under: 285 games (16 new, 2 changed)`.
fn season_line(season: Season, published: &Published) -> String {
    let of_season = published.seasons.iter().filter(|change| change.season == season);
    let markets: Vec<_> = of_season.map(market_phrase).collect();
    format!("{season}  {}", markets.join(", "))
}

fn market_phrase(change: &SeasonChange) -> String {
    let counts = change.counts;
    let changes = [
        (counts.added, "new"),
        (counts.changed, "changed"),
        (counts.left_out, "left out"),
        (counts.finals_changed, "other finals"),
    ];
    let words: Vec<_> = changes.iter().filter(|(n, _)| *n > 0).map(|(n, word)| format!("{n} {word}")).collect();
    let words = if words.is_empty() { "no change".to_owned() } else { words.join(", ") };
    format!("{}: {} games ({words})", change.model_type, change.rows)
}

/// Formats the changes of an import that were not applied, because the record prevails.
fn kept(published: &Published) -> Option<String> {
    let total = |count: fn(&SeasonChange) -> usize| published.seasons.iter().map(count).sum::<usize>();
    let (live, blends) = (total(|change| change.counts.live_kept), total(|change| change.counts.blend_kept));
    (live + blends > 0).then(|| format!("kept as recorded: {live} live rows, {blends} BLENDs"))
}

fn json(release: &Release, published: &Published) -> Value {
    let mut json = outcome::json(release.sport, &published.outcome);
    json["seasons"] = published.seasons.iter().map(season_json).collect();
    json["slate"] = slate::json(&published.slate);
    json
}

fn season_json(change: &SeasonChange) -> Value {
    let model_type: ModelType = change.model_type;
    json!({
        "season": change.season.to_string(),
        "model_type": model_type.code(),
        "games": change.rows,
        "added": change.counts.added,
        "changed": change.counts.changed,
        "left_out": change.counts.left_out,
        "live_kept": change.counts.live_kept,
        "finals_changed": change.counts.finals_changed,
        "blend_kept": change.counts.blend_kept,
    })
}
