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
    let model_type = "`spread` is not a model type; known model types: over_under, won_on_points, won_on_spread";
    world.get("/test/markets/nfl/spread").await.expect_failure(400, model_type);
}
