//! Keys in the wrong hands: the possessions of an attacker, and the commands of the operator.

use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use crate::service::{Answer, Customer, Service, Site};

const ME: &str = "/api/v1/customers/me";
const KEYS: &str = "/api/v1/customers/me/api-keys";
const USAGE: &str = "/api/v1/customers/me/usage";
const RENAME: &str = "/api/v1/customers/me/api-keys/rename";
const SPORTS: &str = "/api/v1/models/nfl";
const BEHIND_A_PROXY: (&str, &str) = ("SPORTS_HTTP__TRUSTED_PROXIES", "127.0.0.1");

fn creation(customer: &Customer<'_>, body: &Value) -> RequestBuilder {
    customer.request(Method::POST, KEYS).json(body)
}

async fn create(customer: &Customer<'_>, body: &Value) -> String {
    let created = Answer::to(creation(customer, body)).await;
    assert_eq!(created.status, 200, "{}", created.text());
    created.json()["api_key"].as_str().expect("a key").to_owned()
}

fn masked(key: &str) -> String {
    format!("{}*****", &key[.."sk_service_".len() + 4])
}

/// Returns the entry of a key in the list of the operator.
fn listed(site: &Site, id: &str, key: &str) -> Value {
    let list = site.place.ctl(["key", "list", "--customer", id, "--json"]);
    let list: Value = serde_json::from_str(&list).expect("JSON");
    let keys = list["api_keys"].as_array().expect("a list");
    keys.iter().find(|entry| entry["api_key"] == masked(key)).expect("listed").clone()
}

fn audit_log(site: &Site, id: &str) -> Vec<Value> {
    let log = site.place.ctl(["audit-log", "--customer", id, "--json"]);
    let log: Value = serde_json::from_str(&log).expect("JSON");
    log["audit_log"].as_array().expect("a list").clone()
}

#[tokio::test]
async fn one_command_ends_a_leaked_key_and_all_that_it_made() {
    let site = Site::empty();
    let (id, leaked) = site.customer("ann@example.com", "ai");
    let own = site.place.ctl(["key", "issue", "--customer", &id, "--name", "own"]).trim().to_owned();
    let service = site.serve().await;
    let attacker = service.with_key(&leaked);
    let made = create(&attacker, &json!({ "name": "backdoor" })).await;
    let revoked = Answer::to(attacker.request(Method::DELETE, &format!("{KEYS}/{own}"))).await;
    assert_eq!(revoked.status, 200, "{}", revoked.text());
    assert_eq!(listed(&site, &id, &made)["created_by"], masked(&leaked));
    assert_eq!(listed(&site, &id, &leaked)["created_by"], "operator");

    let kept = site.place.ctl(["key", "issue", "--customer", &id, "--name", "kept"]).trim().to_owned();
    assert_eq!(service.with_key(&made).get(ME).await.status, 200, "the server remembers the key for a second");
    let ended = site.place.ctl(["key", "revoke", "--customer", &id, "--all", "--except", &masked(&kept)]);
    assert!(ended.ends_with("keys revoked: 2; servers stop taking them within 2 seconds\n"), "{ended}");
    // The keys may still be known to the server, and create nothing.
    for key in [&leaked, &made] {
        let late = Answer::to(creation(&service.with_key(key), &json!({ "name": "another" }))).await;
        assert_eq!(late.failure(401), "Invalid or expired API key");
        service.with_key(key).until(ME, |answer| answer.status == 401).await;
    }
    assert_eq!(service.with_key(&kept).get(ME).await.status, 200);
    let keys = service.with_key(&kept).get(KEYS).await.json();
    let active: Vec<_> = keys.as_array().expect("keys").iter().filter(|key| key["is_active"] == true).collect();
    assert_eq!(active.len(), 1, "{keys}");

    let log = audit_log(&site, &id);
    let actions: Vec<_> = log.iter().map(|entry| (entry["action"].as_str(), entry["detail"].as_str())).collect();
    let (issued, revoked) = (|key: &str| format!("{} full", masked(key)), masked);
    let expected = [
        ("customer.create", "ai".to_owned()),
        ("key.issue", issued(&leaked)),
        ("key.issue", issued(&own)),
        ("key.issue", issued(&made)),
        ("key.revoke", revoked(&own)),
        ("key.issue", issued(&kept)),
    ];
    let expected: Vec<_> = expected.iter().map(|(action, detail)| (Some(*action), Some(detail.as_str()))).collect();
    assert_eq!(actions[..6], expected);
    assert_eq!(log.len(), 8, "{log:?}");
    assert_eq!(
        (&log[3]["actor"], &log[3]["from"]),
        (&json!(format!("{id} {}", masked(&leaked))), &json!("127.0.0.0/24"))
    );
    assert!(log[0]["actor"].as_str().is_some_and(|actor| actor.starts_with("operator ")), "{log:?}");
}

