//! Every state of a league's data, reached by publishing and by the passing of time.

use chrono::{DateTime, Days, SecondsFormat, TimeDelta, Utc};
use serde_json::{Value, json};
use sports_demo::simulation::Run;
use sports_domain::Sport;

use crate::service::Service;
use crate::simulated::{SimulatedSite, TODAY, WORLD, eastern, on};

const SPORT: Sport = Sport::Nba;
const PATH: &str = "/api/v1/data-status/nba";

/// Returns the league's data status at an instant: status, operational, reason, refresh pending.
async fn status(site: &SimulatedSite, at: DateTime<Utc>) -> (Value, [Value; 4]) {
    let body = site.app(at).await.get(PATH).await.json();
    let fields = ["status", "operational", "degradation_reason", "refresh_pending"];
    (body.clone(), fields.map(|field| body[field].clone()))
}

async fn assert_status(site: &SimulatedSite, at: DateTime<Utc>, expected: Value) -> Value {
    let (body, found) = status(site, at).await;
    assert_eq!(Value::from(found.to_vec()), expected, "at {at}: {body}");
    body
}

/// Publishes and settles yesterday.
fn after_yesterday(site: SimulatedSite) -> SimulatedSite {
    let yesterday = on(TODAY - Days::new(1), "09:50:00");
    site.publish(yesterday, &WORLD.day_release(SPORT, yesterday, Run::First));
    site.settle(yesterday, eastern("03:00:00"));
    site
}

#[tokio::test]
async fn stale_odds_and_unsettled_games_degrade_a_fresh_league() {
    let site = SimulatedSite::for_sport(SPORT);
    let yesterday = on(TODAY - Days::new(1), "09:50:00");
    site.publish(yesterday, &WORLD.day_release(SPORT, yesterday, Run::First));
    let first = eastern("09:50:00");
    site.publish(first, &WORLD.day_release(SPORT, first, Run::First));
    // Unsettled games of yesterday are listed before the deadline, too: every one that was played, in order.
    let played = WORLD.finals(SPORT, yesterday, eastern("09:50:00"));
    let mut keys: Vec<_> = played.iter().map(|played| &played.key).collect();
    keys.sort();
    let listed = keys.iter().map(|key| {
        let [away, home] = [&key.away, &key.home].map(ToString::to_string);
        json!({ "date": key.date, "time_est": key.time, "away_team": away, "home_team": home })
    });
    let awaiting = json!({ "count": keys.len(), "games": listed.take(20).collect::<Vec<_>>() });
    let body = assert_status(&site, eastern("10:14:00"), json!(["fresh", true, null, false])).await;
    assert_eq!(body["awaiting_settlement"], awaiting);
    let reason = json!(["fresh", true, "results_awaiting_settlement", false]);
    let body = assert_status(&site, eastern("10:16:00"), reason).await;
    assert_eq!(body["awaiting_settlement"], awaiting);
    let listed =
        site.site.place.ctl(["games", "nba", "--awaiting", "--json", "--as-of", &eastern("10:16:00").to_rfc3339()]);
    let listed: Value = serde_json::from_str(&listed).expect("JSON");
    assert_eq!(listed["games"].as_array().map(Vec::len), Some(keys.len()), "both list the same games");

    site.settle(yesterday, eastern("10:17:00"));
    let body = assert_status(&site, eastern("10:18:00"), json!(["fresh", true, null, false])).await;
    assert_eq!(body["awaiting_settlement"], json!({ "count": 0, "games": [] }));
    let body = assert_status(&site, eastern("14:30:00"), json!(["fresh", true, "source_stale", false])).await;
    // The times of the odds show the reason: those of 09:50 were read at 09:30, five hours before.
    assert_eq!(body["odds"]["source_as_of"], "2025-02-15T14:30:00Z");
    assert!(body["odds"]["published_at"].as_str().is_some_and(|at| at.starts_with("2025-02-15T14:50:0")), "{body}");
}

/// Returns a manifest that only announces a run for a date.
fn announced(slate_date: &str) -> String {
    format!(
        r#"{{"sport":"nba","slate_date":"{slate_date}","run":{{"id":"second","started_at":"2025-02-15T17:00:00Z"}}}}"#
    )
}

#[tokio::test]
async fn announcing_a_second_run_does_not_change_a_complete_day() {
    let site = after_yesterday(SimulatedSite::for_sport(SPORT));
    let first = eastern("09:50:00");
    site.publish(first, &WORLD.day_release(SPORT, first, Run::First));
    let before = assert_status(&site, eastern("12:02:00"), json!(["fresh", true, null, false])).await;
    for (time, slate_date) in [("12:01:00", "2025-02-15"), ("12:03:00", "2025-02-16")] {
        site.publish_manifest(eastern(time), &announced(slate_date));
        let body = assert_status(&site, eastern("12:05:00"), json!(["fresh", true, null, false])).await;
        assert_eq!((&body["run"], &body["markets"]), (&before["run"], &before["markets"]), "{slate_date}");
    }
    // On its own date, the announced run is the run of the day, and no run has completed.
    let tomorrow = |time| on(TODAY + Days::new(1), time);
    let body = assert_status(&site, tomorrow("09:00:00"), json!(["updating", true, null, false])).await;
    assert_eq!((&body["run"]["id"], &body["run"]["completed_at"]), (&json!("second"), &Value::Null));
    assert_status(&site, tomorrow("10:16:00"), json!(["stale", false, "daily_output_stale", false])).await;
}

