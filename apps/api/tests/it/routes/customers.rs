use std::collections::BTreeMap;

use actix_web::test::TestRequest;
use chrono::TimeDelta;
use serde_json::{Value, json};
use sports_accounts::testing::{a_customer, a_key, a_key_record, second};
use sports_accounts::{ApiKey, KeyRecord, Plan};
use sports_ports::accounts::{KeyIssue, KeyRing};
use sports_testkit::metering::contract::limits;

use crate::support::{Answer, World};

const ME: &str = "/api/v1/customers/me";
const KEYS: &str = "/api/v1/customers/me/api-keys";
const RENAME: &str = "/api/v1/customers/me/api-keys/rename";
const LAPSED: &str = "Active subscription required";
const NO_SUCH_KEY: &str = "You have no such active API key";
const AMBIGUOUS: &str = "Several of your active API keys look like this; give the full key";

/// Creates a subscriber who holds `a_key(1)` and these keys.
async fn holding(more: &[KeyRecord]) -> World {
    let world = World::with_subscriber().await;
    for key in more {
        let outcome = world.accounts.issue(a_customer().build().id, key).await;
        assert_eq!(outcome.expect("answers"), KeyIssue::Issued);
    }
    world
}

fn record(seed: u8) -> KeyRecord {
    a_key_record().seeded(seed).issued(second(-60)).build()
}

async fn send(world: &World, request: TestRequest, body: Value) -> Answer {
    world.send_with_key(1, request.set_json(body)).await
}

async fn create(world: &World, body: Value) -> Answer {
    send(world, TestRequest::post().uri(KEYS), body).await
}

async fn rename(world: &World, key: &str, new_name: &str) -> Answer {
    send(world, TestRequest::patch().uri(RENAME), json!({ "api_key_to_rename": key, "new_name": new_name })).await
}

async fn revoke(world: &World, key: &str) -> Answer {
    world.send_with_key(1, TestRequest::delete().uri(&format!("{KEYS}/{key}"))).await
}

/// Returns the names of the keys, and whether they are active.
async fn listed(world: &World) -> Vec<(String, bool)> {
    let keys = world.get_with_key(KEYS).await.json();
    let keys = keys.as_array().expect("a list").iter();
    keys.map(|key| (key["name"].as_str().expect("a name").to_owned(), key["is_active"] == true)).collect()
}

/// Returns two keys that look alike: the mask has only four characters.
fn lookalikes() -> [ApiKey; 2] {
    let mut found = std::collections::HashMap::new();
    for number in 0_u32.. {
        let mut random = [7; 32];
        random[28..].copy_from_slice(&number.to_be_bytes());
        let key = ApiKey::from_random(random);
        if let Some(other) = found.insert(key.masked(), key.clone()) {
            return [other, key];
        }
    }
    unreachable!("the first 28 bytes decide the mask")
}

#[actix_web::test]
async fn reading_the_account_is_not_counted() {
    let world = World::with_subscriber().await;
    let account = |requests: u64| {
        json!({
            "customer_id": a_customer().build().id.to_string(), "email": "customer1@example.com",
            "name": "Ann Example", "tier": "ai", "api_plan": "ai", "api_subscription_status": "active",
            "subscription_status": "active", "monthly_requests": requests, "monthly_limit": 200_000,
            "created_at": "2025-05-01T12:00:00Z",
        })
    };
    for requests in [0, 1, 2] {
        for _ in 0..2 {
            let answer = world.get_with_key(ME).await;
            assert_eq!(answer.json(), account(requests));
            assert_eq!(answer.header("cache-control"), Some("no-store"));
        }
        world.get_with_key("/api/v1/sports").await;
    }
}

#[actix_web::test]
async fn reading_the_usage_is_not_counted_and_has_the_reset() {
    let world = World::limited(limits(1_000, 50));
    world.admit(&a_customer().build(), &record(1)).await;
    world.get_with_key("/api/v1/sports").await;
    let expected = json!({
        "monthly_requests": 1, "monthly_limit": 1_000, "requests_remaining": 999, "tier": "ai", "api_plan": "ai",
        "api_subscription_status": "active", "subscription_status": "active", "reset_date": "2025-06-01T00:00:00Z",
        "since": "2025-04-01", "by_key": [{ "api_key": a_key(1).masked().to_string(), "name": "notebook", "requests": 1 }],
        "by_operation": [{ "operation": "/api/v1/sports", "requests": 1 }],
        "by_day": [{ "date": "2025-05-01", "requests": 1 }],
    });
    for _ in 0..2 {
        assert_eq!(world.get_with_key(&format!("{ME}/usage")).await.json(), expected);
    }
}

