use serde_json::json;
use sports_domain::GameLines;
use sports_publication::testing::key;

use crate::slates::{assert_key_order, assert_same, at_boston, posted, prices, slate, spread, total};
use crate::support::{NOW, World};

const ODDS: &str = "/api/v1/odds/mlb";

#[actix_web::test]
async fn odds_are_listed_with_every_field_and_the_reading_time_of_each_game() {
    let world = World::with_subscriber().await;
    let lines = GameLines {
        money: prices(-120, 105),
        spread: spread(-1.5),
        spread_prices: prices(140, -160),
        total: total(8.5),
        total_prices: prices(-110, 0),
        ..GameLines::default()
    };
    let mut full = posted(at_boston("2025-05-01", "19:10:00"), lines);
    full.match_id = Some("g-17".to_owned());
    full.last_updated = "2025-05-01T07:38:21".parse().ok();
    let bare = posted(key("2025-05-01", "13:05:00", "texas_rangers", "seattle_mariners"), GameLines::default());
    world.publish(&slate("2025-05-01").odds("2025-05-01T11:45:30.250Z", vec![full, bare]).release()).await;

    let answer = world.get_with_key(ODDS).await;
    // The game without lines has the source time of the odds: 11:45:30 UTC is 07:45:30 daylight time.
    let expected = json!({
        "sport": "mlb", "date": "2025-05-01", "last_updated": NOW,
        "games": [
            {
                "game_id": "mlb-2025-05-01-texas_rangers-seattle_mariners", "match_id": null,
                "date": "2025-05-01", "time": "13:05:00",
                "away_team": "texas_rangers", "home_team": "seattle_mariners",
                "away_point_spread": null, "away_point_spread_line": null,
                "home_point_spread": null, "home_point_spread_line": null,
                "away_money_line": null, "home_money_line": null,
                "over_under": null, "over_line": null, "under_line": null,
                "last_updated": "2025-05-01 07:45:30"
            },
            {
                "game_id": "mlb-2025-05-01-new_york_yankees-boston_red_sox", "match_id": "g-17",
                "date": "2025-05-01", "time": "19:10:00",
                "away_team": "new_york_yankees", "home_team": "boston_red_sox",
                "away_point_spread": 1.5, "away_point_spread_line": -160,
                "home_point_spread": -1.5, "home_point_spread_line": 140,
                "away_money_line": 105, "home_money_line": -120,
                "over_under": 8.5, "over_line": -110, "under_line": null,
                "last_updated": "2025-05-01 07:38:21"
            }
        ]
    });
    assert_same(&answer.json(), &expected);
}

#[actix_web::test]
async fn fields_are_in_the_order_of_their_description() {
    let world = World::with_subscriber().await;
    let odds = vec![posted(at_boston("2025-05-01", "19:10:00"), GameLines::default())];
    world.publish(&slate("2025-05-01").odds("2025-05-01T11:45:00Z", odds).release()).await;
    let text = world.get_with_key(ODDS).await.text;
    let game = text.split_once('[').and_then(|(_, rest)| rest.split_once(']')).expect("games").0;
    let order = [
        "match_id",
        "date",
        "time",
        "away_team",
        "home_team",
        "away_point_spread",
        "away_point_spread_line",
        "home_point_spread",
        "home_point_spread_line",
        "away_money_line",
        "home_money_line",
        "over_under",
        "over_line",
        "under_line",
        "last_updated",
    ];
    assert_key_order(game, &order);
}

#[actix_web::test]
async fn odds_need_a_key_take_no_parameters_and_are_404_until_published() {
    let world = World::with_subscriber().await;
    world
        .get_with_key(ODDS)
        .await
        .expect_failure(503, "This part of the service is temporarily unavailable, try again");
    world.generations.poll().await;
    world.get(ODDS).await.expect_failure(401, "API key required");
    world.get_with_key(ODDS).await.expect_failure(404, "No odds are published for mlb");
    let detail = "`upcoming_only` is not a parameter here. This path takes: format, changed_after, as_of, generation";
    world.get_with_key(&format!("{ODDS}?upcoming_only=true")).await.expect_failure(400, detail);
}

#[actix_web::test]
async fn the_same_odds_keep_their_etag_and_newer_ones_get_another() {
    let world = World::with_subscriber().await;
    let odds = |home| {
        vec![posted(
            at_boston("2025-05-01", "19:10:00"),
            GameLines { money: prices(home, 105), ..GameLines::default() },
        )]
    };
    world.publish(&slate("2025-05-01").odds("2025-05-01T11:45:00Z", odds(-120)).release()).await;
    let first = world.get_with_key(ODDS).await;
    let etag = first.header("etag").expect("a name").to_owned();
    assert_eq!(first.header("cache-control"), Some("private, no-cache"));
    let conditional = || {
        let request = actix_web::test::TestRequest::get().uri(ODDS).insert_header(("If-None-Match", etag.as_str()));
        request.insert_header(("X-API-Key", sports_accounts::testing::a_key(1).reveal()))
    };
    assert_eq!(world.send(conditional()).await.status, 304);
    world.publish(&slate("2025-05-01").odds("2025-05-01T11:55:00Z", odds(-125)).release()).await;
    let newer = world.send(conditional()).await;
    assert_eq!((newer.status.as_u16(), &newer.json()["games"][0]["home_money_line"]), (200, &json!(-125)));
}
