use std::collections::BTreeSet;

use chrono::TimeDelta;
use sports_domain::{GameKey, GameLines, ModelType, Season, eastern_instant};

use super::market_slate::MarketSlate;
use super::{AtStart, Publishing, SlateReport, live_season, market_slate, odds, slate_season, untimed, warnings};
use crate::identity::{Move, Start};
use crate::slate::TeamNames;
use crate::{
    ArchivedGame, Catalog, ForecastRecord, GameFacts, LeagueRecord, MovedBy, Odds, Place, Predictions, Problem,
    Release, Reschedule, SlateActivity,
};

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
    let restored = restore(&mut record, season, publishing);
    let listed_ahead = untimed::listed_ahead(publishing);
    let frozen = closed_ahead(publishing, &listed_ahead);
    let closed = untimed::closed_for_release(publishing).chain(&frozen).cloned().collect();
    let of_slate = publishing.resolution.moves().iter().filter(|made| made.in_slate);
    let moved = of_slate.map(|made| made.made.clone()).collect();
    let mut report = SlateReport { moved, restored, frozen, listed_ahead, ..SlateReport::default() };
    odds::publish(publishing, quoted, &closed, &mut record, &mut report)?;
    let names = team_names(publishing.release, &record);
    market_slate::record_promoted(publishing, &report.frozen, &mut record);
    publish_predictions(publishing, season, &closed, &mut record, &mut report)?;
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
    problems.extend(out_of_season(publishing.release, publishing.catalog));
    problems.extend(run_without_predictions(publishing, record));
    problems.extend(choices(publishing));
    problems.extend(shifted(publishing));
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

