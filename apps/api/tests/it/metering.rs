use actix_web::test::TestRequest;
use chrono::{DateTime, TimeDelta, Utc};
use serde_json::json;
use sports_accounts::testing::{a_customer, a_key, a_key_record, second};
use sports_ports::Clock;
use sports_testkit::metering::contract::limits;

use crate::support::{Answer, World};

const SPORTS: &str = "/api/v1/sports";
const ME: &str = "/api/v1/customers/me";
const USAGE: &str = "/api/v1/customers/me/usage";

/// 1 June 2025, 00:00 UTC.
const RESET: &str = "1748736000";

async fn subscriber(world: &World) {
    world.admit(&a_customer().build(), &a_key_record().issued(second(-60)).build()).await;
}

/// Returns limit, remaining, reset and tier.
fn quota_headers(answer: &Answer) -> [Option<&str>; 4] {
    ["limit", "remaining", "reset", "tier"].map(|name| answer.header(&format!("x-ratelimit-{name}")))
}

fn remaining(answer: &Answer) -> u64 {
    quota_headers(answer)[1].expect("the header is there").parse().expect("a number")
}

#[actix_web::test]
async fn every_answer_to_a_known_caller_has_their_quota() {
    let world = World::with_subscriber().await;
    let expected = |left: &'static str| [Some("200000"), Some(left), Some(RESET), Some("ai")];
    assert_eq!(quota_headers(&world.get_with_key(SPORTS).await), expected("199999"));
    let refused = world.get_with_key("/api/v1/sports?season=2024").await;
    assert_eq!((refused.status.as_u16(), quota_headers(&refused)), (400, expected("199999")));
    let missing = world.get_with_key("/test/keyed/404").await;
    assert_eq!((missing.status.as_u16(), quota_headers(&missing)), (404, expected("199999")));
}

#[actix_web::test]
async fn an_answer_to_an_unknown_caller_has_no_quota() {
    let world = World::with_subscriber().await;
    for answer in [
        world.get(SPORTS).await,
        world.get(&format!("{SPORTS}?api_key={}", a_key(9).reveal())).await,
        world.get("/").await,
        world.get_with_key("/api/v1/liveness").await,
        world.get_with_key("/no/such/path").await,
    ] {
        assert_eq!(quota_headers(&answer), [None; 4], "{answer:?}");
    }
    assert_eq!(remaining(&world.get_with_key(SPORTS).await), 199_999, "and nothing was counted");
}

#[actix_web::test]
async fn only_a_success_counts() {
    let world = World::with_subscriber().await;
    let mut left = 200_000;
    for status in [200, 201, 204, 206, 304, 400, 401, 403, 404, 409, 410, 413, 422, 429, 500, 502, 503, 504] {
        let answer = world.get_with_key(&format!("/test/keyed/{status}")).await;
        assert_eq!(answer.status.as_u16(), status);
        left -= u64::from([200, 201, 204, 206].contains(&status));
        assert_eq!(remaining(&answer), left, "{status}");
        world.clock.advance(TimeDelta::seconds(1));
    }
    assert_eq!(world.get_with_key(USAGE).await.json()["monthly_requests"], 200_000 - left);
}

#[actix_web::test]
async fn a_call_that_panics_is_refunded_and_its_answer_has_the_quota() {
    let world = World::with_subscriber().await;
    let answer = world.get_with_key("/test/keyed/panicking").await;
    assert_eq!(quota_headers(&answer), [Some("200000"), Some("200000"), Some(RESET), Some("ai")]);
    answer.expect_failure(500, "Something went wrong on our side");
    assert_eq!(remaining(&world.get_with_key(SPORTS).await), 199_999);
}

