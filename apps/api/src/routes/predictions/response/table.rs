use sports_domain::{ModelColumn, ModelName};
use sports_ports::tables::TableColumn;

use super::{PredictedGame, PredictionsResponse};
use crate::codes::{Code, Coded, SportCode};
use crate::routes::predictions::lines::{MoneyLines, SpreadLines, TotalLines};
use crate::tables::{TableOf, Tabular, columns};

/// Rows are games; every model that a game could have is a column, whichever models this slate has.
impl Tabular for PredictionsResponse {
    fn table(&self) -> Vec<TableColumn<'_>> {
        match self {
            Self::OverUnder(page) => of_games(page.sport, page.model_type, &page.games)
                .part(|game| &game.game, |games| PredictedGame::columns(games, &page.own))
                .part(|game| &game.lines, TotalLines::columns)
                .part(|game| game, |games| columns!(games, ev_pos, ev_neg))
                .columns(),
            Self::WonOnPoints(page) => of_games(page.sport, page.model_type, &page.games)
                .part(|game| &game.game, |games| PredictedGame::columns(games, &page.own))
                .part(|game| &game.lines, MoneyLines::columns)
                .part(|game| game, |games| columns!(games, ev_away_ml, ev_home_ml))
                .columns(),
            Self::WonOnSpread(page) => of_games(page.sport, page.model_type, &page.games)
                .part(|game| &game.game, |games| PredictedGame::columns(games, &page.own))
                .part(|game| &game.lines, SpreadLines::columns)
                .part(|game| game, |games| columns!(games, ev_away_spread, ev_home_spread))
                .columns(),
        }
    }
}

fn of_games<G>(sport: SportCode, model_type: Code<impl Coded>, games: &[G]) -> TableOf<'_, &G> {
    TableOf::rows(games).constant("sport", sport).constant("model_type", model_type)
}

impl PredictedGame {
    /// Adds the columns of a game. Models have columns of their own names, as in rows of results.
    fn columns<'a>(games: TableOf<'a, &'a Self>, own: &'a [ModelName]) -> TableOf<'a, &'a Self> {
        let games = columns!(games, game_id, date, time, away_team, home_team, match_id);
        let standard = ModelColumn::ALL.into_iter().map(|model| (model.name(), ModelName::of(model)));
        let models = standard.chain(own.iter().map(|model| (model.as_str(), *model)));
        models.fold(games, |games, (name, model)| games.column(name, move |game| game.predictions.figure(model)))
    }
}
