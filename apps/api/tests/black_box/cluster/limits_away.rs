//! Limits and counts while Redis, the database or a node is away.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use futures::future::join_all;
use sports_testkit::programs::TestFolder;
use sports_testkit::services::{Condition, Network, Postgres, Redis};
use tokio::time::{Instant, sleep};

use super::limits::{USAGE, limits};
use super::{AT_ONCE, Cluster, RECOVERED, REFUSED, SPORTS, within};
use crate::service::{Answer, Service, Site};

const REDIS: &str = "SPORTS_LIMITS__REDIS";

/// Sends requests to a node on several connections until `stop` is set; each must succeed. Returns their number.
async fn load(node: &Service, connections: usize, stop: &AtomicBool) -> u64 {
    let answered = AtomicU64::new(0);
    let connection = async || {
        while !stop.load(Ordering::Relaxed) {
            let answer = node.get(SPORTS).await;
            assert_eq!(answer.status, 200, "{}", answer.text());
            answered.fetch_add(1, Ordering::Relaxed);
        }
    };
    join_all((0..connections).map(|_| connection())).await;
    answered.into_inner()
}

/// Loads all nodes during an event; returns the number of answered calls.
async fn under_load(cluster: &Cluster, happens: impl Future<Output = ()>) -> u64 {
    let stop = AtomicBool::new(false);
    let happening = async {
        sleep(Duration::from_millis(300)).await;
        happens.await;
        sleep(Duration::from_millis(300)).await;
        stop.store(true, Ordering::Relaxed);
    };
    let loads = join_all(cluster.nodes.iter().map(|node| load(node, 3, &stop)));
    futures::join!(happening, loads).1.into_iter().sum()
}

/// Waits until a node reports that it limits calls together with the others, or by itself.
async fn becomes(node: &Service, status: &str) {
    let shown = |answer: &Answer| answer.json()["dependencies"]["limits"]["status"] == status;
    node.until("/api/v1/health", shown).await;
}

/// Asserts that every node counts the answered calls, once all parts are back.
async fn all_count(cluster: &Cluster, expected: u64) {
    for node in &cluster.nodes {
        becomes(node, "healthy").await;
    }
    for node in &cluster.nodes {
        let is_expected = |answer: &Answer| answer.json()["monthly_requests"] == expected;
        node.until(USAGE, is_expected).await;
    }
}

async fn cluster(redis: &str) -> Option<Cluster> {
    Some(Cluster::start(Cluster::site()?, &[(REDIS, redis)]).await)
}

#[tokio::test]
#[ignore = "several nodes: `just slow`"]
async fn calls_are_counted_correctly_over_a_redis_outage_with_or_without_data_loss() {
    let Some(mut redis) = Redis::start().await else { return };
    let Some(cluster) = cluster(&redis.url()).await else { return };
    let mut expected = under_load(&cluster, async {}).await;
    all_count(&cluster, expected).await;
    for saved in [true, false] {
        if saved {
            redis.save();
        } else {
            redis.forget_saved();
        }
        expected += under_load(&cluster, async {
            redis.stop();
            for node in &cluster.nodes {
                becomes(node, "degraded").await;
            }
            redis.start_again().await;
            for node in &cluster.nodes {
                becomes(node, "healthy").await;
            }
        })
        .await;
        all_count(&cluster, expected).await;
    }
}

#[tokio::test]
#[ignore = "several nodes: `just slow`"]
async fn calls_are_counted_correctly_while_redis_is_emptied() {
    let Some(redis) = Redis::start().await else { return };
    let Some(cluster) = cluster(&redis.url()).await else { return };
    let answered = under_load(&cluster, async {
        for _ in 0..3 {
            assert_eq!(redis.command("FLUSHALL"), "+OK");
            sleep(Duration::from_millis(700)).await;
        }
    });
    let answered = answered.await;
    all_count(&cluster, answered).await;
}

