use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::{Value, json};
use sports_domain::{ModelType, Season, Sport};
use sports_program::settings::PublicRecord;
use sports_publication::registry::{RegistryOnRecord, VersionChange};
use sports_publication::{Place, Problem, Release};
use sports_publisher_files::convert::tables::Preset;
use sports_publisher_files::{ReadError, ReadRelease, ReleaseFiles};
use sports_transparency::Checkpoint;
use sports_usecases::data_status::predictions_go_stale;
use sports_usecases::publish::{
    Conditions, DefaultChange, Mode, ModelsReport, PromotedColumn, PublishError, PublishOutcome, Published, Requested,
    SeasonChange,
};
use sports_usecases::record::newest_entry;
use sports_usecases::signing::{RecordSigner, TreeSigning};

use super::{completion, convert, examination, outcome, status, unused};
use crate::cli::Publish;
use crate::commands::examination::Examination;
use crate::commands::models::{league_json, league_line, names, phrases};
use crate::failure::Failure;
use crate::places::{Places, Store};
use crate::report::Report;
use crate::{report, signing};

/// The number of times that the files are read as a release, if other publishers declare models meanwhile.
const READS: usize = 10;

/// What a caller asks of a publish beyond the arguments of the command.
#[derive(Debug, Clone, Default)]
pub struct Terms {
    pub conditions: Conditions,
    /// Whether odds, predictions and runs of before those on record are refused.
    pub refuses_older: bool,
    /// Whether changes of the league's models and settings are refused.
    pub refuses_declarations: bool,
}

/// The warning at a league's first declaration.
const FIRST_DECLARATION: &str = "this declares the league's first model of its own: clients in Python and Rust that were \
    generated from documents before version 0.5 refuse names of models that they do not know, and servers before that \
    version serve the generation before it";

/// Reads the folder, publishes it and lists what changed.
pub async fn run(places: &Places<'_>, publish: &Publish) -> Result<Report, Failure> {
    // A key that cannot be used is reported before anything is published.
    let signing = signing::of(places.settings())?;
    let Some(folder) = &publish.folder else {
        let tables = convert::tables::release(places, &publish.from, &publish.source, publish.finals)?;
        return converted(places, publish, tables, signing, &Terms::default()).await;
    };
    let given = publish.source.given().or(publish.finals.then_some("--finals"));
    if let Some(option) = given {
        return Err(Failure::bad_input(format!("{option} is for tables: name them with --from, or leave it out")));
    }
    files(places, publish, &ReleaseFiles::at(folder)?, signing, &Terms::default()).await
}

/// Publishes the files that tables were converted into, with the warnings about them.
pub async fn converted(
    places: &Places<'_>,
    publish: &Publish,
    (converted, warnings): (ReleaseFiles, Vec<String>),
    signing: TreeSigning,
    terms: &Terms,
) -> Result<Report, Failure> {
    if publish.strict && !warnings.is_empty() {
        return Err(Failure::Warned(warnings));
    }
    let mut report = files(places, publish, &converted, signing, terms).await?;
    report.warn(warnings);
    Ok(report)
}

/// Publishes the files of a folder that was read and lists what changed.
pub async fn files(
    places: &Places<'_>,
    publish: &Publish,
    files: &ReleaseFiles,
    signing: TreeSigning,
    terms: &Terms,
) -> Result<Report, Failure> {
    for _ in 0..READS {
        let attempted = attempt(places, publish, files, signing.clone(), terms).await;
        if let Some(report) = attempted.map_err(|failure| named_raw_sources(failure, files))? {
            return Ok(report);
        }
    }
    Err(Failure::other(format!("other publishers declared models {READS} times meanwhile; publish again")))
}