#[actix_web::test]
async fn usage_is_listed_by_key_operation_and_day_for_31_days() {
    let world = World::new();
    let (ann, bob) = (a_customer().build(), a_customer().seeded(2).build());
    world.admit(&ann, &record(1)).await;
    assert_eq!(world.accounts.issue(ann.id, &record(2)).await.expect("issued"), KeyIssue::Issued);
    world.admit(&bob, &record(3)).await;
    let usage = async || world.get_with_key(&format!("{ME}/usage")).await.json();
    let request = async |seed, path| world.send_with_key(seed, TestRequest::get().uri(path)).await.status.as_u16();
    assert_eq!(request(1, "/api/v1/sports").await, 200);
    world.clock.advance(TimeDelta::days(30));
    for (seed, path, status) in [
        (1, "/api/v1/sports", 200),
        (2, "/api/v1/sports", 200),
        (2, "/api/v1/health", 200),
        (2, "/api/v1/sports?unknown=1", 400),
        (2, "/api/v1/games/cricket", 400),
        (3, "/api/v1/sports", 200),
    ] {
        assert_eq!(request(seed, path).await, status, "{path}");
    }
    let listed = |usage: &Value, field: &str| -> Vec<(String, u64)> {
        let name = if field == "by_key" {
            "api_key"
        } else if field == "by_day" {
            "date"
        } else {
            "operation"
        };
        let items = usage[field].as_array().expect("a list").iter();
        items
            .map(|item| (item[name].as_str().expect("text").to_owned(), item["requests"].as_u64().expect("a number")))
            .collect()
    };
    let masked = |seed| a_key(seed).masked().to_string();
    let now = usage().await;
    assert_eq!(now["since"], "2025-05-01");
    let by_key = |usage: &Value| listed(usage, "by_key").into_iter().collect::<BTreeMap<_, _>>();
    assert_eq!(by_key(&now), BTreeMap::from([(masked(1), 2), (masked(2), 1)]));
    assert_eq!(listed(&now, "by_operation"), [("/api/v1/sports".to_owned(), 3)]);
    assert_eq!(listed(&now, "by_day"), [("2025-05-01".to_owned(), 1), ("2025-05-31".to_owned(), 2)]);
    world.clock.advance(TimeDelta::days(1));
    let later = usage().await;
    assert_eq!(
        (by_key(&later), listed(&later, "by_day")),
        (BTreeMap::from([(masked(1), 1), (masked(2), 1)]), vec![("2025-05-31".to_owned(), 2)])
    );
}

#[actix_web::test]
async fn a_former_plan_is_reported_as_the_one_sold_today() {
    for plan in Plan::ALL {
        let world = World::new();
        world.admit(&a_customer().on(plan).build(), &record(1)).await;
        for path in [ME.to_owned(), format!("{ME}/usage")] {
            let body = world.get_with_key(&path).await.json();
            assert_eq!((&body["tier"], &body["api_plan"]), (&json!("ai"), &json!("ai")), "{plan} {path}");
        }
    }
}

#[actix_web::test]
async fn a_lapsed_customer_reads_the_account_and_manages_no_keys() {
    let world = World::new();
    world.admit(&a_customer().without_plan().build(), &record(1)).await;
    let body = world.get_with_key(ME).await.json();
    let fields =
        ["tier", "api_plan", "api_subscription_status", "subscription_status", "monthly_requests", "monthly_limit"];
    let expected = [json!("free"), Value::Null, json!("inactive"), json!("inactive"), json!(0), json!(0)];
    assert_eq!(fields.map(|field| body[field].clone()), expected);
    let usage = world.get_with_key(&format!("{ME}/usage")).await.json();
    assert_eq!((&usage["monthly_requests"], &usage["requests_remaining"]), (&json!(0), &json!(0)));

    world.get_with_key(KEYS).await.expect_failure(403, LAPSED);
    create(&world, json!({ "name": "x" })).await.expect_failure(403, LAPSED);
    rename(&world, a_key(1).reveal(), "x").await.expect_failure(403, LAPSED);
    revoke(&world, a_key(1).reveal()).await.expect_failure(403, LAPSED);
}

