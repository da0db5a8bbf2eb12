//! The check for files whose starts are all shifted by the same hours: written in another time zone, not rescheduled.

use chrono::TimeDelta;
use sports_domain::{GameKey, eastern_instant};

use super::publishing::{Publishing, slate_season};
use crate::identity::Start;
use crate::{Place, Problem};

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
