use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use sports_domain::{GameKey, ModelType, Season};
use sports_slate::TeamNames;

use super::known::KnownGame;
use super::odds::OddsReport;
use super::predictions::MarketSlate;
use super::{LeagueRecord, Returns, Warning, dates, identity, known, odds, reschedules, returns, shifted, warnings};
use crate::{Catalog, Odds, Place, Predictions, Problem, Release, ReleaseId, Reschedule, SlateActivity};

/// A release and the moment it is published in.
#[derive(Debug, Clone, Copy)]
pub struct Publishing<'r> {
    /// What the publisher says.
    pub release: &'r Release,
    /// What is published; `None` before the league's first release.
    pub catalog: Option<&'r Catalog>,
    /// The name the release gets.
    pub release_id: &'r ReleaseId,
    /// The record before the release, without its history.
    pub before: &'r LeagueRecord,
    /// What the record had of games that stated reschedules bring back.
    pub returns: &'r Returns,
    /// When it is published: games that start later have not begun.
    pub now: DateTime<Utc>,
}

/// What a release changes of the slate.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SlateReport {
    /// Games whose start was changed.
    pub moved: Vec<Reschedule>,
    /// Whether the odds contain nothing that was not published already; false without odds.
    pub odds_repeated: bool,
    /// What new odds change; `None` without odds.
    pub odds: Option<OddsReport>,
    /// Games still to come that had odds and have none any more.
    pub unquoted: Vec<GameKey>,
    /// Games still to come that the odds have under another `match_id` than the predictions: the odds lend
    /// them no price.
    pub misquoted: Vec<GameKey>,
    /// Games that went back to a passed start and lost what was forecast for them since.
    pub restored: Vec<Reschedule>,
    /// Games still to come that keep their forecast, as another start of theirs has passed.
    pub frozen: BTreeSet<GameKey>,
    /// Every market the release has predictions of.
    pub markets: BTreeMap<ModelType, MarketReport>,
    /// What a person should look at.
    pub warnings: Vec<Warning>,
}

/// What a release changes of one market's predictions, game by game.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MarketReport {
    /// The release contains nothing that was not published already: nothing is recorded anew.
    pub repeated: bool,
    /// Games on record for the first time.
    pub new: Vec<GameKey>,
    /// Games on record before, with other lines or probabilities now.
    pub changed: Vec<GameKey>,
    /// Games that keep their previous predictions because the publisher says so.
    pub held: BTreeSet<GameKey>,
    /// Games still to come that the release no longer lists: their rows stay on record, and they are not served.
    pub dropped: Vec<GameKey>,
    /// Games that have started, and keep the forecast and prices they started with.
    pub frozen: Vec<GameKey>,
    /// Games that had started before their first forecast arrived: it is neither served nor recorded.
    pub unrecorded: Vec<GameKey>,
}

/// Puts a release's odds and predictions over what is published.
///
/// Predictions are served as the release has them and recorded in the archive of the release's season, each market in
/// its own. A game that has started, or has its final, keeps the forecast and the prices it has; a
/// held game keeps its previous ones. A game whose start changed before play gets its new start everywhere.
///
/// # Errors
///
/// Every file of a slate without a game, every id of two games, every held game without previous
/// predictions, every reschedule that cannot be made, and every new start that could be that of more than one
/// game.
pub fn publish_slate(
    publishing: &Publishing<'_>,
    record: LeagueRecord,
) -> Result<(LeagueRecord, SlateReport), Vec<Problem>> {
    let season = live_season(publishing.release, publishing.catalog);
    let games = known::known_games(&record, season);
    check(publishing, &record, season, &games)?;
    let moved = reschedules::find(publishing, &games)?;
    let quoted = record.odds.clone();
    let mut record = known::follow(record, season, &games, &moved)?;
    let restored = returns::restore(&mut record, season, &moved, publishing.returns);
    let frozen = returns::frozen(publishing, &moved);
    let mut report = SlateReport { moved, restored, frozen, ..SlateReport::default() };
    odds::publish(publishing, quoted.as_ref(), &mut record, &mut report)?;
    let names = team_names(publishing.release, &record);
    publish_predictions(publishing, season, &mut record, &mut report)?;
    for predictions in record.predictions.values_mut() {
        predictions.name_teams(names.clone());
    }
    report.misquoted = odds::of_another_id(&record, publishing.now);
    report.warnings = warnings::warnings(publishing, &record, &report);
    Ok((record, report))
}

/// Everything about the slate's files that no record could take.
fn check(
    publishing: &Publishing<'_>,
    record: &LeagueRecord,
    season: Option<Season>,
    games: &BTreeMap<GameKey, KnownGame>,
) -> Result<(), Vec<Problem>> {
    let release = publishing.release;
    let mut problems = empty_files(publishing, record);
    problems.extend(dates::out_of_season(publishing));
    problems.extend(identity::mistaken(publishing, games, season));
    problems.extend(returns::choices(publishing, record, season));
    problems.extend(shifted::shifted(release, games));
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

/// Puts each market's predictions over those published, and records them.
fn publish_predictions(
    publishing: &Publishing<'_>,
    season: Option<Season>,
    record: &mut LeagueRecord,
    report: &mut SlateReport,
) -> Result<(), Vec<Problem>> {
    let mut problems = held_without_predictions(publishing.release);
    let rows = publishing.release.rows_by_game();
    let mut published = Vec::new();
    for (model_type, file) in &publishing.release.predictions {
        let Some(season) = season else { continue };
        let (model_type, frozen) = (*model_type, &report.frozen);
        let slate = MarketSlate { publishing, record, model_type, season, file, rows: &rows, frozen };
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

/// What the publisher calls teams, in every market alike: the release's own names before those published
/// earlier. A team that comes by its slug alone keeps the name it had.
fn team_names(release: &Release, record: &LeagueRecord) -> TeamNames {
    let mut names = TeamNames::default();
    let own = release.predictions.values().map(|file| &file.names);
    own.chain(record.predictions.values().map(Predictions::names)).for_each(|others| names.add_all(others));
    names
}

/// Files that would leave a league without a slate; a day without games is said so in words. Odds run out
/// by themselves once every game has started.
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

/// Whether any game of the release's predictions, or of the current slate, has not started.
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

/// The season whose archives a release's slate is recorded in: its own, else that of the published
/// predictions.
#[must_use]
pub fn live_season(release: &Release, catalog: Option<&Catalog>) -> Option<Season> {
    release.season.or_else(|| catalog.and_then(Catalog::live_season))
}
