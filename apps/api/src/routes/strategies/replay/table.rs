use sports_ports::tables::TableColumn;

use super::{ExcludedItem, ReplayGame, ReplayItem, StrategyReplayResponse};
use crate::codes::{BetSideCode, ExclusionReasonCode};
use crate::tables::{TableOf, Tabular, columns};

/// A row of a replay's table.
#[derive(Clone, Copy)]
struct ReplayLine<'r> {
    game: &'r ReplayGame,
    side: BetSideCode,
    line: Option<f64>,
    price: Option<i32>,
    /// The bet; `None` for an excluded game.
    bet: Option<&'r ReplayItem>,
    /// The reason that an excluded game has no bet.
    reason: Option<ExclusionReasonCode>,
}

impl<'r> ReplayLine<'r> {
    const fn of_bet(bet: &'r ReplayItem) -> Self {
        let ReplayItem { game, side, line, price, .. } = bet;
        Self { game, side: *side, line: *line, price: Some(*price), bet: Some(bet), reason: None }
    }

    const fn of_excluded(excluded: &'r ExcludedItem) -> Self {
        let ExcludedItem { game, side, line, price, reason } = excluded;
        Self { game, side: *side, line: *line, price: *price, bet: None, reason: Some(*reason) }
    }
}

/// Rows are bets, followed by the listed excluded games, which have a `reason` and no outcome.
impl Tabular for StrategyReplayResponse {
    fn table(&self) -> Vec<TableColumn<'_>> {
        let excluded = self.excluded_rows.iter().map(ReplayLine::of_excluded);
        TableOf::rows(self.rows.iter().map(ReplayLine::of_bet).chain(excluded))
            .constant("sport", self.sport)
            .constant("model_type", self.model_type)
            .constant("season", self.season.as_str())
            .constant("accounting", self.accounting)
            .constant("strategy_id", self.strategy.id())
            .part(|line| line.game, ReplayGame::columns)
            .column("side", |line| line.side)
            .column("line", |line| line.line)
            .column("price", |line| line.price)
            .column("stake", |line| Some(line.bet?.stake))
            .column("outcome", |line| Some(line.bet?.outcome))
            .column("won", |line| line.bet?.won)
            .column("profit", |line| Some(line.bet?.profit))
            .column("total", |line| Some(line.bet?.total))
            .column("reason", |line| line.reason)
            .columns()
    }
}

impl ReplayGame {
    fn columns<'a>(games: TableOf<'a, &'a Self>) -> TableOf<'a, &'a Self> {
        columns!(games, game_id, date, time_est, away_team, home_team, game_number)
    }
}