#[tokio::test]
#[ignore = "several nodes: `just slow`"]
async fn every_call_is_answered_within_two_seconds_while_redis_hangs() {
    let Some(redis) = Redis::start().await else { return };
    let network = Network::to(redis.address());
    let Some(cluster) = cluster(&format!("redis://{}", network.address())).await else { return };
    let mut answered = 0;
    for (condition, status, limit) in
        [(Condition::Hanging, "degraded", REFUSED), (Condition::Well, "healthy", RECOVERED)]
    {
        network.becomes(condition);
        let began = Instant::now();
        let mut shown = false;
        while !shown {
            for node in &cluster.nodes {
                assert_eq!(within(AT_ONCE, "a call", node.get(SPORTS)).await.status, 200);
                answered += 1;
            }
            shown = join_all(cluster.nodes.iter().map(limits)).await.iter().all(|shown| shown["status"] == status);
            assert!(began.elapsed() < limit, "{condition:?}: not {status} yet");
        }
    }
    all_count(&cluster, answered).await;
}

#[tokio::test]
#[ignore = "several nodes: `just slow`"]
async fn usage_after_a_node_is_killed_under_load_differs_only_by_calls_in_flight() {
    const CONNECTIONS: u64 = 3;
    let Some(redis) = Redis::start().await else { return };
    let Some(mut cluster) = cluster(&redis.url()).await else { return };
    let killed = cluster.nodes.pop().expect("three nodes");
    let answered = AtomicU64::new(0);
    let until_it_is_gone = async || {
        while killed.keyed(SPORTS).send().await.is_ok_and(|answer| answer.status() == 200) {
            answered.fetch_add(1, Ordering::Relaxed);
        }
    };
    let loads = join_all((0..CONNECTIONS).map(|_| until_it_is_gone()));
    let mut restarted = None;
    let happens = async {
        killed.signal("KILL");
        let node = cluster.site.serve_with(&[(REDIS, &redis.url())]).await;
        for _ in 0..20 {
            assert_eq!(node.get(SPORTS).await.status, 200);
            answered.fetch_add(1, Ordering::Relaxed);
        }
        restarted = Some(node);
    };
    let (others, _) = futures::join!(under_load(&cluster, happens), loads);
    cluster.nodes.extend(restarted);
    let answered = answered.into_inner() + others;
    for node in &cluster.nodes {
        let counted = node.monthly_requests().await;
        assert!((answered..=answered + CONNECTIONS).contains(&counted), "{counted} of {answered} answered");
    }
}

#[tokio::test]
#[ignore = "several nodes: `just slow`"]
async fn calls_during_a_database_outage_are_counted_in_redis_and_recorded_later() {
    let Some(mut postgres) = Postgres::start() else { return };
    let Some(redis) = Redis::start().await else { return };
    let site = Site::at(TestFolder::fresh().with("SPORTS_DATABASE__URL", postgres.fresh_database()));
    let cluster = Cluster::start(site, &[(REDIS, &redis.url())]).await;
    let mut answered = under_load(&cluster, async {}).await;
    postgres.stop();
    // Known keys stay valid for minutes.
    answered += under_load(&cluster, async {}).await;
    for node in &cluster.nodes {
        assert_eq!((node.monthly_requests().await, &limits(node).await["status"]), (answered, &"healthy".into()));
    }
    postgres.start_again();
    for node in &cluster.nodes {
        node.until("/api/v1/readiness", |answer| answer.status == 200).await;
    }
    sleep(Duration::from_secs(1)).await;
    // The counts now exist only in the database.
    assert_eq!(redis.command("FLUSHALL"), "+OK");
    all_count(&cluster, answered).await;
    let Cluster { site, nodes, .. } = cluster;
    nodes.into_iter().for_each(Service::stop);
    let other = Redis::start().await.expect("installed");
    let node = site.serve_with(&[(REDIS, &other.url())]).await;
    assert_eq!(node.monthly_requests().await, answered);
}