#[tokio::test]
async fn an_off_day_stays_one_when_a_run_is_announced() {
    let site = after_yesterday(SimulatedSite::for_sport(SPORT));
    let none = r#"{"sport":"nba","slate_date":"2025-02-15","slate":"none","run":{"id":"daily",
        "started_at":"2025-02-15T14:30:00Z","completed_at":"2025-02-15T14:40:00Z"}}"#;
    site.publish_manifest(eastern("09:41:00"), none);
    site.publish_manifest(eastern("12:01:00"), &announced("2025-02-15"));
    for time in ["12:02:00", "23:59:00"] {
        let body = assert_status(&site, eastern(time), json!(["off_day", true, null, false])).await;
        assert_eq!(body["run"]["id"], "daily", "{time}");
    }
    site.publish_manifest(eastern("23:50:00"), &announced("2025-02-16"));
    assert_status(&site, eastern("23:59:00"), json!(["off_day", true, null, false])).await;
    // Friday's games were over when the run of Saturday completed: on Sunday they still are.
    let service = site.app(on(TODAY + Days::new(1), "09:00:00")).await;
    let upcoming = service.get("/api/v1/predictions/nba/over_under").await.json();
    assert_eq!(upcoming["games"], json!([]));
    let free = service.get("/api/v1/public/ml-picks/nba/over_under").await.json();
    assert_eq!(free["games"], json!([]));
}

/// Returns the statuses of a day by looking at it every five minutes, as `as_of` answers.
async fn looked_at(
    service: &Service,
    key: &str,
    (from, to): (DateTime<Utc>, DateTime<Utc>),
) -> Vec<(DateTime<Utc>, Value)> {
    let mut seen: Vec<(DateTime<Utc>, Value)> = Vec::new();
    let mut at = from;
    while at < to {
        let instant = at.to_rfc3339_opts(SecondsFormat::Secs, true);
        let status = service.with_key(key).get(&format!("{PATH}?as_of={instant}")).await.json()["status"].clone();
        if seen.last().is_none_or(|(_, last)| *last != status) {
            seen.push((at, status));
        }
        at += TimeDelta::minutes(5);
    }
    seen
}

#[tokio::test]
async fn past_days_have_the_statuses_that_they_had_then() {
    let site = after_yesterday(SimulatedSite::for_sport(SPORT));
    // Today is late: its first data comes after the deadline, and two markets do not follow the newer odds of noon.
    let late = eastern("10:40:00");
    site.publish(late, &WORLD.day_release(SPORT, late, Run::First));
    let noon = eastern("12:00:00");
    site.publish(noon, &WORLD.day_release(SPORT, noon, Run::Underway));
    let (_, key) = site.site.customer("ann@example.com", "ai");
    let now = eastern("18:00:00");
    let service = site.app(now).await;
    let history = service.get(&format!("{PATH}/history?days=5")).await.json();
    assert_eq!((&history["days_counted"], &history["days_on_time"]), (&json!(2), &json!(1)), "{history}");
    let days = history["days"].as_array().expect("days");
    let instant = |value: &Value| value.as_str().expect("an instant").parse::<DateTime<Utc>>().expect("an instant");
    for (day, date) in days.iter().zip([TODAY - Days::new(1), TODAY]) {
        assert_eq!((&day["date"], instant(&day["deadline"])), (&json!(date), on(date, "10:15:00")));
        let end = if date == TODAY { now } else { on(TODAY, "00:00:00") };
        let looked = looked_at(&service, &key, (on(date, "00:00:00"), end)).await;
        let states = day["states"].as_array().expect("states");
        // Before the first release of the league there is nothing to look at.
        let looked: Vec<_> = looked.into_iter().filter(|(_, status)| !status.is_null()).collect();
        assert_eq!(states.len(), looked.len(), "{day} {looked:?}");
        for (state, (seen, status)) in states.iter().zip(looked) {
            let since = instant(&state["since"]);
            assert_eq!(state["status"], status, "{day}");
            assert!(since <= seen && seen - since <= TimeDelta::minutes(5), "{state} {seen}");
        }
        assert_eq!(day["proven"], Value::Null, "nothing is signed");
    }
    let complete = days.iter().map(|day| instant(&day["first_complete_at"])).collect::<Vec<_>>();
    assert!(complete[0] - on(TODAY - Days::new(1), "09:50:00") < TimeDelta::minutes(1), "{history}");
    assert!(complete[1] - late < TimeDelta::minutes(1) && days[1]["on_time"] == false, "{history}");
    assert_eq!(service.get(&format!("{PATH}/history?days=32")).await.status, 400);
}
