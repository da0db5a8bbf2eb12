use actix_web::test::TestRequest;
use chrono::TimeDelta;
use serde_json::{Value, json};
use sports_domain::{ModelType, Sport};
use sports_publication::slate::SlateGame;
use sports_publication::{Generation, Release, SlateActivity};

use crate::slates::{SlateRelease, assert_key_order, at_boston, blended, posted, slate};
use crate::support::World;

const STATUS: &str = "/api/v1/data-status/mlb";

/// 10:15 on 1 May in New York, which is on daylight time.
const DEADLINE: &str = "2025-05-01T14:15:00Z";

/// The run of 1 May.
const RUN: [&str; 2] = ["2025-05-01T11:00:00Z", "2025-05-01T11:30:00Z"];

/// Creates a world at 08:00 Eastern on 1 May, without publications, whose logs have been read.
async fn a_morning() -> World {
    let world = World::new();
    world.generations.poll().await;
    world
}

fn tonight() -> Vec<SlateGame> {
    vec![blended(at_boston("2025-05-01", "19:10:00"), 0.6)]
}

/// Creates tonight's odds and predictions by the run of the day.
fn todays_slate() -> SlateRelease {
    let odds = tonight().into_iter().map(|game| posted(game.key, game.lines)).collect();
    let release = slate("2025-05-01").by_run("r1", RUN, SlateActivity::Active).odds("2025-05-01T11:20:00Z", odds);
    release.predicting_everywhere("2025-05-01T11:25:00Z", &tonight())
}

/// Moves the clock to an instant.
fn wait_until(world: &World, instant: &str) {
    use sports_ports::Clock;
    let instant: chrono::DateTime<chrono::Utc> = instant.parse().expect("an instant");
    world.clock.advance(instant - world.clock.now());
}

async fn body(world: &World) -> Value {
    let answer = world.get(STATUS).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()
}

/// Returns the league's status, `operational`, and the degradation reason.
async fn state(world: &World) -> (String, bool, Option<String>) {
    let body = body(world).await;
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let operational = body["operational"].as_bool().expect("a flag");
    (text(&body["status"]).expect("a word"), operational, text(&body["degradation_reason"]))
}

fn expected_status(status: &str, operational: bool, reason: Option<&str>) -> (String, bool, Option<String>) {
    (status.to_owned(), operational, reason.map(str::to_owned))
}

#[actix_web::test]
async fn an_unpublished_league_has_nulls_and_is_stale_after_the_deadline() {
    let world = a_morning().await;
    let nothing = json!({ "published_at": null });
    let market = json!({
        "status": "pending", "refresh_pending": false, "refresh_deadline": null, "release_id": null,
        "source_as_of": null, "held_games": [], "predictions": nothing, "results": nothing, "summary": nothing,
        "model_tracking": nothing
    });
    let expected = json!({
        "sport": "mlb", "status": "pending", "operational": true, "trusted": false,
        "trusted_reason": "Nothing was ever published; today's data is due at 10:15 Eastern.", "degradation_reason": null,
        "refresh_pending": false, "date": "2025-05-01", "deadline": DEADLINE, "simulated": false,
        "release_id": null, "run": null,
        "markets": { "over_under": market, "won_on_points": market, "won_on_spread": market },
        "odds": null, "awaiting_settlement": { "count": 0, "games": [] }
    });
    assert_eq!(body(&world).await, expected);
    wait_until(&world, DEADLINE);
    assert_eq!(state(&world).await, expected_status("pending", true, None), "the deadline itself is in time");
    wait_until(&world, "2025-05-01T14:15:01Z");
    assert_eq!(state(&world).await, expected_status("stale", false, Some("release_missing")));
    assert_eq!(body(&world).await["markets"]["over_under"]["status"], "stale");
}

