use serde_json::json;

use crate::support::World;

#[actix_web::test]
async fn sports_and_model_types_are_listed_with_their_names() {
    let world = World::with_subscriber().await;
    let body = world.get_with_key("/api/v1/sports").await.json();
    assert_eq!(
        body,
        json!({
            "sports": [
                { "code": "mlb", "name": "Major League Baseball" },
                { "code": "nba", "name": "National Basketball Association" },
                { "code": "nfl", "name": "National Football League" },
                { "code": "nhl", "name": "National Hockey League" },
                { "code": "ncaaf", "name": "NCAA Football" },
                { "code": "ncaab", "name": "NCAA Basketball" },
            ],
            "model_types": [
                { "code": "over_under", "name": "Over/Under" },
                { "code": "won_on_points", "name": "Moneyline" },
                { "code": "won_on_spread", "name": "Point Spread" },
            ],
        })
    );
}

#[actix_web::test]
async fn teams_of_a_league_have_the_names_of_every_season() {
    let world = World::new();
    world.generations.poll().await;
    let body = world.get("/api/v1/teams/mlb").await.json();
    assert_eq!(body["sport"], "mlb");
    let teams = body["teams"].as_array().expect("teams");
    // 30 clubs, and the former names of some.
    assert!(teams.len() > 30, "{}", teams.len());
    let named = |slug: &str| teams.iter().find(|team| team["team"] == slug).unwrap_or_else(|| panic!("{slug}"));
    for (slug, name, abbreviation, nickname) in [
        ("boston_red_sox", "Boston Red Sox", "BOS", "Red Sox"),
        ("athletics", "Athletics", "ATH", "Athletics"),
        ("oakland_athletics", "Oakland Athletics", "OAK", "Athletics"),
    ] {
        let expected = json!({ "team": slug, "name": name, "abbreviation": abbreviation, "nickname": nickname });
        assert_eq!(named(slug), &expected);
    }
    let none = world.get("/api/v1/teams/ncaab").await.json();
    assert_eq!(none, json!({ "sport": "ncaab", "teams": [] }), "nothing was published");
    assert_eq!(world.get("/api/v1/teams/cricket").await.status, 400);
}
