//! Changes of an account through one node, and their visibility on the others.

use std::thread;
use std::time::Duration;

use futures::future::join_all;
use reqwest::Method;
use serde_json::json;
use sports_testkit::programs::TestFolder;
use sports_testkit::services::Postgres;
use tokio::time::{Instant, sleep};

use super::limits::USAGE;
use super::store::REFRESH;
use super::{Cluster, SHOWN, SPORTS};
use crate::service::{Answer, Service, Site, eventually};

pub const KEYS: &str = "/api/v1/customers/me/api-keys";
pub const ME: &str = "/api/v1/customers/me";

/// Polls every node until its answer is as expected: a request that is sent after the time limit must be answered so.
async fn shows_on_all(cluster: &Cluster, key: &str, path: &str, is_so: impl Fn(&Answer) -> bool + Copy) {
    let changed = Instant::now();
    join_all(cluster.nodes.iter().map(async |node| {
        loop {
            let elapsed = changed.elapsed();
            let answer = node.with_key(key).get(path).await;
            if is_so(&answer) {
                return;
            }
            assert!(elapsed < SHOWN, "{path} after {elapsed:?}: {}: {}", answer.status, answer.text());
            sleep(Duration::from_millis(20)).await;
        }
    }))
    .await;
}

async fn seen_by_all(cluster: &Cluster, key: &str) {
    for node in &cluster.nodes {
        assert_eq!(node.with_key(key).get(SPORTS).await.status, 200, "on every node");
    }
}

#[tokio::test]
#[ignore = "several nodes: `just slow`"]
async fn a_new_key_works_on_every_node_and_a_revoked_one_on_none_after_two_seconds() {
    let Some(site) = Cluster::site() else { return };
    let cluster = Cluster::start(site, &[]).await;
    for round in 0..3 {
        let request = cluster.next().call(Method::POST, KEYS).json(&json!({ "name": format!("round {round}") }));
        let created = Answer::to(request).await;
        assert_eq!(created.status, 200, "{}", created.text());
        let key = created.json()["api_key"].as_str().expect("a key").to_owned();
        seen_by_all(&cluster, &key).await;
        let revoked = cluster.next().call(Method::DELETE, &format!("{KEYS}/{key}"));
        assert_eq!(Answer::to(revoked).await.status, 200);
        shows_on_all(&cluster, &key, SPORTS, |answer| answer.status == 401).await;
    }
}

#[tokio::test]
#[ignore = "several nodes: `just slow`"]
async fn a_changed_plan_shows_on_every_node_within_two_seconds() {
    let Some(site) = Cluster::site() else { return };
    let (id, key) = site.customer("ann@example.com", "ai");
    let cluster = Cluster::start(site, &[]).await;
    seen_by_all(&cluster, &key).await;
    let _ = cluster.site.place.ctl(["customer", "plan", &id, "none"]);
    shows_on_all(&cluster, &key, ME, |answer| answer.status == 200 && answer.json()["api_plan"].is_null()).await;
}

#[tokio::test]
#[ignore = "several nodes: `just slow`"]
async fn one_of_three_nodes_that_race_for_the_last_refresh_wins() {
    let Some(site) = Cluster::site() else { return };
    site.add_dataset("historical-odds", "nfl.csv", b"date,away,home\n");
    let (id, key) = site.customer("owner@example.com", "ai");
    site.entitle(&id, "historical-odds");
    let cluster = Cluster::start(site, &[]).await;
    for _ in 0..7 {
        assert_eq!(cluster.next().with_key(&key).post(REFRESH).await.status, 200);
    }
    let racing = cluster.nodes.iter().cycle().take(12).map(async |node| node.with_key(&key).post(REFRESH).await.status);
    let mut outcomes = join_all(racing).await;
    outcomes.sort_unstable();
    assert_eq!(outcomes[0], 200, "{outcomes:?}");
    assert!(outcomes[1..].iter().all(|status| *status == 429), "{outcomes:?}");
}

#[tokio::test]
#[ignore = "several nodes: `just slow`"]
async fn without_redis_a_quota_is_per_node_and_a_start_warns_of_it() {
    let Some(site) = Cluster::site() else { return };
    let (id, key) = site.customer("ann@example.com", "ai");
    let limit = [("SPORTS_LIMITS__MONTHLY", "20")];
    let warns = |site: &Site| site.log().contains("quotas and limits per second are per server");
    let one = site.serve_with(&limit).await;
    assert!(!warns(&site), "there is no other");
    let other = site.serve_with(&limit).await;
    assert!(warns(&site), "{}", site.log());
    for node in [&one, &other] {
        let racing = join_all((0..30).map(async |_| node.with_key(&key).get(SPORTS).await.status)).await;
        assert_eq!(racing.iter().filter(|status| **status == 200).count(), 20, "{racing:?}");
        assert!(racing.iter().all(|status| [200, 429].contains(status)), "{racing:?}");
    }
    let usage = || site.place.ctl(["customer", "usage", &id]);
    eventually("the calls of both on record", || usage().contains("  40 requests  ")).await;
    one.stop();
    other.stop();
    let next = site.serve_with(&limit).await;
    assert_eq!(next.with_key(&key).get(USAGE).await.json()["monthly_requests"], 40);
}

#[tokio::test]
#[ignore = "several nodes: `just slow`"]
async fn ten_servers_that_start_at_once_on_an_empty_database_are_ready_within_a_minute() {
    let Some(database) = Postgres::database() else { return };
    let site = Site::with_key(TestFolder::fresh().with("SPORTS_DATABASE__URL", database), "no key");
    let started = Instant::now();
    let start = || site.start(&[]);
    let nodes: Vec<Service> = thread::scope(|scope| {
        let starting: Vec<_> = (0..10).map(|_| scope.spawn(start)).collect();
        starting.into_iter().map(|node| node.join().expect("it starts")).collect()
    });
    for node in &nodes {
        node.until("/api/v1/readiness", |answer| answer.status == 200).await;
    }
    assert!(started.elapsed() < Duration::from_mins(1), "ready after {:?}", started.elapsed());
    let key = site.place.subscriber_key();
    for node in &nodes {
        assert_eq!(node.with_key(&key).get(SPORTS).await.status, 200);
    }
}
