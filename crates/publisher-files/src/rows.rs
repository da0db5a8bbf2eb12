use sports_publication::season_table::GAME_TYPE;
use sports_publication::{
    ArchivedGame, Extras, ForecastRecord, ForecastRow, GameFacts, GamesFile, Located, Place, ReportedEnding, RowIds,
};

use crate::bounds::{self, LinedRow};
use crate::columns::FileKind;
use crate::endings::HistoryEndings;
use crate::findings::Findings;
use crate::game_columns::{GameColumns, check_game_type};
use crate::key::{IdRules, KeyRules, Keys};
use crate::layout::{FileMarket, Layout};
use crate::odds::{ForecastRules, SpreadColumns};
use crate::scales;
use crate::table::Table;

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
            scales::check(&layout, table, found);
        }
        let mut endings = HistoryEndings::in_layout(kind, &rules, &layout);
        let sport = rules.sport;
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
            let ending = endings.read(&read, row, found);
            spreads.check(&read, row, found);
            ids.check(&read, row, found);
            let extras = layout.extras(row, found);
            forecasts.complete(&mut read, key.as_ref(), row, found);
            if let Some(game) = key.and_then(|key| read.game(key, row, found)) {
                check_game_type(&read, found);
                rows.push(found.place(Some(row.number())), game, ending, extras);
            }
        }
        endings.warn(found);
        if let (Some(sport), Some(games)) = (sport, &mut rows.games) {
            let counted = games.rows.iter_mut().filter(|row| row.value.game_type.counts_in(sport));
            let lined = counted.map(|row| LinedRow::of(&row.place, &row.value.key, &mut row.value.lines));
            bounds::check(sport, kind, &games.given, lined.collect(), found);
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
