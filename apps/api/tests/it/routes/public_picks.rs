use actix_web::http::Method;
use actix_web::test::TestRequest;
use serde_json::{Value, json};
use sports_domain::ModelColumn::{Blend, Rf, Xgb};
use sports_domain::{GameLines, ModelType, Placeholder};
use sports_publication::SlateActivity;
use sports_publication::testing::key;

use crate::slates::{assert_key_order, assert_same, at_boston, blended, predicted, prices, slate, spread, total};
use crate::support::{NOW, World};

const MONEYLINE: &str = "/api/v1/public/ml-picks/mlb/moneyline";
const SOURCES: &str = "2025-05-01T11:45:00Z";

/// Returns all lines of one game.
fn lines() -> GameLines {
    GameLines {
        money: prices(-120, 105),
        spread: spread(-1.5),
        spread_prices: prices(140, -160),
        total: total(8.5),
        total_prices: prices(-110, 0),
        open_money: prices(-130, 110),
        open_spread: spread(0.0),
        open_spread_placeholder: Placeholder::default(),
        open_total: total(9.0),
    }
}

/// Creates a world in which the Yankees at the Red Sox are published in every market.
async fn a_night_at_boston(blend: f64) -> World {
    let world = World::new();
    let games = [predicted(at_boston("2025-05-01", "19:10:00"), lines(), &[(Blend, blend), (Xgb, 0.52)])];
    world.publish(&slate("2025-05-01").predicting_everywhere(SOURCES, &games).release()).await;
    world
}

#[actix_web::test]
async fn a_moneyline_pick_has_every_field_without_a_key() {
    let world = a_night_at_boston(0.58).await;
    let answer = world.get(MONEYLINE).await;
    // IMPLIED as 6/11 over the sum of 6/11 and 20/41.
    let implied = 246.0 / 466.0;
    let expected = json!([{
        "date": "2025-05-01", "time": "19:10:00",
        "away_team": "New York Yankees", "home_team": "Boston Red Sox",
        "game_id": "mlb-2025-05-01-new_york_yankees-boston_red_sox",
        "pick": "Boston Red Sox ML", "pick_side": "home", "pick_probability": 0.58,
        "blend_probability": 0.58, "confidence": 0.58,
        "market_line": "BOS -120 / NYY +105", "implied_probability": implied,
        "lines": {
            "away_money_line": 105, "home_money_line": -120,
            "open_away_money_line": 110, "open_home_money_line": -130
        },
        "models": { "IMPLIED": implied, "BLEND": 0.58, "XGB": 0.52 }
    }]);
    let body = answer.json();
    assert_same(&body["games"], &expected);
    assert_eq!(
        [&body["sport"], &body["market"], &body["model_type"], &body["predictions_date"], &body["models_used"]],
        [&json!("mlb"), &json!("moneyline"), &json!("won_on_points"), &json!(NOW), &json!(["IMPLIED", "BLEND", "XGB"])],
    );
    let note = body["note"].as_str().expect("a note");
    for part in ["Only free predictions are included", "paid workflows need a paid plan", "no edge is guaranteed"] {
        assert!(note.contains(part), "{note}");
    }
    assert_eq!(body.as_object().expect("an object").len(), 8);
    assert_key_order(
        &answer.text,
        &["sport", "market", "model_type", "predictions_date", "model", "games", "models_used", "note"],
    );
    let order = [
        "date",
        "time",
        "away_team",
        "home_team",
        "pick",
        "pick_side",
        "pick_probability",
        "blend_probability",
        "confidence",
        "market_line",
        "implied_probability",
        "lines",
        "models",
    ];
    assert_key_order(&answer.text, &order);
}

