use std::io::Read;

use actix_web::test::TestRequest;
use chrono::TimeDelta;
use serde_json::{Value, json};
use sports_accounts::testing::a_key;
use sports_domain::ModelColumn::{Ai, Blend, Catb, Rf, Xt};
use sports_domain::{GameLines, ModelType};
use sports_publication::SlateActivity;
use sports_publication::slate::SlateGame;
use sports_publication::testing::key;

use crate::slates::{
    assert_key_order, assert_same, at_boston, blended, posted, predicted, prices, slate, spread, total,
};
use crate::support::{Answer, NOW, World};

const MONEYLINE: &str = "/api/v1/predictions/mlb/won_on_points";
const YANKEES_AT_BOSTON: &str = "mlb-2025-05-01-new_york_yankees-boston_red_sox";

/// A quarter of an hour before [`NOW`].
const SOURCES: &str = "2025-05-01T11:45:00Z";

fn dates_and_times(answer: &Answer) -> Vec<(String, String)> {
    let body = answer.json();
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    body["games"].as_array().expect("games").iter().map(|game| (text(&game["date"]), text(&game["time"]))).collect()
}

fn dates(answer: &Answer) -> Vec<String> {
    dates_and_times(answer).into_iter().map(|(date, _)| date).collect()
}

#[actix_web::test]
async fn a_moneyline_game_has_its_probabilities_lines_openers_and_values() {
    let world = World::with_subscriber().await;
    let lines = GameLines { money: prices(-120, 105), open_money: prices(-130, 0), ..GameLines::default() };
    let mut game = predicted(at_boston("2025-05-01", "19:10:00"), lines, &[(Catb, 0.58), (Blend, 0.6), (Ai, 0.61)]);
    game.match_id = Some("g-17".to_owned());
    world.publish(&slate("2025-05-01").predicting(ModelType::WonOnPoints, SOURCES, vec![game]).release()).await;

    let answer = world.get_with_key(MONEYLINE).await;
    // IMPLIED: 120/220 = 6/11 and 100/205 = 20/41; 6/11 over their sum is 246/466.
    // On the home team 0.6 · 100/120 − 0.4 = 0.5 − 0.4; on the away team 0.4 · 1.05 − 0.6 = 0.42 − 0.6.
    let expected = json!({
        "sport": "mlb", "model_type": "won_on_points", "predictions_date": NOW,
        "games": [{
            "date": "2025-05-01", "time": "19:10:00",
            "away_team": "new_york_yankees", "home_team": "boston_red_sox",
            "game_id": YANKEES_AT_BOSTON, "match_id": "g-17",
            "predictions": { "IMPLIED": 246.0 / 466.0, "AI": 0.61, "BLEND": 0.6, "CATB": 0.58 },
            "away_money_line": 105, "home_money_line": -120,
            "open_away_money_line": null, "open_home_money_line": -130,
            "ev_away_ml": -0.18, "ev_home_ml": 0.1
        }],
        "model": "BLEND", "models_used": ["IMPLIED", "AI", "BLEND", "CATB"]
    });
    assert_same(&answer.json(), &expected);
    assert_key_order(&answer.text, &["sport", "model_type", "predictions_date", "games", "model", "models_used"]);
    let order = [
        "date",
        "time",
        "away_team",
        "home_team",
        "match_id",
        "predictions",
        "IMPLIED",
        "AI",
        "BLEND",
        "CATB",
        "away_money_line",
        "home_money_line",
        "open_away_money_line",
        "open_home_money_line",
        "ev_away_ml",
        "ev_home_ml",
    ];
    assert_key_order(&answer.text, &order);
}

