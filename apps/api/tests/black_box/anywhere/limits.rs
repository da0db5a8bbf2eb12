//! The table of limits: per month, per second, and their subjects.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use futures::future::join_all;
use reqwest::Method;
use sports_accounts::ApiKey;
use tokio::time::{Duration, Instant, sleep};

use crate::service::{Answer, Service, Site};

const SPORTS: &str = "/api/v1/sports";
const USAGE: &str = "/api/v1/customers/me/usage";
const MONTHLY: &str = "SPORTS_LIMITS__MONTHLY";
const PER_SECOND: &str = "SPORTS_LIMITS__PER_SECOND";
const FAILED_KEYS: &str = "SPORTS_LIMITS__FAILED_KEYS_PER_SECOND";

fn remaining(answer: &Answer) -> u64 {
    answer.header("x-ratelimit-remaining").expect("a header with the quota").parse().expect("a number")
}

/// Sends requests on several connections at once, so many on each; returns every answer.
async fn storm(service: &Service, connections: usize, each: usize) -> Vec<Answer> {
    let connection = async || {
        let mut answers = Vec::new();
        for _ in 0..each {
            answers.push(service.get(SPORTS).await);
        }
        answers
    };
    join_all((0..connections).map(|_| connection())).await.into_iter().flatten().collect()
}

#[tokio::test]
async fn the_plan_has_200000_requests_a_month() {
    let site = Site::empty();
    let service = site.serve().await;
    let answer = service.get(SPORTS).await;
    let quota_headers = ["limit", "remaining", "tier"].map(|name| answer.header(&format!("x-ratelimit-{name}")));
    assert_eq!(quota_headers, [Some("200000"), Some("199999"), Some("ai")]);
    let usage = service.get(USAGE).await;
    let reset = usage.header("x-ratelimit-reset").expect("a time").parse::<i64>().expect("Unix seconds");
    let body = usage.json();
    assert_eq!((&body["monthly_limit"], &body["monthly_requests"]), (&200_000.into(), &1.into()));
    let date = body["reset_date"].as_str().expect("a date").parse::<chrono::DateTime<chrono::Utc>>();
    assert_eq!(date.expect("a timestamp").timestamp(), reset, "the header and the body name one instant");
}

/// Admitted, counted down and reported calls are the same number, and no call beyond the quota is admitted.
#[tokio::test]
async fn sixty_four_connections_agree_on_every_request() {
    let site = Site::empty();
    let service = site.serve_with(&[(MONTHLY, "1500"), (PER_SECOND, "100000")]).await;
    let answers = storm(&service, 64, 16).await;
    assert!(answers.iter().all(|answer| answer.status == 200));
    let remaining_values: BTreeSet<_> = answers.iter().map(remaining).collect();
    assert_eq!(
        remaining_values,
        (1_500 - 1_024..1_500).collect(),
        "every number from the first to the last, each once"
    );
    let usage = service.get(USAGE).await;
    assert_eq!((remaining(&usage), &usage.json()["monthly_requests"]), (476, &1_024.into()));
    assert_eq!(usage.json()["requests_remaining"], 476);

    let answers = storm(&service, 64, 16).await;
    let (admitted, refused): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == 200);
    assert_eq!((admitted.len(), refused.len()), (476, 548));
    assert_eq!(admitted.into_iter().map(remaining).collect::<BTreeSet<_>>(), (0..476).collect());
    for refused in refused {
        assert_eq!(remaining(refused), 0);
        assert_eq!(refused.failure(429), "Rate limit exceeded. Limit: 1500 requests per month");
    }
    service.stop();
    let id = site.place.ctl(["customer", "list"]).split_whitespace().next().expect("an id").to_owned();
    assert!(site.place.ctl(["customer", "usage", &id]).contains("  1500 requests  "));
}

#[tokio::test]
async fn a_used_up_month_is_refused_until_the_next_begins() {
    let site = Site::empty();
    // The server's clock starts this long before the turn of the year: it must be up and have answered four requests
    // by then.
    let service = site.serve_with(&[("SPORTS_CLOCK__AS_OF", "2099-12-31T23:59:35Z"), (MONTHLY, "3")]).await;
    let first = service.get(SPORTS).await;
    assert_eq!((remaining(&first), first.header("x-ratelimit-reset")), (2, Some("4102444800")));
    for left in [1, 0] {
        assert_eq!(remaining(&service.get(SPORTS).await), left);
    }
    let refused = service.get(SPORTS).await;
    assert_eq!(refused.failure(429), "Rate limit exceeded. Limit: 3 requests per month");
    let wait: u64 = refused.header("retry-after").expect("a time").parse().expect("seconds");
    assert!((1..=25).contains(&wait), "{wait}");
    // Further requests are refused until the very turn of the month, and cost nothing.
    let answer = service.until(SPORTS, |answer| answer.status == 200).await;
    assert_eq!(remaining(&answer), 2);
    assert_eq!(answer.header("x-ratelimit-reset"), Some("4105123200"), "1 February 2100");
}

