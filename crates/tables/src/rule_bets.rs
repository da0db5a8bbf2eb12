//! The bets of a rule of one's own, as a table.

use sports_domain::{GameKey, Market, Probability};
use sports_ports::tables::TableColumn;
use sports_publication::ForecastSource;
use sports_strategies::RuleBet;

use crate::TableOf;

/// A bet with its game.
#[derive(Debug, Clone, Copy)]
pub struct RuleBetRow<'a> {
    /// The key of the game.
    pub game: &'a GameKey,
    /// The identity of the game.
    pub game_id: &'a str,
    /// The bet.
    pub bet: &'a RuleBet,
    /// The units up to and including this bet.
    pub total: f64,
    /// The source of the row's forecast; `None` without one.
    pub forecast_source: Option<ForecastSource>,
    /// The index of the forecast's leaf in the league's tree.
    pub record_index: Option<u64>,
}

/// Returns the columns of bets on a market: those of a replay, and what the rule decided by. Figures are not rounded.
pub fn rule_bets<'a>(market: Market, bets: impl IntoIterator<Item = RuleBetRow<'a>>) -> Vec<TableColumn<'a>> {
    let Market { sport, model_type } = market;
    TableOf::rows(bets)
        .constant("sport", sport.code())
        .constant("model_type", model_type.code())
        .column("season", |row| row.bet.season.to_string())
        .column("game_id", |row| row.game_id)
        .column("date", |row| row.game.date)
        .column("time_est", |row| row.game.time)
        .column("away_team", |row| row.game.away.as_str())
        .column("home_team", |row| row.game.home.as_str())
        .column("game_number", |row| row.game.game_number)
        .column("side", |row| model_type.side_word(row.bet.side))
        .column("line", |row| row.bet.line)
        .column("price", |row| row.bet.bet.price.get())
        .column("stake", |_| 1_u32)
        .column("outcome", |row| row.bet.bet.result.word())
        .column("won", |row| row.bet.bet.result.won())
        .column("profit", |row| row.bet.bet.profit())
        .column("total", |row| row.total)
        .column("probability", |row| row.bet.probability.map(Probability::get))
        .column("edge", |row| row.bet.edge())
        .column("ev", |row| row.bet.expected_value())
        .column("forecast_source", |row| row.forecast_source.map(ForecastSource::word))
        .column("record_index", |row| row.record_index)
        .columns()
}
