//! What a person should look at, though it stops nothing.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use chrono::{DateTime, NaiveDate, SecondsFormat, Utc};
use sports_domain::{GameKey, ModelType, Season, Sport, eastern_date};
use sports_slate::OddsGame;

use super::LeagueRecord;
use super::dates::slate_season;
use super::publish::{Publishing, SlateReport};
use crate::{Catalog, Generation, Place, Predictions, Release, Reschedule};

/// How many games a warning names; the rest is a number.
const NAMED: usize = 3;

/// Something about a release that is probably a mistake.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Warning {
    /// A game is rescheduled to another date.
    OtherDate(Reschedule),
    /// A game went back to a start that has passed, and what was forecast for it since does not count.
    Restored(Reschedule),
    /// Every game of a market's file has started, or was played: none of it is new.
    AllFrozen(ModelType, usize),
    /// Games that have not started are no longer in a market's file.
    Dropped(ModelType, Vec<GameKey>),
    /// Games that have not started are no longer in the odds.
    Unquoted(Vec<GameKey>),
    /// The odds quote games that no market predicts.
    Unpredicted(Vec<GameKey>),
    /// The odds have a game under another `match_id` than its predictions.
    OtherId(GameKey),
    /// The same odds, without a time at which their source was read again.
    OddsKeepTheirTime,
    /// Predictions of today or later, and no run that made them.
    NoRun(NaiveDate),
    /// Dates outside the months in which the league usually plays that season.
    UnusualDates {
        /// The league.
        sport: Sport,
        /// The season.
        season: Season,
        /// The file.
        file: Arc<str>,
        /// How many rows have such a date.
        rows: usize,
        /// The first of them.
        first: NaiveDate,
    },
    /// Content from before what is published now.
    Older {
        /// Which part of the release.
        what: &'static str,
        /// As of when it is.
        source_as_of: DateTime<Utc>,
        /// As of when that is which it replaces.
        current: DateTime<Utc>,
    },
    /// A slate from before the current one.
    OlderSlate {
        /// The release's.
        slate_date: NaiveDate,
        /// The current one.
        current: NaiveDate,
    },
    /// Nothing was ever published in this store.
    NewStore,
    /// A number in the league's log is skipped: no entry of the record has it.
    PassedOver {
        /// The league.
        sport: Sport,
        /// The number.
        generation: Generation,
    },
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherDate(Reschedule { from, to }) => write!(f, "rescheduled to another date: {from} to {to}"),
            Self::Restored(Reschedule { from, to }) => write!(
                f,
                "{from} went back to {to}, which has passed: what was forecast for it since then does not count any more"
            ),
            Self::AllFrozen(model_type, games) => write!(
                f,
                "predictions/{model_type}: every game ({games}) has started or was played, so nothing of the file is new"
            ),
            Self::Dropped(model_type, games) => write!(
                f,
                "predictions/{model_type}: not started, not in the file and no longer served: {}",
                Named(games)
            ),
            Self::Unquoted(games) => write!(f, "odds: not started and no longer quoted: {}", Named(games)),
            Self::Unpredicted(games) => write!(f, "odds: no market predicts {}", Named(games)),
            Self::OtherId(game) => write!(
                f,
                "the odds have {game} under another match_id than its predictions, which take no price from them"
            ),
            Self::OddsKeepTheirTime => f.write_str(
                "the odds are unchanged and keep their time; if the source was read again, say so with \
                 `source_as_of.odds` in release.json",
            ),
            Self::NoRun(date) => {
                write!(f, "release.json names no `run`, so the data status cannot call the slate of {date} complete")
            }
            Self::UnusualDates { sport, season, file, rows, first } => {
                write!(f, "{file}: dates outside the usual months of {sport} {season}: {rows}, the first is {first}")
            }
            Self::Older { what, source_as_of, current } => write!(
                f,
                "these {what} are of {}, older than those of {} that they replace",
                written(source_as_of),
                written(current)
            ),
            Self::OlderSlate { slate_date, current } => {
                write!(f, "the slate of {slate_date} replaces content of a newer one, {current}")
            }
            Self::PassedOver { sport, generation } => write!(
                f,
                "number {generation} in the log of {sport} is skipped: it is not part of the record, and none of its \
                 content is carried over; `sportsctl verify {sport}` says why"
            ),
            Self::NewStore => f.write_str(
                "nothing was published in this store before: if there should be, look at --store, store.url and the \
                 folder this is run in",
            ),
        }
    }
}

fn written(instant: &DateTime<Utc>) -> String {
    instant.to_rfc3339_opts(SecondsFormat::AutoSi, true)
}

/// The first games of a list, and how many more there are.
struct Named<'g>(&'g [GameKey]);

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let first: Vec<_> = self.0.iter().take(NAMED).map(ToString::to_string).collect();
        f.write_str(&first.join("; "))?;
        match self.0.len().saturating_sub(NAMED) {
            0 => Ok(()),
            more => write!(f, "; and {more} more"),
        }
    }
}

/// What to look at in a release, given the record after it and what it changed.
pub(super) fn warnings(publishing: &Publishing<'_>, after: &LeagueRecord, report: &SlateReport) -> Vec<Warning> {
    let release = publishing.release;
    let mut warnings: Vec<_> = unusual_dates(release, slate_season(publishing));
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
    if !report.unquoted.is_empty() {
        warnings.push(Warning::Unquoted(report.unquoted.clone()));
    }
    let unpredicted = unpredicted(release, after, publishing.now);
    if !unpredicted.is_empty() {
        warnings.push(Warning::Unpredicted(unpredicted));
    }
    warnings.extend(report.misquoted.iter().cloned().map(Warning::OtherId));
    if report.odds_repeated && release.odds_as_of().is_none() {
        warnings.push(Warning::OddsKeepTheirTime);
    }
    warnings.extend(without_run(publishing));
    warnings.extend(publishing.catalog.into_iter().flat_map(|catalog| older(release, catalog, report)));
    warnings
}

fn unusual_dates(release: &Release, season: Season) -> Vec<Warning> {
    let moved = release.moved.iter().map(|row| (&row.place, row.value.to.date));
    let slate = release.slate_rows().map(|(place, key, _)| (place, key.date)).chain(moved);
    let slate = slate.map(|(place, date)| (season, place, date));
    let history = release.history.iter().flat_map(|history| {
        let markets = history.markets.values().flat_map(|market| &market.games);
        let rows = history.shared.iter().chain(markets).flat_map(|file| &file.rows);
        let recorded = rows.filter(|row| row.value.game_type.counts_in(release.sport));
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

/// Games still to come that the release quotes and nothing predicts.
fn unpredicted(release: &Release, after: &LeagueRecord, now: DateTime<Utc>) -> Vec<GameKey> {
    let quoted = release.odds.iter().flatten().map(|row| &row.value).filter(|game| !game.key.has_started(now));
    let predicted: Vec<_> = after.predictions.values().flat_map(Predictions::games).map(|game| &game.game).collect();
    let is_predicted = |quoted: &OddsGame| {
        predicted.iter().any(|game| {
            game.key == quoted.key
                || (game.match_id.is_some() && game.match_id == quoted.match_id && game.key.same_teams(&quoted.key))
        })
    };
    quoted.filter(|game| !is_predicted(game)).map(|game| game.key.clone()).collect()
}

/// Predictions for today or later that no run made, neither one of this release nor one of the date that completed.
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
