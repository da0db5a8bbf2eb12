use sports_domain::{GameKey, GameType, ModelName, OwnForecasts};
use sports_publication::season_table::{ColumnGroup as Group, GAME_TYPE, RowValues, SETTLEMENT_STATUS, SeasonColumn};
use sports_publication::{
    ArchivedGame, Extras, ForecastRecord, ForecastRow, GameFacts, GamesFile, Located, Place, ReportedEnding, RowIds,
    Value,
};

use crate::findings::{Findings, Noted};
use crate::key::{IdRules, KeyRules, Keys};
use crate::layout::{FileKind, FileMarket, Layout};
use crate::odds::SpreadColumns;
use crate::predictions::ForecastRules;
use crate::table::{Row, Table};
use crate::{cells, finals};

/// The games and forecasts of one table.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    /// The games; `None` for a file of probabilities.
    pub(crate) games: Option<GamesFile>,
    pub(crate) forecasts: Vec<Located<ForecastRow>>,
}

impl Rows {
    /// Reads every row and records its problems.
    pub(crate) fn from_table(
        table: &Table,
        kind: FileKind,
        market: FileMarket<'_>,
        rules: KeyRules,
        found: &mut Findings,
    ) -> Self {
        let Some(layout) = Layout::from_columns(kind, market, table.columns(), found) else { return Self::default() };
        if kind != FileKind::Games {
            found.undeclared = layout.undeclared(table);
        }
        let mut keys = Keys::in_layout(rules, &layout);
        let (columns, ids) = (GameColumns::in_layout(&layout), IdRules::in_layout(&layout));
        let (spreads, forecasts) = (SpreadColumns::in_layout(&layout), ForecastRules::in_layout(&layout));
        let games = (kind != FileKind::Probabilities).then(|| GamesFile {
            given: layout.given(),
            gives_game_type: layout.find(GAME_TYPE).is_some(),
            rows: Vec::with_capacity(table.rows().len()),
        });
        let only_forecasts = if games.is_none() { table.rows().len() } else { 0 };
        let mut rows = Self { games, forecasts: Vec::with_capacity(only_forecasts) };
        for row in table.rows() {
            // The row is read to its end before an invalid key discards it, so that all problems are reported at once.
            let key = keys.read(row, found);
            let mut read = columns.read(row, found);
            // The problem is recorded; without both scores the game has no final.
            let _ = finals::read_score(&read, row, found);
            spreads.check(&read, row, found);
            ids.check(&read, row, found);
            let extras = layout.extras(row, found);
            forecasts.complete(&mut read, key.as_ref(), row, found);
            if let Some(game) = key.and_then(|key| read.game(key, row, found)) {
                check_game_type(&read, found);
                rows.push(found.place(Some(row.number())), game, read.reported_ending(), extras);
            }
        }
        rows
    }

    /// Adds a game, and its forecast if the row has one. Extra columns belong to the game if the file has games,
    /// otherwise to the forecast.
    fn push(&mut self, place: Place, game: ArchivedGame, ending: ReportedEnding, extras: Extras) {
        let ArchivedGame { facts, forecast: record } = game;
        let Some(games) = &mut self.games else {
            let ids = RowIds { game_id: facts.game_id, match_id: facts.match_id };
            self.forecasts.push(Located { place, value: ForecastRow { key: facts.key, ids, record, extras } });
            return;
        };
        if record != ForecastRecord::default() {
            let (ids, extras) = (RowIds::default(), Extras::default());
            let value = ForecastRow { key: facts.key.clone(), ids, record, extras };
            self.forecasts.push(Located { place: place.clone(), value });
        }
        let value = GameFacts { extras, ..facts.with_ending(ending) };
        games.rows.push(Located { place, value });
    }
}

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
            let parsed = found.take(row, Some(*index), |cell| match *column {
                status if status == SETTLEMENT_STATUS => cells::status(cell),
                column => cells::value(cell, column.kind),
            });
            match parsed {
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

    /// Returns the reported ending of the row's game; a row with an invalid score yields no game.
    pub(crate) fn reported_ending(&self) -> ReportedEnding {
        self.values.reported_ending().unwrap_or_default()
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
