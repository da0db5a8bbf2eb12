use serde_json::{Value, json};

use crate::service::{Service, Site};

async fn seasons(service: &Service, market: &str) -> Value {
    let answer = service.get(&format!("/api/v1/results/{market}/seasons")).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

#[tokio::test]
async fn seasons_are_listed_newest_first_in_the_form_of_their_league() {
    let site = Site::publishing(&["edge-cases", "nfl-2023-week-18", "doubleheader"]);
    let service = site.app().await;
    for model_type in ["over_under", "won_on_points", "won_on_spread", "Won_On_Spread"] {
        let nfl = json!({
            "seasons": ["2024-25", "2023-24"], "current_season": "2024-25", "live": false, "live_season": null
        });
        let mlb = json!({ "seasons": ["2017", "2016"], "current_season": "2017", "live": false, "live_season": null });
        let none = json!({ "seasons": [], "current_season": null, "live": false, "live_season": null });
        assert_eq!(seasons(&service, &format!("nfl/{model_type}")).await, nfl);
        assert_eq!(seasons(&service, &format!("MLB/{model_type}")).await, mlb);
        assert_eq!(seasons(&service, &format!("nhl/{model_type}")).await, none);
    }
}

/// The last decided game of the fixture is of 12 January 2025; two more are still to be played.
#[tokio::test]
async fn a_season_is_live_for_fourteen_days_after_a_decided_game() {
    let site = Site::publishing(&["edge-cases"]);
    // Eastern midnight is 05:00 UTC in January.
    let table = [("2025-01-20T12:00:00Z", true), ("2025-01-27T04:59:00Z", true), ("2025-01-27T05:00:00Z", false)];
    for (as_of, live) in table {
        let service = site.app_with(&[("SPORTS_CLOCK__AS_OF", as_of)]).await;
        let expected = json!({
            "seasons": ["2024-25"], "current_season": "2024-25",
            "live": live, "live_season": live.then_some("2024-25"),
        });
        assert_eq!(seasons(&service, "nfl/over_under").await, expected, "{as_of}");
    }
}

#[tokio::test]
async fn exactly_the_listed_seasons_are_served() {
    let site = Site::publishing(&["edge-cases", "nfl-2023-week-18"]);
    let service = site.app().await;
    let listed = seasons(&service, "nfl/won_on_spread").await;
    for season in listed["seasons"].as_array().expect("seasons") {
        let season = season.as_str().expect("a label");
        let page = service.page(&format!("nfl/won_on_spread?season={season}&limit=1")).await;
        assert_eq!(page.json()["season"], season);
    }
    let current = service.page("nfl/won_on_spread?limit=1").await;
    assert_eq!(current.json()["season"], listed["current_season"]);
    service.get("/api/v1/results/nfl/won_on_spread?season=2022-23").await.failure(404);
}