#[tokio::test]
async fn keys_since_an_instant_are_revoked_and_the_older_ones_stay() {
    let site = Site::empty();
    let (id, old) = site.customer("ann@example.com", "ai");
    let issued = |more: &[&str]| {
        let issue = ["key", "issue", "--customer", &id, "--name", "new"];
        site.place.ctl(issue.iter().chain(more)).trim().to_owned()
    };
    let new = issued(&["--as-of", "2030-01-01T00:00:00Z"]);
    let since = ["key", "revoke", "--customer", &id, "--all", "--since", "2029-12-31T00:00:00Z"];
    let _ = site.place.ctl(since);
    assert_eq!(
        (&listed(&site, &id, &old)["is_active"], &listed(&site, &id, &new)["is_active"]),
        (&json!(true), &json!(false))
    );
}

#[tokio::test]
async fn a_key_with_the_scope_read_reads_what_is_published_and_nothing_of_the_account() {
    let site = Site::publishing(&["nfl-2023-week-18"]);
    let (id, owner) = site.customer("ann@example.com", "ai");
    let service = site.serve().await;
    let reader = create(&service.with_key(&owner), &json!({ "name": "notebook", "scope": "read" })).await;
    let by_operator = site.place.ctl(["key", "issue", "--customer", &id, "--name", "n", "--scope", "read"]);
    for key in [reader.as_str(), by_operator.trim()] {
        assert_eq!(listed(&site, &id, key)["scope"], "read");
        let reader = service.with_key(key);
        let renaming = json!({ "api_key_to_rename": owner, "new_name": "mine" });
        for change in [
            creation(&reader, &json!({ "name": "more" })),
            reader.request(Method::PATCH, RENAME).json(&renaming),
            reader.request(Method::DELETE, &format!("{KEYS}/{owner}")),
        ] {
            let refused = Answer::to(change).await.failure(403);
            assert!(
                refused.starts_with("This key has scope read; ") && refused.ends_with(" needs scope full"),
                "{refused}"
            );
        }
        for (method, path) in [
            (Method::GET, ME),
            (Method::GET, USAGE),
            (Method::GET, KEYS),
            (Method::GET, "/api/v1/service-sports-data/status"),
            (Method::POST, "/api/v1/service-sports-data/refresh"),
        ] {
            let refused = Answer::to(reader.request(method.clone(), path)).await.failure(403);
            assert_eq!(refused, format!("This key has scope read; {method} {path} needs scope full"));
        }
        assert_eq!(reader.get(SPORTS).await.status, 200);
    }
    for scope in [json!("write"), json!(7)] {
        Answer::to(creation(&service.with_key(&owner), &json!({ "name": "x", "scope": scope }))).await.failure(400);
    }
}

#[tokio::test]
async fn a_customer_gives_a_key_an_expiry() {
    let site = Site::empty();
    let (id, owner) = site.customer("ann@example.com", "ai");
    let service = site.serve().await;
    let customer = service.with_key(&owner);
    let expiring = create(&customer, &json!({ "name": "course", "expires_at": "2099-06-01T08:00:00+02:00" })).await;
    assert_eq!(listed(&site, &id, &expiring)["expires_at"], "2099-06-01T06:00:00Z");
    for (instant, reason) in [
        ("2001-01-01T00:00:00Z", "`expires_at`: the instant is in the past"),
        ("2099-06-01", "`expires_at`: expected an instant with its offset, such as 2027-01-01T00:00:00Z"),
        ("2099-06-01T08:00:00", "`expires_at`: expected an instant with its offset, such as 2027-01-01T00:00:00Z"),
    ] {
        let refused = Answer::to(creation(&customer, &json!({ "name": "x", "expires_at": instant }))).await;
        assert_eq!(refused.failure(400), reason);
    }
    let keys = customer.get(KEYS).await.json();
    assert_eq!(keys.as_array().map(Vec::len), Some(2), "{keys}");
}

