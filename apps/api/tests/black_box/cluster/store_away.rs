//! Nodes, a publisher and customers while the bucket that they share is away, and after its return.

use std::path::Path;
use std::time::Duration;

use sports_testkit::programs::fixture;
use sports_testkit::services::{Condition, Network, S3Server};
use tokio::time::{Instant, sleep};

use super::store::{REFRESH, directly, in_a_bucket, link, owner};
use super::{AT_ONCE, Cluster, RECOVERED, REFUSED, RESULTS, SHOWN, within};
use crate::folder::Folder;
use crate::service::{Answer, Service, Site};

const NOT_LOADED: &str = "/api/v1/results/nfl/won_on_points?season=2023-24";
const DATA_STATUS: &str = "/api/v1/data-status/nfl";
const UNAVAILABLE: &str = "This part of the service is temporarily unavailable, try again";

/// Requests a path, and asserts that the answer arrives within a time.
async fn get_within(limit: Duration, service: &Service, path: &str) -> Answer {
    within(limit, path, service.get(path)).await
}

/// Creates a release that changes one text of the fixture.
fn changed_release(park: &str) -> Folder {
    Folder::copy_of("edge-cases").replace("games/2024-25.csv", "Invented Park", park)
}

/// Creates a store behind a network, with two seasons published and one of them loaded.
async fn behind_a_network(server: &S3Server) -> (Network, Site, Service) {
    let network = Network::to(server.address());
    let site = Site::at(in_a_bucket(server, &format!("http://{}", network.address())));
    for release in ["nfl-2023-week-18", "edge-cases"] {
        site.publish_fixture(release);
    }
    let service = site.serve().await;
    assert_eq!(service.get(RESULTS).await.status, 200);
    (network, site, service)
}

/// Takes the store away and asserts the designed behaviour: loaded data is served at once, the rest is refused in
/// time, and everything recovers.
async fn outlives(condition: Condition) {
    let server = S3Server::start();
    let (network, site, service) = behind_a_network(&server).await;
    let key = owner(&site);
    let link = link(&service, &key).await;
    let loaded = service.get(RESULTS).await.body;
    network.becomes(condition);

    let away = Instant::now();
    // Health answers are cached for a second.
    service.until("/api/v1/health", |health| health.json()["status"] == "degraded").await;
    for _ in 0..3 {
        let refused = get_within(REFUSED, &service, NOT_LOADED).await;
        assert_eq!(refused.header("retry-after"), Some("2"), "{}", refused.text());
        assert_eq!(refused.failure(503), UNAVAILABLE);
        assert_eq!(get_within(AT_ONCE, &service, RESULTS).await.body, loaded);
        assert_eq!(get_within(AT_ONCE, &service, "/api/v1/readiness").await.status, 200);
        assert_eq!(get_within(AT_ONCE, &service, "/api/v1/health").await.json()["status"], "degraded");
    }
    // Another node may have given out a snapshot that this node does not know: the log is polled before it is
    // refused.
    let stale = format!("{RESULTS}?season=2024-25&snapshot=0123456789abcdef");
    let answer = get_within(REFUSED, &service, &stale).await;
    assert!([400, 409, 503].contains(&answer.status), "{}", answer.text());
    // A refresh checks the files before it uses one of the customer's refreshes.
    let refused = within(REFUSED, "a refresh", service.with_key(&key).post(REFRESH)).await;
    assert_eq!(refused.failure(503), UNAVAILABLE);
    let fetched = service.fetch(&link).timeout(Duration::from_secs(2)).send().await;
    assert!(fetched.is_err(), "{fetched:?}");
    let release = changed_release("Other Park");
    let failed = site.place.sportsctl([Path::new("publish"), release.path()]).output().expect("sportsctl runs");
    assert_eq!(failed.status.code(), Some(1), "{failed:?}");

    let unknown = service.until(DATA_STATUS, |status| status.json()["status"] == "unknown").await;
    assert!(away.elapsed() >= Duration::from_secs(30), "{}", unknown.text());
    assert_eq!(get_within(AT_ONCE, &service, RESULTS).await.body, loaded);

    network.becomes(Condition::Well);
    let back = Instant::now();
    service.until("/api/v1/health", |health| health.json()["status"] == "healthy").await;
    service.until(NOT_LOADED, |page| page.status == 200).await;
    service.until(DATA_STATUS, |status| status.json()["status"] != "unknown").await;
    assert!(back.elapsed() < RECOVERED, "{:?}", back.elapsed());
    let refreshed = service.with_key(&key).post(REFRESH).await.json();
    assert_eq!(refreshed["refreshes_remaining"], 6, "{refreshed}");
    site.publish(changed_release("Third Park").path());
    service.until(RESULTS, |page| page.text().contains("Third Park")).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "several nodes: `just slow`"]
async fn a_hanging_store_affects_only_data_that_is_not_loaded() {
    outlives(Condition::Hanging).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "several nodes: `just slow`"]