#[actix_web::test]
async fn picks_have_the_words_of_their_market() {
    struct Expected(&'static str, f64, [&'static str; 3], f64);
    let table = [
        Expected("moneyline", 0.4, ["New York Yankees ML", "away", "BOS -120 / NYY +105"], 0.6),
        Expected("moneyline", 0.5, ["No pick", "none", "BOS -120 / NYY +105"], 0.5),
        Expected("spread", 0.3, ["New York Yankees +1.5", "away", "BOS -1.5 (+140)"], 0.7),
        Expected("spread", 0.6, ["Boston Red Sox -1.5", "home", "BOS -1.5 (+140)"], 0.6),
        Expected("over_under", 0.55, ["Over 8.5", "over", "Total 8.5"], 0.55),
        Expected("over_under", 0.45, ["Under 8.5", "under", "Total 8.5"], 0.55),
        Expected("OVER_UNDER", 0.5, ["No pick", "none", "Total 8.5"], 0.5),
    ];
    for Expected(market, blend, [pick, side, line], confidence) in table {
        let body = a_night_at_boston(blend).await.get(&format!("/api/v1/public/ml-picks/MLB/{market}")).await.json();
        let game = &body["games"][0];
        assert_eq!([&game["pick"], &game["pick_side"], &game["market_line"]], [pick, side, line], "{market} {blend}");
        assert_same(&game["blend_probability"], &json!(blend));
        assert_same(&game["confidence"], &json!(confidence));
        // The home team's or the over's probability says nothing of the pick itself, which has none at one half.
        let of_the_pick = if side == "none" { json!(null) } else { json!(confidence) };
        assert_same(&game["pick_probability"], &of_the_pick);
    }
}

#[actix_web::test]
async fn a_total_priced_on_one_side_has_no_implied_and_an_opening_zero_is_null() {
    let world = a_night_at_boston(0.55).await;
    let total = world.get("/api/v1/public/ml-picks/mlb/over_under").await.json()["games"][0].clone();
    assert_eq!(total["implied_probability"], Value::Null);
    let expected = json!({ "over_under": 8.5, "over_line": -110, "under_line": null, "open_over_under": 9.0 });
    assert_same(&total["lines"], &expected);
    assert_same(&total["models"], &json!({ "BLEND": 0.55, "XGB": 0.52 }));
    let spread = world.get("/api/v1/public/ml-picks/mlb/spread").await.json()["games"][0].clone();
    let expected = json!({
        "away_point_spread": 1.5, "home_point_spread": -1.5,
        "away_point_spread_line": -160, "home_point_spread_line": 140,
        "open_away_point_spread": null, "open_home_point_spread": null
    });
    assert_same(&spread["lines"], &expected);
}

#[actix_web::test]
async fn a_game_without_a_blend_has_no_pick_and_is_left_out() {
    let world = World::new();
    let early = key("2025-05-01", "13:05:00", "texas_rangers", "seattle_mariners");
    let games = [predicted(early, lines(), &[(Rf, 0.6)]), blended(at_boston("2025-05-01", "19:10:00"), 0.6)];
    world.publish(&slate("2025-05-01").predicting_everywhere(SOURCES, &games).release()).await;
    let body = world.get(MONEYLINE).await.json();
    let teams: Vec<_> = body["games"].as_array().expect("games").iter().map(|game| &game["home_team"]).collect();
    assert_eq!(teams, ["Boston Red Sox"]);
    assert_eq!(body["models_used"], json!(["BLEND"]), "of the games served");
    assert_eq!(body["games"][0]["market_line"], "No line");
}

#[actix_web::test]
async fn upcoming_only_applies_to_picks_as_to_predictions() {
    let world = World::starting_at("2025-04-30T12:00:00Z");
    let games = ["2025-04-30", "2025-05-01"].map(|date| blended(at_boston(date, "19:10:00"), 0.6));
    let run = ["2025-04-30T11:00:00Z", "2025-04-30T11:30:00Z"];
    let release = slate("2025-04-30").by_run("r30", run, SlateActivity::Active);
    world.publish(&release.predicting(ModelType::WonOnPoints, run[1], games.to_vec()).release()).await;
    world.clock.advance(chrono::TimeDelta::days(1));
    let count = |body: Value| body["games"].as_array().expect("games").len();
    assert_eq!(count(world.get(MONEYLINE).await.json()), 2, "today's run has not completed");

    let run = ["2025-05-01T11:00:00Z", "2025-05-01T11:30:00Z"];
    world.publish(&slate("2025-05-01").by_run("r1", run, SlateActivity::None).release()).await;
    assert_eq!(count(world.get(MONEYLINE).await.json()), 1);
    assert_eq!(count(world.get(&format!("{MONEYLINE}?upcoming_only=false")).await.json()), 2);
}

