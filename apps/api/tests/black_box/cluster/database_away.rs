//! The database that the nodes share stops answering, in one way or another.

use std::thread;
use std::time::Duration;

use reqwest::Method;
use serde_json::json;
use sports_testkit::programs::Place;
use sports_testkit::services::{Condition, Network, Postgres};
use tokio::time::{Instant, sleep};

use super::Cluster;
use crate::service::{Answer, Service, Site};

const KEYS: &str = "/api/v1/customers/me/api-keys";

/// What does not need a part that is away is answered within this time.
const AT_ONCE: Duration = Duration::from_secs(2);

/// What does is refused within this time.
const REFUSED: Duration = Duration::from_secs(10);

/// After a part is back, everything works within this time.
const RECOVERED: Duration = Duration::from_secs(15);

async fn within(limit: Duration, what: &str, answer: impl Future<Output = Answer>) -> Answer {
    let started = Instant::now();
    let answer = answer.await;
    assert!(started.elapsed() < limit, "{what} took {:?}", started.elapsed());
    answer
}

/// What every node does while its database is away.
async fn works_without_its_database(node: &Service) {
    for _ in 0..3 {
        for path in ["/api/v1/sports", "/api/v1/data-status/nfl"] {
            let answer = within(AT_ONCE, path, node.get(path)).await;
            assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        }
        let liveness = within(AT_ONCE, "liveness", Answer::to(node.request("/api/v1/liveness"))).await;
        assert_eq!(liveness.status, 200);
        sleep(Duration::from_millis(400)).await;
    }
    let unknown = Place::fresh().subscriber_key();
    let unknown = node.with_key(&unknown);
    within(REFUSED, "an unknown key", unknown.get("/api/v1/sports")).await.failure(503);
    let issue = node.call(Method::POST, KEYS).json(&json!({ "name": "later" }));
    within(REFUSED, "an issue", Answer::to(issue)).await.failure(503);
    let readiness = within(REFUSED, "readiness", Answer::to(node.request("/api/v1/readiness"))).await;
    assert_eq!(readiness.status, 503);
}

/// Waits until all of it works again, and no longer than promised.
async fn recovers(node: &Service) {
    let back = Instant::now();
    let unknown = Place::fresh().subscriber_key();
    loop {
        let asked = back.elapsed();
        let ready = Answer::to(node.request("/api/v1/readiness")).await.status;
        let unknown = node.with_key(&unknown).get("/api/v1/sports").await.status;
        let issued = Answer::to(node.call(Method::POST, KEYS).json(&json!({ "name": "again" }))).await.status;
        if (ready, unknown, issued) == (200, 401, 200) {
            return;
        }
        assert!(asked < RECOVERED, "after {asked:?}: readiness {ready}, an unknown key {unknown}, an issue {issued}");
        sleep(Duration::from_millis(200)).await;
    }
}

async fn every_node_knows_the_key(cluster: &Cluster) {
    for node in &cluster.nodes {
        assert_eq!(node.get("/api/v1/sports").await.status, 200);
    }
}

#[tokio::test]
async fn nodes_outlive_a_database_that_crashes_and_are_well_once_it_is_back() {
    let Some(mut postgres) = Postgres::start() else { return };
    let site = Site::at(Place::fresh().with("SPORTS_DATABASE__URL", postgres.fresh_database()));
    let cluster = Cluster::start(site, &[]).await;
    every_node_knows_the_key(&cluster).await;
    postgres.stop();
    for node in &cluster.nodes {
        works_without_its_database(node).await;
    }
    postgres.start_again();
    for node in &cluster.nodes {
        recovers(node).await;
    }
}

/// Nothing is refused and nothing is answered: neither side knows until it has waited.
#[tokio::test]
async fn nodes_outlive_a_network_that_hangs_before_the_database_and_are_well_afterwards() {
    let Some(postgres) = Postgres::start() else { return };
    let network = Network::to(postgres.address());
    let database = postgres.fresh_database();
    let (_, name) = database.rsplit_once('/').expect("a name");
    let site = Site::at(Place::fresh().with("SPORTS_DATABASE__URL", postgres.url(name, network.address())));
    let cluster = Cluster::start(site, &[]).await;
    every_node_knows_the_key(&cluster).await;
    for condition in [Condition::Hanging, Condition::Refusing] {
        network.becomes(condition);
        for node in &cluster.nodes {
            works_without_its_database(node).await;
        }
        network.becomes(Condition::Well);
        for node in &cluster.nodes {
            recovers(node).await;
        }
    }
}

#[tokio::test]
async fn a_server_waits_at_its_start_for_a_database_that_is_starting_too() {
    let Some(mut postgres) = Postgres::start() else { return };
    let site = Site::at(Place::fresh().with("SPORTS_DATABASE__URL", postgres.fresh_database()));
    postgres.stop();
    let database = thread::spawn(move || {
        thread::park_timeout(Duration::from_secs(3));
        postgres.start_again();
        postgres
    });
    let node = site.serve_with(&[]).await;
    let _postgres = database.join().expect("it starts");
    assert_eq!(node.get("/api/v1/sports").await.status, 200);
}
