//! The warnings about a release.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use chrono::{DateTime, NaiveDate, Utc};
use sports_domain::{GameKey, ModelType, NearName, Season, TeamSlug, eastern_date, is_skipped_in_eastern};

use super::warning::Warning;
use super::{Publishing, SlateReport, slate_season};
use crate::findings::has_other_favourite;
use crate::identity::{Doubtful, Resolution};
use crate::{
    Catalog, LeagueRecord, Located, Odds, Place, PredictedGame, Predictions, PredictionsFile, Release, SeasonHistory,
    SlateActivity,
};

/// Returns the warnings about a release, given the record after it and its changes.
pub(super) fn warnings(publishing: &Publishing<'_>, after: &LeagueRecord, report: &SlateReport) -> Vec<Warning> {
    let release = publishing.release;
    let mut warnings: Vec<_> = unusual_dates(release, slate_season(release, publishing.catalog));
    warnings.extend(Some(skipped_hours(release)).filter(|skipped| !skipped.is_empty()).map(Warning::SkippedHour));
    warnings.extend(of_identity(publishing.resolution));
    warnings.extend(near_names(publishing, after));
    let other_date = report.moved.iter().filter(|made| made.from.date != made.to.date);
    warnings.extend(other_date.cloned().map(Warning::OtherDate));
    warnings.extend(report.restored.iter().cloned().map(Warning::Restored));
    for (model_type, market) in &report.markets {
        let rows = release.predictions.get(model_type).map_or(0, |file| file.rows.len());
        if rows > 0 && market.frozen.len() + market.unrecorded.len() == rows {
            warnings.push(Warning::AllFrozen(*model_type, rows));
        }
        if !market.dropped.is_empty() {
            warnings.push(Warning::Dropped(*model_type, market.dropped.clone()));
        }
    }
    let quoted = release.odds.as_ref().map_or(0, Vec::len);
    if quoted > 0 && report.odds.is_some_and(|odds| odds.started == quoted) {
        warnings.push(Warning::AllStarted(quoted));
    }
    if !report.unquoted.is_empty() {
        warnings.push(Warning::Unquoted(report.unquoted.clone()));
    }
    let unpredicted = unpredicted(publishing, after);
    if !unpredicted.is_empty() {
        warnings.push(Warning::Unpredicted(unpredicted));
    }
    warnings.extend(other_favourites(publishing, after));
    warnings.extend(report.misquoted.iter().cloned().map(Warning::OtherId));
    if report.odds_repeated && release.odds_as_of().is_none() {
        warnings.push(Warning::OddsKeepTheirTime);
    }
    warnings.extend(off_day_with_games(publishing, after));
    warnings.extend(without_run(publishing));
    warnings.extend(publishing.catalog.into_iter().flat_map(|catalog| older(release, catalog, report)));
    warnings
}

/// Returns the warnings about ids and finals that may be of one game.
fn of_identity(resolution: &Resolution<'_>) -> Vec<Warning> {
    let pairs: Vec<_> = resolution.doubtful().iter().map(|Doubtful(one, other)| (one.clone(), other.clone())).collect();
    let cases = resolution.near_names().iter();
    let cases = cases.map(|(given, known)| Warning::OtherCase { given: given.clone(), known: known.clone() });
    let off = resolution.off_by_a_day();
    let off = (!off.is_empty()).then(|| Warning::OffByADay(off.to_vec()));
    (!pairs.is_empty()).then_some(Warning::SameFinal(pairs)).into_iter().chain(off).chain(cases).collect()
}

fn unusual_dates(release: &Release, season: Season) -> Vec<Warning> {
    let moved = release.moved.iter().map(|row| (&row.place, row.value.to.date));
    let slate = release.slate_rows().map(|(place, key, _)| (place, key.date)).chain(moved);
    let slate = slate.map(|(place, date)| (season, place, date));
    let history = release.history.iter().flat_map(|history| {
        let recorded = history.rows().filter(|row| row.value.game_type.counts_in(release.sport));
        recorded.map(|row| (history.season, &row.place, row.value.key.date))
    });
    let mut files: BTreeMap<(Season, &Arc<str>), (usize, NaiveDate)> = BTreeMap::new();
    for (season, Place { file, .. }, date) in slate.chain(history) {
        if !season.usually_has(release.sport, date) {
            let (rows, first) = files.entry((season, file)).or_insert((0, date));
            (*rows, *first) = (*rows + 1, date.min(*first));
        }
    }
    let warning = |((season, file), (rows, first)): ((Season, &Arc<str>), (usize, NaiveDate))| Warning::UnusualDates {
        sport: release.sport,
        season,
        file: Arc::clone(file),
        rows,
        first,
    };
    files.into_iter().map(warning).collect()
}

/// Returns the colleges of a release that have another name in few games of the season, as the record has them after it.
fn near_names(publishing: &Publishing<'_>, after: &LeagueRecord) -> Vec<Warning> {
    let (release, live) = (publishing.release, slate_season(publishing.release, publishing.catalog));
    if release.sport.is_professional() {
        return Vec::new();
    }
    let mut named: BTreeMap<Season, BTreeSet<&TeamSlug>> = BTreeMap::new();
    let history = release.history.iter().flat_map(|history| history.rows().map(|row| (history.season, &row.value.key)));
    for (season, key) in history.chain(release.slate_rows().map(|(_, key, _)| (live, key))) {
        named.entry(season).or_default().extend([&key.away, &key.home]);
    }
    let of_season = |(season, teams): (Season, BTreeSet<&TeamSlug>)| {
        let archives = after.archives.iter().filter(|((_, of), _)| *of == season);
        let recorded = archives.flat_map(|(_, archive)| archive.games()).map(|game| &game.facts.key);
        let quoted = after.odds.iter().flat_map(Odds::games).map(|game| &game.key).filter(|_| season == live);
        let games: BTreeSet<_> = recorded.chain(quoted).collect();
        let near = NearName::among(games.into_iter().flat_map(|key| [&key.away, &key.home]));
        let is_named = move |near: &NearName| teams.contains(&near.name) || teams.contains(&near.near);
        near.into_iter().filter(is_named).map(move |near| Warning::NearName { season, near }).collect::<Vec<_>>()
    };
    named.into_iter().flat_map(of_season).collect()
}