#[actix_web::test]
async fn the_fifty_first_call_within_a_second_is_refused_and_not_counted() {
    let world = World::with_subscriber().await;
    for call in 1..=50 {
        let answer = world.get_with_key(SPORTS).await;
        assert_eq!((answer.status.as_u16(), remaining(&answer)), (200, 200_000 - call));
    }
    for wait in [0, 999] {
        world.clock.advance(TimeDelta::milliseconds(wait));
        let answer = world.get_with_key(SPORTS).await;
        assert_eq!((answer.header("retry-after"), remaining(&answer)), (Some("1"), 199_950));
        assert_eq!(answer.json()["detail"], "Rate limit exceeded. Limit: 50 requests per second");
        assert_eq!(answer.status, 429);
    }
    world.clock.advance(TimeDelta::milliseconds(1));
    assert_eq!(remaining(&world.get_with_key(SPORTS).await), 199_949);
}

const FULL: &str = "Rate limit exceeded. Limit: 3 requests per month; the next month begins 2025-06-01T00:00:00Z";

#[actix_web::test]
async fn a_month_that_is_used_up_is_429_until_the_next_one_begins() {
    let world = World::limited(limits(3, 50));
    subscriber(&world).await;
    for left in [2, 1, 0] {
        let answer = world.get_with_key(SPORTS).await;
        assert_eq!(quota_headers(&answer), [Some("3"), Some(left.to_string().as_str()), Some(RESET), Some("ai")]);
    }
    let refused = world.get_with_key(SPORTS).await;
    assert_eq!(quota_headers(&refused), [Some("3"), Some("0"), Some(RESET), Some("ai")]);
    assert_eq!(refused.header("retry-after"), None);
    refused.expect_failure(429, FULL);
    for wrong in ["/api/v1/sports?season=2024", "/api/v1/results/cricket/over_under", "/test/keyed/404"] {
        world.get_with_key(wrong).await.expect_failure(429, FULL);
    }

    let turn: DateTime<Utc> = "2025-06-01T00:00:00Z".parse().expect("an instant");
    world.clock.advance(turn - second(0) - TimeDelta::microseconds(1));
    let refused = world.get_with_key(SPORTS).await;
    assert_eq!((refused.status.as_u16(), refused.header("retry-after")), (429, None));
    world.clock.advance(TimeDelta::microseconds(1));
    let answer = world.get_with_key(SPORTS).await;
    assert_eq!(
        quota_headers(&answer),
        [Some("3"), Some("2"), Some("1751328000"), Some("ai")],
        "a full month until 1 July"
    );
}

#[actix_web::test]
async fn account_and_usage_are_free_and_available_in_a_used_up_month() {
    let world = World::limited(limits(2, 5));
    subscriber(&world).await;
    for (remaining_text, left) in [("2", 2), ("1", 1), ("0", 0)] {
        for path in [ME, USAGE] {
            let answer = world.get_with_key(path).await;
            assert_eq!(quota_headers(&answer), [Some("2"), Some(remaining_text), Some(RESET), Some("ai")]);
            assert_eq!((answer.status.as_u16(), answer.json()["monthly_requests"].clone()), (200, (2 - left).into()));
        }
        world.clock.advance(TimeDelta::seconds(1));
        assert_eq!(world.get_with_key(SPORTS).await.status, if left > 0 { 200 } else { 429 });
    }
    for _ in 0..5 {
        assert_eq!(world.get_with_key(USAGE).await.status, 200);
    }
    let refused = world.get_with_key(ME).await;
    assert_eq!(quota_headers(&refused), [Some("2"), Some("0"), Some(RESET), Some("ai")]);
    refused.expect_failure(429, "Rate limit exceeded. Limit: 5 requests per second");
}