#[actix_web::test]
async fn a_spread_game_has_both_sides_and_an_opening_zero_is_a_placeholder() {
    let world = World::with_subscriber().await;
    let lines = GameLines {
        spread: spread(-1.5),
        spread_prices: prices(140, -160),
        open_spread: spread(0.0),
        ..GameLines::default()
    };
    let games = vec![predicted(at_boston("2025-05-01", "19:10:00"), lines, &[(Blend, 0.3)])];
    world.publish(&slate("2025-05-01").predicting(ModelType::WonOnSpread, SOURCES, games).release()).await;

    let answer = world.get_with_key("/api/v1/predictions/MLB/Won_On_Spread").await;
    // IMPLIED: 100/240 = 5/12 and 160/260 = 8/13; 5/12 over their sum is 65/161.
    // Away: 0.7 · 100/160 − 0.3 = 0.4375 − 0.3. Home: 0.3 · 1.4 − 0.7 = 0.42 − 0.7.
    let expected = json!([{
        "date": "2025-05-01", "time": "19:10:00", "away_team": "new_york_yankees", "home_team": "boston_red_sox",
        "game_id": YANKEES_AT_BOSTON,
        "predictions": { "IMPLIED": 65.0 / 161.0, "BLEND": 0.3 },
        "away_point_spread": 1.5, "home_point_spread": -1.5,
        "away_point_spread_line": -160, "home_point_spread_line": 140,
        "open_away_point_spread": null, "open_home_point_spread": null,
        "ev_away_spread": 0.1375, "ev_home_spread": -0.28
    }]);
    assert_same(&answer.json()["games"], &expected);
    let order = [
        "predictions",
        "away_point_spread",
        "home_point_spread",
        "away_point_spread_line",
        "home_point_spread_line",
        "open_away_point_spread",
        "open_home_point_spread",
        "ev_away_spread",
        "ev_home_spread",
    ];
    assert_key_order(&answer.text, &order);
}

#[actix_web::test]
async fn a_total_priced_on_one_side_has_no_implied_and_one_value() {
    let world = World::with_subscriber().await;
    let lines =
        GameLines { total: total(8.5), total_prices: prices(-110, 0), open_total: total(9.0), ..GameLines::default() };
    let games = vec![predicted(at_boston("2025-05-01", "19:10:00"), lines, &[(Blend, 0.55), (Xt, 0.5)])];
    world.publish(&slate("2025-05-01").predicting(ModelType::OverUnder, SOURCES, games).release()).await;

    let answer = world.get_with_key("/api/v1/predictions/mlb/over_under").await;
    // On the over 0.55 · 100/110 − 0.45 = 0.5 − 0.45.
    let expected = json!([{
        "date": "2025-05-01", "time": "19:10:00", "away_team": "new_york_yankees", "home_team": "boston_red_sox",
        "game_id": YANKEES_AT_BOSTON,
        "predictions": { "BLEND": 0.55, "XT": 0.5 },
        "over_under": 8.5, "over_line": -110, "under_line": null, "open_over_under": 9.0,
        "ev_pos": 0.05, "ev_neg": null
    }]);
    assert_same(&answer.json()["games"], &expected);
    let order = ["predictions", "over_under", "over_line", "under_line", "open_over_under", "ev_pos", "ev_neg"];
    assert_key_order(&answer.text, &order);
}

#[actix_web::test]
async fn expected_values_are_null_without_a_blend_and_cost_the_vig_at_one_half() {
    let world = World::with_subscriber().await;
    let lines = GameLines { money: prices(-110, -110), ..GameLines::default() };
    let early = key("2025-05-01", "13:05:00", "texas_rangers", "seattle_mariners");
    let games = vec![
        predicted(at_boston("2025-05-01", "19:10:00"), lines, &[(Blend, 0.5)]),
        predicted(early, lines, &[(Rf, 0.4)]),
    ];
    world.publish(&slate("2025-05-01").predicting(ModelType::WonOnPoints, SOURCES, games).release()).await;

    let games = world.get_with_key(MONEYLINE).await.json()["games"].clone();
    assert_same(&games[0]["predictions"], &json!({ "IMPLIED": 0.5, "RF": 0.4 }));
    assert_eq!((&games[0]["ev_home_ml"], &games[0]["ev_away_ml"]), (&Value::Null, &Value::Null));
    // 0.5 · 100/110 − 0.5 = −0.5/11, on either side.
    let vig = json!(-0.5 / 11.0);
    assert_same(&games[1]["ev_home_ml"], &vig);
    assert_same(&games[1]["ev_away_ml"], &vig);
}