/// Reads the files under the league's models and publishes them; `None` if another publisher declared models meanwhile.
async fn attempt(
    places: &Places<'_>,
    publish: &Publish,
    files: &ReleaseFiles,
    signing: TreeSigning,
    terms: &Terms,
) -> Result<Option<Report>, Failure> {
    let opened = rehearsal(places, files).await;
    let (rehearsal, models) = opened.map_err(|failure| problems_or(failure, places, files))?;
    if let Some(sport) = files.league() {
        expect_nothing_hidden(&rehearsal.signer(places, signing.clone()), sport).await?;
    }
    let ReadRelease { release, mut warnings } = match files.release(places.clock.now(), &models) {
        Err(ReadError::Problems(problems)) => return Err(unread(places, &rehearsal, files, &models, problems).await),
        read => read?,
    };
    let examination = examination::of(&rehearsal, publish, &release).await?;
    warnings.extend(examination.warnings.iter().cloned());
    let Terms { refuses_older, refuses_declarations, .. } = *terms;
    let requested = || Requested { refuses_older, refuses_declarations, ..examination.requested.clone() };
    if publish.dry_run || publish.strict {
        let rehearsal = rehearsal.publisher(places).requesting(requested()).under(terms.conditions.clone());
        let Some(rehearsed) = unless_overtaken(rehearsal.publish(&release, Mode::DryRun).await)? else {
            return Ok(None);
        };
        let report = report(&release, &examination, &rehearsed, warnings.clone());
        if publish.strict && !report.warnings.is_empty() {
            return Err(Failure::Warned(report.warnings));
        }
        if publish.dry_run {
            return Ok(Some(report));
        }
    }
    let mode = if publish.strict { Mode::CommitUnlessWarned } else { Mode::Commit };
    let store = places.store_after(rehearsal).await?;
    let signer = store.signer(places, signing);
    let loss = signer.loss(release.sport);
    let keys = signer.keys(release.sport).await.map_err(Failure::other)?;
    let ready = store.publisher(places).requesting(requested()).under(terms.conditions.clone());
    let ready = ready.restarting(loss).announcing(keys);
    let published = ready.publish(&release, mode).await;
    let Some(published) = unless_overtaken(published)? else { return Ok(None) };
    unused::remove_leftovers(&*store.contents, release.sport).await;
    let mut report = report(&release, &examination, &published, warnings);
    if release.odds.is_some() && matches!(published.outcome, PublishOutcome::Published { .. }) {
        add_staleness(&store, release.sport, &mut report).await?;
    }
    outcome::note(places, "publish", release.sport, &published.outcome, &mut report).await;
    report.warnings.extend(all_hidden(places, &store, release.sport).await?);
    Ok(Some(completion::after_commit(&signer, release.sport, report).await))
}

/// Returns an error for an empty store and a key that signed a tree of the league under another name.
async fn expect_nothing_hidden(signer: &RecordSigner, sport: Sport) -> Result<(), Failure> {
    let Some(Checkpoint { origin, size, .. }) = signer.hidden(sport).await.map_err(Failure::other)? else {
        return Ok(());
    };
    Err(Failure::bad_input(format!(
        "the store has no record of {sport}, and its key has signed {size} leaves of {origin}: publish to the store that has them; \
         if it is lost, see docs/record-recovery.md; another service has its own key (`sportsctl record init`)"
    )))
}

/// Returns a warning about a public record none of whose models readers without a key see.
async fn all_hidden(places: &Places<'_>, store: &Store, sport: Sport) -> Result<Option<String>, Failure> {
    if places.settings().record.public.of(sport) == PublicRecord::None {
        return Ok(None);
    }
    let models = store.publisher(places).models(sport).await?.registry;
    let in_use = models.in_use().count();
    let is_hidden = in_use > 0 && models.in_use().all(|model| !model.public);
    Ok(is_hidden.then(|| {
        format!(
            "the record of {sport} is public, and none of its {in_use} models of its own is: --public, or \"public\": true in `models` of \
             release.json, shows them to readers without a key"
        )
    }))
}

/// Returns the result of a publish; `None` if another publisher declared models.
fn unless_overtaken(published: Result<Published, PublishError>) -> Result<Option<Published>, Failure> {
    match published {
        Err(PublishError::OtherModels) => Ok(None),
        published => Ok(Some(published?)),
    }
}

/// Opens the store without creating it; returns it with the models of the folder's league.
async fn rehearsal(places: &Places<'_>, files: &ReleaseFiles) -> Result<(Store, RegistryOnRecord), Failure> {
    let store = places.rehearsal_store().await?;
    let models = match files.league() {
        Some(sport) => store.publisher(places).models(sport).await?,
        None => RegistryOnRecord::default(),
    };
    Ok((store, models))
}