#[actix_web::test]
async fn a_created_key_is_shown_once_and_works_at_once() {
    let world = World::with_subscriber().await;
    let answer = create(&world, json!({ "name": "  server  " })).await;
    assert_eq!((answer.status.as_u16(), answer.header("cache-control")), (200, Some("no-store")));
    let body = answer.json();
    let fields: Vec<_> = body.as_object().expect("an object").keys().collect();
    assert_eq!(fields, ["api_key", "message", "warning"]);
    let key = ApiKey::parse(body["api_key"].as_str().expect("a key")).expect("a whole key");

    let opened = world.send(TestRequest::get().uri("/api/v1/sports").insert_header(("X-API-Key", key.reveal()))).await;
    assert_eq!(opened.status, 200);
    let list = world.get_with_key(KEYS).await;
    let expected = json!({
        "api_key": key.masked().to_string(), "name": "server", "tier": "ai", "created_at": "2025-05-01T12:00:00Z",
        "is_active": true, "expires_at": null, "scope": "full", "allowed_networks": [],
        "created_by": a_key(1).masked().to_string(), "last_used_at": null, "last_used_from": null,
    });
    assert_eq!(list.json()[1], expected);
    assert!(!list.text.contains(key.reveal()));
}

#[actix_web::test]
async fn a_key_needs_a_name_of_1_to_64_visible_characters() {
    let world = World::with_subscriber().await;
    let length = "a text of 1 to 64 characters";
    let hidden = |symbol: &str| {
        format!("a text without {symbol} at character 2, which is invisible or changes how text is shown")
    };
    for (bad, rule) in [
        ("", length.to_owned()),
        ("   ", length.to_owned()),
        (&*"x".repeat(65), length.to_owned()),
        ("a\nb", hidden("U+000A")),
        ("a\u{202e}b", hidden("U+202E")),
        ("a\u{200b}", hidden("U+200B")),
        ("a\u{2028}", hidden("U+2028")),
        ("a\0", hidden("U+0000")),
    ] {
        create(&world, json!({ "name": bad })).await.expect_failure(400, &format!("`name`: expected {rule}"));
        let renamed = rename(&world, a_key(1).reveal(), bad).await;
        renamed.expect_failure(400, &format!("`new_name`: expected {rule}"));
    }
    for good in ["x".to_owned(), "é".repeat(64), format!("  {}  ", "y".repeat(64))] {
        assert_eq!(create(&world, json!({ "name": good })).await.status, 200, "{good}");
    }
}

#[actix_web::test]
async fn a_body_is_an_object_with_only_the_known_fields() {
    let world = World::with_subscriber().await;
    let detail = |answer: &Answer| {
        assert_eq!(answer.status, 400, "{answer:?}");
        let detail = answer.json()["detail"].as_str().expect("a detail").to_owned();
        detail.strip_prefix("The body does not match: ").expect("so it begins").to_owned()
    };
    let table = [
        (json!({}), "missing field `name`"),
        (json!({ "name": 5 }), "invalid type: integer `5`, expected a string"),
        (json!(null), "invalid type: null, expected a JSON object with `name`"),
        (json!("a name"), "invalid type: string \"a name\", expected a JSON object with `name`"),
        (json!(["a name"]), "invalid type: sequence, expected a JSON object with `name`"),
        (
            json!({ "name": "a", "expires": "2030-01-01T00:00:00Z" }),
            "unknown field `expires`, expected one of `name`, `scope`, `allowed_networks`, `expires_at`",
        ),
    ];
    for (bad, reason) in table {
        let refusal = detail(&create(&world, bad.clone()).await);
        assert!(refusal.starts_with(reason), "{bad}: {refusal}");
    }
    let patch = |body: Value| world.send_with_key(1, TestRequest::patch().uri(RENAME).set_json(body));
    let refusal = detail(&patch(json!(["a", "b"])).await);
    assert!(refusal.contains("expected a JSON object with `api_key_to_rename` and `new_name`"), "{refusal}");
    let refusal = detail(&patch(json!({ "api_key_to_rename": "a", "new_name": "b", "name": "c" })).await);
    assert!(refusal.starts_with("unknown field `name`, expected `api_key_to_rename` or `new_name`"), "{refusal}");
    assert_eq!(world.get_with_key(KEYS).await.json().as_array().map(Vec::len), Some(1), "nothing was made");
}