#[actix_web::test]
async fn a_fresh_league_has_the_publication_times_of_each_market() {
    let world = a_morning().await;
    world.publish(&todays_slate().release()).await;
    let answer = world.get(STATUS).await;
    let body = answer.json();
    let release_id = body["release_id"].as_str().expect("an id").to_owned();
    assert!(release_id.starts_with("2025-05-01.20250501T120000000Z."), "{release_id}");
    let published = json!({ "published_at": "2025-05-01T12:00:00Z" });
    let market = json!({
        "status": "fresh", "refresh_pending": false, "refresh_deadline": null, "release_id": release_id,
        "source_as_of": "2025-05-01T11:25:00Z", "held_games": [], "predictions": published, "results": published,
        "summary": published, "model_tracking": published
    });
    let expected = json!({
        "sport": "mlb", "status": "fresh", "operational": true, "trusted": true,
        "trusted_reason": "Run, odds, predictions and results of today are complete.", "degradation_reason": null,
        "refresh_pending": false, "date": "2025-05-01", "deadline": DEADLINE, "simulated": false,
        "release_id": release_id,
        "run": { "id": "r1", "started_at": RUN[0], "completed_at": RUN[1], "slate": "active" },
        "markets": { "over_under": market, "won_on_points": market, "won_on_spread": market },
        "odds": { "published_at": "2025-05-01T12:00:00Z", "source_as_of": "2025-05-01T11:20:00Z" },
        "awaiting_settlement": { "count": 0, "games": [] }
    });
    assert_eq!(body, expected);
    let order = [
        "sport",
        "operational",
        "degradation_reason",
        "date",
        "deadline",
        "run",
        "markets",
        "over_under",
        "won_on_points",
        "odds",
        "awaiting_settlement",
    ];
    assert_key_order(&answer.text, &order);

    // Later the timestamps are the same: they are the artifacts' own.
    wait_until(&world, "2025-05-01T15:00:00Z");
    assert_eq!(self::body(&world).await, expected);
}

#[actix_web::test]
async fn later_results_have_their_own_time_for_summary_and_tracking_too() {
    let world = a_morning().await;
    world.publish(&todays_slate().release()).await;
    wait_until(&world, "2025-05-01T13:00:00Z");
    // A history file of one more game of the season, in one market's archive only.
    let game = sports_publication::testing::a_game().on("2025-04-20").build();
    let mut import = sports_publication::testing::a_release(crate::slates::SPORT, "2025", vec![game]);
    import.slate_date = "2025-05-01".parse().expect("a date");
    world.publish(&import).await;
    let market = body(&world).await["markets"]["won_on_points"].clone();
    let at = |what: &str| market[what]["published_at"].clone();
    assert_eq!(at("predictions"), "2025-05-01T12:00:00Z");
    assert_eq!([at("results"), at("summary"), at("model_tracking")], ["2025-05-01T13:00:00Z"; 3].map(Value::from));
    assert_eq!(state(&world).await, expected_status("fresh", true, None));
}

#[actix_web::test]
async fn a_day_goes_from_pending_over_updating_to_fresh() {
    let world = World::starting_at("2025-04-30T12:00:00Z");
    let run = ["2025-04-30T11:00:00Z", "2025-04-30T11:30:00Z"];
    let odds = tonight().into_iter().map(|game| posted(game.key, game.lines)).collect();
    let yesterday = slate("2025-04-30").by_run("r30", run, SlateActivity::Active).odds(run[0], odds);
    world.publish(&yesterday.predicting_everywhere(run[1], &tonight()).release()).await;
    assert_eq!(state(&world).await, expected_status("fresh", true, None));

    wait_until(&world, "2025-05-01T12:00:00Z");
    assert_eq!(state(&world).await, expected_status("pending", true, None));
    world.publish(&slate("2025-05-01").by_unfinished_run("r1", RUN[0]).release()).await;
    assert_eq!(state(&world).await, expected_status("updating", true, None));
    assert_eq!(body(&world).await["run"]["completed_at"], Value::Null);
    world.publish(&todays_slate().release()).await;
    assert_eq!(state(&world).await, expected_status("fresh", true, None));
}

#[actix_web::test]
async fn after_the_deadline_missing_data_is_stale_and_incomplete_data_partial() {
    let world = World::starting_at("2025-04-30T12:00:00Z");
    let run = ["2025-04-30T11:00:00Z", "2025-04-30T11:30:00Z"];
    let yesterday = slate("2025-04-30").by_run("r30", run, SlateActivity::Active);
    world.publish(&yesterday.predicting_everywhere(run[1], &tonight()).release()).await;
    wait_until(&world, "2025-05-01T14:15:01Z");
    assert_eq!(state(&world).await, expected_status("stale", false, Some("daily_output_stale")));

    let odds = tonight().into_iter().map(|game| posted(game.key, game.lines)).collect();
    let part = slate("2025-05-01").by_run("r1", RUN, SlateActivity::Active).odds(RUN[0], odds);
    let part = part.predicting(ModelType::OverUnder, RUN[1], tonight());
    world.publish(&part.release()).await;
    assert_eq!(state(&world).await, expected_status("partial", false, Some("daily_output_stale")));
    let markets = body(&world).await["markets"].clone();
    assert_eq!([&markets["over_under"]["status"], &markets["won_on_points"]["status"]], ["fresh", "partial"]);
}

