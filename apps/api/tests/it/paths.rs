use crate::support::World;

#[actix_web::test]
async fn codes_are_read_in_any_letter_case() {
    let world = World::new();
    for path in
        ["/test/markets/nfl/won_on_points", "/test/markets/NFL/Won_On_Points", "/test/markets/%6Efl/won_on_points"]
    {
        let answer = world.get(path).await;
        assert_eq!((answer.status.as_u16(), answer.text.as_str()), (200, "nfl won_on_points, upcoming only: true"));
    }
}

#[actix_web::test]
async fn an_unknown_code_is_400_and_the_known_ones_are_named() {
    let world = World::new();
    let sport = "`cricket` is not a sport; known sports: mlb, nba, nfl, nhl, ncaaf, ncaab";
    world.get("/test/markets/cricket/spread").await.expect_failure(400, sport);
    let model_type = "`handicap` is not a model type; known model types: over_under, won_on_points, won_on_spread";
    world.get("/test/markets/nfl/handicap").await.expect_failure(400, model_type);
}

#[actix_web::test]
async fn the_public_name_of_a_market_and_a_misspelt_code_name_the_address_that_was_meant() {
    let world = World::new();
    for (text, code) in [
        ("moneyline", "won_on_points"),
        ("Moneyline", "won_on_points"),
        ("spread", "won_on_spread"),
        ("total", "over_under"),
        ("won_on_point", "won_on_points"),
        ("over-under", "over_under"),
    ] {
        let known = "known model types: over_under, won_on_points, won_on_spread";
        let detail = format!("`{text}` is not a model type; {known}; did you mean `/test/markets/nfl/{code}`?");
        world.get(&format!("/test/markets/nfl/{text}")).await.expect_failure(400, &detail);
    }
}

#[actix_web::test]
async fn a_wrong_path_names_the_nearest_operation() {
    let world = World::with_subscriber().await;
    let meant = "No such path, did you mean `/api/v1/predictions/nfl/won_on_points`? See /docs for the paths there are";
    for path in ["predictions/nfl/won_on_points/", "prediction/nfl/won_on_points", "/predictions/nfl/won_on_points"] {
        for answer in
            [world.get(&format!("/api/v1/{path}")).await, world.get_with_key(&format!("/api/v1/{path}")).await]
        {
            answer.expect_failure(404, meant);
        }
    }
    let variable = "No such path, did you mean `/api/v1/results/nfl/{model_type}`? See /docs for the paths there are";
    world.get("/api/v1/results/nfl").await.expect_failure(404, variable);
    let key = sports_accounts::testing::a_key(1);
    let hidden = world.get(&format!("/api/v1/odds/nfl/{}", key.reveal())).await;
    assert!(!hidden.text.contains(key.reveal()), "{}", hidden.text);
}