#[tokio::test]
async fn a_key_works_from_its_networks_alone_however_it_is_sent() {
    let site = Site::publishing(&["nfl-2023-week-18"]);
    let (id, _) = site.customer("ann@example.com", "ai");
    let issue = [
        "key",
        "issue",
        "--customer",
        &id,
        "--name",
        "office",
        "--allow",
        "203.0.113.0/24",
        "--allow",
        "2001:db8::/32",
    ];
    let key = site.place.ctl(issue).trim().to_owned();
    let service = site.serve_with(&[BEHIND_A_PROXY]).await;
    let path = "/api/v1/results/nfl/over_under?limit=1";
    let ways = |from: &'static str| {
        let request = |path: &str| service.bare(Method::GET, path).header("X-Forwarded-For", from);
        [
            request(path).header("X-API-Key", &key),
            request(path).header("Authorization", format!("Bearer {key}")),
            request(&format!("{path}&api_key={key}")),
        ]
    };
    // Repeated, so that some answers come from the cache of responses.
    for _ in 0..3 {
        for way in ways("203.0.113.7").into_iter().chain(ways("2001:db8:7::1")) {
            assert_eq!(Answer::to(way).await.status, 200);
        }
        for way in ways("198.51.100.7") {
            let refused = Answer::to(way).await.failure(403);
            assert_eq!(refused, "This API key is not allowed from your address 198.51.100.7");
        }
    }
    let usage = service.bare(Method::GET, ME).header("X-Forwarded-For", "203.0.113.7").header("X-API-Key", &key);
    assert_eq!(Answer::to(usage).await.json()["monthly_requests"], 18, "refused calls are not counted");

    // It frees itself by no key that it makes.
    let within = |body: Value| {
        let creation = service.bare(Method::POST, KEYS).header("X-Forwarded-For", "203.0.113.7");
        Answer::to(creation.header("X-API-Key", &key).json(&body))
    };
    let made = within(json!({ "name": "made" })).await.json()["api_key"].as_str().expect("a key").to_owned();
    assert_eq!(listed(&site, &id, &made)["allowed_networks"], json!(["203.0.113.0/24", "2001:db8::/32"]));
    for networks in [json!(["0.0.0.0/0"]), json!(["203.0.113.0/24", "198.51.100.7"])] {
        let refused = within(json!({ "name": "x", "allowed_networks": networks })).await.failure(403);
        assert!(refused.contains("cannot be used from networks"), "{refused}");
    }
    for networks in [json!([""]), json!(["the office"]), json!("203.0.113.0/24")] {
        within(json!({ "name": "x", "allowed_networks": networks })).await.failure(400);
    }
    let one = within(json!({ "name": "x", "allowed_networks": ["203.0.113.7"] })).await;
    assert_eq!(one.status, 200, "{}", one.text());
}

#[tokio::test]
async fn a_key_that_expires_makes_no_key_that_outlives_it() {
    let site = Site::empty();
    let (id, _) = site.customer("ann@example.com", "ai");
    let issue = ["key", "issue", "--customer", &id, "--name", "trial", "--expires", "2100-01-01T00:00:00Z"];
    let trial = site.place.ctl(issue).trim().to_owned();
    let service = site.serve().await;
    let made = create(&service.with_key(&trial), &json!({ "name": "made" })).await;
    assert_eq!(listed(&site, &id, &made)["expires_at"], "2100-01-01T00:00:00Z");
}

