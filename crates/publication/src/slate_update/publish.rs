use sports_domain::{ModelType, Season};
use sports_slate::TeamNames;

use super::market_slate::MarketSlate;
use super::publishing::{Publishing, SlateReport, live_season};
use super::{closing, dates, forecast, odds, shifted, warnings};
use crate::{LeagueRecord, Odds, Place, Predictions, Problem, Release, SlateActivity};

/// Applies a release's odds and predictions to the published slate.
///
/// `record` has its games under the keys of the resolution, and the release's history. Predictions are served as the
/// release has them and recorded in the archive of the release's season, each market in its own archive. A closed game
/// keeps its forecast and prices; a held game keeps its previous values.
///
/// # Errors
///
/// Returns a problem for every file of a slate without a game, every held game without previous predictions, and every
/// date outside the season.
///
/// Returns a problem as well for every file in the times of another zone, and for every choice between two forecasts.
pub fn publish_slate(
    publishing: &Publishing<'_>,
    mut record: LeagueRecord,
) -> Result<(LeagueRecord, SlateReport), Vec<Problem>> {
    let season = live_season(publishing.release, publishing.catalog);
    check(publishing, &record)?;
    let quoted = publishing.before.odds.as_ref();
    let restored = closing::restore(&mut record, season, publishing);
    let frozen = closing::closed_ahead(publishing);
    let of_slate = publishing.resolution.moves().iter().filter(|made| made.in_slate);
    let moved = of_slate.map(|made| made.made.clone()).collect();
    let mut report = SlateReport { moved, restored, frozen, ..SlateReport::default() };
    odds::publish(publishing, quoted, &mut record, &mut report)?;
    let names = team_names(publishing.release, &record);
    forecast::record_promoted(publishing, &report.frozen, &mut record);
    publish_predictions(publishing, season, &mut record, &mut report)?;
    for predictions in record.predictions.values_mut() {
        predictions.name_teams(names.clone());
    }
    report.misquoted = odds::of_another_id(publishing);
    report.warnings = warnings::warnings(publishing, &record, &report);
    Ok((record, report))
}

/// Checks the slate's files and returns the problems for which they cannot be recorded.
fn check(publishing: &Publishing<'_>, record: &LeagueRecord) -> Result<(), Vec<Problem>> {
    let mut problems = empty_files(publishing, record);
    problems.extend(dates::out_of_season(publishing.release, publishing.catalog));
    problems.extend(run_without_predictions(publishing, record));
    problems.extend(closing::choices(publishing));
    problems.extend(shifted::shifted(publishing));
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

/// Replaces each market's published predictions and records them.
fn publish_predictions(
    publishing: &Publishing<'_>,
    season: Option<Season>,
    record: &mut LeagueRecord,
    report: &mut SlateReport,
) -> Result<(), Vec<Problem>> {
    let mut problems = held_without_predictions(publishing.release);
    let rows = publishing.slate.rows_by_game();
    let mut published = Vec::new();
    for (model_type, file) in &publishing.slate.predictions {
        let Some(season) = season else { continue };
        let (model_type, closed) = (*model_type, &report.frozen);
        let slate = MarketSlate { publishing, record, model_type, season, file, rows: &rows, closed };
        match slate.publish() {
            Ok(market) => published.push((model_type, season, market)),
            Err(found) => problems.extend(found),
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    for (model_type, season, (predictions, archive, market)) in published {
        record.predictions.insert(model_type, predictions);
        record.archives.insert((model_type, season), archive);
        report.markets.insert(model_type, market);
    }
    Ok(())
}

/// Collects the team names for all markets: the release's names take precedence over names published earlier. A team
/// listed by its slug alone keeps its earlier name.
fn team_names(release: &Release, record: &LeagueRecord) -> TeamNames {
    let mut names = TeamNames::default();
    let own = release.predictions.values().map(|file| &file.names);
    own.chain(record.predictions.values().map(Predictions::names)).for_each(|others| names.add_all(others));
    names
}

/// Returns a problem for each file that would leave the league without a slate; an off-day must be declared in
/// release.json. Odds may be empty once every game has started.
fn empty_files(publishing: &Publishing<'_>, record: &LeagueRecord) -> Vec<Problem> {
    let release = publishing.release;
    if release.run.as_ref().is_some_and(|run| run.slate == SlateActivity::None) {
        return Vec::new();
    }
    let empty = |file: String| {
        let place = Place { file: file.into(), row: None };
        Problem::at(place, "one game or more; a day without games is `\"slate\": \"none\"` in release.json")
    };
    let is_held = |model_type| release.held_games.get(model_type).is_some_and(|held| !held.is_empty());
    let predictions = release.predictions.iter().filter(|(of, file)| file.rows.is_empty() && !is_held(of));
    let ran_out = record.odds.is_some() && !has_games_to_come(publishing, record);
    let odds = release.odds.iter().filter(|rows| rows.is_empty() && !ran_out).map(|_| empty("odds".to_owned()));
    odds.chain(predictions.map(|(model_type, _)| empty(format!("predictions/{model_type}")))).collect()
}

/// Returns a problem for a completed run of the current slate without its predictions, though the league's last slate had some: the
/// folder is a part of a release, whose predictions would come too late. A run that has only begun has none yet.
fn run_without_predictions(publishing: &Publishing<'_>, record: &LeagueRecord) -> Option<Problem> {
    let Publishing { release, catalog, .. } = publishing;
    let run = release.run.as_ref().filter(|run| run.slate == SlateActivity::Active && run.completed_at.is_some())?;
    let is_current = catalog.is_some_and(|catalog| release.slate_date >= catalog.slate_date);
    let had_some = record.predictions.values().any(|predictions| !predictions.games().is_empty());
    // The run of an import made the forecasts of its games.
    let has_no_forecasts =
        release.predictions.is_empty() && release.history.iter().all(|history| history.markets.is_empty());
    (has_no_forecasts && is_current && had_some).then(|| {
        let expected = "predictions/ beside it, as the league's last slate has predictions; an odds refresh names no run, and a \
                        day without games is `\"slate\": \"none\"`";
        Problem::at(Place { file: "release.json".into(), row: None }, expected).in_cell("run.id", run.id.clone())
    })
}

/// Returns true if any game of the release's predictions, or of the current slate, has not started.
fn has_games_to_come(publishing: &Publishing<'_>, record: &LeagueRecord) -> bool {
    let incoming = publishing.release.predictions.values().flat_map(|file| &file.rows).map(|row| &row.value.game.key);
    let predicted = record.predictions.values().flat_map(Predictions::games).map(|game| &game.game.key);
    let quoted = record.odds.iter().flat_map(Odds::games).map(|game| &game.key);
    incoming.chain(predicted).chain(quoted).any(|key| !key.has_started(publishing.now))
}

fn held_without_predictions(release: &Release) -> Vec<Problem> {
    let without = |model_type: &&ModelType| !release.predictions.contains_key(model_type);
    let held = release.held_games.iter().filter(|(_, games)| !games.is_empty()).map(|(model_type, _)| model_type);
    held.filter(without)
        .map(|model_type| {
            let place = Place { file: "release.json".into(), row: None };
            let expected =
                format!("predictions/{model_type} in the same release: without it every game stays as it is");
            let mut problem = Problem::at(place, expected);
            problem.column = Some(format!("held_games.{model_type}"));
            problem
        })
        .collect()
}