async fn a_refusing_store_affects_only_data_that_is_not_loaded() {
    outlives(Condition::Refusing).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "several nodes: `just slow`"]
async fn a_slow_store_loses_no_publish_and_no_page() {
    let server = S3Server::start();
    let (network, site, service) = behind_a_network(&server).await;
    network.becomes(Condition::Slow(Duration::from_secs(5)));
    assert_eq!(service.get(NOT_LOADED).await.status, 200);
    assert_eq!(get_within(AT_ONCE, &service, RESULTS).await.status, 200);
    assert_eq!(get_within(AT_ONCE, &service, "/api/v1/readiness").await.status, 200);
    site.publish(changed_release("Other Park").path());
    service.until(RESULTS, |page| page.text().contains("Other Park")).await;
    network.becomes(Condition::Well);
    assert!(site.place.ctl(["verify"]).contains("nfl: 3 log entries"));
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "several nodes: `just slow`"]
async fn a_node_started_while_the_store_is_away_is_not_ready_and_serves_once_it_is_back() {
    let server = S3Server::start();
    let (network, site, first) = behind_a_network(&server).await;
    first.stop();
    for condition in [Condition::Hanging, Condition::Refusing] {
        network.becomes(condition);
        let node = site.start(&[]);
        assert_eq!(get_within(AT_ONCE, &node, "/api/v1/liveness").await.status, 200);
        assert_eq!(get_within(AT_ONCE, &node, "/api/v1/readiness").await.status, 503);
        assert_eq!(get_within(AT_ONCE, &node, RESULTS).await.failure(503), UNAVAILABLE);
        network.becomes(Condition::Well);
        let back = Instant::now();
        node.until("/api/v1/readiness", |readiness| readiness.status == 200).await;
        node.until(RESULTS, |page| page.status == 200).await;
        assert!(back.elapsed() < RECOVERED, "{condition:?}: {:?}", back.elapsed());
        node.stop();
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "several nodes: `just slow`"]
async fn a_publish_to_a_bucket_is_current_on_three_nodes_within_two_seconds() {
    let server = S3Server::start();
    let Some(database) = sports_testkit::services::Postgres::database() else { return };
    let site = Site::at(directly(&server).with("SPORTS_DATABASE__URL", database));
    site.publish_fixture("edge-cases");
    let cluster = Cluster::start(site, &[("SPORTS_STORE__POLL_INTERVAL", "1s")]).await;
    cluster.site.publish(changed_release("Other Park").path());
    let published = Instant::now();
    for node in &cluster.nodes {
        node.until(RESULTS, |page| page.text().contains("Other Park")).await;
    }
    assert!(published.elapsed() < SHOWN, "{:?}", published.elapsed());
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "several nodes: `just slow`"]
async fn two_publishers_racing_on_a_bucket_both_commit() {
    let server = S3Server::start();
    let site = Site::at(directly(&server));
    site.publish_fixture("edge-cases");
    for round in 0..3 {
        let racers = ["One", "Two"].map(|racer| {
            let release = changed_release(&format!("{racer} Park {round}"));
            let mut publish = site.place.sportsctl([Path::new("publish"), release.path()]);
            let publish = tokio::task::spawn_blocking(move || publish.output().expect("sportsctl runs"));
            (release, publish)
        });
        for (_release, racer) in racers {
            let printed = racer.await.expect("no panic");
            assert!(printed.status.success(), "{printed:?}");
        }
    }
    let verified = site.place.ctl(["verify", "nfl"]);
    assert!(verified.contains("nfl: 7 log entries"), "{verified}");
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "several nodes: `just slow`"]
async fn a_publisher_killed_before_its_entry_published_nothing() {
    let server = S3Server::start();
    let network = Network::to(server.address());
    let place = in_a_bucket(&server, &format!("http://{}", network.address()));
    let objects = server.folder_of("bucket-0").join("live/sports/nfl/objects");
    network.becomes(Condition::Slow(Duration::from_millis(200)));
    let release = fixture("nfl-2023-week-18").join("release");
    let mut publisher = place.sportsctl([Path::new("publish"), &release]).spawn().expect("starts");
    for _ in 0..3_000 {
        if objects.is_dir() {
            break;
        }
        sleep(Duration::from_millis(10)).await;
    }
    publisher.kill().expect("killed");
    publisher.wait().expect("ended");
    network.becomes(Condition::Well);
    assert!(objects.is_dir(), "it wrote an object");
    assert!(place.ctl(["verify", "nfl"]).contains("nothing published"));
    assert!(place.ctl([Path::new("publish"), &release]).contains("nfl generation 1"));
    let json = place.ctl(["verify", "nfl", "--unused", "--json"]);
    let verified: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(verified["verified"][0]["entries"], 1, "{json}");
    // The leaves of the killed publish have a nonce of their own; all other objects are those of the second one.
    assert!(verified["unused"].as_array().is_some_and(|unused| unused.len() <= 1), "{json}");
}