/// The machine's clock was in the month before when the server started, and was then corrected.
#[tokio::test]
async fn a_month_that_begins_while_serving_continues_its_count() {
    let site = Site::empty();
    let service = site.serve_with(&[("SPORTS_CLOCK__AS_OF", "2100-01-05T12:00:00Z")]).await;
    for call in 1..=120 {
        assert_eq!(remaining(&service.get(SPORTS).await), 200_000 - call);
    }
    service.stop();
    let service = site.serve_with(&[("SPORTS_CLOCK__AS_OF", "2099-12-31T23:59:54Z")]).await;
    let in_january = |answer: &Answer| answer.header("x-ratelimit-reset") == Some("4105123200");
    assert_eq!(remaining(&service.until(SPORTS, in_january).await), 200_000 - 121);
    service.stop();
    let id = site.place.ctl(["customer", "list"]).split_whitespace().next().expect("an id").to_owned();
    assert!(site.place.ctl(["customer", "usage", &id]).contains("2100-01  121 requests  "));
}

#[tokio::test]
async fn the_limit_per_second_refuses_and_then_admits_again() {
    let site = Site::empty();
    let service = site.serve_with(&[(PER_SECOND, "5")]).await;
    let started = Instant::now();
    let answers = storm(&service, 16, 4).await;
    let elapsed = started.elapsed();
    let admitted = answers.iter().filter(|answer| answer.status == 200).count();
    // No second holds more than five, so a stretch of time holds at most five for each second it touches.
    let most = 5 * (usize::try_from(elapsed.as_secs()).expect("soon over") + 1);
    assert!((5..=most).contains(&admitted), "{admitted} in {elapsed:?}");
    for refused in answers.iter().filter(|answer| answer.status != 200) {
        assert_eq!(refused.failure(429), "Rate limit exceeded. Limit: 5 requests per second");
        assert_eq!(refused.header("retry-after"), Some("1"));
        assert!(refused.header("x-ratelimit-limit").is_some());
    }
    sleep(Duration::from_secs(1)).await;
    let usage = service.get(USAGE).await;
    assert_eq!(usage.json()["monthly_requests"], admitted, "refusals are not counted");
}

/// A refusal proves that fifty calls of a second were admitted.
#[tokio::test]
async fn a_customer_has_fifty_requests_in_any_second_by_default() {
    let site = Site::empty();
    let service = site.serve_as_shipped().await;
    loop {
        let started = Instant::now();
        let answers = storm(&service, 40, 5).await;
        let seconds = usize::try_from(started.elapsed().as_secs()).expect("soon over");
        let (admitted, refused): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == 200);
        // A stretch of time holds at most fifty for each second it touches.
        assert!(admitted.len() <= 50 * (seconds + 1), "{} in {seconds} s", admitted.len());
        for refused in &refused {
            assert_eq!(refused.failure(429), "Rate limit exceeded. Limit: 50 requests per second");
            assert_eq!(refused.header("retry-after"), Some("1"));
        }
        if !refused.is_empty() {
            assert!(admitted.len() >= 50, "only {} were let through", admitted.len());
            break;
        }
        // The machine was too slow to fill a second; it may be less busy in the next.
    }
}

#[tokio::test]
async fn the_default_limit_is_fifty_a_second() {
    let site = Site::empty();
    let printed = site
        .place
        .program("sports-api", ["config"])
        .env_remove(PER_SECOND)
        .env_remove(FAILED_KEYS)
        .output()
        .expect("it runs");
    let printed = String::from_utf8(printed.stdout).expect("text");
    assert!(
        printed.contains("\nmonthly = 200000\nper_second = 50\npublic_per_second = 50\nfailed_keys_per_second = 10\n"),
        "{printed}"
    );
}