/// A key that was leaked uses up the month, and its owner revokes it.
#[actix_web::test]
async fn keys_and_datasets_are_free_and_available_in_a_used_up_month() {
    let world = World::limited(limits(3, 50));
    subscriber(&world).await;
    let keys = |method: TestRequest, path: &str| method.uri(&format!("/api/v1/customers/me/api-keys{path}"));
    let (create, rename) = (json!({ "name": "spare" }), "/rename");
    let mut created = 0;
    for left in [3, 2, 1, 0] {
        let made = world.send_with_key(1, keys(TestRequest::post(), "").set_json(&create)).await;
        assert_eq!((made.status.as_u16(), remaining(&made)), (200, left));
        created += 1;
        let key = made.json()["api_key"].as_str().expect("a key").to_owned();
        let renaming = json!({ "api_key_to_rename": key, "new_name": "leaked" });
        let renamed = world.send_with_key(1, keys(TestRequest::patch(), rename).set_json(&renaming)).await;
        let revoked = world.send_with_key(1, keys(TestRequest::delete(), &format!("/{key}"))).await;
        let listed = world.send_with_key(1, keys(TestRequest::get(), "")).await;
        assert_eq!(listed.json().as_array().map(Vec::len), Some(1 + created));
        let datasets = world.get_with_key("/api/v1/service-sports-data/status").await;
        for free in [renamed, revoked, listed, datasets] {
            assert_eq!((free.status.as_u16(), remaining(&free)), (200, left), "{free:?}");
        }
        assert_eq!(world.get_with_key(SPORTS).await.status, if left > 0 { 200 } else { 429 });
    }
    let refresh = TestRequest::post().uri("/api/v1/service-sports-data/refresh");
    world.send_with_key(1, refresh).await.expect_failure(429, FULL);
}

#[actix_web::test]
async fn the_eleventh_new_key_of_a_minute_is_refused() {
    let world = World::with_subscriber().await;
    let path = "/api/v1/customers/me/api-keys";
    let create = async || world.send_with_key(1, TestRequest::post().uri(path).set_json(json!({ "name": "n" }))).await;
    for _ in 0..10 {
        assert_eq!(create().await.status, 200);
        world.clock.advance(TimeDelta::milliseconds(500));
    }
    let refused = create().await;
    assert_eq!((refused.header("retry-after"), remaining(&refused)), (Some("55"), 200_000));
    refused.expect_failure(429, "Rate limit exceeded. Limit: 10 new API keys per minute");
    world.clock.advance(TimeDelta::seconds(55));
    assert_eq!(create().await.status, 200);
    create().await.expect_failure(429, "Rate limit exceeded. Limit: 10 new API keys per minute");
}

/// The machine's date is set: this neither shortens nor lengthens a second.
#[actix_web::test]
async fn setting_the_date_does_not_affect_the_limit_per_second() {
    let world = World::with_subscriber().await;
    for seconds in [-20, 3_600, -3_600, 1] {
        for call in 1..=50 {
            assert_eq!(world.get_with_key(SPORTS).await.status, 200, "call {call} before {seconds} s");
        }
        world.clock.set(world.clock.now() + TimeDelta::seconds(seconds));
        assert_eq!(world.get_with_key(SPORTS).await.status, 429, "{seconds} s");
        world.clock.advance(TimeDelta::seconds(1));
    }
}

#[actix_web::test]
async fn keys_of_one_customer_share_the_quota_and_other_customers_do_not() {
    let world = World::with_subscriber().await;
    let second_key = a_key_record().seeded(2).issued(second(-60)).build();
    let outcome = sports_ports::accounts::KeyRing::issue(&*world.accounts, a_customer().build().id, &second_key).await;
    let _ = outcome.expect("issued");
    world.admit(&a_customer().seeded(3).build(), &a_key_record().seeded(3).issued(second(-60)).build()).await;
    let left = async |seed| remaining(&world.send_with_key(seed, TestRequest::get().uri(SPORTS)).await);
    assert_eq!((left(1).await, left(2).await, left(1).await, left(3).await), (199_999, 199_998, 199_997, 199_999));
}

#[actix_web::test]
async fn without_a_subscription_only_the_second_is_limited() {
    let world = World::limited(limits(1, 3));
    world.admit(&a_customer().without_plan().build(), &a_key_record().issued(second(-60)).build()).await;
    let free = [Some("0"), Some("0"), Some(RESET), Some("free")];
    for _ in 0..3 {
        let answer = world.get_with_key(USAGE).await;
        assert_eq!((answer.status.as_u16(), quota_headers(&answer)), (200, free));
    }
    let limited = world.get_with_key(USAGE).await;
    assert_eq!(quota_headers(&limited), free);
    limited.expect_failure(429, "Rate limit exceeded. Limit: 3 requests per second");
    let refused = world.get_with_key(SPORTS).await;
    assert_eq!(quota_headers(&refused), free);
    refused.expect_failure(403, "Active subscription required");
}
