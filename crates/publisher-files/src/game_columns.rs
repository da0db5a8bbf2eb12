use sports_domain::{GameKey, GameType, ModelName, OwnForecasts};
use sports_publication::season_table::{ColumnGroup as Group, GAME_TYPE, RowValues, SeasonColumn};
use sports_publication::{ArchivedGame, Value};

use crate::cells;
use crate::findings::{Findings, Noted};
use crate::layout::Layout;
use crate::table::Row;

/// The columns that make up a game, without its key; [`Keys`](crate::key::Keys) reads the key.
#[derive(Debug)]
pub(crate) struct GameColumns {
    known: Vec<(&'static SeasonColumn, usize)>,
    own: Vec<(ModelName, usize)>,
}

/// The values of a row, and the columns whose cells were invalid.
#[derive(Debug)]
pub(crate) struct GameRow<'t> {
    values: RowValues<'t>,
    own: OwnForecasts,
    misread: Vec<&'static SeasonColumn>,
}

impl GameColumns {
    pub(crate) fn in_layout(layout: &Layout) -> Self {
        let of_key = |group| matches!(group, Group::Start | Group::Teams | Group::GameNumber);
        let known = layout.season_columns().filter(|(column, _)| !of_key(column.group)).collect();
        Self { known, own: layout.own_models().to_vec() }
    }

    /// Reads a row cell by cell, and records the problems of each.
    pub(crate) fn read<'t>(&self, row: Row<'t>, found: &mut Findings) -> GameRow<'t> {
        let mut read = GameRow { values: RowValues::default(), own: OwnForecasts::default(), misread: Vec::new() };
        for (column, index) in &self.known {
            match found.take(row, Some(*index), |cell| cells::value(cell, column.kind)) {
                Ok(Some(value)) => read.values.put(column, value),
                Ok(None) => {}
                Err(Noted) => read.misread.push(column),
            }
        }
        for (model, index) in &self.own {
            if let Ok(Some(probability)) = found.take(row, Some(*index), cells::probability) {
                read.own.insert(*model, probability);
            }
        }
        read
    }
}

impl GameRow<'_> {
    /// Returns the value of a column; [`Noted`] if the cell was invalid and its problem is recorded.
    pub(crate) fn get(&self, column: &'static SeasonColumn) -> Result<Option<Value<&str>>, Noted> {
        if self.misread.contains(&column) { Err(Noted) } else { Ok(self.values.get(column)) }
    }

    /// Returns the text of a column; `None` if the cell is empty or invalid.
    pub(crate) fn text(&self, column: &'static SeasonColumn) -> Option<&str> {
        self.values.get(column).and_then(Value::text)
    }

    /// Sets a value that the publisher left out because it follows from the other columns.
    pub(crate) fn complete(&mut self, column: &'static SeasonColumn, word: &'static str) {
        self.values.put(column, Value::Text(word.into()));
    }

    /// Returns the game with this key and the values of the row.
    pub(crate) fn game(&self, key: GameKey, row: Row<'_>, found: &mut Findings) -> Option<ArchivedGame> {
        let game = self.values.game(key);
        let game = game.map_err(|reason| found.row(row.number(), format!("values that make a game: {reason}")));
        let mut game = game.ok()?;
        game.forecast.own.clone_from(&self.own);
        Some(game)
    }
}

/// Warns of an unknown game type, which may misspell a type that counts.
pub(crate) fn check_game_type(read: &GameRow<'_>, found: &mut Findings) {
    let game_type = GameType::from_word(read.text(GAME_TYPE).unwrap_or_default());
    if let GameType::Other(other) = &game_type
        && other != "preseason"
    {
        let known = "regular, postseason and preseason";
        found.warn(&format!("game_type `{other}` is none of {known}: professional leagues leave such games out"));
    }
}
