use std::collections::{BTreeMap, HashMap};

use csv::StringRecord;

use super::field::{Misread, RowOfGame};
use super::plan::{GameNumbers, GameTypeOrigin, ZoneOrigin};
use super::prices::DecimalMark;
use super::source::{Cells, NumberedRow, Team, matchup};
use crate::convert::tables::findings::Findings;
use crate::convert::tables::plan::{Origin, Plan, WordColumn};
use crate::convert::tables::source::cell;

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
            // The side of the row's team, which comes first.
            _ => matchup(word).map(|(.., team)| RowSide::Of(team)),
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

// Values in files with two rows a game: those of the whole game, which both rows may have, and numbers
// distinguished by size.

/// A value of the whole game, read from whichever row has it.
pub(crate) struct SharedValue<'p> {
    name: &'p str,
    index: usize,
    /// Words of the file that may mean the same.
    words: Option<&'p BTreeMap<String, String>>,
}

/// Returns the values whose difference shows that two rows are not of one game.
pub(crate) fn keys(plan: &Plan) -> Vec<SharedValue<'_>> {
    let starts = &plan.starts;
    let dated = [&starts.start, &starts.date, &starts.time].into_iter().flatten().map(|(origin, _)| origin);
    let season = plan.season.iter().map(|(origin, _)| origin);
    let game_type = match &plan.game_type {
        GameTypeOrigin::Column(column) => SharedValue::of_words(column),
        GameTypeOrigin::ByDate(_) | GameTypeOrigin::NotNeeded => None,
    };
    dated.chain(season).filter_map(SharedValue::of).chain(game_type).collect()
}

/// Returns true if two rows agree in the values that distinguish games; records the first difference.
pub(crate) fn are_of_one_game(keys: &[SharedValue<'_>], cells: &Cells<'_>, found: &mut Findings) -> bool {
    keys.iter().all(|key| key.agrees(cells, "a row is missing or out of order, here or above", found))
}

impl<'p> SharedValue<'p> {
    /// Returns the shared value of a column; `None` if the map names the row that is read.
    fn of(origin: &'p Origin) -> Option<Self> {
        match origin {
            Origin::Column { name, index, row: None } => Some(Self { name, index: *index, words: None }),
            _ => None,
        }
    }

    fn of_words(column: &'p WordColumn) -> Option<Self> {
        Self::of(&column.origin).map(|value| Self { words: Some(&column.words), ..value })
    }

    /// Returns false, and records a problem of the second row, if both rows have the value and differ.
    fn agrees(&self, cells: &Cells<'_>, remedy: &str, found: &mut Findings) -> bool {
        let Some([(first_row, first), (row, text)]) = cells.in_both_rows(self.index) else { return true };
        if first.is_empty() || text.is_empty() || self.is_same(first, text, cells) {
            return true;
        }
        let hint = format!("row {first_row} has `{first}`: {remedy}");
        let expected = "the value of the other row of the game";
        found.cell(row, Some(self.name), Some(text), Misread::new(expected).with_hint(Some(hint)));
        false
    }

    fn is_same(&self, first: &str, second: &str, cells: &Cells<'_>) -> bool {
        let [first, second] =
            [first, second].map(|text| self.words.and_then(|words| words.get(text)).map_or(text, String::as_str));
        let numbers = || Some(cells.number(first)?.compared(cells.number(second)?).is_eq());
        first.eq_ignore_ascii_case(second) || numbers().unwrap_or(false)
    }
}

/// The checks of the values that do not distinguish games.
pub(crate) struct BothRows<'p> {
    shared: Vec<SharedValue<'p>>,
    /// The columns whose two numbers are distinguished by size.
    by_size: Vec<(&'p str, usize)>,
}

impl<'p> BothRows<'p> {
    pub(crate) fn of(plan: &'p Plan) -> Self {
        let mut checks = Self { shared: Vec::new(), by_size: Vec::new() };
        for origin in origins(plan) {
            checks.add(SharedValue::of(origin));
            match origin {
                Origin::Column { name, index, row: Some(RowOfGame::Smaller | RowOfGame::Larger) }
                    if checks.by_size.iter().all(|(_, known)| known != index) =>
                {
                    checks.by_size.push((name, *index));
                }
                _ => {}
            }
        }
        for column in plan.favourite.iter().chain(&plan.status) {
            checks.add(SharedValue::of_words(column));
        }
        checks
    }

    /// Adds a value, unless another one is read from the same column.
    fn add(&mut self, value: Option<SharedValue<'p>>) {
        self.shared.extend(value.filter(|value| self.shared.iter().all(|known| known.index != value.index)));
    }

    /// Records values in which the two rows of a game differ, and cells without a number in columns read by size.
    pub(crate) fn check(&self, cells: &Cells<'_>, found: &mut Findings) {
        for value in &self.shared {
            let remedy = "a row is missing or out of order, or `row` in the map's entry names the row that is read";
            value.agrees(cells, remedy, found);
        }
        for (name, index) in &self.by_size {
            let both = cells.in_both_rows(*index).into_iter().flatten();
            for (row, text) in both.filter(|(_, text)| !text.is_empty() && cells.number(text).is_none()) {
                let expected = "a number such as 41.5, or pk; `missing` of a map lists words for an empty cell";
                found.cell(row, Some(name), Some(text), Misread::new(expected));
            }
        }
    }
}

/// Returns the sources of values without words, except those that distinguish games.
fn origins(plan: &Plan) -> impl Iterator<Item = &Origin> {
    let zone = plan.starts.zone.as_ref().and_then(|zone| match zone {
        ZoneOrigin::Column(origin) => Some(origin),
        ZoneOrigin::One(_) => None,
    });
    let number = plan.game_number.as_ref().and_then(|number| match number {
        GameNumbers::Column(origin) => Some(origin),
        GameNumbers::Counted => None,
    });
    let scores = plan.score.iter().map(|(origin, _)| origin).chain(plan.scores.iter().flatten());
    let lines = plan.prices.iter().map(|(_, origin, _)| origin).chain(plan.spreads.iter().map(|(_, origin, _)| origin));
    let totals = plan.totals.iter().map(|(_, origin)| origin);
    let texts = plan.texts.iter().map(|(_, origin)| origin);
    let models = plan.models.iter().map(|model| &model.origin);
    zone.into_iter().chain(number).chain(texts).chain(scores).chain(totals).chain(lines).chain(models)
}
