use std::fs;

use chrono::TimeDelta;

use super::{Record, as_of, with, written};
use crate::folder::League;
use crate::service::Answer;

const ODDS: &str = "/api/v1/odds/nfl";

#[tokio::test]
async fn a_malformed_moment_is_refused_with_its_remedy() {
    let record = Record::new();
    let service = record.site.app().await;
    let instant = "`as_of` must be an RFC 3339 instant with an offset, such as 2024-01-06T15:00:00Z (write + as %2B)";
    let generation = "`generation` must be a whole number from 1";
    for (query, detail) in [
        ("as_of=yesterday", instant),
        ("as_of=2024-01-06", instant),
        ("as_of=2024-01-06T15:00:00+02:00", instant),
        ("as_of=2016-12-31T23:59:60Z", instant),
        ("generation=0", generation),
        ("generation=18446744073709551616", generation),
        ("as_of=2024-01-06T15:00:00Z&generation=1", "`as_of` and `generation` exclude each other"),
        ("generation=1&generation=1", "`generation` is given more than once"),
    ] {
        assert_eq!(service.get(&format!("{ODDS}?{query}")).await.failure(400), detail, "{query}");
    }
    for name in ["asof", "date", "slate_date", "generations", "As_Of"] {
        let refused = service.get(&format!("{ODDS}?{name}=2024-01-06T15:00:00Z")).await.failure(400);
        assert!(refused.starts_with(&format!("`{name}` is not a parameter here")), "{refused}");
    }
}

#[tokio::test]
async fn a_moment_that_the_record_does_not_have_is_named() {
    let record = Record::new();
    let service = record.site.app().await;
    let future = as_of(&service, ODDS, service.clock().await + TimeDelta::hours(1)).await.failure(400);
    assert!(future.starts_with("`as_of` is in the future: it is ") && future.ends_with(" here"), "{future}");
    let above = service.get(&format!("{ODDS}?generation=5")).await.failure(404);
    assert_eq!(above, "nfl has no generation 5: the newest is 4");
    let league = service.get("/api/v1/odds/nba?as_of=2024-01-06T15:00:00Z").await.failure(404);
    assert_eq!(league, "No odds are published for nba as of 2024-01-06T15:00:00Z");
    let season = service.get("/api/v1/results/nfl/over_under?season=2024-25&generation=3").await.failure(404);
    assert!(season.ends_with(&format!(" as of {}", written(record.published_at(3)))), "{season}");
}

#[tokio::test]
async fn paths_of_the_present_refuse_a_moment_and_old_ones_ignore_it() {
    let record = Record::new();
    let service = record.site.app().await;
    let present = [
        "/api/v1/corrections/nfl",
        "/api/v1/markets/nfl",
        "/api/v1/public/ml-picks/nfl/spread",
        "/api/v1/releases/nfl",
        "/api/v1/sports",
    ];
    for path in present {
        for query in ["as_of=2024-01-06T15:00:00Z", "generation=1"] {
            service.get(&with(path, query)).await.failure(400);
        }
    }
    for path in ["/api/v1/picks/today", "/api/v1/edge-picks/2024-01-06", "/api/v1/picks/performance"] {
        let (plain, asked) = (service.get(path).await, service.get(&with(path, "as_of=2024-01-06T15:00:00Z")).await);
        assert_eq!((asked.status, &asked.body), (200, &plain.body), "{path}");
    }
}

#[tokio::test]
async fn an_earlier_data_status_takes_the_key_of_a_subscriber() {
    let record = Record::new();
    let lapsed = record.site.key_of_another("none", &[]);
    let service = record.site.app().await;
    let (now, then) = ("/api/v1/data-status/nfl", "/api/v1/data-status/nfl?generation=1");
    assert_eq!(Answer::to(service.request(now)).await.status, 200);
    assert_eq!(Answer::to(service.request(then)).await.status, 401);
    assert_eq!(Answer::to(service.request(then).header("X-API-Key", lapsed)).await.status, 403);
    let left = |answer: &Answer| answer.header("x-ratelimit-remaining").and_then(|left| left.parse::<i64>().ok());
    let (first, second) = (service.get(then).await, service.get(then).await);
    assert_eq!((first.status, second.status), (200, 200));
    assert_eq!(left(&second), left(&first).map(|left| left - 1));
    assert_eq!(first.json()["date"], "2024-01-06");
}