#[actix_web::test]
async fn the_twenty_sixth_active_key_is_refused() {
    let world = World::with_subscriber().await;
    for number in 2..=25 {
        assert_eq!(create(&world, json!({ "name": format!("key {number}") })).await.status, 200);
        // A minute has ten new keys.
        world.clock.advance(TimeDelta::seconds(6));
    }
    let detail = "You have 25 active API keys, the most there can be; revoke one first";
    let refused = create(&world, json!({ "name": "one more" })).await;
    assert_eq!((refused.status.as_u16(), &refused.json()["detail"]), (400, &json!(detail)));
    world.clock.advance(TimeDelta::seconds(1));
    let keys = world.get_with_key(KEYS).await.json();
    let last = keys[24]["api_key"].as_str().expect("a mask").to_owned();
    assert_eq!(revoke(&world, &last).await.status, 200);
    assert_eq!(create(&world, json!({ "name": "one more" })).await.status, 200);
}

#[actix_web::test]
async fn a_key_is_renamed_by_its_full_text_or_its_mask() {
    let world = holding(&[record(2)]).await;
    for (key, masked) in [(a_key(2).reveal().to_owned(), 2), (a_key(1).masked().to_string(), 1)] {
        let answer = rename(&world, &key, "renamed").await;
        let message = format!("API key {} renamed", a_key(masked).masked());
        assert_eq!((answer.status.as_u16(), answer.json()), (200, json!({ "message": message })));
    }
    assert_eq!(listed(&world).await, [("renamed".to_owned(), true), ("renamed".to_owned(), true)]);
}

#[actix_web::test]
async fn a_key_is_revoked_by_its_full_text_or_its_mask_percent_encoded_or_not() {
    let masked = |seed| a_key(seed).masked().to_string();
    let names = [a_key(2).reveal().to_owned(), masked(3), masked(4).replace('*', "%2A"), masked(5).replace('*', "%2a")];
    let world = holding(&[2, 3, 4, 5].map(record)).await;
    for (seed, name) in (2..).zip(names) {
        let answer = revoke(&world, &name).await;
        let message = format!("API key {} revoked", a_key(seed).masked());
        assert_eq!((answer.status.as_u16(), answer.json()), (200, json!({ "message": message })), "{name}");
        let refused = world.send_with_key(seed, TestRequest::get().uri(ME)).await;
        refused.expect_failure(401, "Invalid or expired API key");
        revoke(&world, &name).await.expect_failure(404, NO_SUCH_KEY);
    }
    let active: Vec<_> = listed(&world).await.into_iter().map(|(_, active)| active).collect();
    assert_eq!(active.iter().filter(|active| **active).count(), 1, "revoked keys stay on the list: {active:?}");
    assert_eq!(active.len(), 5);
}

#[actix_web::test]
async fn a_key_cannot_revoke_itself() {
    let world = holding(&[record(2)]).await;
    for name in
        [a_key(1).reveal().to_owned(), a_key(1).masked().to_string(), a_key(1).masked().to_string().replace('*', "%2A")]
            .into_iter()
            .flat_map(|name| [format!("{name}%20"), name])
    {
        let refused = revoke(&world, &name).await;
        refused.expect_failure(400, "Cannot revoke the API key used to authenticate this request");
    }
    assert_eq!(world.get_with_key(ME).await.status, 200);
}

#[actix_web::test]
async fn a_mask_of_several_keys_needs_the_full_key() {
    let [one, other] = lookalikes();
    let key = |key: &ApiKey| a_key_record().with_key(key).issued(second(-60)).build();
    let world = holding(&[key(&one), key(&other)]).await;
    let mask = one.masked().to_string();
    revoke(&world, &mask).await.expect_failure(400, AMBIGUOUS);
    rename(&world, &mask, "x").await.expect_failure(400, AMBIGUOUS);
    assert_eq!(revoke(&world, one.reveal()).await.status, 200);
    assert_eq!(rename(&world, &mask, "the other").await.status, 200, "only active keys make a mask ambiguous");
    assert_eq!(revoke(&world, &mask).await.status, 200);
}