#[tokio::test]
async fn calls_answered_304_or_refused_are_not_counted() {
    let site = Site::publishing(&["doubleheader"]);
    let service = site.serve().await;
    let page = service.get("/api/v1/results/mlb/over_under").await;
    assert_eq!((page.status, remaining(&page)), (200, 199_999));
    let etag = page.header("etag").expect("an etag").to_owned();
    let same = Answer::to(service.keyed("/api/v1/results/mlb/over_under").header("If-None-Match", etag)).await;
    assert_eq!((same.status, remaining(&same)), (304, 199_999));
    let bad = service.get("/api/v1/results/mlb/over_under?limit=0").await;
    assert_eq!((bad.status, remaining(&bad)), (400, 199_998));
    let missing = service.get("/api/v1/results/nba/over_under").await;
    assert_eq!((missing.status, remaining(&missing)), (404, 199_997));
    let refused = Answer::to(service.call(Method::POST, "/api/v1/service-sports-data/refresh")).await;
    assert_eq!((refused.status, remaining(&refused)), (403, 199_997));
    let head = Answer::to(service.call(Method::HEAD, SPORTS)).await;
    assert_eq!((head.status, remaining(&head)), (200, 199_996));
}

#[tokio::test]
async fn a_call_answered_with_5xx_is_not_counted() {
    let site = Site::on_one_machine();
    site.publish_fixture("doubleheader");
    let service = site.serve().await;
    assert_eq!(remaining(&service.get(SPORTS).await), 199_999);
    let archives = site.place.store().join("sports/mlb/objects");
    let page = "/api/v1/results/mlb/won_on_points?format=parquet";
    std::fs::remove_dir_all(&archives).expect("removed");
    service.stop();
    let service = site.start(&[]);
    let failed = service.until(page, |answer| answer.status >= 500).await;
    assert_eq!(remaining(&failed), 199_999);
    assert_eq!(remaining(&service.get(SPORTS).await), 199_998);
}

/// Returns a key of the right form that was never issued, a different one for each number.
fn never_issued(number: u64) -> ApiKey {
    let mut bytes = [7; 32];
    bytes[..8].copy_from_slice(&number.to_be_bytes());
    ApiKey::from_random(bytes)
}

/// Guesses come from the customers' own address, on connections without pauses.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_new_key_works_at_its_first_use_during_a_limited_flood_of_guesses() {
    let site = Site::empty();
    let service = site.serve_as_shipped().await;
    let (is_over, guessed) = (AtomicBool::new(false), AtomicU64::new(0));
    let started = Instant::now();
    let guess = async || {
        let mut refused = [0, 0];
        while !is_over.load(Ordering::Relaxed) {
            let key = never_issued(guessed.fetch_add(1, Ordering::Relaxed));
            let answer = service.with_key(key.reveal()).get(SPORTS).await;
            if answer.status == 401 {
                refused[0] += 1;
            } else {
                let detail = answer.failure(429);
                assert_eq!(detail, "Rate limit exceeded. Limit: 10 requests with an invalid key per second");
                assert_eq!((answer.header("retry-after"), answer.header("x-ratelimit-limit")), (Some("1"), None));
                refused[1] += 1;
            }
        }
        refused
    };
    let flood = join_all((0..16).map(|_| guess()));
    let customers = async {
        for number in 0..5 {
            sleep(Duration::from_millis(300)).await;
            let (_, key) = tokio::task::block_in_place(|| site.customer(&format!("new{number}@example.com"), "ai"));
            let sent = Instant::now();
            assert_eq!(service.with_key(&key).get(SPORTS).await.status, 200, "at its first use");
            assert!(sent.elapsed() < Duration::from_secs(5), "only after {:?}", sent.elapsed());
            assert_eq!(service.get(SPORTS).await.status, 200, "and the others all the while");
        }
        is_over.store(true, Ordering::Relaxed);
    };
    let (refused, ()) = tokio::join!(flood, customers);
    let seconds = started.elapsed().as_secs() + 1;
    let [unknown, limited] = refused.iter().fold([0, 0], |all, each| [all[0] + each[0], all[1] + each[1]]);
    assert!((10..=10 * seconds).contains(&unknown), "{unknown} were looked at in {seconds} s");
    assert!(limited > unknown, "{limited} were refused for coming too often");
    // A second after the flood, an invalid key is reported as such.
    sleep(Duration::from_secs(1)).await;
    assert_eq!(service.with_key(never_issued(u64::MAX).reveal()).get(SPORTS).await.status, 401);
}