#[tokio::test]
async fn the_last_use_of_a_key_has_its_time_and_network() {
    let site = Site::empty();
    let (id, key) = site.customer("ann@example.com", "ai");
    let service = site.serve_with(&[BEHIND_A_PROXY]).await;
    assert_eq!(listed(&site, &id, &key)["last_used_at"], Value::Null);
    for (address, network) in [("203.0.113.7", "203.0.113.0/24"), ("2001:db8::7", "2001:db8::/64")] {
        let request = service.bare(Method::GET, ME).header("X-API-Key", &key).header("X-Forwarded-For", address);
        assert_eq!(Answer::to(request).await.status, 200);
        let is_noted = |answer: &Answer| answer.json()[0]["last_used_from"] == network;
        until_listed(&service, &key, address, is_noted).await;
        let entry = listed(&site, &id, &key);
        assert_eq!(entry["last_used_from"], network);
        assert!(entry["last_used_at"].is_string(), "{entry}");
    }
}

/// Repeats the list of the key's customer, sent from an address, until it is as expected.
async fn until_listed(service: &Service, key: &str, address: &str, is_so: impl Fn(&Answer) -> bool) {
    for _ in 0..3_000 {
        let request = service.bare(Method::GET, KEYS).header("X-API-Key", key).header("X-Forwarded-For", address);
        if is_so(&Answer::to(request).await) {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    panic!("the use from {address} is never listed");
}

#[tokio::test]
async fn a_whole_key_in_a_name_is_refused_and_not_stored() {
    let site = Site::empty();
    let (id, key) = site.customer("ann@example.com", "ai");
    let service = site.serve().await;
    let ann = service.with_key(&key);
    let body = &key["sk_service_".len()..];
    for name in [key.clone(), format!("see {key}"), body.to_owned()] {
        let renaming = json!({ "api_key_to_rename": masked(&key), "new_name": name });
        for change in [creation(&ann, &json!({ "name": name })), ann.request(Method::PATCH, RENAME).json(&renaming)] {
            let refused = Answer::to(change).await.failure(400);
            assert!(refused.contains("contains an API key, which is a secret") && !refused.contains(body), "{refused}");
        }
    }
    assert_eq!(listed(&site, &id, &key)["name"], "first");
    assert_eq!(ann.get(KEYS).await.json().as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn a_deleted_customer_has_no_keys_and_no_links_at_a_running_server() {
    let site = Site::empty();
    site.add_dataset("historical-odds", "nfl.csv", b"a file\n");
    let (id, key) = site.customer("ann@example.com", "ai");
    site.entitle(&id, "historical-odds");
    let service = site.serve().await;
    let ann = service.with_key(&key);
    let link = ann.post("/api/v1/service-sports-data/refresh").await.json()["downloads"][0]["url"].clone();
    let link = link.as_str().expect("a link");
    let of_this_node = link.starts_with("http://127.0.0.1");
    assert_eq!(Answer::to(service.fetch(link)).await.status, 200);
    assert_eq!(site.place.ctl(["customer", "delete", &id, "--yes"]).lines().count(), 1);
    ann.until(ME, |answer| answer.status == 401).await;
    if of_this_node {
        assert_ne!(Answer::to(service.fetch(link)).await.status, 200, "the link is of no customer");
    }
    let (again, _) = site.customer("ann@example.com", "ai");
    assert_ne!(again, id);
    let log = audit_log(&site, &id);
    assert_eq!(log.last().map(|entry| &entry["action"]), Some(&json!("customer.delete")), "{log:?}");
    let log = log.iter().map(Value::to_string).collect::<String>();
    assert!(!log.contains("ann@example.com"), "the log has no personal data: {log}");
}

#[tokio::test]
async fn the_log_has_the_network_of_the_client_unless_a_setting_turns_it_off() {
    let site = Site::empty();
    for (setting, expected) in [("true", true), ("false", false)] {
        let service = site.serve_with(&[BEHIND_A_PROXY, ("SPORTS_LOG__CLIENT_NETWORK", setting)]).await;
        let request = service.bare(Method::GET, SPORTS).header("X-API-Key", &site.key);
        Answer::to(request.header("X-Forwarded-For", "203.0.113.77")).await;
        service.stop();
        let log = site.log();
        assert!(!log.contains("203.0.113.77"), "{log}");
        assert_eq!(log.contains("client=203.0.113.0/24"), expected, "{log}");
    }
}
