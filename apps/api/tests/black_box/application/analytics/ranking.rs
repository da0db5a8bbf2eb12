//! The rank of a strategy, which takes thirty bets.

use serde_json::{Value, json};

use crate::invented::{Ended, InventedSeason};
use crate::service::Site;

/// Returns id, rank, `ranked` and sample of every strategy with a bet, in the order served.
fn standings(leaderboard: &Value) -> Vec<Value> {
    let entries = leaderboard["strategies"].as_array().expect("sixteen").iter();
    let placed = entries.map(|entry| json!([entry["id"], entry["rank"], entry["ranked"], entry["n"]]));
    placed.filter(|entry| entry[3] != 0).collect()
}

/// Thirty totals went up: sixteen games went over, fourteen under. Twenty-nine went down, and all of those games went
/// under; a thirtieth ended on the line, which decides no bet. Following up wins 16 of 30 at −110, a little more than
/// the break-even of 52.4 %; fading it wins 14. Following down never lost, and is not ranked.
#[tokio::test]
async fn a_strategy_of_thirty_bets_is_ranked_and_one_of_twenty_nine_is_not() {
    let mut season = InventedSeason::default();
    season.add(16, "42", Ended::Over);
    season.add(14, "42", Ended::Under);
    season.add(29, "46", Ended::Under);
    season.add(1, "46", Ended::Push);
    let site = Site::empty();
    season.publish(&site);
    let service = site.app().await;
    for accounting in ["legacy_v1", "recorded_v2"] {
        let path = format!("/api/v1/strategies/nfl/over_under?accounting={accounting}");
        let leaderboard = service.get(&path).await.json();
        assert_eq!(leaderboard["min_sample"], 30);
        let expected = [
            json!(["follow_line_over", 1, true, 30]),
            json!(["fade_line_under", 2, true, 30]),
            json!(["fade_line_over", null, false, 29]),
            json!(["follow_line_under", null, false, 29]),
        ];
        assert_eq!(standings(&leaderboard), expected, "{accounting}");
        // (16 · 100/110 − 14) / 30 and (14 · 100/110 − 16) / 30, in percent.
        let roi = |place: usize| &leaderboard["strategies"][place]["roi"];
        assert_eq!((roi(0), roi(1)), (&json!(1.82), &json!(-10.91)), "{accounting}");
    }
}