#[actix_web::test]
async fn a_game_without_lines_has_nulls_and_every_field() {
    let world = World::with_subscriber().await;
    let games = [blended(at_boston("2025-05-01", "19:10:00"), 0.6)];
    world.publish(&slate("2025-05-01").predicting_everywhere(SOURCES, &games).release()).await;
    let table = [
        ("over_under", &["over_under", "over_line", "under_line", "open_over_under", "ev_pos", "ev_neg"][..]),
        (
            "won_on_points",
            &[
                "away_money_line",
                "home_money_line",
                "open_away_money_line",
                "open_home_money_line",
                "ev_away_ml",
                "ev_home_ml",
            ],
        ),
        (
            "won_on_spread",
            &[
                "away_point_spread",
                "home_point_spread",
                "away_point_spread_line",
                "home_point_spread_line",
                "open_away_point_spread",
                "open_home_point_spread",
                "ev_away_spread",
                "ev_home_spread",
            ],
        ),
    ];
    for (model_type, fields) in table {
        let body = world.get_with_key(&format!("/api/v1/predictions/mlb/{model_type}")).await.json();
        let game = body["games"][0].as_object().expect("a game").clone();
        assert_eq!(game.len(), 6 + fields.len(), "{model_type}: {game:?}");
        for field in fields {
            assert_eq!(game.get(*field), Some(&Value::Null), "{field}");
        }
        assert_same(&game["predictions"], &json!({ "BLEND": 0.6 }));
        assert_eq!(body["models_used"], json!(["BLEND"]));
    }
}

/// Creates a world on 1 May at 08:00 Eastern, in which these moneylines were published the day before, by a run of
/// that day.
async fn the_day_after(games: &[SlateGame]) -> World {
    let world = World::starting_at("2025-04-30T12:00:00Z").admitting_a_subscriber().await;
    let run = ["2025-04-30T11:00:00Z", "2025-04-30T11:30:00Z"];
    let release = slate("2025-04-30").by_run("r30", run, SlateActivity::Active);
    world.publish(&release.predicting(ModelType::WonOnPoints, run[1], games.to_vec()).release()).await;
    world.clock.advance(TimeDelta::days(1));
    world
}

/// The run of 1 May.
const RUN: [&str; 2] = ["2025-05-01T11:00:00Z", "2025-05-01T11:30:00Z"];

#[actix_web::test]
async fn games_are_sorted_by_date_and_time_and_models_used_are_theirs() {
    let starts = [("2025-05-02", "12:35:00"), ("2025-05-01", "22:10:00"), ("2025-05-01", "13:05:00")];
    let mut games: Vec<_> = starts.map(|(date, time)| blended(at_boston(date, time), 0.6)).into();
    games.push(predicted(at_boston("2025-04-30", "19:10:00"), GameLines::default(), &[(Ai, 0.6)]));
    let world = the_day_after(&games[3..]).await;
    let release = slate("2025-05-01").by_run("r1", RUN, SlateActivity::Active);
    world.publish(&release.predicting(ModelType::WonOnPoints, SOURCES, games).release()).await;

    let answer = world.get_with_key(MONEYLINE).await;
    let [last, second, first] = starts.map(|(date, time)| (date.to_owned(), time.to_owned()));
    assert_eq!(dates_and_times(&answer), [first, second, last]);
    assert_eq!(answer.json()["models_used"], json!(["BLEND"]), "AI has a probability only for yesterday");
    let whole = world.get_with_key(&format!("{MONEYLINE}?upcoming_only=FALSE")).await;
    assert_eq!(whole.json()["models_used"], json!(["AI", "BLEND"]));
    assert_eq!(dates(&whole), ["2025-04-30", "2025-05-01", "2025-05-01", "2025-05-02"]);
}

#[actix_web::test]
async fn the_latest_slate_stays_visible_until_todays_run_has_completed() {
    let games = ["2025-04-30", "2025-05-01"].map(|date| blended(at_boston(date, "19:10:00"), 0.6));
    let world = the_day_after(&games).await;
    assert_eq!(dates(&world.get_with_key(MONEYLINE).await), ["2025-04-30", "2025-05-01"]);

    // A run that is not completed hides nothing.
    let begun = slate("2025-05-01").by_unfinished_run("r1", RUN[0]);
    let odds = games.iter().map(|game| posted(game.key.clone(), game.lines)).collect();
    world.publish(&begun.odds(SOURCES, odds).release()).await;
    assert_eq!(dates(&world.get_with_key(MONEYLINE).await), ["2025-04-30", "2025-05-01"]);

    let done = slate("2025-05-01").by_run("r1", RUN, SlateActivity::Active);
    world.publish(&done.predicting(ModelType::WonOnPoints, SOURCES, games.to_vec()).release()).await;
    assert_eq!(dates(&world.get_with_key(MONEYLINE).await), ["2025-05-01"]);
    assert_eq!(dates(&world.get_with_key(&format!("{MONEYLINE}?upcoming_only=true")).await), ["2025-05-01"]);
    let whole = world.get_with_key(&format!("{MONEYLINE}?upcoming_only=false")).await;
    assert_eq!(dates(&whole), ["2025-04-30", "2025-05-01"]);
}