/// Returns the failure to read a folder. If its games can be read, the problems of the games are added.
async fn unread(
    places: &Places<'_>,
    store: &Store,
    files: &ReleaseFiles,
    models: &RegistryOnRecord,
    mut problems: Vec<Problem>,
) -> Failure {
    let Some(release) = files.games(places.clock.now(), models) else {
        return Failure::Unread(problems);
    };
    // A store that cannot be read leaves the problems of the files.
    let Ok(found) = store.publisher(places).problems_of_games(&release).await else { return Failure::Unread(problems) };
    problems.extend(found);
    problems.sort_by(|one, other| one.place.cmp(&other.place));
    Failure::Problems(problems)
}

/// Returns the problems of a folder, which take precedence over a failure of the store.
fn problems_or(failure: Failure, places: &Places<'_>, files: &ReleaseFiles) -> Failure {
    files.release(places.clock.now(), &RegistryOnRecord::default()).map_or_else(Failure::from, |_| failure)
}

/// Adds the instant from which the predictions are stale, if they lack the odds that were just published.
async fn add_staleness(store: &Store, sport: Sport, report: &mut Report) -> Result<(), Failure> {
    let newest = newest_entry(&*store.log, sport).await.map_err(Failure::other)?;
    let Some(catalog) = newest.map(|entry| entry.catalog) else { return Ok(()) };
    let stale_from = predictions_go_stale(&*store.log, &store.slates, &catalog).await.map_err(Failure::other)?;
    report.lines.extend(stale_from.map(status::stale_predictions));
    report.json["predictions_stale_from"] = json!(stale_from.map(report::written_instant));
    Ok(())
}

fn report(release: &Release, examination: &Examination, published: &Published, mut warnings: Vec<String>) -> Report {
    warnings.extend(published.slate.warnings.iter().map(ToString::to_string));
    warnings.extend(published.models.first.then(|| FIRST_DECLARATION.to_owned()));
    let lines = examination.reports(published).map(ToString::to_string).chain(lines(release, published)).collect();
    let mut json = json(release, published);
    json["report"] = examination.reports(published).map(examination::market_json).collect();
    json["findings"] = examination.findings.clone().into();
    Report::with_warnings(lines, warnings, json)
}