/// Returns the games whose start is a time that Eastern clocks skip.
fn skipped_hours(release: &Release) -> Vec<GameKey> {
    let history = release.history.iter().flat_map(SeasonHistory::rows).map(|row| &row.value.key);
    let slate = release.slate_rows().map(|(_, key, _)| key);
    let starts = slate.chain(history).filter_map(|key| Some((key, key.time?)));
    let skipped: BTreeSet<_> =
        starts.filter(|(key, time)| is_skipped_in_eastern(key.date, *time)).map(|(key, _)| key).collect();
    skipped.into_iter().cloned().collect()
}

/// Returns a warning for a confirmed off-day of which games are served.
fn off_day_with_games(publishing: &Publishing<'_>, after: &LeagueRecord) -> Option<Warning> {
    let (release, date) = (publishing.release, publishing.release.slate_date);
    release.run.as_ref().filter(|run| run.slate == SlateActivity::None && run.completed_at.is_some())?;
    let predicted = after.predictions.values().flat_map(Predictions::games).map(|game| &game.game.key);
    let quoted = after.odds.iter().flat_map(Odds::games).map(|game| &game.key);
    let of_date = |key: &&GameKey| key.date == date && !key.has_started(publishing.now);
    let games: BTreeSet<_> = predicted.chain(quoted).filter(of_date).cloned().collect();
    (!games.is_empty()).then(|| Warning::OffDayWithGames(date, games.into_iter().collect()))
}

/// Returns the upcoming games that the release quotes and no market predicts.
fn unpredicted(publishing: &Publishing<'_>, after: &LeagueRecord) -> Vec<GameKey> {
    let quoted = publishing.slate.odds.iter().flatten().map(|row| &row.value);
    let quoted = quoted.filter(|game| !game.key.has_started(publishing.now));
    let predicted = after.predictions.values().flat_map(Predictions::games).map(|game| game.game.game_id.as_deref());
    let predicted: BTreeSet<_> = predicted.collect();
    quoted.filter(|game| !predicted.contains(&game.game_id.as_deref())).map(|game| game.key.clone()).collect()
}

/// Returns a warning for each file of predictions of which a spread or a moneyline names another clear favourite than the odds on
/// record. Odds of the release itself are compared with its predictions before.
fn other_favourites(publishing: &Publishing<'_>, after: &LeagueRecord) -> Vec<Warning> {
    let Some(odds) = after.odds.as_ref().filter(|_| publishing.release.odds.is_none()) else { return Vec::new() };
    let differs = |row: &&Located<PredictedGame>| {
        let game = &row.value.game;
        odds.get(&game.key).is_some_and(|quoted| {
            has_other_favourite(publishing.release.sport, (&row.place, &game.key), &game.lines, &quoted.lines)
        })
    };
    let of_file = |(model_type, file): (&ModelType, &PredictionsFile)| {
        let games: Vec<_> = file.rows.iter().filter(differs).map(|row| row.value.game.key.clone()).collect();
        (!games.is_empty()).then_some(Warning::OtherFavourite(*model_type, games))
    };
    publishing.slate.predictions.iter().filter_map(of_file).collect()
}

/// Returns a warning for predictions for today or later without a run, neither of this release nor a completed run for
/// that date.
fn without_run(publishing: &Publishing<'_>) -> Option<Warning> {
    let (release, date) = (publishing.release, publishing.release.slate_date);
    let completed = publishing.catalog.and_then(Catalog::completed_run);
    let earlier = completed.is_some_and(|completed| completed.slate_date() >= date);
    let lacks = !release.predictions.is_empty() && release.run.is_none() && !earlier;
    (lacks && date >= eastern_date(publishing.now)).then_some(Warning::NoRun(date))
}

fn older(release: &Release, catalog: &Catalog, report: &SlateReport) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let mut compare = |what, source_as_of: Option<DateTime<Utc>>, current: Option<DateTime<Utc>>| {
        if let (Some(source_as_of), Some(current)) = (source_as_of, current)
            && source_as_of < current
        {
            warnings.push(Warning::Older { what, source_as_of, current });
        }
    };
    if release.odds.is_some() && !report.odds_repeated {
        compare("odds", release.odds_as_of(), catalog.odds.as_ref().map(|odds| odds.source_as_of));
    }
    let replaced = report.markets.iter().filter(|(_, market)| !market.repeated);
    let replaced = replaced.filter_map(|(model_type, _)| catalog.predictions.get(model_type));
    compare("predictions", release.predictions_as_of(), replaced.map(|entry| entry.artifact.source_as_of).max());
    let odds = catalog.odds.as_ref().filter(|_| release.odds.is_some());
    let predictions = release.predictions.keys().filter_map(|of| Some(&catalog.predictions.get(of)?.artifact));
    let replaced = odds.into_iter().chain(predictions).map(|artifact| artifact.slate_date).max();
    if let Some(current) = replaced.filter(|current| release.slate_date < *current) {
        warnings.push(Warning::OlderSlate { slate_date: release.slate_date, current });
    }
    warnings
}
