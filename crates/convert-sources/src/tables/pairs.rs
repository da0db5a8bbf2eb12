use std::collections::HashMap;

use csv::StringRecord;

use crate::tables::both_rows::{SharedValue, are_of_one_game, keys};
use crate::tables::cells::{Cells, NumberedRow, Team};
use crate::tables::decimal::DecimalMark;
use crate::tables::findings::Findings;
use crate::tables::misread::Misread;
use crate::tables::plan::{Origin, Plan, WordColumn};
use crate::tables::source::cell;

/// The rows of games with two rows each, which follow each other or share the values of some columns.
pub(crate) struct Pairs<'p> {
    plan: &'p Plan,
    side: &'p WordColumn,
    mark: DecimalMark,
    missing: &'p [String],
    keys: Vec<SharedValue<'p>>,
    /// The first row of a game whose second row is still to come, by the values of the columns that pairs share.
    waiting: HashMap<String, FirstRow>,
}

/// The row of a game that comes first in the file.
struct FirstRow {
    row: u64,
    record: StringRecord,
    /// True if a problem names the row: it did not go with the row before it.
    is_reported: bool,
}

/// The side of a row: a team's, or either at a neutral site, where the row order decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RowSide {
    Of(Team),
    Neutral,
}

/// The two rows of a game, with their numbers.
pub(crate) struct Pair {
    away: (u64, StringRecord),
    home: (u64, StringRecord),
}

impl Pair {
    pub(crate) fn cells<'r>(&'r self, pairs: &Pairs<'r>) -> Cells<'r> {
        let [away, home] = [&self.away, &self.home].map(|(number, record)| NumberedRow { number: *number, record });
        Cells { away, home: Some(home), mark: pairs.mark, missing: pairs.missing }
    }
}

impl<'p> Pairs<'p> {
    /// Creates the pairs of a file; `None` if the file has one row a game.
    pub(crate) fn of(plan: &'p Plan, mark: DecimalMark, missing: &'p [String]) -> Option<Self> {
        let (side, keys) = (plan.side.as_ref()?, keys(plan));
        Some(Self { plan, side, mark, missing, keys, waiting: HashMap::new() })
    }

    /// Adds a row; returns the game that it completes.
    pub(crate) fn add(&mut self, row: u64, record: &StringRecord, found: &mut Findings) -> Option<Pair> {
        let shared: Vec<_> = self.plan.pair_by.iter().map(|index| cell(record, *index)).collect();
        let key = shared.join("\u{1f}");
        let Some(first) = self.waiting.remove(&key) else {
            self.waiting.insert(key, FirstRow { row, record: record.clone(), is_reported: false });
            return None;
        };
        let sides = (self.side_of(first.row, &first.record, found)?, self.side_of(row, record, found)?);
        let pair = self.pair(sides, (first.row, first.record), (row, record.clone()), found);
        let pair = pair.filter(|pair| are_of_one_game(&self.keys, &pair.cells(self), found));
        if pair.is_none() {
            // The row may be the first of the next game.
            self.waiting.insert(key, FirstRow { row, record: record.clone(), is_reported: true });
        }
        pair
    }

    /// Puts the rows of two teams in order; records a problem of the second row if the sides are not those of one game.
    fn pair(
        &self,
        sides: (RowSide, RowSide),
        first: (u64, StringRecord),
        second: (u64, StringRecord),
        found: &mut Findings,
    ) -> Option<Pair> {
        match sides {
            (RowSide::Of(Team::Away), RowSide::Of(Team::Home)) | (RowSide::Neutral, RowSide::Neutral) => {
                Some(Pair { away: first, home: second })
            }
            (RowSide::Of(Team::Home), RowSide::Of(Team::Away)) => Some(Pair { away: second, home: first }),
            _ => {
                let expected = "the away row and the home row of one game, or two neutral rows";
                let text = cell(&second.1, self.index());
                found.cell(second.0, Some(self.side.origin.name()), Some(text), Misread::new(expected));
                None
            }
        }
    }

    /// Records the rows whose second row did not come.
    pub(crate) fn finish(self, found: &mut Findings) {
        let alone = self.waiting.into_values().filter(|first| !first.is_reported);
        let mut alone: Vec<_> = alone.map(|first| first.row).collect();
        alone.sort_unstable();
        for row in alone {
            found.cell(row, None, None, Misread::new("a second row of the same game"));
        }
    }

    fn side_of(&self, row: u64, record: &StringRecord, found: &mut Findings) -> Option<RowSide> {
        let written = cell(record, self.index());
        let word = self.side.words.get(written).map_or(written, String::as_str);
        let side = match word.to_ascii_lowercase().as_str() {
            "away" | "visitor" => Some(RowSide::Of(Team::Away)),
            "home" => Some(RowSide::Of(Team::Home)),
            "neutral" => Some(RowSide::Neutral),
            _ => None,
        };
        if side.is_none() {
            let listed: Vec<_> =
                self.side.words.keys().map(String::as_str).chain(["away", "home", "neutral"]).collect();
            let expected =
                format!("one of {}; other words have their meaning in `words` of columns.side", listed.join(", "));
            found.cell(row, Some(self.side.origin.name()), Some(written), Misread::new(expected));
        }
        side
    }

    fn index(&self) -> usize {
        match &self.side.origin {
            Origin::Column { index, .. } => *index,
            Origin::Constant(_) => usize::MAX,
        }
    }
}
