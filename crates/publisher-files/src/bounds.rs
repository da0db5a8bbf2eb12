//! Lines that a league cannot have, that are rare in it, or that are two bets in one.

use sports_domain::{GameKey, GameLines, LineBounds, LineColumn, LineKind, LineValue, Sport};
use sports_publication::Place;
use sports_publication::findings::first_named;

use crate::columns::FileKind;
use crate::findings::Findings;

/// The lines of a row, with its place and game.
pub(crate) struct LinedRow<'r> {
    place: &'r Place,
    key: &'r GameKey,
    lines: &'r mut GameLines,
}

impl<'r> LinedRow<'r> {
    pub(crate) const fn of(place: &'r Place, key: &'r GameKey, lines: &'r mut GameLines) -> Self {
        Self { place, key, lines }
    }
}

/// The most cells of a column of `games/` that are set aside; more are refused if they are more than [`SET_ASIDE_SHARE`].
const MOST_SET_ASIDE: usize = 3;

/// One cell of this number may be set aside, however many there are.
const SET_ASIDE_SHARE: usize = 100;

/// Judges the lines of a file. A line outside the hard bounds of its league is refused; a few of a history are recorded as no
/// line, and named. Lines outside the usual bounds are named. A line that is no multiple of one half is named in a history, and
/// refused in a slate.
pub(crate) fn check(
    sport: Sport,
    kind: FileKind,
    given: &[LineColumn],
    mut rows: Vec<LinedRow<'_>>,
    found: &mut Findings,
) {
    let larger = Larger::of(sport, &rows);
    let mut beyond = Vec::new();
    for column in columns(given) {
        let Some(bounds) = LineBounds::of(sport, column) else { continue };
        let cells: Vec<_> = rows.iter().enumerate().filter_map(|(row, it)| Some((row, value(it, column)?))).collect();
        let mut file = Cells { kind, column, bounds, count: cells.len(), sport, rows: &rows, found };
        let (outside, inside): (Vec<_>, Vec<_>) =
            cells.into_iter().partition(|(_, value)| !file.bounds.hard.contains(value));
        let wrong = larger.wrong_in(column);
        let (above, inside): (Vec<_>, Vec<_>) = inside.into_iter().partition(|(row, _)| wrong.contains(row));
        file.outside(&outside, &above);
        file.unusual(inside.iter().filter(|(_, value)| !file.bounds.usual.contains(value)).copied().collect());
        if file.bounds.kind != LineKind::Moneyline {
            file.divided(inside.into_iter().filter(|(_, points)| !LineBounds::is_whole_bet(*points)).collect());
        }
        beyond.extend(outside.into_iter().chain(above).map(|(row, _)| (row, column)));
    }
    for (row, column) in beyond {
        rows[row].lines.copy_column(&GameLines::default(), column);
    }
}

/// Returns the columns with values of their own: the away spread is that of the home team, unless it is alone.
fn columns(given: &[LineColumn]) -> impl Iterator<Item = LineColumn> {
    given.iter().copied().filter(|column| match column {
        LineColumn::AwayPointSpread => !given.contains(&LineColumn::HomePointSpread),
        LineColumn::OpenAwayPointSpread => !given.contains(&LineColumn::OpenHomePointSpread),
        _ => true,
    })
}

fn value(row: &LinedRow<'_>, column: LineColumn) -> Option<f64> {
    Some(match row.lines.value(column)? {
        LineValue::Points(points) => points,
        LineValue::Price(price) => price.get().into(),
    })
}

/// The rows whose spread is larger than their total, by the line that is wrong in them.
#[derive(Default)]
struct Larger {
    spreads: Vec<usize>,
    totals: Vec<usize>,
}

