//! The table of limits: per month, per second, and their subjects.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use futures::future::join_all;
use sports_accounts::ApiKey;
use tokio::time::{Duration, Instant, sleep};

use crate::service::{Answer, Service, Site};

const SPORTS: &str = "/api/v1/sports";
const USAGE: &str = "/api/v1/customers/me/usage";
const MONTHLY: &str = "SPORTS_LIMITS__MONTHLY";
const PER_SECOND: &str = "SPORTS_LIMITS__PER_SECOND";

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
        assert!(
            refused.failure(429).starts_with("Rate limit exceeded. Limit: 1500 requests per month; the next month ")
        );
    }
    service.stop();
    let id = site.place.ctl(["customer", "list"]).split_whitespace().next().expect("an id").to_owned();
    assert!(site.place.ctl(["customer", "usage", &id]).contains("  1500 requests  "));
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
