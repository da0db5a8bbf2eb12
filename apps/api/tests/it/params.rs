use sports_accounts::testing::a_key;

use crate::support::World;

#[actix_web::test]
async fn a_parameter_of_other_routes_is_refused() {
    let world = World::with_subscriber().await;
    let detail = "`season` is not a parameter here. This path takes no parameters";
    world.get_with_key("/api/v1/sports?season=2024").await.expect_failure(400, detail);
}

#[actix_web::test]
async fn a_misspelt_parameter_is_refused() {
    let world = World::with_subscriber().await;
    let detail = "`apikey` is not a parameter here, did you mean `api_key`? This path takes no parameters";
    world.get_with_key("/api/v1/sports?apikey=x").await.expect_failure(400, detail);
}

#[actix_web::test]
async fn a_repeated_parameter_is_refused() {
    let world = World::with_subscriber().await;
    let key = a_key(1);
    let twice = format!("/api/v1/sports?api_key={0}&api_key={0}", key.reveal());
    world.get(&twice).await.expect_failure(400, "`api_key` is given more than once");
}

#[actix_web::test]
async fn an_unrelated_parameter_is_refused_behind_a_key_and_ignored_elsewhere() {
    let world = World::with_subscriber().await;
    let detail = "`utm_source` is not a parameter here. This path takes no parameters";
    world.get_with_key("/api/v1/sports?utm_source=mail&_=1").await.expect_failure(400, detail);
    assert_eq!(world.get("/api/v1/liveness?utm_source=mail&_=1").await.status, 200);
    let detail = "`limit` is not a parameter here. This path takes no parameters";
    world.get("/api/v1/liveness?limit=1").await.expect_failure(400, detail);
}

#[actix_web::test]
async fn a_taken_parameter_is_read_and_its_misspellings_and_bad_values_refused() {
    let world = World::new();
    let market = |query: &str| format!("/test/markets/nfl/over_under?{query}");
    let answer = world.get(&market("upcoming_only=false")).await;
    assert_eq!(answer.text, "nfl over_under, upcoming only: false");
    let table = [
        ("upcoming_only=maybe", "`upcoming_only` must be true or false"),
        ("upcoming_only=true&upcoming_only=false", "`upcoming_only` is given more than once"),
        (
            "upcoming=false",
            "`upcoming` is not a parameter here, did you mean `upcoming_only`? This path takes: upcoming_only",
        ),
        ("limit=1", "`limit` is not a parameter here. This path takes: upcoming_only"),
        (
            "Upcoming_Only=false",
            "`Upcoming_Only` is not a parameter here, did you mean `upcoming_only`? This path takes: upcoming_only",
        ),
    ];
    for (query, detail) in table {
        world.get(&market(query)).await.expect_failure(400, detail);
    }
}
