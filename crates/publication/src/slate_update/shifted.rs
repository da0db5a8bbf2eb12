//! Files whose starts are all off by the same hours: written in another time zone, not rescheduled.

use std::collections::{BTreeMap, BTreeSet};

use chrono::TimeDelta;
use sports_domain::{GameKey, eastern_instant};

use super::known::KnownGame;
use crate::{Place, Problem, Release};

/// A row of a file: where it is, its game and its id.
type Row<'r> = (&'r Place, &'r GameKey, Option<&'r str>);

/// Every file of two or more games on record in which each start is the same whole hours away from the one on record, or
/// the universal time of it. Days are left out: a slate may be postponed as a whole.
pub(super) fn shifted(release: &Release, games: &BTreeMap<GameKey, KnownGame>) -> Vec<Problem> {
    let odds: Vec<Row<'_>> =
        release.odds.iter().flatten().map(|row| (&row.place, &row.value.key, row.value.match_id.as_deref())).collect();
    let predicted = release.predictions.values().map(|file| {
        file.rows
            .iter()
            .map(|row| (&row.place, &row.value.game.key, row.value.game.match_id.as_deref()))
            .collect::<Vec<_>>()
    });
    let files = std::iter::once((odds, true)).chain(predicted.map(|rows| (rows, false)));
    let known = |quotes_count| Comparison { games, release, quotes_count };
    files.filter_map(|(rows, quotes_count)| known(quotes_count).problem(&rows)).collect()
}

struct Comparison<'r> {
    games: &'r BTreeMap<GameKey, KnownGame>,
    release: &'r Release,
    /// Whether a start known from odds alone is one to compare with.
    quotes_count: bool,
}

impl Comparison<'_> {
    fn problem(&self, rows: &[Row<'_>]) -> Option<Problem> {
        let named: BTreeSet<_> = rows.iter().map(|(_, key, _)| *key).collect();
        let stated: BTreeSet<_> = self.release.moved.iter().map(|row| &row.value.to).collect();
        let rows = rows.iter().filter(|(_, key, _)| !stated.contains(key));
        let shifts: Vec<_> = rows
            .filter_map(|(place, key, id)| {
                let on_record = self.on_record(key, *id, &named)?;
                Some((*place, between(on_record, key)?, is_universal(on_record, key)))
            })
            .collect();
        let [(place, shift, _), others @ ..] = &*shifts else { return None };
        let same = is_whole_hours(*shift) && others.iter().all(|(_, other, _)| other == shift);
        let universal = shifts.iter().all(|(_, _, is_universal)| *is_universal);
        (!others.is_empty() && (same || universal)).then(|| refused(place, shifts.len(), *shift))
    }

    fn counts(&self, known: &KnownGame) -> bool {
        known.recorded || self.quotes_count
    }

    /// The start on record of the game a row is of: by its id, else the nearest one of its teams, within a day, that
    /// the file does not list.
    fn on_record(&self, key: &GameKey, id: Option<&str>, named: &BTreeSet<&GameKey>) -> Option<&GameKey> {
        let has_id = |known: &KnownGame| id.is_some() && known.match_id.as_deref() == id;
        if let Some((known_key, known)) = self.games.get_key_value(key)
            && self.counts(known)
            && (id.is_none() || known.match_id.is_none() || has_id(known))
        {
            return Some(known_key);
        }
        let alike = || self.games.iter().filter(|(of, known)| of.same_teams(key) && self.counts(known));
        let by_id = alike().filter(|(_, known)| has_id(known)).max_by_key(|(_, known)| known.recorded);
        if let Some((known_key, _)) = by_id {
            return Some(known_key);
        }
        let unnamed = |known: &KnownGame| id.is_none() || known.match_id.is_none();
        let others = alike().filter(|(of, known)| unnamed(known) && !named.contains(of));
        let away = others.filter_map(|(of, _)| Some((between(of, key)?.abs(), of)));
        away.filter(|(away, _)| *away < TimeDelta::days(1)).min().map(|(_, of)| of)
    }
}

/// How much later, on the Eastern clock, one start is than another; `None` where either is unknown.
fn between(from: &GameKey, to: &GameKey) -> Option<TimeDelta> {
    Some(to.date.and_time(to.time?) - from.date.and_time(from.time?))
}

/// Whether a start reads as the universal time of the one on record.
fn is_universal(on_record: &GameKey, key: &GameKey) -> bool {
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
