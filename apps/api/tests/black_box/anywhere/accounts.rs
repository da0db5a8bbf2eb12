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
async fn the_account_and_its_usage_have_every_field() {
    let site = Site::empty();
    let (id, key) = site.customer("ann@example.com", "premium");
    let service = site.serve().await;
    let ann = service.with_key(&key);
    let account = ann.get(ME).await.json();
    let created_at = account["created_at"].clone();
    assert!(created_at.as_str().is_some_and(|at| chrono::DateTime::parse_from_rfc3339(at).is_ok()));
    assert_eq!(
        account,
        json!({
            "customer_id": id, "email": "ann@example.com", "name": "Someone", "tier": "ai", "api_plan": "ai",
            "api_subscription_status": "active", "subscription_status": "active", "monthly_requests": 0,
            "monthly_limit": 200_000, "created_at": created_at,
        })
    );
    let usage = ann.get(USAGE).await.json();
    let named = [
        "api_plan",
        "api_subscription_status",
        "monthly_limit",
        "monthly_requests",
        "requests_remaining",
        "reset_date",
        "subscription_status",
        "tier",
    ];
    assert_eq!(fields(&usage), named);
    assert_eq!((&usage["monthly_requests"], &usage["requests_remaining"]), (&json!(0), &json!(200_000)));
}

#[tokio::test]
async fn a_new_key_comes_with_a_message_and_a_warning() {
    let site = Site::empty();
    let service = site.serve().await;
    let request = service.call(Method::POST, KEYS).json(&json!({ "name": "server" }));
    let created = Answer::to(request).await.json();
    assert_eq!(fields(&created), ["api_key", "message", "warning"]);
    assert!(created["api_key"].as_str().is_some_and(|key| key.starts_with("sk_service_")));
    for field in ["message", "warning"] {
        assert!(created[field].as_str().is_some_and(|text| !text.is_empty()), "{field}");
    }
    assert!(created["warning"].as_str().is_some_and(|text| text.contains("not shown again")), "{created}");
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

#[tokio::test]
async fn the_key_in_use_cannot_be_revoked_but_another_key_of_the_customer_can_do_it() {
    let site = Site::empty();
    let (_, key) = site.customer("ann@example.com", "ai");
    let service = site.serve().await;
    let ann = service.with_key(&key);
    for name in [key.clone(), masked(&key), masked(&key).replace('*', "%2a")] {
        let refused = revoke(&ann, &name).await;
        assert_eq!(refused.failure(400), "Cannot revoke the API key used to authenticate this request");
    }
    let other = create(&ann, "other").await;
    assert_eq!(revoke(&service.with_key(&other), &key).await.status, 200);
    assert_eq!(ann.get(ME).await.failure(401), "Invalid or expired API key");
}

#[tokio::test]
async fn a_key_of_another_customer_is_not_found() {
    let site = Site::empty();
    let ((_, ann_key), (_, bob_key)) = (site.customer("ann@example.com", "ai"), site.customer("bob@example.com", "ai"));
    let service = site.serve().await;
    let (ann, bob) = (service.with_key(&ann_key), service.with_key(&bob_key));
    for name in [ann_key.clone(), masked(&ann_key)] {
        assert_eq!(revoke(&bob, &name).await.failure(404), "You have no such active API key");
        let body = json!({ "api_key_to_rename": name, "new_name": "mine" });
        Answer::to(bob.request(Method::PATCH, RENAME).json(&body)).await.failure(404);
    }
    assert_eq!(ann.get(ME).await.status, 200);
}

#[tokio::test]
async fn names_and_numbers_of_keys_are_limited() {
    let site = Site::empty();
    let (_, key) = site.customer("ann@example.com", "ai");
    let service = site.serve().await;
    let ann = service.with_key(&key);
    for body in [json!({ "name": "" }), json!({ "name": "x".repeat(65) }), json!({}), json!([])] {
        Answer::to(ann.request(Method::POST, KEYS).json(&body)).await.failure(400);
    }
    for number in 2..=25 {
        create(&ann, &format!("key {number}")).await;
    }
    let refused = Answer::to(ann.request(Method::POST, KEYS).json(&json!({ "name": "one more" }))).await;
    assert_eq!(refused.failure(400), "You have 25 active API keys, the most there can be; revoke one first");
}

/// The delay is a matter of the cache of keys and its tests.
#[tokio::test]
async fn a_change_of_plan_shows_in_a_running_server() {
    let site = Site::empty();
    let (id, key) = site.customer("ann@example.com", "ai");
    let service = site.serve().await;
    let ann = service.with_key(&key);
    assert_eq!(ann.get("/api/v1/sports").await.status, 200);
    for (plan, expected) in [("none", 403), ("data", 200)] {
        let _ = site.place.ctl(["customer", "plan", &id, plan]);
        ann.until("/api/v1/sports", |answer| answer.status == expected).await;
    }
}

#[tokio::test]
async fn a_lapsed_customer_can_read_only_the_account() {
    let site = Site::empty();
    let (_, key) = site.customer("ann@example.com", "none");
    let service = site.serve().await;
    let ann = service.with_key(&key);
    let account = ann.get(ME).await;
    let quota_headers = ["limit", "remaining", "tier"].map(|name| account.header(&format!("x-ratelimit-{name}")));
    assert_eq!(quota_headers, [Some("0"), Some("0"), Some("free")]);
    let account = account.json();
    let seen =
        ["tier", "api_plan", "api_subscription_status", "subscription_status", "monthly_limit"].map(|f| &account[f]);
    assert_eq!(seen, [&json!("free"), &Value::Null, &json!("inactive"), &json!("inactive"), &json!(0)]);
    assert_eq!(ann.get(USAGE).await.json()["requests_remaining"], 0);
    for path in ["/api/v1/sports", KEYS, "/api/v1/service-sports-data/status", "/api/v1/results/nfl/over_under"] {
        let refused = ann.get(path).await;
        assert_eq!(refused.header("x-ratelimit-tier"), Some("free"));
        assert_eq!(refused.failure(403), "Active subscription required", "{path}");
    }
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
    assert_eq!(ann.get("/api/v1/sports").await.status, 200);
    assert_eq!(ann.get("/api/v1/sports").await.failure(429), "Rate limit exceeded. Limit: 3 requests per month");
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
