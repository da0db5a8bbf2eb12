//! The odds of a release: what they change, and whose they are.

use std::collections::BTreeSet;

use chrono::{DateTime, Days, Utc};
use sports_domain::{GameKey, LineColumn, eastern_date};
use sports_slate::OddsGame;

use super::LeagueRecord;
use super::publish::{Publishing, SlateReport};
use crate::{Odds, Place, Predictions, Problem, RepeatedKey, Reschedule};

/// For how long the first quote of a game is remembered after its date.
const OPENERS_KEPT_DAYS: u64 = 2;

/// What a release changes of the odds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OddsReport {
    /// Games it quotes.
    pub games: usize,
    /// Games that were not quoted before.
    pub new: usize,
    /// Games quoted before, with other lines or prices now.
    pub changed: usize,
    /// Lines and prices of those games that are other ones now, a spread being one.
    pub prices_changed: usize,
}

impl OddsReport {
    fn compare(before: Option<&Odds>, after: &Odds) -> Self {
        let mut report = Self { games: after.games().len(), ..Self::default() };
        // The away team's spread is the opposite of the home team's: one line.
        let columns = LineColumn::ALL.iter().filter(|column| **column != LineColumn::AwayPointSpread);
        for game in after.games() {
            match before.and_then(|odds| odds.for_game(&game.key, game.match_id.as_deref())) {
                None => report.new += 1,
                Some(known) => {
                    let differs = |column: &&LineColumn| known.lines.value(**column) != game.lines.value(**column);
                    let prices = columns.clone().filter(differs).count();
                    report.changed += usize::from(prices > 0);
                    report.prices_changed += prices;
                }
            }
        }
        report
    }
}

/// Takes the release's odds and reports what they change. `before` are the odds as they were, with games under their
/// former starts.
///
/// # Errors
///
/// The problem of a game that the release quotes twice.
pub(super) fn publish(
    publishing: &Publishing<'_>,
    before: Option<&Odds>,
    record: &mut LeagueRecord,
    report: &mut SlateReport,
) -> Result<(), Vec<Problem>> {
    let followed = record.odds.clone();
    report.odds_repeated = take(publishing, record, &report.moved)?;
    let taken = record.odds.as_ref().filter(|_| publishing.release.odds.is_some());
    report.odds = taken.map(|odds| OddsReport::compare(followed.as_ref(), odds));
    report.unquoted = dropped(before, record, &report.moved, publishing.now);
    Ok(())
}

/// Takes the release's odds into the record; whether they say nothing new.
fn take(publishing: &Publishing<'_>, record: &mut LeagueRecord, moved: &[Reschedule]) -> Result<bool, Vec<Problem>> {
    let Some(rows) = &publishing.release.odds else { return Ok(false) };
    let odds = Odds::new(rows.iter().map(|row| row.value.clone()).collect()).map_err(|RepeatedKey(key)| {
        let place = Place { file: "odds".into(), row: None };
        vec![Problem::at(place, format!("each game once; two rows are of {key}"))]
    })?;
    let existing = publishing.catalog.and_then(|catalog| catalog.odds.as_ref());
    let repeated = moved.is_empty()
        && record.odds.as_ref() == Some(&odds)
        && existing.is_some_and(|existing| {
            existing.slate_date == publishing.release.slate_date
                && publishing.release.odds_as_of().is_none_or(|incoming| incoming == existing.source_as_of)
        });
    if !repeated {
        let first = eastern_date(publishing.now).checked_sub_days(Days::new(OPENERS_KEPT_DAYS));
        record.openers.forget_before(first.unwrap_or_default());
        for game in odds.games().iter().filter(|game| !game.key.has_started(publishing.now)) {
            record.openers.note(game);
        }
        record.odds = Some(odds);
    }
    Ok(repeated)
}

/// Games still to come that had odds before and have none now, or have lost their start to another game.
fn dropped(before: Option<&Odds>, record: &LeagueRecord, moved: &[Reschedule], now: DateTime<Utc>) -> Vec<GameKey> {
    let still = |game: &&OddsGame| {
        let mut keys = std::iter::once(&game.key).chain(Reschedule::target(moved, &game.key));
        let odds = record.odds.as_ref();
        odds.is_some_and(|odds| keys.any(|key| odds.for_game(key, game.match_id.as_deref()).is_some()))
    };
    let lost = before.into_iter().flat_map(Odds::games).filter(|game| !game.key.has_started(now) && !still(game));
    lost.map(|game| game.key.clone()).collect()
}

/// Games still to come that the odds have under another id.
pub(super) fn of_another_id(record: &LeagueRecord, now: DateTime<Utc>) -> Vec<GameKey> {
    let Some(odds) = &record.odds else { return Vec::new() };
    let predicted = record.predictions.values().flat_map(Predictions::games).map(|game| &game.game);
    let to_come = predicted.filter(|game| !game.key.has_started(now));
    let strange = to_come
        .filter(|game| odds.get(&game.key).is_some_and(|quoted| !quoted.is_of(&game.key, game.match_id.as_deref())));
    let keys: BTreeSet<_> = strange.map(|game| &game.key).collect();
    keys.into_iter().cloned().collect()
}
