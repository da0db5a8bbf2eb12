use sports_ports::tables::TableColumn;

use super::OddsResponse;
use crate::tables::{TableOf, Tabular, columns};

/// Rows are games.
impl Tabular for OddsResponse {
    fn table(&self) -> Vec<TableColumn<'_>> {
        let games = TableOf::rows(&self.games).constant("sport", self.sport);
        let games = columns!(games, game_id, match_id, date, time, away_team, home_team);
        let games =
            columns!(games, away_point_spread, away_point_spread_line, home_point_spread, home_point_spread_line);
        let games = columns!(games, away_money_line, home_money_line, over_under, over_line, under_line);
        columns!(games, last_updated).columns()
    }
}