#[actix_web::test]
async fn a_key_that_is_not_the_customers_is_not_found() {
    let world = holding(&[]).await;
    world.admit(&a_customer().seeded(2).build(), &record(2)).await;
    let typo = a_key(1).reveal().replace("sk_service_", "sk_service_x");
    for name in
        [a_key(2).reveal(), &a_key(2).masked().to_string(), a_key(9).reveal(), &typo, "nothing", "rename", "***"]
    {
        revoke(&world, name).await.expect_failure(404, NO_SUCH_KEY);
        rename(&world, name, "mine").await.expect_failure(404, NO_SUCH_KEY);
    }
    assert_eq!(world.send_with_key(2, TestRequest::get().uri(ME)).await.status, 200);
}

#[actix_web::test]
async fn an_expired_key_is_listed_as_inactive_and_is_not_found() {
    let expiring = a_key_record().seeded(2).issued(second(-60)).expiring(second(10)).build();
    let world = holding(&[expiring]).await;
    world.clock.advance(TimeDelta::seconds(10));
    let entry = world.get_with_key(KEYS).await.json();
    let entry = entry.as_array().expect("a list").iter().find(|key| !key["expires_at"].is_null()).expect("listed");
    assert_eq!((&entry["is_active"], &entry["expires_at"]), (&json!(false), &json!("2025-05-01T12:00:10Z")));
    revoke(&world, a_key(2).reveal()).await.expect_failure(404, NO_SUCH_KEY);
    let refused = world.send_with_key(2, TestRequest::get().uri(ME)).await;
    refused.expect_failure(401, "Invalid or expired API key");
}

#[actix_web::test]
async fn a_path_of_keys_lists_its_methods() {
    let world = World::with_subscriber().await;
    let masked = a_key(1).masked().to_string();
    for (request, allow) in [
        (TestRequest::put().uri(KEYS), "GET, HEAD, POST"),
        (TestRequest::get().uri(RENAME), "PATCH"),
        (TestRequest::patch().uri(&format!("{KEYS}/{masked}")), "DELETE"),
    ] {
        let answer = world.send_with_key(1, request).await;
        assert_eq!((answer.status.as_u16(), answer.header("allow")), (405, Some(allow)));
    }
}

#[actix_web::test]
async fn an_error_does_not_repeat_a_key_in_the_wrong_place() {
    let world = World::with_subscriber().await;
    let key = a_key(9);
    let key = key.reveal();
    let requests = [
        TestRequest::get().uri(&format!("/test/markets/{key}/over_under")),
        TestRequest::get().uri(&format!("/api/v1/sports?seasons={key}")),
        TestRequest::get().uri(&format!("/test/markets/nfl/over_under?upcoming_only={key}")),
        TestRequest::get().uri(&format!("/{key}")),
        TestRequest::delete().uri(&format!("{KEYS}/{key}x")),
        TestRequest::post().uri(KEYS).set_json(json!(key)),
        TestRequest::post().uri(KEYS).set_json(json!({ key: key })),
        TestRequest::patch().uri(RENAME).set_json(json!({ "api_key_to_rename": [key], "new_name": "x" })),
        TestRequest::patch().uri(RENAME).set_json(json!({ "api_key_to_rename": key, "new_name": "x" })),
    ];
    for (number, request) in requests.into_iter().enumerate() {
        let answer = world.send_with_key(1, request).await;
        assert!(answer.status.is_client_error() || number == 1, "{answer:?}");
        assert!(!answer.text.contains(&key[15..]), "{}", answer.text);
    }
}

#[actix_web::test]
async fn changes_are_503_while_the_database_is_unavailable() {
    let world = World::with_subscriber().await;
    world.accounts.become_unavailable();
    let answer = create(&world, json!({ "name": "x" })).await;
    assert_eq!(answer.header("x-ratelimit-limit"), None, "no caller is known");
    answer.expect_failure(503, "This part of the service is temporarily unavailable, try again");
}
