//! Failures of the database that the nodes share.

use std::thread;
use std::time::Duration;

use futures::future::join_all;
use reqwest::Method;
use serde_json::json;
use sports_testkit::programs::TestFolder;
use sports_testkit::services::{Condition, Network, Postgres};
use tokio::time::{Instant, sleep};

use super::accounts::{KEYS, ME};
use super::limits::USAGE;
use super::store::{REFRESH, owner};
use super::{AT_ONCE, Cluster, RECOVERED, REFUSED, RESULTS, SPORTS, within};
use crate::service::{Answer, Service, Site};

/// Starts three nodes with a season to serve. Each knows the key of a customer, who owns a dataset.
async fn cluster(database: String) -> Cluster {
    let mut site = Site::at(TestFolder::fresh().with("SPORTS_DATABASE__URL", database));
    site.publish_fixture("nfl-2023-week-18");
    site.key = owner(&site);
    let cluster = Cluster::start(site, &[]).await;
    for node in &cluster.nodes {
        assert_eq!(node.get(RESULTS).await.status, 200);
    }
    cluster
}

/// Returns a key that the nodes have not seen: it was issued in another database.
fn unknown_key() -> String {
    TestFolder::fresh().subscriber_key()
}

/// Asserts the behaviour of a node while its database is away.
async fn works_without_its_database(node: &Service, unknown: &str) {
    for _ in 0..3 {
        for path in ["/api/v1/liveness", "/api/v1/data-status/nfl", SPORTS, RESULTS, ME, USAGE] {
            let answer = within(AT_ONCE, path, node.get(path)).await;
            assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        }
        sleep(Duration::from_millis(400)).await;
    }
    within(REFUSED, "an unknown key", node.with_key(unknown).get(SPORTS)).await.failure(503);
    let issue = node.call(Method::POST, KEYS).json(&json!({ "name": "later" }));
    within(REFUSED, "an issue", Answer::to(issue)).await.failure(503);
    within(REFUSED, "a refresh", Answer::to(node.call(Method::POST, REFRESH))).await.failure(503);
    let readiness = within(REFUSED, "readiness", Answer::to(node.request("/api/v1/readiness"))).await;
    assert_eq!(readiness.status, 503);
}

async fn all_work_without_their_database(cluster: &Cluster, unknown: &str) {
    join_all(cluster.nodes.iter().map(|node| works_without_its_database(node, unknown))).await;
}

/// Waits until everything works again, no longer than the limit after the database is back.
async fn recovers(node: &Service, back: Instant, unknown: &str) {
    loop {
        let elapsed = back.elapsed();
        let ready = Answer::to(node.request("/api/v1/readiness")).await.status;
        let refused = node.with_key(unknown).get(SPORTS).await.status;
        if (ready, refused) == (200, 401) {
            // Only once: a customer's number of keys is limited.
            let issued = Answer::to(node.call(Method::POST, KEYS).json(&json!({ "name": "again" }))).await;
            assert_eq!(issued.status, 200, "{}", issued.text());
            return;
        }
        assert!(elapsed < RECOVERED, "after {elapsed:?}: readiness {ready}, an unknown key {refused}");
        sleep(Duration::from_millis(200)).await;
    }
}

async fn all_recover(cluster: &Cluster, unknown: &str) {
    let back = Instant::now();
    join_all(cluster.nodes.iter().map(|node| recovers(node, back, unknown))).await;
    let refresh = Answer::to(cluster.next().call(Method::POST, REFRESH)).await;
    assert_eq!(refresh.status, 200, "{}", refresh.text());
}

async fn outlive_a_stop(stop: impl FnOnce(&mut Postgres)) {
    let Some(mut postgres) = Postgres::start() else { return };
    let cluster = cluster(postgres.fresh_database()).await;
    let unknown = unknown_key();
    stop(&mut postgres);
    all_work_without_their_database(&cluster, &unknown).await;
    postgres.start_again();
    all_recover(&cluster, &unknown).await;
}

#[tokio::test]
#[ignore = "several nodes: `just slow`"]
async fn nodes_outlive_a_database_that_crashes() {
    outlive_a_stop(Postgres::stop).await;
}

#[tokio::test]
#[ignore = "several nodes: `just slow`"]
async fn nodes_outlive_a_database_that_ends_their_sessions_and_stops() {
    outlive_a_stop(Postgres::shut_down).await;
}

/// Connections are neither refused nor answered: both sides learn of the failure only by timeouts.
#[tokio::test]
#[ignore = "several nodes: `just slow`"]
async fn nodes_outlive_a_hanging_network_before_the_database() {
    let Some(postgres) = Postgres::start() else { return };
    let network = Network::to(postgres.address());
    let database = postgres.fresh_database();
    let (_, name) = database.rsplit_once('/').expect("a name");
    let cluster = cluster(postgres.url(name, network.address())).await;
    for condition in [Condition::Hanging, Condition::Refusing] {
        let unknown = unknown_key();
        network.becomes(condition);
        all_work_without_their_database(&cluster, &unknown).await;
        network.becomes(Condition::Well);
        all_recover(&cluster, &unknown).await;
    }
}

#[tokio::test]
#[ignore = "several nodes: `just slow`"]
async fn a_server_waits_at_its_start_for_a_database_that_is_starting_too() {
    let Some(mut postgres) = Postgres::start() else { return };
    let site = Site::at(TestFolder::fresh().with("SPORTS_DATABASE__URL", postgres.fresh_database()));
    postgres.stop();
    let database = thread::spawn(move || {
        thread::park_timeout(Duration::from_secs(3));
        postgres.start_again();
        postgres
    });
    let node = site.serve_with(&[]).await;
    let _postgres = database.join().expect("it starts");
    assert_eq!(node.get(SPORTS).await.status, 200);
}
