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
