//! The changes by the odds of a release.

use std::collections::{BTreeSet, HashMap};

use chrono::{Days, Timelike};
use sports_domain::{GameKey, LineColumn, eastern_date, eastern_reading};

use super::{Publishing, SlateReport, slate_season};
use crate::slate::{OddsGame, is_another};
use crate::{LeagueRecord, Odds, Place, Problem, RepeatedKey};

/// The number of days after a game's date for which its first quote is kept.
const OPENERS_KEPT_DAYS: u64 = 2;

/// Records the release's odds and reports the changes. `before` are the previous odds, with games under their former
/// starts; `closed` games keep theirs.
///
/// # Errors
///
/// Returns a problem if the release quotes a game twice.
pub(super) fn publish(
    publishing: &Publishing<'_>,
    before: Option<&Odds>,
    closed: &BTreeSet<GameKey>,
    record: &mut LeagueRecord,
    report: &mut SlateReport,
) -> Result<(), Vec<Problem>> {
    let followed = record.odds.clone();
    report.odds_repeated = take(publishing, record, closed)?;
    let taken = record.odds.as_ref().filter(|_| publishing.release.odds.is_some());
    let rows = publishing.slate.odds.iter().flatten();
    let started = rows.filter(|row| row.value.key.has_started(publishing.now)).count();
    report.odds = taken.map(|odds| OddsReport { started, ..OddsReport::compare(followed.as_ref(), odds) });
    report.unquoted = dropped(before, record, publishing);
    Ok(())
}

/// Records the release's odds; returns true if nothing in them is new. Closed games keep their odds.
fn take(
    publishing: &Publishing<'_>,
    record: &mut LeagueRecord,
    closed: &BTreeSet<GameKey>,
) -> Result<bool, Vec<Problem>> {
    let Some(rows) = &publishing.slate.odds else { return Ok(false) };
    let known = record.odds.as_ref();
    let games = rows.iter().filter_map(|row| {
        let game = &row.value;
        if !is_open(publishing, closed, game) {
            return known.and_then(|odds| odds.of_game(game.game_id.as_deref())).cloned();
        }
        Some(game.clone())
    });
    let odds = Odds::new(games.collect()).map_err(|RepeatedKey(key)| {
        let place = Place { file: "odds".into(), row: None };
        vec![Problem::at(place, format!("each game once; two rows are of {key}"))]
    })?;
    let existing = publishing.catalog.and_then(|catalog| catalog.odds.as_ref());
    let repeated = publishing.resolution.moves().is_empty()
        && known == Some(&odds)
        && existing.is_some_and(|existing| {
            existing.slate_date == publishing.release.slate_date
                && publishing.release.odds_as_of().is_none_or(|incoming| incoming == existing.source_as_of)
        });
    if !repeated {
        replace(publishing, record, closed, odds);
    }
    Ok(repeated)
}

/// Returns true if the odds of a game still change.
fn is_open(publishing: &Publishing<'_>, closed: &BTreeSet<GameKey>, game: &OddsGame) -> bool {
    !game.key.has_started(publishing.now) && !closed.contains(&game.key)
}

/// Replaces the recorded odds, and notes the first quotes of open games. What is kept of others was read with the odds before.
fn replace(publishing: &Publishing<'_>, record: &mut LeagueRecord, closed: &BTreeSet<GameKey>, mut odds: Odds) {
    let first = eastern_date(publishing.now).checked_sub_days(Days::new(OPENERS_KEPT_DAYS));
    record.openers.forget_before(first.unwrap_or_default());
    for game in odds.games().iter().filter(|game| is_open(publishing, closed, game)) {
        record.openers.note(game);
    }
    let existing = publishing.catalog.and_then(|catalog| catalog.odds.as_ref());
    let read = existing.and_then(|existing| eastern_reading(existing.source_as_of).with_nanosecond(0));
    odds.change_all(|game| {
        if !is_open(publishing, closed, game) {
            game.last_updated = game.last_updated.or(read);
        }
    });
    record.odds = Some(odds);
}

/// Returns the upcoming games that had odds before and have no odds now.
fn dropped(before: Option<&Odds>, record: &LeagueRecord, publishing: &Publishing<'_>) -> Vec<GameKey> {
    let after: BTreeSet<_> =
        record.odds.iter().flat_map(crate::slate_artifacts::Odds::games).map(|game| &game.game_id).collect();
    let lost = before.into_iter().flat_map(Odds::games);
    let returned = |game: &OddsGame| game.game_id.as_ref().is_some_and(|id| publishing.returns.contains_key(id));
    let is_ahead = |game: &OddsGame| !game.key.has_started(publishing.now) && !returned(game);
    let lost = lost.filter(|game| is_ahead(game) && !after.contains(&game.game_id));
    lost.map(|game| game.key.clone()).collect()
}

/// Returns the upcoming games whose `match_id` in the odds differs from the record.
pub(super) fn of_another_id(publishing: &Publishing<'_>) -> Vec<GameKey> {
    let season = slate_season(publishing.release, publishing.catalog);
    let rows = publishing.release.odds.iter().flatten().map(|row| &row.value);
    let strange = rows.filter(|game| {
        let known = publishing.resolution.game(season, &game.key).and_then(|resolved| resolved.match_id.as_deref());
        !game.key.has_started(publishing.now) && is_another(known, game.match_id.as_deref())
    });
    let keys: BTreeSet<_> = strange.map(|game| &game.key).collect();
    keys.into_iter().cloned().collect()
}

/// The changes of a release to the odds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OddsReport {
    /// Quoted games.
    pub games: usize,
    /// Games without a quote before.
    pub new: usize,
    /// Games quoted before, with other lines or prices now.
    pub changed: usize,
    /// Lines and prices that changed in those games; a spread counts once.
    pub prices_changed: usize,
    /// Games of the release that had started: their prices are not taken.
    pub started: usize,
}

impl OddsReport {
    pub(super) fn compare(before: Option<&Odds>, after: &Odds) -> Self {
        let mut report = Self { games: after.games().len(), ..Self::default() };
        let before: HashMap<_, _> =
            before.iter().flat_map(|odds| odds.games()).map(|game| (&game.game_id, game)).collect();
        // The away team's spread is the opposite of the home team's: one line.
        let columns = LineColumn::ALL.iter().filter(|column| **column != LineColumn::AwayPointSpread);
        for game in after.games() {
            match before.get(&game.game_id) {
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
