/// Names of the trade, and the columns that they usually are.
const NAMES: [(&str, &[&str]); 22] = [
    ("date", &["gameday", "game_date", "match_date", "schedule_date"]),
    ("time_est", &["gametime", "game_time", "kickoff", "kick_off", "start_time", "tipoff"]),
    ("away_team", &["visitor", "visitor_team", "team_away"]),
    ("home_team", &["team_home"]),
    ("away_score", &["score_away", "away_points", "away_pts", "visitor_score"]),
    ("home_score", &["score_home", "home_points", "home_pts"]),
    ("game_type", &["season_type"]),
    ("settlement_status", &["game_status"]),
    ("home_money_line", &["home_moneyline", "moneyline_home", "home_ml", "ml_home", "home_odds", "odds_home"]),
    ("away_money_line", &["away_moneyline", "moneyline_away", "away_ml", "ml_away", "away_odds", "odds_away"]),
    ("open_home_money_line", &["home_ml_open", "home_moneyline_open", "home_odds_open", "open_home_odds"]),
    ("open_away_money_line", &["away_ml_open", "away_moneyline_open", "away_odds_open", "open_away_odds"]),
    ("home_point_spread", &["spread", "spread_line", "home_spread", "spread_home", "point_spread", "spread_favorite"]),
    ("away_point_spread", &["away_spread", "spread_away"]),
    ("home_point_spread_line", &["home_spread_odds", "spread_home_odds", "home_spread_price"]),
    ("away_point_spread_line", &["away_spread_odds", "spread_away_odds", "away_spread_price"]),
    ("open_home_point_spread", &["spread_open", "open_spread", "home_spread_open", "open_home_spread"]),
    ("over_under", &["total", "total_line", "ou", "ou_line", "over_under_line", "totals"]),
    ("open_over_under", &["total_open", "open_total", "total_line_open", "open_total_line"]),
    ("over_line", &["over_odds", "odds_over", "over_price"]),
    ("under_line", &["under_odds", "odds_under", "under_price"]),
    ("match_id", &["game_pk", "event_id"]),
];

/// Returns the column that a name of the trade usually is: `ml_home` is `home_money_line`. Letter case does not count.
pub fn trade_name(name: &str) -> Option<&'static str> {
    let known = |(_, others): &&(&str, &[&str])| others.iter().any(|other| other.eq_ignore_ascii_case(name));
    NAMES.iter().find(known).map(|(column, _)| *column)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::columns_of;
    use crate::file_kind::FileKind;

    #[test]
    fn every_name_of_the_trade_is_for_a_column_of_games_and_no_column_itself() {
        let columns = columns_of(FileKind::Games);
        for (column, others) in NAMES {
            assert!(columns.iter().any(|known| known.name == column), "{column}");
            assert!(others.iter().all(|other| columns.iter().all(|known| known.name != *other)), "{others:?}");
        }
        assert_eq!((trade_name("ML_Home"), trade_name("stadium")), (Some("home_money_line"), None));
    }
}
