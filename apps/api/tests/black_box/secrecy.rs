//! No key is in any output of a run that used every kind of call.

use std::collections::BTreeSet;

use reqwest::Method;
use serde_json::json;
use sports_testkit::programs::Place;

use crate::service::{Answer, Site};

const KEYS: &str = "/api/v1/customers/me/api-keys";

/// What would give a key away: the part that masks hide, and half of it.
fn parts(key: &str) -> [&str; 2] {
    let hidden = &key["sk_service_".len() + 4..];
    [&hidden[..20], &hidden[hidden.len() - 20..]]
}

#[tokio::test]
async fn no_key_is_in_any_answer_log_or_listing() {
    let site = Site::publishing(&["doubleheader"]);
    site.add_dataset("odds", "nfl.csv", b"a,b\n");
    let (id, good) = site.customer("ann@example.com", "ai");
    let (_, lapsed) = site.customer("bob@example.com", "none");
    site.entitle(&id, "odds");
    let unknown = Place::fresh().subscriber_key();
    let typo = format!("{}x", &good[..good.len() - 1]);
    let service = site.serve_with(&[("RUST_LOG", "trace")]).await;
    let ann = service.with_key(&good);

    let created = Answer::to(ann.request(Method::POST, KEYS).json(&json!({ "name": "made" }))).await;
    let made = created.json()["api_key"].as_str().expect("a key").to_owned();
    let mut seen = Vec::new();
    for key in [&good, &made, &lapsed, &unknown, &typo] {
        let path = |path: &str| path.replace("KEY", key);
        let mut requests = vec![
            service.request("/api/v1/sports").header("X-API-Key", key),
            service.request("/api/v1/sports").header("Authorization", format!("Bearer {key}")),
            service.request("/api/v1/sports").header("Authorization", format!("Basic {key}")),
            service.request("/api/v1/sports").header("Cookie", key).header("Referer", key).header("X-Request-Id", key),
            service.request("/api/v1/sports").header("User-Agent", key).header("X-Forwarded-For", key),
        ];
        for place in [
            "/api/v1/sports?api_key=KEY",
            "/api/v1/sports?api_key=KEY&api_key=KEY",
            "/api/v1/sports?apikey=KEY",
            "/api/v1/sports?KEY=KEY",
            "/api/v1/results/mlb/over_under?season=KEY",
            "/api/v1/results/mlb/over_under?limit=KEY&snapshot=KEY",
            "/api/v1/results/KEY/over_under",
            "/api/v1/customers/me/api-keys/KEY",
            "/KEY",
            "/downloads/KEY/KEY/KEY/KEY?signature=KEY",
            "/docs/KEY",
        ] {
            requests.push(service.request(&path(place)));
            requests.push(service.request(&path(place)).header("X-API-Key", &good));
        }
        for body in [json!(key), json!({ "name": [key] }), json!({ key.as_str(): key })] {
            requests.push(ann.request(Method::POST, KEYS).json(&body));
        }
        for body in [
            json!({ "api_key_to_rename": key, "new_name": "renamed" }),
            json!({ "api_key_to_rename": { "key": key }, "new_name": 5 }),
            json!({ "api_key_to_rename": key, "new_name": "" }),
        ] {
            requests.push(ann.request(Method::PATCH, "/api/v1/customers/me/api-keys/rename").json(&body));
        }
        requests.push(ann.request(Method::DELETE, &path("/api/v1/customers/me/api-keys/KEY")));
        requests.push(ann.request(Method::POST, "/api/v1/service-sports-data/refresh"));
        requests.push(ann.request(Method::GET, KEYS));
        requests.push(ann.request(Method::GET, "/api/v1/customers/me"));
        for request in requests {
            let answer = Answer::to(request).await;
            seen.push(format!("{} {:?} {}", answer.status, answer.headers, answer.text()));
        }
    }
    let statuses: BTreeSet<_> = seen.iter().map(|answer| &answer[..3]).collect();
    assert_eq!(statuses, ["200", "400", "401", "403", "404", "405"].into(), "every kind of call was made");
    seen.push(site.log());
    seen.push(service.printed());
    service.stop();
    for arguments in [&["customer", "list"][..], &["key", "list", "--customer", &id], &["customer", "usage", &id]] {
        seen.push(site.place.ctl(arguments));
    }
    for name in ["sports.db", "sports.db-wal", "server.log"] {
        let bytes = std::fs::read(site.place.path().join(name)).unwrap_or_default();
        seen.push(String::from_utf8_lossy(&bytes).into_owned());
    }
    for key in [good, made, lapsed, unknown, typo] {
        for part in parts(&key) {
            let found = seen.iter().find(|text| text.contains(part));
            let line = found.and_then(|text| text.lines().find(|line| line.contains(part)));
            assert!(found.is_none(), "{}", line.unwrap_or_default());
        }
    }
}
