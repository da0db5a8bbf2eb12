//! Nodes with different settings, and a Redis with a wrong configuration.

use serde_json::Value;
use sports_testkit::services::Redis;

use super::Cluster;
use crate::service::{Answer, Service};

const HEALTH: &str = "/api/v1/health";
const MEASURED: (&str, &str) = ("SPORTS_METRICS__BIND", "127.0.0.1:0");

fn part<'a>(health: &'a Value, name: &str) -> &'a Value {
    &health["dependencies"][name]
}

async fn until_healthy(node: &Service) {
    node.until(HEALTH, |answer| answer.json()["status"] == "healthy").await;
}

/// Waits until health names these settings and no others; returns the sentence.
async fn until_differing(node: &Service, settings: &str) -> String {
    let named = |answer: &Answer| {
        let health = answer.json();
        let found = part(&health, "settings");
        let detail = found["detail"].as_str().unwrap_or_default();
        found["status"] == "degraded" && health["status"] == "degraded" && detail.ends_with(&format!(" of {settings}"))
    };
    node.until(HEALTH, named).await;
    part(&node.get(HEALTH).await.json(), "settings")["detail"].as_str().expect("a detail").to_owned()
}

async fn metrics(node: &Service) -> String {
    let printed = node.printed();
    let address = printed.lines().find_map(|line| line.strip_prefix("metrics on ")).expect("an address");
    node.fetch(address).send().await.expect("answered").text().await.expect("text")
}

fn differs(setting: &str, value: u8) -> String {
    format!("node_settings_differ{{setting=\"{setting}\"}} {value}\n")
}

#[tokio::test]
#[ignore = "several nodes: `just slow`"]
async fn a_setting_that_differs_is_reported_until_its_node_is_gone() {
    let Some(site) = Cluster::site() else { return };
    let one = site.serve_with(&[MEASURED]).await;
    let alike = site.serve_with(&[]).await;
    until_healthy(&one).await;
    assert!(metrics(&one).await.contains(&differs("limits.monthly", 0)));
    let elsewhere = format!("file:{}", site.place.path().join("another-store").display());
    for signal in ["TERM", "KILL"] {
        let other = [("SPORTS_LIMITS__MONTHLY", "612"), ("SPORTS_STORE__URL", elsewhere.as_str())];
        let other = site.serve_with(&other).await;
        for node in [&one, &alike, &other] {
            let detail = until_differing(node, "limits.monthly, store.url").await;
            assert!(!detail.contains("612") && !detail.contains("another-store"), "{detail}");
        }
        let figures = metrics(&one).await;
        for (setting, value) in [("limits.monthly", 1), ("store.url", 1), ("limits.per_second", 0), ("limits.redis", 0)]
        {
            assert!(figures.contains(&differs(setting, value)), "{setting}\n{figures}");
        }
        let _ = other.end(signal);
        // With or without a regular shutdown.
        until_healthy(&one).await;
        until_healthy(&alike).await;
        assert!(metrics(&one).await.contains(&differs("limits.monthly", 0)));
    }
}

#[tokio::test]
#[ignore = "several nodes: `just slow`"]
async fn a_redis_is_compared_by_its_address_and_not_by_its_password() {
    let (Some(site), Some(redis)) = (Cluster::site(), Redis::start().await) else { return };
    let Some(another) = Redis::start().await else { return };
    let anyone = redis.url().replace("redis://", "redis://default:whatever@");
    let _ = redis.command("ACL SETUSER default on nopass");
    let one = site.serve_with(&[("SPORTS_LIMITS__REDIS", &redis.url())]).await;
    let alike = site.serve_with(&[("SPORTS_LIMITS__REDIS", &anyone)]).await;
    until_healthy(&one).await;
    until_healthy(&alike).await;
    let other = site.serve_with(&[("SPORTS_LIMITS__REDIS", &another.url())]).await;
    let detail = until_differing(&one, "limits.redis").await;
    assert!(!detail.contains("redis://"), "{detail}");
    until_differing(&alike, "limits.redis").await;
    drop(other);
    let without = site.serve_with(&[]).await;
    until_differing(&without, "limits.redis").await;
}

#[tokio::test]
#[ignore = "several nodes: `just slow`"]
async fn a_redis_that_evicts_keys_is_reported_until_it_is_corrected() {
    let (Some(site), Some(redis)) = (Cluster::site(), Redis::start_with(&["--maxmemory-policy", "allkeys-lru"]).await)
    else {
        return;
    };
    let node = site.serve_with(&[("SPORTS_LIMITS__REDIS", &redis.url())]).await;
    let is_named = |answer: &Answer| {
        let health = answer.json();
        let limits = part(&health, "limits");
        health["status"] == "degraded"
            && limits["status"] == "degraded"
            && limits["detail"].as_str().is_some_and(|detail| detail.contains("allkeys-lru"))
    };
    node.until(HEALTH, is_named).await;
    assert!(site.log().contains("maxmemory-policy is allkeys-lru"), "{}", site.log());
    let _ = redis.command("CONFIG SET maxmemory-policy noeviction");
    until_healthy(&node).await;
    let _ = redis.command("CONFIG SET maxmemory-policy volatile-ttl");
    node.until(HEALTH, |answer| answer.text().contains("volatile-ttl")).await;
}
