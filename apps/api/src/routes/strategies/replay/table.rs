use sports_ports::tables::TableColumn;

use super::{ExcludedItem, ReplayGame, ReplayItem, StrategyReplayResponse};
use crate::codes::{BetSideCode, ExclusionReasonCode};
use crate::tables::{TableOf, Tabular};

/// A row of a replay's table.
#[derive(Clone, Copy)]
enum ReplayLine<'r> {
    Bet(&'r ReplayItem),
    Excluded(&'r ExcludedItem),
}

impl<'r> ReplayLine<'r> {
    const fn game(self) -> &'r ReplayGame {
        match self {
            Self::Bet(row) => &row.game,
            Self::Excluded(row) => &row.game,
        }
    }

    const fn side(self) -> BetSideCode {
        match self {
            Self::Bet(row) => row.side,
            Self::Excluded(row) => row.side,
        }
    }

    const fn line(self) -> Option<f64> {
        match self {
            Self::Bet(row) => row.line,
            Self::Excluded(row) => row.line,
        }
    }

    const fn price(self) -> Option<i32> {
        match self {
            Self::Bet(row) => Some(row.price),
            Self::Excluded(row) => row.price,
        }
    }

    const fn bet(self) -> Option<&'r ReplayItem> {
        if let Self::Bet(row) = self { Some(row) } else { None }
    }

    const fn reason(self) -> Option<ExclusionReasonCode> {
        if let Self::Excluded(row) = self { Some(row.reason) } else { None }
    }
}

/// Rows are bets, followed by the listed excluded games, which have a `reason` and no outcome.
impl Tabular for StrategyReplayResponse {
    fn table(&self) -> Vec<TableColumn<'_>> {
        let excluded = self.excluded_rows.iter().map(ReplayLine::Excluded);
        TableOf::rows(self.rows.iter().map(ReplayLine::Bet).chain(excluded))
            .constant("sport", self.sport)
            .constant("model_type", self.model_type)
            .constant("season", self.season.as_str())
            .constant("accounting", self.accounting)
            .constant("strategy_id", self.strategy.id())
            .part(ReplayLine::game, ReplayGame::columns)
            .column("side", ReplayLine::side)
            .column("line", ReplayLine::line)
            .column("price", ReplayLine::price)
            .column("stake", |line| Some(line.bet()?.stake))
            .column("outcome", |line| Some(line.bet()?.outcome))
            .column("won", |line| line.bet()?.won)
            .column("profit", |line| Some(line.bet()?.profit))
            .column("total", |line| Some(line.bet()?.total))
            .column("reason", ReplayLine::reason)
            .columns()
    }
}

impl ReplayGame {
    fn columns<'a>(games: TableOf<'a, &'a Self>) -> TableOf<'a, &'a Self> {
        games
            .column("game_id", |game| game.game_id.as_str())
            .column("date", |game| game.date)
            .column("time_est", |game| game.time_est)
            .column("away_team", |game| game.away_team.as_str())
            .column("home_team", |game| game.home_team.as_str())
            .column("game_number", |game| game.game_number)
    }
}