#[tokio::test]
async fn a_damaged_entry_fails_its_moments_alone() {
    let record = Record::new();
    let store = record.site.place.store();
    let times: Vec<_> = (1..=4).map(|generation| record.published_at(generation)).collect();
    fs::write(League::nfl(&store).entry(2), "{\"schema_version\": 5, ").expect("written");
    let service = record.site.serve().await;
    let status = async |query: String| service.get(&format!("{ODDS}?{query}")).await;
    assert_eq!(status("generation=2".to_owned()).await.status, 503);
    assert_eq!(as_of(&service, ODDS, times[1]).await.status, 503);
    assert_eq!(as_of(&service, ODDS, times[2] - TimeDelta::milliseconds(1)).await.status, 503);
    assert_eq!(as_of(&service, ODDS, times[0] + TimeDelta::milliseconds(1)).await.status, 503);
    for (instant, generation) in [(times[0], "1"), (times[2], "3"), (times[3], "4")] {
        assert_eq!(as_of(&service, ODDS, instant).await.header("x-generation"), Some(generation));
    }
    assert!(record.site.log().contains("entry 2 of nfl"), "{}", record.site.log());
}

#[tokio::test]
async fn a_missing_object_fails_only_the_answers_that_need_it() {
    let record = Record::new();
    let store = record.site.place.store();
    let entry = fs::read_to_string(League::nfl(&store).entry(1)).expect("an entry");
    let entry: serde_json::Value = serde_json::from_str(&entry).expect("JSON");
    let odds = entry["odds"]["sha256"].as_str().expect("a hash");
    fs::remove_file(League::nfl(&store).objects().join(format!("{odds}.json"))).expect("removed");
    let service = record.site.app().await;
    service.get(&format!("{ODDS}?generation=1")).await.failure(503);
    for path in ["/api/v1/predictions/nfl/won_on_points?generation=1", "/api/v1/odds/nfl?generation=2"] {
        let answer = service.get(path).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
    }
}

#[tokio::test]
async fn the_list_of_releases_is_paged_to_its_end() {
    let record = Record::new();
    let service = record.site.app().await;
    let list = "/api/v1/releases/nfl";
    let numbers = |answer: &Answer| {
        let releases = answer.json()["releases"].as_array().expect("releases").clone();
        releases.iter().map(|release| release["generation"].as_u64().expect("a number")).collect::<Vec<_>>()
    };
    let plain = service.get(list).await;
    assert_eq!((numbers(&plain), plain.json().get("next_before")), (vec![4, 3, 2, 1], None));
    let first = service.get(&format!("{list}?limit=3")).await;
    assert_eq!((numbers(&first), &first.json()["next_before"]), (vec![4, 3, 2], &serde_json::json!(2)));
    let end = service.get(&format!("{list}?limit=3&before=2")).await;
    assert_eq!((numbers(&end), &end.json()["next_before"]), (vec![1], &serde_json::Value::Null));
    for query in ["limit=0", "limit=101", "before=0", "before=x"] {
        service.get(&format!("{list}?{query}")).await.failure(400);
    }
}

#[test]
fn the_command_prints_the_release_of_an_instant_and_its_neighbours() {
    let record = Record::new();
    let at = written(record.published_at(2));
    let printed = record.site.place.ctl(["releases", "nfl", "--at", &at, "--json"]);
    let found: serde_json::Value = serde_json::from_str(&printed).expect("JSON");
    let numbers = ["previous", "current", "next"].map(|word| found[word]["generation"].as_u64());
    assert_eq!((&found["at"], numbers), (&serde_json::json!(at), [Some(1), Some(2), Some(3)]));
    for at in ["2024-01-06T14:59:59Z", "2200-01-01T00:00:00Z", "yesterday"] {
        let refused = record.site.place.sportsctl(["releases", "nfl", "--at", at]).output().expect("runs");
        assert_eq!(refused.status.code(), Some(2), "{at}");
    }
}
