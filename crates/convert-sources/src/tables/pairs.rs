use std::collections::HashMap;

use csv::StringRecord;

use crate::tables::cells::{Cells, Team};
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
    /// The first row of a game whose second row is still to come, by the shared values.
    waiting: HashMap<String, (u64, StringRecord)>,
}

/// The side of a row: a team's, or either at a neutral site, where the row order decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RowSide {
    Of(Team),
    Neutral,
}

/// The two rows of a game.
pub(crate) struct Pair {
    row: u64,
    away: StringRecord,
    home: StringRecord,
}

impl Pair {
    pub(crate) fn cells<'r>(&'r self, pairs: &Pairs<'r>) -> Cells<'r> {
        Cells { row: self.row, away: &self.away, home: Some(&self.home), mark: pairs.mark, missing: pairs.missing }
    }
}

impl<'p> Pairs<'p> {
    /// Creates the pairs of a file; `None` if the file has one row a game.
    pub(crate) fn of(plan: &'p Plan, mark: DecimalMark, missing: &'p [String]) -> Option<Self> {
        Some(Self { plan, side: plan.side.as_ref()?, mark, missing, waiting: HashMap::new() })
    }

    /// Adds a row; returns the game that it completes.
    pub(crate) fn add(&mut self, row: u64, record: &StringRecord, found: &mut Findings) -> Option<Pair> {
        let shared: Vec<_> = self.plan.pair_by.iter().map(|index| cell(record, *index)).collect();
        let key = shared.join("\u{1f}");
        let Some((first_row, first)) = self.waiting.remove(&key) else {
            self.waiting.insert(key, (row, record.clone()));
            return None;
        };
        let sides = (self.side_of(first_row, &first, found)?, self.side_of(row, record, found)?);
        let (away, home) = match sides {
            (RowSide::Of(Team::Away), RowSide::Of(Team::Home)) | (RowSide::Neutral, RowSide::Neutral) => {
                (first, record.clone())
            }
            (RowSide::Of(Team::Home), RowSide::Of(Team::Away)) => (record.clone(), first),
            _ => {
                let expected = "the away row and the home row of one game, or two neutral rows";
                let text = cell(record, self.index()).to_owned();
                found.cell(row, Some(self.side.origin.name()), Some(&text), Misread::new(expected));
                // The row may be the first of the next game.
                self.waiting.insert(key, (row, record.clone()));
                return None;
            }
        };
        Some(Pair { row: first_row, away, home })
    }

    /// Records the rows whose second row did not come.
    pub(crate) fn finish(self, found: &mut Findings) {
        let mut alone: Vec<_> = self.waiting.into_values().map(|(row, _)| row).collect();
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
