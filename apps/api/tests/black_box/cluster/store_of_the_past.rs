//! Requests for earlier moments while the store takes longer than they wait.

use std::path::Path;
use std::thread::available_parallelism;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use futures::future::join_all;
use sports_testkit::programs::fixture;
use sports_testkit::services::{Condition, Network, S3Server};

use tokio::time::Instant;

use super::store::in_a_bucket;
use crate::folder::Folder;
use crate::service::{Answer, Service, Site};

const MORNING: &str = "2024-01-06T15:00:00Z";
const MONDAY: &str = "2024-01-08T12:00:00Z";
const PRESENT: &str = "/api/v1/odds/nfl";
const CLV: &str = "/api/v1/clv/nfl/won_on_points?season=2023-24";

/// Creates a record of the morning's slate, so many releases of odds and the finals in a bucket behind a network, and a server
/// that has read the newest.
async fn behind_a_network(server: &S3Server, odds: i64) -> (Network, Site, Service) {
    let network = Network::to(server.address());
    let site = Site::at(in_a_bucket(server, &format!("http://{}", network.address())));
    let slate = fixture("nfl-2023-week-18-slate");
    let text = |path: &Path| path.to_str().expect("text").to_owned();
    let _ = site.place.ctl(["publish", &text(&slate.join("release")), "--as-of", MORNING]);
    for number in 1..=odds {
        let at = MORNING.parse::<DateTime<Utc>>().expect("an instant") + TimeDelta::minutes(number);
        let price = format!(r#""home_money_line": {}"#, 130 + number);
        let release =
            Folder::copy_of("nfl-2023-week-18-slate").replace("odds.json", r#""home_money_line": 130"#, &price);
        let _ = site.place.ctl(["publish", &text(release.path()), "--as-of", &at.to_rfc3339()]);
    }
    let _ = site.place.ctl(["settle", "nfl", &text(&slate.join("finals.csv")), "--as-of", MONDAY]);
    let service = site.serve_with(&[("SPORTS_LIMITS__QUEUE_TIMEOUT", "5s")]).await;
    assert_eq!(service.get(PRESENT).await.status, 200);
    (network, site, service)
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "several nodes: `just slow`"]
async fn a_request_that_is_queued_for_an_earlier_moment_too_long_is_refused() {
    let server = S3Server::start();
    let (network, _site, service) = behind_a_network(&server, 0).await;
    network.becomes(Condition::Hanging);
    // Half of the cores read for earlier moments at once; the others are queued behind them.
    let requests = (0..=available_parallelism().map_or(1, usize::from)).map(|number| {
        let path = format!("{PRESENT}?generation=1&format={}", ["json", "csv"][number % 2]);
        let service = &service;
        async move { service.get(&path).await }
    });
    let answers = join_all(requests).await;
    let refused: Vec<_> = answers.iter().filter(|answer| answer.text().contains("Too many")).collect();
    assert!(!refused.is_empty(), "{:?}", answers.iter().map(Answer::text).collect::<Vec<_>>());
    for answer in refused {
        assert_eq!(answer.failure(503), "Too many historical queries right now; retry");
        assert_eq!(answer.header("retry-after"), Some("2"));
    }
    assert_eq!(service.get(PRESENT).await.status, 200, "the present needs no turn");
    network.becomes(Condition::Well);
    service.until(&format!("{PRESENT}?generation=1"), |answer| answer.status == 200).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "several nodes: `just slow`"]
async fn a_first_clv_of_a_slow_store_is_refused_and_its_walk_goes_on() {
    let server = S3Server::start();
    let (network, _site, service) = behind_a_network(&server, 0).await;
    // One read is within the time limit of the store, and all reads of a walk take longer than a request waits.
    network.becomes(Condition::Slow(Duration::from_secs(4)));
    let refused = service.get(CLV).await;
    assert_eq!(refused.failure(503), "The record is being read, try again in a few seconds");
    assert_eq!(refused.header("retry-after"), Some("5"));
    network.becomes(Condition::Well);
    service.until(CLV, |answer| answer.status == 200).await;
}

/// Prints milliseconds, most of which are reads of the store: the row of docs/performance.md.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "a measurement: `-- --ignored --nocapture`"]
async fn first_answers_of_a_store_with_50_ms_a_read_are_measured() {
    let server = S3Server::start();
    let (network, _site, service) = behind_a_network(&server, 60).await;
    network.becomes(Condition::Slow(Duration::from_millis(50)));
    for (what, path) in [
        ("odds now", PRESENT),
        ("odds at a first instant", "/api/v1/odds/nfl?as_of=2024-01-06T15:30:30Z"),
        ("again", "/api/v1/odds/nfl?as_of=2024-01-06T15:30:30Z"),
        ("odds at a second instant", "/api/v1/odds/nfl?as_of=2024-01-06T15:45:30Z"),
        ("a page of a season at an instant", "/api/v1/results/nfl/won_on_points?as_of=2024-01-08T13:00:00Z"),
        ("CLV of 62 releases", CLV),
    ] {
        let begun = Instant::now();
        let answer = service.get(path).await;
        println!("{what}: {} ms", begun.elapsed().as_millis());
        assert_eq!(answer.status, 200, "{what}: {}", answer.text());
    }
}
