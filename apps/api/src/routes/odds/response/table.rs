use sports_ports::tables::TableColumn;

use super::OddsResponse;
use crate::tables::{TableOf, Tabular};

/// Rows are games.
impl Tabular for OddsResponse {
    fn table(&self) -> Vec<TableColumn<'_>> {
        TableOf::rows(&self.games)
            .constant("sport", self.sport)
            .column("game_id", |game| game.game_id.as_str())
            .column("match_id", |game| game.match_id.as_deref())
            .column("date", |game| game.date)
            .column("time", |game| game.time)
            .column("away_team", |game| game.away_team.as_str())
            .column("home_team", |game| game.home_team.as_str())
            .column("away_point_spread", |game| game.away_point_spread)
            .column("away_point_spread_line", |game| game.away_point_spread_line)
            .column("home_point_spread", |game| game.home_point_spread)
            .column("home_point_spread_line", |game| game.home_point_spread_line)
            .column("away_money_line", |game| game.away_money_line)
            .column("home_money_line", |game| game.home_money_line)
            .column("over_under", |game| game.over_under)
            .column("over_line", |game| game.over_line)
            .column("under_line", |game| game.under_line)
            .column("last_updated", |game| game.last_updated)
            .columns()
    }
}