#[actix_web::test]
async fn a_confirmed_off_day_hides_yesterdays_games() {
    let world = the_day_after(&[blended(at_boston("2025-04-30", "19:10:00"), 0.6)]).await;
    assert_eq!(dates(&world.get_with_key(MONEYLINE).await), ["2025-04-30"]);
    world.publish(&slate("2025-05-01").by_run("r1", RUN, SlateActivity::None).release()).await;
    let answer = world.get_with_key(MONEYLINE).await;
    assert_eq!(answer.status, 200);
    assert_eq!((&answer.json()["games"], &answer.json()["models_used"]), (&json!([]), &json!([])));
    let whole = world.get_with_key(&format!("{MONEYLINE}?upcoming_only=false")).await;
    assert_eq!(dates(&whole), ["2025-04-30"]);
}

#[actix_web::test]
async fn a_key_with_a_subscription_is_needed() {
    let world = World::with_subscriber().await;
    world.generations.poll().await;
    world.get(MONEYLINE).await.expect_failure(401, "API key required");
}

#[actix_web::test]
async fn a_malformed_request_is_400_with_the_allowed_values() {
    let world = World::with_subscriber().await;
    let refusals = [
        ("upcoming_only=maybe", "`upcoming_only` must be true or false"),
        ("upcoming_only=1", "`upcoming_only` must be true or false"),
        ("upcoming_only=", "`upcoming_only` must be true or false"),
        (
            "upcoming_onl=false",
            "`upcoming_onl` is not a parameter here, did you mean `upcoming_only`? This path takes: upcoming_only, model, format, changed_after, as_of, generation",
        ),
        (
            "Upcoming_only=false",
            "`Upcoming_only` is not a parameter here, did you mean `upcoming_only`? This path takes: upcoming_only, model, format, changed_after, as_of, generation",
        ),
        (
            "season=2025",
            "`season` is not a parameter here. This path takes: upcoming_only, model, format, changed_after, as_of, generation",
        ),
    ];
    for (query, detail) in refusals {
        world.get_with_key(&format!("{MONEYLINE}?{query}")).await.expect_failure(400, detail);
    }
    let model_type = "`moneyline` is not a model type; known model types: over_under, won_on_points, won_on_spread; \
                      did you mean `/api/v1/predictions/mlb/won_on_points`?";
    world.get_with_key("/api/v1/predictions/mlb/moneyline").await.expect_failure(400, model_type);
    let sport = "`wnba` is not a sport; known sports: mlb, nba, nfl, nhl, ncaaf, ncaab";
    world.get_with_key("/api/v1/predictions/wnba/over_under").await.expect_failure(400, sport);
}

#[actix_web::test]
async fn predictions_are_503_before_the_log_was_read_and_404_where_not_published() {
    let world = World::with_subscriber().await;
    let unread = world.get_with_key(MONEYLINE).await;
    unread.expect_failure(503, "This part of the service is temporarily unavailable, try again");
    assert!(unread.header("retry-after").is_some());

    world.generations.poll().await;
    let missing = |model_type| format!("No predictions are published for mlb {model_type}");
    world.get_with_key(MONEYLINE).await.expect_failure(404, &missing("won_on_points"));
    let games = vec![blended(at_boston("2025-05-01", "19:10:00"), 0.6)];
    world.publish(&slate("2025-05-01").predicting(ModelType::WonOnPoints, SOURCES, games).release()).await;
    assert_eq!(world.get_with_key(MONEYLINE).await.status, 200);
    let totals = world.get_with_key("/api/v1/predictions/mlb/over_under").await;
    totals.expect_failure(404, &missing("over_under"));
}

fn conditional(uri: &str, etag: &str, encoding: &str) -> TestRequest {
    let request = TestRequest::get().uri(uri).insert_header(("X-API-Key", a_key(1).reveal()));
    request.insert_header(("If-None-Match", etag)).insert_header(("Accept-Encoding", encoding))
}