#[actix_web::test]
async fn an_unknown_market_is_400_with_the_known_ones() {
    let world = World::new();
    for (word, meant) in [
        ("ml", None),
        ("won_on_points", Some("moneyline")),
        ("WON_ON_SPREAD", Some("spread")),
        ("Totals", Some("over_under")),
        ("spred", Some("spread")),
    ] {
        let hint = meant.map(|meant| format!("; did you mean `/api/v1/public/ml-picks/mlb/{meant}`?"));
        let known = "known markets: over_under, moneyline, spread";
        let detail = format!("`{word}` is not a market; {known}{}", hint.unwrap_or_default());
        world.get(&format!("/api/v1/public/ml-picks/mlb/{word}")).await.expect_failure(400, &detail);
    }
    let detail =
        "`upcoming_onl` is not a parameter here, did you mean `upcoming_only`? This path takes: upcoming_only, model";
    world.get(&format!("{MONEYLINE}?upcoming_onl=false")).await.expect_failure(400, detail);
    let detail = "`upcoming_only` must be true or false";
    world.get(&format!("{MONEYLINE}?upcoming_only=yes")).await.expect_failure(400, detail);
}

#[actix_web::test]
async fn any_page_may_read_the_answer_refusals_included() {
    let world = World::new();
    let unread = world.get(MONEYLINE).await;
    assert_eq!((unread.status.as_u16(), unread.header("access-control-allow-origin")), (503, Some("*")));
    world.generations.poll().await;
    let missing = world.get(MONEYLINE).await;
    missing.expect_failure(404, "No predictions are published for mlb won_on_points");
    assert_eq!(missing.header("access-control-allow-origin"), Some("*"));

    let world = a_night_at_boston(0.58).await;
    let found = world.get(MONEYLINE).await;
    assert_eq!(found.header("access-control-allow-origin"), Some("*"));
    assert_eq!(found.header("cache-control"), Some("public, no-cache"));
    let etag = found.header("etag").expect("a name");
    let again = TestRequest::get().uri(MONEYLINE).insert_header(("If-None-Match", etag));
    let again = world.send(again).await;
    assert_eq!((again.status.as_u16(), again.header("access-control-allow-origin")), (304, Some("*")));
}

#[actix_web::test]
async fn no_other_answer_may_be_read_by_any_page() {
    let world = a_night_at_boston(0.58).await.admitting_a_subscriber().await;
    let others = ["/", "/api/v1/predictions/mlb/won_on_points", "/api/v1/data-status/mlb", "/api/v1/sports"];
    for path in others {
        let answer = world.get_with_key(path).await;
        assert_eq!((answer.status.as_u16(), answer.header("access-control-allow-origin")), (200, None), "{path}");
    }
}

#[actix_web::test]
async fn a_preflight_request_is_answered_with_the_permissions() {
    let world = World::new();
    let preflight = TestRequest::default().method(Method::OPTIONS).uri(MONEYLINE);
    let preflight = preflight
        .insert_header(("Origin", "https://example.com"))
        .insert_header(("Access-Control-Request-Method", "GET"))
        .insert_header(("Access-Control-Request-Headers", "if-none-match"));
    let answer = world.send(preflight).await;
    assert_eq!((answer.status.as_u16(), answer.text.as_str()), (204, ""));
    assert_eq!(answer.header("access-control-allow-origin"), Some("*"));
    assert_eq!(answer.header("access-control-allow-methods"), Some("GET, HEAD"));
    assert!(answer.header("access-control-allow-headers").is_some_and(|allowed| allowed.contains("If-None-Match")));

    let post = world.send(TestRequest::post().uri(MONEYLINE)).await;
    assert_eq!((post.status.as_u16(), post.header("allow")), (405, Some("GET, HEAD, OPTIONS")));
    let elsewhere = world.send(TestRequest::default().method(Method::OPTIONS).uri("/api/v1/odds/mlb")).await;
    assert_eq!(elsewhere.status, 405);
}