impl Larger {
    /// Decides by the usual bounds of the league which of the two is wrong: the line that is outside of them, else the spread.
    fn of(sport: Sport, rows: &[LinedRow<'_>]) -> Self {
        let mut larger = Self::default();
        for (index, row) in rows.iter().enumerate().filter(|(_, row)| row.lines.is_spread_above_total()) {
            let is_usual = |column| {
                let value = value(row, column);
                LineBounds::of(sport, column).zip(value).is_some_and(|(bounds, value)| bounds.usual.contains(&value))
            };
            let is_usual_total = is_usual(LineColumn::OverUnder);
            if !is_usual_total {
                larger.totals.push(index);
            }
            if is_usual_total || !is_usual(LineColumn::HomePointSpread) {
                larger.spreads.push(index);
            }
        }
        larger
    }

    /// Returns the rows with a wrong line in a column.
    fn wrong_in(&self, column: LineColumn) -> &[usize] {
        match column {
            LineColumn::HomePointSpread | LineColumn::AwayPointSpread => &self.spreads,
            LineColumn::OverUnder => &self.totals,
            _ => &[],
        }
    }
}

/// The cells of a column of a file, with their number.
struct Cells<'a, 'r> {
    kind: FileKind,
    column: LineColumn,
    bounds: LineBounds,
    count: usize,
    sport: Sport,
    rows: &'a [LinedRow<'r>],
    found: &'a mut Findings,
}

impl Cells<'_, '_> {
    /// Refuses cells outside the hard bounds, or of a spread above the total, or warns that they are set aside.
    fn outside(&mut self, outside: &[(usize, f64)], above: &[(usize, f64)]) {
        let with = outside.len() + above.len();
        let is_few = with <= MOST_SET_ASIDE || with * SET_ASIDE_SHARE <= self.count;
        let (kind, sport, hard) = (self.bounds.kind, self.sport, self.range(&self.bounds.hard));
        let of_a_game = if kind == LineKind::Total { "a total above the spread" } else { "a spread below the total" };
        if self.kind == FileKind::Games && is_few {
            let all: Vec<_> = outside.iter().chain(above).copied().collect();
            let hard = if above.is_empty() { hard } else { format!("{hard}, and {of_a_game}") };
            self.name(all, &format!("no {kind} of {sport} ({hard}), and recorded as no line"));
            return;
        }
        let share = format!("; {with} of {} values are outside", self.count);
        self.refuse(outside, &format!("a {kind} of {sport}: {hard}{share}"));
        self.refuse(above, &format!("{of_a_game} of the game{share}"));
    }

    fn unusual(&mut self, cells: Vec<(usize, f64)>) {
        let usual = self.range(&self.bounds.usual);
        self.name(cells, &format!("outside the usual {}s of {}, {usual}", self.bounds.kind, self.sport));
    }

    /// Names or refuses lines that split a bet into two.
    fn divided(&mut self, cells: Vec<(usize, f64)>) {
        if matches!(self.kind, FileKind::Odds | FileKind::Predictions) {
            self.refuse(&cells, "a multiple of one half: a quarter line is two bets, at the lines beside it");
        } else {
            self.name(cells, "no multiple of one half, thus two bets that are graded as one");
        }
    }

    fn range(&self, bounds: &std::ops::RangeInclusive<f64>) -> String {
        match self.bounds.kind {
            LineKind::Total => format!("{} to {} points", bounds.start(), bounds.end()),
            LineKind::Spread => format!("at most {} points either way", bounds.end()),
            LineKind::Moneyline => format!("at most {} either way", bounds.end()),
        }
    }

    fn refuse(&mut self, cells: &[(usize, f64)], expected: &str) {
        for (row, value) in cells {
            let number = self.rows[*row].place.row.unwrap_or_default();
            self.found.named_cell(number, self.column.name(), Some(value.to_string()), expected);
        }
    }

    fn name(&mut self, cells: Vec<(usize, f64)>, said: &str) {
        if cells.is_empty() {
            return;
        }
        let (with, of) = (cells.len(), self.count);
        let cell = |(row, value): (usize, f64)| {
            let LinedRow { place, key, .. } = &self.rows[row];
            format!("row {}, {key}: {value}", place.row.unwrap_or_default())
        };
        let games = first_named(cells.into_iter().map(cell));
        self.found.warn(&format!("column {}: {said}: {with} of {of} values: {games}", self.column.name()));
    }
}
