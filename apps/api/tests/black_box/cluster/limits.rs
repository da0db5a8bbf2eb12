//! Limits that all nodes apply together, in Redis.

use std::collections::BTreeSet;
use std::fs;
use std::time::Duration;

use futures::future::join_all;
use sports_testkit::services::{Certificates, Network, Redis};
use tokio::time::Instant;

use super::{Cluster, SPORTS};
use crate::service::{Answer, Service, Site};

const PICKS: &str = "/api/v1/edge-picks";
pub const USAGE: &str = "/api/v1/customers/me/usage";
const REDIS: &str = "SPORTS_LIMITS__REDIS";

/// Returns the state of the shared limits in a node's health.
pub async fn limits(node: &Service) -> serde_json::Value {
    Answer::to(node.request("/api/v1/health")).await.json()["dependencies"]["limits"].take()
}

/// Sends calls on several connections at once, each to one node after the other. Returns the times at which each
/// admitted call was sent and answered, and all answers.
async fn storm(
    cluster: &Cluster,
    connections: usize,
    each: usize,
    call: &impl AsyncFn(&Service) -> Answer,
) -> (Vec<(Instant, Instant)>, Vec<Answer>) {
    let connection = async || {
        let (mut admitted, mut answers) = (Vec::new(), Vec::new());
        for _ in 0..each {
            let begun = Instant::now();
            let answer = call(cluster.next()).await;
            if answer.status == 200 {
                admitted.push((begun, Instant::now()));
            }
            answers.push(answer);
        }
        (admitted, answers)
    };
    let all = join_all((0..connections).map(|_| connection())).await;
    let (admitted, answers): (Vec<_>, Vec<_>) = all.into_iter().unzip();
    (admitted.into_iter().flatten().collect(), answers.into_iter().flatten().collect())
}

/// Runs a storm throughout which the nodes counted together. On a busy machine, Redis may seem to hang for a moment:
/// then the storm is repeated.
async fn storm_together(
    (name, value): (&str, &str),
    (connections, each): (usize, usize),
    call: impl AsyncFn(&Service) -> Answer,
) -> Option<(Redis, Cluster, Vec<(Instant, Instant)>, Vec<Answer>)> {
    for _ in 0..5 {
        let redis = Redis::start().await?;
        let cluster = Cluster::start(Cluster::site()?, &[(REDIS, &redis.url()), (name, value)]).await;
        let (admitted, answers) = storm(&cluster, connections, each, &call).await;
        if (1..=3).all(|node| stayed_together(&cluster.site, node)) {
            for node in &cluster.nodes {
                assert_eq!(limits(node).await["status"], "healthy");
            }
            return Some((redis, cluster, admitted, answers));
        }
    }
    panic!("the machine is too busy");
}

fn stayed_together(site: &Site, node: usize) -> bool {
    let log = fs::read_to_string(site.place.path().join(format!("server-{node}.log"))).expect("a log");
    !log.contains("limits are not shared")
}

/// Returns the most calls that were certainly admitted within one second: sent and answered in it.
fn most_within_a_second(admitted: &[(Instant, Instant)]) -> usize {
    // Clocks of one machine differ by less than this.
    let second = Duration::from_millis(995);
    let within = |from: Instant| admitted.iter().filter(|(sent, got)| *sent >= from && *got < from + second).count();
    admitted.iter().map(|(sent, _)| within(*sent)).max().unwrap_or_default()
}

#[tokio::test]
#[ignore = "several nodes: `just slow`"]
async fn a_quota_is_admitted_exactly_across_nodes() {
    let stormed = storm_together(("SPORTS_LIMITS__MONTHLY", "300"), (30, 15), async |node| node.get(SPORTS).await);
    let Some((_redis, cluster, admitted, answers)) = stormed.await else { return };
    assert_eq!(admitted.len(), 300);
    let left = |answer: &Answer| answer.header("x-ratelimit-remaining").expect("the quota").parse::<u64>();
    let admitted = answers.iter().filter(|answer| answer.status == 200);
    let left: BTreeSet<_> = admitted.map(|answer| left(answer).expect("a number")).collect();
    assert_eq!(left, (0..300).collect(), "each call has a count of its own");
    for refused in answers.iter().filter(|answer| answer.status != 200) {
        let detail = refused.failure(429);
        assert!(
            detail.starts_with("Rate limit exceeded. Limit: 300 requests per month; the next month begins"),
            "{detail}"
        );
    }
    for node in &cluster.nodes {
        assert_eq!(node.monthly_requests().await, 300);
    }
}