fn lines(release: &Release, published: &Published) -> Vec<String> {
    let mut lines: Vec<_> = release.history.iter().map(|history| season_line(history.season, published)).collect();
    lines.extend(kept(published));
    lines.extend(published.exceptions.phrases());
    lines.extend(models_lines(&published.models));
    lines.extend(outcome::slate_lines(&published.slate, matches!(published.outcome, PublishOutcome::WouldBe { .. })));
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

/// Formats the declarations, new versions and another headline, and a line for each column that was promoted.
fn models_lines(models: &ModelsReport) -> Vec<String> {
    let promoted = models.promoted.iter().map(|PromotedColumn { model, model_type, seasons, games }| {
        let seasons = match &seasons[..] {
            [first, .., last] => format!("{first} … {last}"),
            one => one.iter().map(ToString::to_string).collect(),
        };
        format!("{model}: graded in {model_type} {seasons}, {games} games that had it as an extra column")
    });
    let versions = models.versions.iter().map(|VersionChange { model, version, .. }| {
        format!("{model}: version {}", version.as_deref().unwrap_or("taken back"))
    });
    let headline = models.headline.map(|headline| format!("headline model: {headline}"));
    let public = models.made_public.map(|model| {
        format!("{model} is public: it is the league's only model and `public` is absent; \"public\": false hides it")
    });
    let league = models.league.as_ref().map(league_line);
    let lines = phrases(&models.declared, &models.retired).into_iter().chain(public).chain(versions).chain(headline);
    lines.chain(defaults_line(&models.defaults)).chain(league).chain(promoted).collect()
}

/// Formats the changes of default models in one line, such as `default model: ELO instead of BLEND in won_on_points`.
fn defaults_line(changes: &[DefaultChange]) -> Option<String> {
    let mut markets = BTreeMap::<_, Vec<_>>::new();
    for DefaultChange { model_type, before, after } in changes {
        markets.entry((before, after)).or_default().push(model_type.code());
    }
    let phrase =
        |((before, after), markets): ((_, _), Vec<_>)| format!("{after} instead of {before} in {}", markets.join(", "));
    let phrases: Vec<_> = markets.into_iter().map(phrase).collect();
    (!phrases.is_empty()).then(|| format!("default model: {}", phrases.join("; ")))
}

fn models_json(models: &ModelsReport) -> Value {
    let promoted = models.promoted.iter().map(|column| {
        json!({
            "model": column.model.as_str(),
            "model_type": column.model_type.code(),
            "seasons": column.seasons.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "games": column.games,
        })
    });
    let mut json = json!({
        "declared": names(&models.declared),
        "retired": names(&models.retired),
        "promoted": promoted.collect::<Vec<_>>(),
    });
    let version = |change: &VersionChange| json!({ "model": change.model.as_str(), "version": change.version });
    if !models.versions.is_empty() {
        json["versions"] = models.versions.iter().map(version).collect();
    }
    if let Some(headline) = models.headline {
        json["headline"] = headline.as_str().into();
    }
    if let Some(league) = &models.league {
        json["league"] = league_json(league);
    }
    if let Some(model) = models.made_public {
        json["made_public"] = model.as_str().into();
    }
    let default = |change: &DefaultChange| json!({ "model_type": change.model_type.code(), "before": change.before.as_str(), "after": change.after.as_str() });
    if !models.defaults.is_empty() {
        json["defaults"] = models.defaults.iter().map(default).collect();
    }
    json
}

fn json(release: &Release, published: &Published) -> Value {
    let mut json = outcome::json(release.sport, &published.outcome);
    json["seasons"] = published.seasons.iter().map(season_json).collect();
    json["slate"] = outcome::slate_json(&published.slate);
    outcome::add_exceptions(&mut json, &published.exceptions);
    json["models"] = models_json(&published.models);
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

// Files of other programs in a release folder, which were not converted.

/// The column of the service's own ids, which other sources call theirs, too.
const GAME_ID: &str = "game_id";

/// Replaces the problems of each file that has the columns or the ids of another source by one, which names the command that
/// converts the file.
pub fn named_raw_sources(failure: Failure, files: &ReleaseFiles) -> Failure {
    match failure {
        Failure::Problems(problems) => Failure::Problems(of_files(problems, files)),
        Failure::Unread(problems) => Failure::Unread(of_files(problems, files)),
        failure => failure,
    }
}

fn of_files(mut problems: Vec<Problem>, files: &ReleaseFiles) -> Vec<Problem> {
    let sport = files.league();
    let names: BTreeSet<Arc<str>> = problems.iter().map(|problem| Arc::clone(&problem.place.file)).collect();
    for name in names {
        let is_here = |problem: &Problem| problem.place.file == name;
        let raw = files.bytes(&name).and_then(|bytes| Preset::fitting(bytes, sport));
        let raw = raw.filter(|_| problems.iter().any(|problem| is_here(problem) && problem.place.row.is_none()));
        let has_ids = problems.iter().any(|problem| is_here(problem) && is_foreign_id(problem, sport));
        let ids = || Preset::with_ids_in(GAME_ID, sport).filter(|_| has_ids);
        let Some(preset) = raw.or_else(ids) else { continue };
        problems.retain(|problem| !(is_here(problem) && (raw.is_some() || is_foreign_id(problem, sport))));
        problems.push(Problem::at(Place { file: name, row: None }, remedy(preset, sport)));
    }
    problems.sort_by(|one, other| one.place.cmp(&other.place));
    problems
}

/// Returns true for a problem of an id that is not of the service's form, which begins with the league.
fn is_foreign_id(problem: &Problem, sport: Option<Sport>) -> bool {
    let is_own = |id: &str| sport.is_none_or(|sport| id.starts_with(&format!("{}-", sport.code())));
    problem.column.as_deref() == Some(GAME_ID) && problem.value.as_deref().is_some_and(|id| !is_own(id))
}

fn remedy(preset: &str, sport: Option<Sport>) -> String {
    let sport = sport.map_or("SPORT", Sport::code);
    format!(
        "a file with the columns of a release; this one has columns of another source: `sportsctl convert csv FILE --preset {preset} \
         --sport {sport} --out FOLDER` converts the source's file"
    )
}