#[actix_web::test]
async fn a_missed_rebuild_after_newer_odds_is_stale_and_operational() {
    let world = a_morning().await;
    world.publish(&todays_slate().release()).await;
    wait_until(&world, "2025-05-01T14:00:00Z");
    let newer = || tonight().into_iter().map(|game| posted(game.key, game.lines)).collect();
    world.publish(&slate("2025-05-01").odds("2025-05-01T13:55:00Z", newer()).release()).await;

    let pending = body(&world).await;
    assert_eq!((&pending["status"], &pending["refresh_pending"]), (&json!("fresh"), &json!(true)));
    for market in ["over_under", "won_on_points", "won_on_spread"] {
        let market = &pending["markets"][market];
        assert_eq!((&market["status"], &market["refresh_pending"]), (&json!("fresh"), &json!(true)));
        // Two hours after the odds were published.
        assert_eq!(market["refresh_deadline"], "2025-05-01T16:00:00Z");
    }

    // The totals are rebuilt in time, the others are not.
    let rebuilt = slate("2025-05-01").predicting(ModelType::OverUnder, "2025-05-01T13:58:00Z", tonight());
    world.publish(&rebuilt.release()).await;
    wait_until(&world, "2025-05-01T16:00:01Z");
    let missed = body(&world).await;
    assert_eq!(state(&world).await, expected_status("stale", true, Some("predictions_stale")));
    let market =
        |name: &str| (missed["markets"][name]["status"].clone(), missed["markets"][name]["refresh_pending"].clone());
    assert_eq!(market("over_under"), (json!("fresh"), json!(false)));
    assert_eq!(market("won_on_points"), (json!("partial"), json!(true)));
    assert_eq!(missed["markets"]["over_under"]["predictions"]["published_at"], "2025-05-01T14:00:00.001Z");

    let all = slate("2025-05-01").predicting_everywhere("2025-05-01T15:59:00Z", &tonight());
    world.publish(&all.release()).await;
    assert_eq!(state(&world).await, expected_status("fresh", true, None));
}

/// Creates a release of only new odds for tonight.
fn odds(as_of: &str) -> Release {
    let games = tonight().into_iter().map(|game| posted(game.key, game.lines)).collect();
    slate("2025-05-01").odds(as_of, games).release()
}

async fn deadline_of(world: &World) -> Value {
    body(world).await["markets"]["over_under"]["refresh_deadline"].clone()
}

#[actix_web::test]
async fn the_search_for_earlier_odds_ends_at_an_unreadable_entry() {
    let world = a_morning().await;
    world.publish(&todays_slate().release()).await;
    for (now, as_of) in [("14:00", "13:55"), ("15:30", "15:25"), ("15:45", "15:40")] {
        wait_until(&world, &format!("2025-05-01T{now}:00Z"));
        world.publish(&odds(&format!("2025-05-01T{as_of}:00Z"))).await;
    }
    world.store.spoil_entry(Sport::Mlb, Generation::new(2).expect("not zero"));
    let again = [blended(at_boston("2025-05-01", "19:10:00"), 0.61)];
    world.publish(&slate("2025-05-01").predicting_everywhere("2025-05-01T11:25:00Z", &again).release()).await;
    assert_eq!(deadline_of(&world).await, "2025-05-01T17:30:00Z", "two hours after the second");
}

#[actix_web::test]
async fn the_deadline_counts_from_the_first_odds_that_a_rebuild_did_not_include() {
    let world = a_morning().await;
    world.publish(&todays_slate().release()).await;
    let deadline = async || deadline_of(&world).await;
    wait_until(&world, "2025-05-01T14:00:00Z");
    world.publish(&odds("2025-05-01T13:55:00Z")).await;
    wait_until(&world, "2025-05-01T15:30:00Z");
    world.publish(&odds("2025-05-01T15:25:00Z")).await;
    assert_eq!(deadline().await, "2025-05-01T16:00:00Z", "owed since the first of them");

    // Published again as of the same source, the deadline stays.
    let again = [blended(at_boston("2025-05-01", "19:10:00"), 0.61)];
    world.publish(&slate("2025-05-01").predicting_everywhere("2025-05-01T11:25:00Z", &again).release()).await;
    assert_eq!(deadline().await, "2025-05-01T16:00:00Z");

    // Rebuilt with the first odds, only the second are not included yet.
    wait_until(&world, "2025-05-01T15:45:00Z");
    world.publish(&slate("2025-05-01").predicting_everywhere("2025-05-01T13:55:00Z", &tonight()).release()).await;
    assert_eq!(deadline().await, "2025-05-01T17:30:00Z");
    wait_until(&world, "2025-05-01T16:30:00Z");
    assert_eq!(state(&world).await, expected_status("fresh", true, None));

    // Two more arrive; after a rebuild with neither, the deadline counts from the first of the two.
    for (now, as_of) in [("16:40", "16:35"), ("17:10", "17:05")] {
        wait_until(&world, &format!("2025-05-01T{now}:00Z"));
        world.publish(&odds(&format!("2025-05-01T{as_of}:00Z"))).await;
    }
    world.publish(&slate("2025-05-01").predicting_everywhere("2025-05-01T15:25:00Z", &tonight()).release()).await;
    assert_eq!(deadline().await, "2025-05-01T18:40:00Z");
    world.publish(&slate("2025-05-01").predicting_everywhere("2025-05-01T13:55:00Z", &again).release()).await;
    assert_eq!(deadline().await, "2025-05-01T17:30:00Z", "whatever an earlier rebuild knew");

    // A release with later odds of its own sets a new deadline, whatever was due the day before.
    wait_until(&world, "2025-05-01T18:00:00Z");
    assert_eq!(state(&world).await, expected_status("stale", true, Some("predictions_stale")));
    let games = tonight().into_iter().map(|game| posted(game.key, game.lines)).collect();
    let whole = slate("2025-05-01").odds("2025-05-01T17:58:00Z", games);
    world.publish(&whole.predicting_everywhere("2025-05-01T17:50:00Z", &tonight()).release()).await;
    assert_eq!(deadline().await, "2025-05-01T20:00:00Z");
    assert_eq!(state(&world).await, expected_status("fresh", true, None));
}