/// Replaces each market's published predictions and records them.
fn publish_predictions(
    publishing: &Publishing<'_>,
    season: Option<Season>,
    closed: &BTreeSet<GameKey>,
    record: &mut LeagueRecord,
    report: &mut SlateReport,
) -> Result<(), Vec<Problem>> {
    let mut problems = held_without_predictions(publishing.release);
    let rows = publishing.slate.rows_by_game();
    let mut published = Vec::new();
    for (model_type, file) in &publishing.slate.predictions {
        let Some(season) = season else { continue };
        let model_type = *model_type;
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

// The check for dates outside the slate's season.

/// Returns the phrase for an expected date of a season.
pub fn a_date_of(season: Season) -> String {
    let (first, last) = season.years().into_inner();
    let years = if first == last { first.to_string() } else { format!("{first} or {last}") };
    format!("a date of the season {season}, in {years}")
}

/// Returns a problem for every game of the odds, every prediction and every new start under `moved` that lies outside
/// the season.
pub(super) fn out_of_season(release: &Release, catalog: Option<&Catalog>) -> Vec<Problem> {
    let season = slate_season(release, catalog);
    let outside = release.slate_rows().filter(|(_, key, _)| !season.can_have(key.date));
    let outside = outside.map(|(place, key, _)| out(place, "date", key, season));
    let moved = release.moved.iter().filter(|row| !season.can_have(row.value.to.date));
    let moved = moved.map(|row| out(&row.place, "moved", &row.value.to, season));
    let mut problems: Vec<_> = outside.chain(moved).collect();
    if release.season.is_none() {
        let hint = "; a slate of another season names it as `season` in release.json";
        for problem in &mut problems {
            problem.expected.push_str(hint);
        }
    }
    problems
}

fn out(place: &Place, column: &str, key: &GameKey, season: Season) -> Problem {
    Problem::at(place.clone(), a_date_of(season)).in_cell(column, key.date.to_string())
}

// The check for files whose starts are all shifted by the same hours: written in another time zone, not rescheduled.

/// Returns a problem for every file of two or more recorded games in which each start differs from the start on record
/// by the same whole hours, or is its universal time. Shifts by whole days are allowed, because a slate may be
/// postponed as a whole. Starts known from odds alone are compared with odds only.
pub(super) fn shifted(publishing: &Publishing<'_>) -> Vec<Problem> {
    let release = publishing.release;
    let odds: Vec<_> = release.odds.iter().flatten().map(|row| (&row.place, &row.value.key)).collect();
    let files = release.predictions.values();
    let predicted = files.map(|file| file.rows.iter().map(|row| (&row.place, &row.value.game.key)).collect::<Vec<_>>());
    let files = std::iter::once((odds, true)).chain(predicted.map(|rows| (rows, false)));
    files.filter_map(|(rows, is_odds)| problem(publishing, &rows, is_odds)).collect()
}

fn problem(publishing: &Publishing<'_>, rows: &[(&Place, &GameKey)], is_odds: bool) -> Option<Problem> {
    let season = slate_season(publishing.release, publishing.catalog);
    let is_stated = |key: &GameKey| publishing.release.moved.iter().any(|row| row.value.to == *key);
    let shifts: Vec<_> = rows
        .iter()
        .filter(|(_, key)| !is_stated(key))
        .filter_map(|(place, key)| {
            let known = publishing.resolution.known(season, key).filter(|known| known.is_recorded || is_odds)?;
            Some((*place, between(known.start, key)?, is_universal(known.start, key)))
        })
        .collect();
    let [(place, shift, _), others @ ..] = &*shifts else { return None };
    let same = is_whole_hours(*shift) && others.iter().all(|(_, other, _)| other == shift);
    let universal = shifts.iter().all(|(_, _, is_universal)| *is_universal);
    (!others.is_empty() && (same || universal)).then(|| refused(place, shifts.len(), *shift))
}

/// Returns the difference from one start to another on the Eastern clock; `None` if either time is unknown.
fn between(from: Start, to: &GameKey) -> Option<TimeDelta> {
    Some(to.date.and_time(to.time?) - from.date.and_time(from.time?))
}

/// Returns true if a start equals the universal time of the start on record.
fn is_universal(on_record: Start, key: &GameKey) -> bool {
    let (Some(known), Some(time)) = (on_record.time, key.time) else { return false };
    eastern_instant(on_record.date, known).naive_utc() == key.date.and_time(time)
}

fn is_whole_hours(shift: TimeDelta) -> bool {
    shift == TimeDelta::hours(shift.num_hours()) && shift.num_hours() % 24 != 0
}

fn refused(place: &Place, games: usize, shift: TimeDelta) -> Problem {
    let hours = shift.num_hours();
    let (hours, direction) = (hours.abs(), if hours.is_positive() { "later" } else { "earlier" });
    let unit = if hours == 1 { "hour" } else { "hours" };
    let expected = format!(
        "Eastern start times: all {games} games of this file that are on record start hours away here, the first of them \
         {hours} {unit} {direction}, as times of another zone such as UTC do. Games that were really rescheduled are named under `moved` in \
         release.json"
    );
    let mut problem = Problem::at(Place { row: None, ..place.clone() }, expected);
    problem.column = Some("time".to_owned());
    problem
}

// The closing of games: a game closes for good when its start passes, even if its start is changed later.
//
// A game without a start closes when it may have begun, and its first start decides what counts, as that of an open game.
// A closed game takes no forecast and no price. It keeps the recorded values of the time when its start passed, market
// by market. An open game that gets a start in the past closes at once, with the recorded values of that start.

/// Returns true if the game of a move had closed at a start before the release.
fn had_closed(publishing: &Publishing<'_>, made: &Move) -> bool {
    let from = &made.made.from;
    if from.time.is_none() {
        return false;
    }
    from.has_started(publishing.now) || publishing.catalog.is_some_and(|catalog| catalog.frozen_games.contains(from))
}

/// Returns a problem for each stated move of a closed game to another start in the past, at which other forecasts or
/// prices were on record: the forecast that counts must not be chosen afterwards.
pub(super) fn choices(publishing: &Publishing<'_>) -> Vec<Problem> {
    let differs = |made: &Move, then: &AtStart| {
        // The season may change, too: the game was on record in the season that it leaves.
        let archives = publishing.before.archives.iter().filter(|((_, of), _)| *of == made.seasons.0);
        archives.filter_map(|((of, _), archive)| Some((of, archive.get(&made.made.from)?))).any(|(of, row)| {
            let then = then.rows.get(of);
            // A withdrawn forecast was live at one of the two starts.
            let is_live = row.forecast.is_live() || then.is_some_and(|then| then.forecast.is_live());
            is_live && then.map(counted) != Some(counted(row))
        })
    };
    let stated = publishing.resolution.moves().iter().filter(|made| made.is_stated && had_closed(publishing, made));
    let chosen = stated.filter(|made| publishing.returns.get(&*made.id).is_some_and(|then| differs(made, then)));
    let problem = |made: &Move| {
        let Reschedule { from, to } = &made.made;
        let expected = "a game that was not forecast anew between these two starts: both have passed, and which \
                        forecast counts is not chosen afterwards. Settle it under the start it has";
        let names = |by: &MovedBy| matches!(by, MovedBy::Start(key) if key == from);
        let row = publishing.release.moved.iter().find(|row| names(&row.value.by) || row.value.to == *to)?;
        Some(Problem::at(row.place.clone(), expected).in_cell("moved", format!("{from} to {to}")))
    };
    chosen.filter_map(problem).collect()
}

/// Returns closed games whose start lies ahead or is not known: games of earlier releases under their present starts,
/// games that get a later start by this release, and games without a start.
fn closed_ahead(publishing: &Publishing<'_>, listed_ahead: &BTreeSet<GameKey>) -> BTreeSet<GameKey> {
    let moves = publishing.resolution.moves();
    let followed = |key: &GameKey| {
        let made = moves.iter().find(|made| made.made.from == *key);
        made.map_or_else(|| key.clone(), |made| made.made.to.clone())
    };
    let known = publishing.catalog.into_iter().flat_map(|catalog| &catalog.frozen_games).map(followed);
    let delayed = moves.iter().filter(|made| untimed::had_closed(publishing, &made.made.from));
    let delayed = delayed.map(|made| made.made.to.clone());
    let untimed = untimed::closed(publishing, listed_ahead).cloned();
    known.chain(delayed).chain(untimed).filter(|key| !key.has_started(publishing.now)).collect()
}

/// Restores open games that get a start in the past to their recorded values at that start; later finals stay. Returns
/// the moves of games whose forecast or prices changed.
pub(super) fn restore(
    record: &mut LeagueRecord,
    season: Option<Season>,
    publishing: &Publishing<'_>,
) -> Vec<Reschedule> {
    let mut restored = Vec::new();
    for made in publishing.resolution.moves().iter().filter(|made| !had_closed(publishing, made)) {
        let Some(then) = publishing.returns.get(&*made.id) else { continue };
        let (key, mut changed) = (&made.made.to, false);
        for ((model_type, of), archive) in &mut record.archives {
            if Some(*of) == season {
                archive.change(key, |row| changed |= as_at_start(row, then.rows.get(model_type)));
            }
        }
        for (model_type, predictions) in &mut record.predictions {
            if predictions.get(key).is_some() {
                *predictions = predictions.with_game(key, then.predictions.get(model_type));
            }
        }
        if let Some(odds) = &mut record.odds {
            odds.replace(key, then.odds.clone());
        }
        restored.extend(changed.then(|| made.made.clone()));
    }
    restored
}

/// Returns the values of a row that count for its start.
const fn counted(row: &ArchivedGame) -> (&ForecastRecord, &GameLines) {
    (&row.forecast, &row.facts.lines)
}

/// Restores a row; returns true if it changed. A backtest belongs to no start and stays.
fn as_at_start(row: &mut ArchivedGame, then: Option<&ArchivedGame>) -> bool {
    let is_backtest = !row.forecast.is_live() && row.forecast != ForecastRecord::default();
    if then.is_none() && is_backtest {
        return false;
    }
    let before = row.clone();
    let then = then.cloned().unwrap_or_else(|| ArchivedGame {
        facts: GameFacts::unforecast(row.facts.key.clone()),
        forecast: ForecastRecord::default(),
    });
    row.facts.lines = then.facts.lines;
    row.facts.quote_source = then.facts.quote_source;
    // A column that is an extra column now may be declared a model later.
    row.facts.extras = then.facts.extras;
    row.forecast = then.forecast;
    before != *row
}
