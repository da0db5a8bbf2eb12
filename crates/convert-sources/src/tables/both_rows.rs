//! Values in files with two rows a game: those of the whole game, which both rows may have, and numbers
//! distinguished by size.

use std::collections::BTreeMap;

use crate::tables::cells::Cells;
use crate::tables::findings::Findings;
use crate::tables::forms::RowOfGame;
use crate::tables::misread::Misread;
use crate::tables::plan::{GameNumbers, GameTypeOrigin, Origin, Plan, WordColumn, ZoneOrigin};

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
