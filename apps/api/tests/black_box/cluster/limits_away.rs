//! Limits and counts while Redis, the database or a node is away.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures::future::join_all;
use sports_testkit::programs::TestFolder;
use sports_testkit::services::{Condition, Network, Postgres, Redis};
use tokio::time::{Instant, sleep};

use super::limits::{USAGE, limits};
use super::{AT_ONCE, Cluster, RECOVERED, REFUSED, SPORTS, within};
use crate::service::{Answer, Service, Site, eventually};

const REDIS: &str = "SPORTS_LIMITS__REDIS";

/// Calls that were answered.
#[derive(Default)]
struct Answered(Vec<Instant>);

impl Answered {
    fn number(&self) -> u64 {
        self.0.len() as u64
    }

    fn add(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// Returns the most calls that were answered within one second, which is what a failure may lose.
    fn most_within_a_second(&self) -> u64 {
        let mut at = self.0.clone();
        at.sort_unstable();
        let within = |from: usize| at.partition_point(|other| *other < at[from] + Duration::from_secs(1)) - from;
        (0..at.len()).map(within).max().unwrap_or_default() as u64
    }
}

/// Sends requests to a node on several connections until `stop` is set; each must succeed.
async fn load(node: &Service, connections: usize, stop: &AtomicBool) -> Answered {
    let connection = async || {
        let mut answered = Vec::new();
        while !stop.load(Ordering::Relaxed) {
            let answer = node.get(SPORTS).await;
            assert_eq!(answer.status, 200, "{}", answer.text());
            answered.push(Instant::now());
        }
        answered
    };
    Answered(join_all((0..connections).map(|_| connection())).await.concat())
}

/// Loads all nodes during an event; returns the answered calls.
async fn under_load(cluster: &Cluster, happens: impl Future<Output = ()>) -> Answered {
    let stop = AtomicBool::new(false);
    let happening = async {
        sleep(Duration::from_millis(300)).await;
        happens.await;
        sleep(Duration::from_millis(300)).await;
        stop.store(true, Ordering::Relaxed);
    };
    let loads = join_all(cluster.nodes.iter().map(|node| load(node, 3, &stop)));
    Answered(futures::join!(happening, loads).1.into_iter().flat_map(|answered| answered.0).collect())
}

/// Waits until a node reports that it limits calls together with the others, or by itself.
async fn becomes(node: &Service, status: &str) {
    let shown = |answer: &Answer| answer.json()["dependencies"]["limits"]["status"] == status;
    node.until("/api/v1/health", shown).await;
}

/// Asserts that every node counts the answered calls but for `lost`, and none twice, once all parts are back.
async fn all_count(cluster: &Cluster, answered: &Answered, lost: u64) {
    let (least, most) = (answered.number().saturating_sub(lost), answered.number());
    for node in &cluster.nodes {
        becomes(node, "healthy").await;
    }
    for node in &cluster.nodes {
        let counted = |answer: &Answer| answer.json()["monthly_requests"].as_u64().expect("a number");
        let usage = node.until(USAGE, |answer| counted(answer) >= least).await;
        assert!(counted(&usage) <= most, "{} of {most} calls", counted(&usage));
    }
}

/// Asserts that the record has every answered call, once.
async fn record_counts(site: &Site, answered: &Answered) {
    let expected = format!("  {} requests  ", answered.number());
    let customers = site.place.ctl(["customer", "list"]);
    let id = customers.split_whitespace().next().expect("a customer");
    eventually("every call on record", || site.place.ctl(["customer", "usage", id]).contains(&expected)).await;
}

async fn cluster(redis: &str) -> Option<Cluster> {
    Some(Cluster::start(Cluster::site()?, &[(REDIS, redis)]).await)
}

#[tokio::test]
#[ignore = "several nodes: `just slow`"]
async fn an_outage_of_redis_with_or_without_its_data_loses_a_second_of_calls_at_most() {
    let Some(mut redis) = Redis::start().await else { return };
    let Some(cluster) = cluster(&redis.url()).await else { return };
    let mut answered = under_load(&cluster, async {}).await;
    all_count(&cluster, &answered, 0).await;
    let mut lost = 0;
    for saved in [true, false] {
        if saved {
            redis.save();
        } else {
            redis.forget_saved();
        }
        let during = under_load(&cluster, async {
            redis.stop();
            for node in &cluster.nodes {
                becomes(node, "degraded").await;
            }
            redis.start_again().await;
            for node in &cluster.nodes {
                becomes(node, "healthy").await;
            }
        });
        answered.add(during.await);
        lost += answered.most_within_a_second();
        all_count(&cluster, &answered, lost).await;
    }
    record_counts(&cluster.site, &answered).await;
}

#[tokio::test]
#[ignore = "several nodes: `just slow`"]
async fn a_redis_emptied_under_load_loses_a_second_of_calls_at_most() {
    let Some(redis) = Redis::start().await else { return };
    let Some(cluster) = cluster(&redis.url()).await else { return };
    let answered = under_load(&cluster, async {
        for _ in 0..3 {
            assert_eq!(redis.command("FLUSHALL"), "+OK");
            sleep(Duration::from_millis(700)).await;
        }
    });
    let answered = answered.await;
    all_count(&cluster, &answered, answered.most_within_a_second()).await;
    record_counts(&cluster.site, &answered).await;
    // Redis is seeded with all of them, now that they are on record.
    assert_eq!(redis.command("FLUSHALL"), "+OK");
    sleep(Duration::from_secs(2)).await;
    all_count(&cluster, &answered, 0).await;
}

#[tokio::test]
#[ignore = "several nodes: `just slow`"]
async fn every_call_is_answered_within_two_seconds_while_redis_hangs() {
    let Some(redis) = Redis::start().await else { return };
    let network = Network::to(redis.address());
    let Some(cluster) = cluster(&format!("redis://{}", network.address())).await else { return };
    let mut answered = Answered::default();
    for (condition, status, limit) in
        [(Condition::Hanging, "degraded", REFUSED), (Condition::Well, "healthy", RECOVERED)]
    {
        network.becomes(condition);
        let began = Instant::now();
        let mut shown = false;
        while !shown {
            for node in &cluster.nodes {
                assert_eq!(within(AT_ONCE, "a call", node.get(SPORTS)).await.status, 200);
                answered.0.push(Instant::now());
            }
            shown = join_all(cluster.nodes.iter().map(limits)).await.iter().all(|shown| shown["status"] == status);
            assert!(began.elapsed() < limit, "{condition:?}: not {status} yet");
        }
    }
    all_count(&cluster, &answered, answered.most_within_a_second()).await;
    record_counts(&cluster.site, &answered).await;
}

#[tokio::test]
#[ignore = "several nodes: `just slow`"]
async fn a_node_killed_under_load_loses_at_most_a_second_of_calls() {
    const CONNECTIONS: u64 = 3;
    let Some(redis) = Redis::start().await else { return };
    let Some(mut cluster) = cluster(&redis.url()).await else { return };
    let killed = cluster.nodes.pop().expect("three nodes");
    let until_it_is_gone = async || {
        let mut answered = Vec::new();
        while killed.keyed(SPORTS).send().await.is_ok_and(|answer| answer.status() == 200) {
            answered.push(Instant::now());
        }
        answered
    };
    let loads = join_all((0..CONNECTIONS).map(|_| until_it_is_gone()));
    let mut restarted = None;
    let happens = async {
        killed.signal("KILL");
        restarted = Some(cluster.site.serve_with(&[(REDIS, &redis.url())]).await);
    };
    let (mut answered, of_killed) = futures::join!(under_load(&cluster, happens), loads);
    cluster.nodes.extend(restarted);
    let of_killed = Answered(of_killed.concat());
    let lost = of_killed.most_within_a_second();
    answered.add(of_killed);
    for node in &cluster.nodes {
        let (counted, least) = (node.monthly_requests().await, answered.number());
        assert!((least..=least + CONNECTIONS).contains(&counted), "{counted} of {least} answered: Redis has them");
    }
    sleep(Duration::from_secs(1)).await;
    assert_eq!(redis.command("FLUSHALL"), "+OK");
    sleep(Duration::from_secs(2)).await;
    for node in &cluster.nodes {
        let (counted, most) = (node.monthly_requests().await, answered.number() + CONNECTIONS);
        assert!((answered.number() - lost..=most).contains(&counted), "{counted} of {most}, {lost} may be lost");
    }
}

#[tokio::test]
#[ignore = "several nodes: `just slow`"]
async fn a_quota_is_exceeded_by_no_more_than_a_second_of_calls_while_redis_is_emptied() {
    const QUOTA: u64 = 900;
    let Some(redis) = Redis::start().await else { return };
    let Some(site) = Cluster::site() else { return };
    let limit = ("SPORTS_LIMITS__MONTHLY", QUOTA.to_string());
    let cluster = Cluster::start(site, &[(REDIS, &redis.url()), (limit.0, &limit.1)]).await;
    let is_full = AtomicBool::new(false);
    let connection = async |node: &Service| {
        let mut admitted = Vec::new();
        while !is_full.load(Ordering::Relaxed) {
            match node.get(SPORTS).await.status {
                200 => admitted.push(Instant::now()),
                429 => is_full.store(true, Ordering::Relaxed),
                status => panic!("{status}"),
            }
        }
        admitted
    };
    let emptying = async {
        sleep(Duration::from_millis(500)).await;
        assert_eq!(redis.command("FLUSHALL"), "+OK");
    };
    let callers = join_all(cluster.nodes.iter().cycle().take(9).map(connection));
    let admitted = Answered(futures::join!(callers, emptying).0.concat());
    let allowed = QUOTA + admitted.most_within_a_second();
    assert!((QUOTA..=allowed).contains(&admitted.number()), "{} of {allowed}", admitted.number());
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
    answered.add(under_load(&cluster, async {}).await);
    for node in &cluster.nodes {
        let counted = (node.monthly_requests().await, &limits(node).await["status"]);
        assert_eq!(counted, (answered.number(), &"healthy".into()));
    }
    postgres.start_again();
    for node in &cluster.nodes {
        node.until("/api/v1/readiness", |answer| answer.status == 200).await;
    }
    sleep(Duration::from_secs(1)).await;
    // The counts now exist only in the database.
    assert_eq!(redis.command("FLUSHALL"), "+OK");
    sleep(Duration::from_secs(2)).await;
    all_count(&cluster, &answered, 0).await;
    let Cluster { site, nodes, .. } = cluster;
    nodes.into_iter().for_each(Service::stop);
    let other = Redis::start().await.expect("installed");
    let node = site.serve_with(&[(REDIS, &other.url())]).await;
    assert_eq!(node.monthly_requests().await, answered.number());
}