#[tokio::test]
#[ignore = "several nodes: `just slow`"]
async fn fifty_calls_a_second_are_admitted_across_nodes_and_no_more() {
    let stormed = storm_together(("SPORTS_LIMITS__PER_SECOND", "50"), (12, 60), async |node| node.get(SPORTS).await);
    let Some((_redis, cluster, admitted, answers)) = stormed.await else { return };
    let most = most_within_a_second(&admitted);
    assert!(most <= 50, "{most} calls were admitted within one second");
    assert!(admitted.len() >= 50, "only {} were admitted", admitted.len());
    for refused in answers.iter().filter(|answer| answer.status != 200) {
        assert_eq!(refused.failure(429), "Rate limit exceeded. Limit: 50 requests per second");
    }
    // Only admitted calls are counted.
    for node in &cluster.nodes {
        let usage = node.until(USAGE, |answer| answer.status == 200).await.json();
        assert_eq!(usage["monthly_requests"], admitted.len());
    }
}

#[tokio::test]
#[ignore = "several nodes: `just slow`"]
async fn the_limit_of_an_address_is_one_across_nodes() {
    let call = async |node: &Service| Answer::to(node.request(PICKS)).await;
    let stormed = storm_together(("SPORTS_LIMITS__PUBLIC_PER_SECOND", "5"), (6, 20), call).await;
    let Some((_redis, _cluster, admitted, answers)) = stormed else { return };
    let most = most_within_a_second(&admitted);
    assert!((1..=5).contains(&most), "{most} calls were admitted within one second");
    assert!(answers.iter().any(|answer| answer.status == 429));
}

/// The certificate is checked against the system's roots, which `SSL_CERT_FILE` names here.
#[tokio::test]
#[ignore = "several nodes: `just slow`"]
async fn redis_over_tls_is_used_only_with_a_trusted_certificate() {
    let Some(redis) = Redis::start_with(&["--requirepass", "op3n-sesame"]).await else { return };
    let (trusted, other) = (Certificates::fresh(), Certificates::fresh());
    let network = Network::tls_to(redis.address(), &trusted);
    let address = format!("rediss://:op3n-sesame@localhost:{}/3", network.address().port());
    for (certificates, status) in [(&trusted, "healthy"), (&other, "degraded")] {
        let site = Site::empty();
        let authority = certificates.authority();
        let authority = authority.to_str().expect("a path in Unicode");
        let node = site.serve_with(&[(REDIS, &address), ("SSL_CERT_FILE", authority)]).await;
        assert_eq!(node.get(SPORTS).await.status, 200);
        assert_eq!(limits(&node).await["status"], status);
        let log = site.log();
        assert_eq!(log.contains("invalid peer certificate"), status == "degraded", "{log}");
        assert!(!log.contains("op3n-sesame"), "{log}");
        node.stop();
    }
}

#[tokio::test]
#[ignore = "several nodes: `just slow`"]
async fn a_redis_password_is_used_and_a_wrong_one_is_never_printed() {
    let Some(redis) = Redis::start().await else { return };
    assert_eq!(redis.command("ACL SETUSER sports on >right ~sports:* +@all"), "+OK");
    for (password, status) in [("right", "healthy"), ("wr0ng-one", "degraded")] {
        let site = Site::empty();
        let address = format!("redis://sports:{password}@{}/2", redis.address());
        let node = site.serve_with(&[(REDIS, &address)]).await;
        assert_eq!(node.get(SPORTS).await.status, 200);
        assert_eq!(limits(&node).await["status"], status);
        assert!(!site.log().contains("wr0ng-one"), "{}", site.log());
    }
}

#[tokio::test]
#[ignore = "several nodes: `just slow`"]
async fn a_malformed_redis_address_is_a_start_error() {
    let site = Site::empty();
    let mut command = site.place.program("sports-api", ["serve", "--bind", "127.0.0.1:0"]);
    let output = command.env(REDIS, "redis://:op3n-sesame@localhost/two").output().expect("it runs");
    let printed = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{printed}");
    assert!(printed.contains("limits.redis") && printed.contains("redis://user:password@host"), "{printed}");
    assert!(!printed.contains("op3n-sesame"), "{printed}");
}

#[tokio::test]
#[ignore = "several nodes: `just slow`"]
async fn counts_stay_when_redis_is_set_and_unset_within_a_month() {
    let (Some(first), Some(second)) = (Redis::start().await, Redis::start().await) else { return };
    let site = Site::empty();
    for (redis, expected) in [(None, 2), (Some(&first), 4), (None, 6), (Some(&second), 8), (Some(&first), 10)] {
        let address = redis.map(Redis::url);
        let variables: Vec<_> = address.as_deref().map(|address| (REDIS, address)).into_iter().collect();
        let node = site.serve_with(&variables).await;
        for _ in 0..2 {
            assert_eq!(node.get(SPORTS).await.status, 200);
        }
        assert_eq!(node.monthly_requests().await, expected, "{address:?}");
        node.stop();
    }
}

#[tokio::test]
#[ignore = "several nodes: `just slow`"]
async fn health_of_one_machine_has_no_shared_limits() {
    let site = Site::empty();
    let node = site.serve().await;
    assert_eq!(limits(&node).await, serde_json::Value::Null);
}