#[actix_web::test]
async fn an_off_day_is_confirmed_by_a_run_that_found_no_games() {
    let world = a_morning().await;
    world.publish(&slate("2025-05-01").by_run("r1", RUN, SlateActivity::None).release()).await;
    assert_eq!(state(&world).await, expected_status("off_day", true, None));
    assert_eq!(body(&world).await["run"]["slate"], "none");
    wait_until(&world, "2025-05-01T20:00:00Z");
    assert_eq!(state(&world).await, expected_status("off_day", true, None));
}

#[actix_web::test]
async fn an_unavailable_store_makes_the_status_unknown_after_half_a_minute() {
    let world = World::new();
    assert_eq!(state(&world).await, expected_status("unknown", false, Some("release_unavailable")), "not read yet");
    world.publish(&todays_slate().release()).await;
    assert_eq!(state(&world).await, expected_status("fresh", true, None));

    world.store.set_unavailable(true);
    world.generations.poll().await;
    world.clock.advance(TimeDelta::seconds(29));
    assert_eq!(state(&world).await, expected_status("fresh", true, None));
    world.clock.advance(TimeDelta::seconds(1));
    assert_eq!(state(&world).await, expected_status("unknown", false, Some("release_unavailable")));
    world.store.set_unavailable(false);
    world.generations.poll().await;
    assert_eq!(state(&world).await, expected_status("fresh", true, None));
}

#[actix_web::test]
async fn a_held_game_is_listed_without_effect_on_the_status() {
    let world = a_morning().await;
    world.publish(&todays_slate().release()).await;
    let game = at_boston("2025-05-01", "19:10:00");
    let held = slate("2025-05-01").predicting(ModelType::WonOnSpread, "2025-05-01T11:50:00Z", tonight());
    world.publish(&held.holding(ModelType::WonOnSpread, &game).release()).await;
    let body = body(&world).await;
    let expected = json!([{
        "date": "2025-05-01", "time_est": "19:10:00",
        "away_team": "new_york_yankees", "home_team": "boston_red_sox"
    }]);
    assert_eq!(body["markets"]["won_on_spread"]["held_games"], expected);
    assert_eq!(body["markets"]["over_under"]["held_games"], json!([]));
    assert_eq!([&body["status"], &body["markets"]["won_on_spread"]["status"]], ["fresh", "fresh"]);
}

#[actix_web::test]
async fn the_data_status_needs_no_key_and_can_be_revalidated() {
    let world = a_morning().await;
    let first = world.get(STATUS).await;
    assert_eq!((first.header("cache-control"), first.header("x-ratelimit-limit")), (Some("public, no-cache"), None));
    let etag = first.header("etag").expect("a name").to_owned();
    let again = || world.send(TestRequest::get().uri(STATUS).insert_header(("If-None-Match", etag.as_str())));
    assert_eq!(again().await.status, 304);
    wait_until(&world, "2025-05-01T14:15:01Z");
    assert_eq!(again().await.status, 200, "the clock alone changed it");

    let detail = "`cricket` is not a sport; known sports: mlb, nba, nfl, nhl, ncaaf, ncaab";
    let refused = world.get("/api/v1/data-status/cricket").await;
    assert_eq!((refused.status.as_u16(), &refused.json()["detail"]), (400, &json!(detail)));
    assert_eq!(world.get("/api/v1/data-status/MLB").await.json()["sport"], "mlb");
}