#[actix_web::test]
async fn an_etag_lasts_until_the_content_or_the_first_date_changes() {
    let games = ["2025-04-30", "2025-05-01"].map(|date| blended(at_boston(date, "19:10:00"), 0.6));
    let world = the_day_after(&games).await;
    let done = slate("2025-05-01").by_run("r1", RUN, SlateActivity::Active);
    world.publish(&done.predicting(ModelType::WonOnPoints, SOURCES, games.to_vec()).release()).await;
    let first = world.get_with_key(MONEYLINE).await;
    let etag = first.header("etag").expect("a name").to_owned();
    assert!(etag.starts_with('"'), "a strong one: {etag}");
    assert_eq!(
        (first.header("cache-control"), first.header("vary")),
        (Some("private, no-cache"), Some("Accept, Accept-Encoding"))
    );
    assert_eq!(first.header("access-control-allow-origin"), None);

    let again = world.send(conditional(MONEYLINE, &etag, "identity")).await;
    assert_eq!((again.status.as_u16(), again.text.as_str(), again.header("etag")), (304, "", Some(etag.as_str())));
    let whole = world.send(conditional(&format!("{MONEYLINE}?upcoming_only=false"), &etag, "identity")).await;
    assert_eq!(whole.status, 200, "another question");

    // New odds of the same slate leave the predictions unchanged.
    let lines = GameLines { money: prices(-120, 105), ..GameLines::default() };
    let odds = vec![posted(at_boston("2025-05-01", "19:10:00"), lines)];
    world.publish(&slate("2025-05-01").odds("2025-05-01T11:50:00Z", odds).release()).await;
    assert_eq!(world.send(conditional(MONEYLINE, &etag, "identity")).await.status, 304);

    // After the off-day: the same artifact, another first date.
    world.clock.advance(TimeDelta::days(1));
    let run = ["2025-05-02T11:00:00Z", "2025-05-02T11:30:00Z"];
    world.publish(&slate("2025-05-02").by_run("r2", run, SlateActivity::None).release()).await;
    let next_day = world.send(conditional(MONEYLINE, &etag, "identity")).await;
    assert_eq!((next_day.status.as_u16(), dates(&next_day).len()), (200, 0));
    assert_ne!(next_day.header("etag"), Some(etag.as_str()));

    let games = vec![blended(at_boston("2025-05-02", "19:10:00"), 0.7)];
    let sources = "2025-05-02T11:45:00Z";
    world.publish(&slate("2025-05-02").predicting(ModelType::WonOnPoints, sources, games).release()).await;
    let rebuilt = world.send(conditional(MONEYLINE, next_day.header("etag").expect("a name"), "identity")).await;
    assert_eq!((rebuilt.status.as_u16(), dates(&rebuilt)), (200, vec!["2025-05-02".to_owned()]));
}

#[actix_web::test]
async fn each_encoding_has_its_own_etag_and_the_same_text() {
    let world = World::with_subscriber().await;
    let starts = (0..60).map(|minute| format!("13:{minute:02}:00"));
    let games: Vec<_> = starts.map(|time| blended(at_boston("2025-05-01", &time), 0.6)).collect();
    world.publish(&slate("2025-05-01").predicting(ModelType::WonOnPoints, SOURCES, games).release()).await;
    let plain = world.get_with_key(MONEYLINE).await;
    let mut names = vec![plain.header("etag").expect("a name").to_owned()];
    for encoding in ["gzip", "br", "zstd"] {
        let request = || TestRequest::get().uri(MONEYLINE).insert_header(("X-API-Key", a_key(1).reveal()));
        let (headers, body) = world.send_for_bytes(request().insert_header(("Accept-Encoding", encoding))).await;
        assert_eq!(headers.get("content-encoding").expect("a header"), encoding);
        let name = headers.get("etag").expect("a name").to_str().expect("text").to_owned();
        assert_eq!(world.send(conditional(MONEYLINE, &name, encoding)).await.status, 304, "{encoding}");
        names.push(name);
        let mut text = String::new();
        match encoding {
            "gzip" => flate2::read::GzDecoder::new(&*body).read_to_string(&mut text),
            "br" => brotli::Decompressor::new(&*body, 4096).read_to_string(&mut text),
            _ => zstd::Decoder::new(&*body).and_then(|mut decoder| decoder.read_to_string(&mut text)),
        }
        .expect("whole");
        assert_eq!(text, plain.text, "{encoding}");
    }
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), 4);
}
