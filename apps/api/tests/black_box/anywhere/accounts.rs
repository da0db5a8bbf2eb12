//! The tables of accounts and errors, row by row, over HTTP.

use reqwest::Method;
use serde_json::{Value, json};
use tokio::time::{Duration, sleep};

use crate::service::{Answer, Customer, Site};

const ME: &str = "/api/v1/customers/me";
const USAGE: &str = "/api/v1/customers/me/usage";
const KEYS: &str = "/api/v1/customers/me/api-keys";
const RENAME: &str = "/api/v1/customers/me/api-keys/rename";

async fn create(customer: &Customer<'_>, name: &str) -> String {
    let created = Answer::to(customer.request(Method::POST, KEYS).json(&json!({ "name": name }))).await;
    assert_eq!((created.status, created.header("cache-control")), (200, Some("no-store")), "{}", created.text());
    created.json()["api_key"].as_str().expect("a key").to_owned()
}

async fn revoke(customer: &Customer<'_>, key: &str) -> Answer {
    Answer::to(customer.request(Method::DELETE, &format!("{KEYS}/{key}"))).await
}

fn masked(key: &str) -> String {
    format!("{}*****", &key[.."sk_service_".len() + 4])
}

fn fields(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

#[tokio::test]
async fn a_key_is_created_listed_renamed_and_revoked() {
    let site = Site::empty();
    let (_, key) = site.customer("ann@example.com", "ai");
    let service = site.serve().await;
    let ann = service.with_key(&key);
    let made = create(&ann, "server").await;
    assert_eq!(service.with_key(&made).get(ME).await.status, 200, "it works at once");

    let list = ann.get(KEYS).await;
    assert!(!list.text().contains(&made) && !list.text().contains(&key));
    let entry = list.json()[1].clone();
    let first = ["allowed_networks", "api_key", "created_at", "created_by", "expires_at", "is_active"];
    assert_eq!(fields(&entry), [&first[..], &["last_used_at", "last_used_from", "name", "scope", "tier"]].concat());
    assert_eq!(
        (&entry["api_key"], &entry["name"], &entry["tier"]),
        (&json!(masked(&made)), &json!("server"), &json!("ai"))
    );

    for name in [made.clone(), masked(&made)] {
        let body = json!({ "api_key_to_rename": name, "new_name": format!("renamed {}", name.len()) });
        let renamed = Answer::to(ann.request(Method::PATCH, RENAME).json(&body)).await;
        assert_eq!((renamed.status, fields(&renamed.json())), (200, vec!["message"]), "{}", renamed.text());
    }
    assert_eq!(ann.get(KEYS).await.json()[1]["name"], "renamed 20");

    let revoked = revoke(&ann, &masked(&made).replace('*', "%2A")).await;
    assert_eq!((revoked.status, fields(&revoked.json())), (200, vec!["message"]), "{}", revoked.text());
    assert_eq!(service.with_key(&made).get(ME).await.failure(401), "Invalid or expired API key", "it stops at once");
    assert_eq!(ann.get(KEYS).await.json()[1]["is_active"], false);
    assert_eq!(revoke(&ann, &made).await.failure(404), "You have no such active API key");
}

/// 409 and 500 have tests of their own: a season published anew while it is paged, and a damaged archive.
#[tokio::test]
async fn every_refusal_has_its_status_and_the_common_form() {
    let site = Site::empty();
    let (_, key) = site.customer("ann@example.com", "ai");
    let (_, lapsed) = site.customer("bob@example.com", "none");
    let service = site.serve_with(&[("SPORTS_LIMITS__MONTHLY", "3")]).await;
    let ann = service.with_key(&key);
    ann.get("/api/v1/results/cricket/over_under").await.failure(400);
    assert_eq!(Answer::to(service.request(ME)).await.failure(401), "API key required");
    assert_eq!(service.with_key("sk_service_wrong").get(ME).await.failure(401), "Invalid or expired API key");
    assert_eq!(service.with_key(&lapsed).get(KEYS).await.failure(403), "Active subscription required");
    ann.get("/api/v1/results/nfl/over_under").await.failure(404);
    for _ in 0..3 {
        assert_eq!(ann.get("/api/v1/sports").await.status, 200, "refusals do not count");
    }
    let full = ann.get("/api/v1/results/cricket/over_under").await;
    assert_eq!((full.header("retry-after"), full.header("x-ratelimit-remaining")), (None, Some("0")));
    let detail = full.failure(429);
    assert!(detail.starts_with("Rate limit exceeded. Limit: 3 requests per month; the next month begins "), "{detail}");
    assert_eq!(ann.get(KEYS).await.status, 200);
    for path in [ME, USAGE] {
        let shown = ann.get(path).await;
        assert_eq!((shown.status, shown.header("x-ratelimit-remaining")), (200, Some("0")), "{path}");
        assert_eq!(shown.json()["monthly_requests"], 3, "{path}");
    }
}

#[tokio::test]
async fn known_keys_work_without_the_database_and_other_requests_are_503() {
    let site = Site::on_one_machine();
    let (_, key) = site.customer("ann@example.com", "ai");
    let (_, unseen) = site.customer("bob@example.com", "ai");
    let service = site.serve().await;
    let ann = service.with_key(&key);
    assert_eq!(ann.get("/api/v1/sports").await.status, 200);
    // The files are overwritten in place, so that the open connections are affected, too. None gets shorter: a server that reads
    // its memory map of a file behind the end of the file is killed by the system. So is one whose index of the log is
    // overwritten, since SQLite uses its numbers as places in memory.
    for name in ["sports.db", "sports.db-wal"] {
        let file = std::fs::OpenOptions::new().write(true).open(site.place.path().join(name));
        std::io::Write::write_all(&mut file.expect("it is there"), &b"x".repeat(100_000)).expect("written");
    }
    let unavailable = "This part of the service is temporarily unavailable, try again";
    let stranger = service.with_key(&unseen).get("/api/v1/sports").await;
    assert_eq!(stranger.failure(503), unavailable, "the key cannot be looked up");
    sleep(Duration::from_millis(1_100)).await;
    let known = ann.get("/api/v1/sports").await;
    assert_eq!((known.status, known.header("x-ratelimit-remaining")), (200, Some("199998")));
    for (method, path) in [(Method::GET, KEYS), (Method::POST, "/api/v1/service-sports-data/refresh")] {
        let refused = Answer::to(ann.request(method, path)).await;
        assert_eq!(refused.header("x-ratelimit-remaining"), Some("199998"), "a fault is given back");
        assert_eq!(refused.failure(503), unavailable, "{path}");
    }
    assert_eq!(ann.get(ME).await.json()["monthly_requests"], 2, "the account is known, and counts go on in memory");
}
