//! The queue for expensive answers, which cheap answers do not use.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread::available_parallelism;

use futures::future::join_all;

use crate::metrics::{MEASURED, figures, sample};
use crate::service::{Answer, Customer, Service, Site};

const SUMMARY: &str = "/api/v1/summary/nfl/over_under";
const DETAIL: &str = "Too many expensive requests are queued, try again later";

async fn league(queue_timeout: &str) -> (Site, Service) {
    let site = Site::publishing(&["nfl-2023-week-18"]);
    let service = site.serve_with(&[MEASURED[0], ("SPORTS_LIMITS__QUEUE_TIMEOUT", queue_timeout)]).await;
    (site, service)
}

/// Returns the path of a calibration of all games that is not cached yet: each number has another first date.
fn calibration(number: u64) -> String {
    let (year, month, day) = (1900 + number / 336 % 120, number / 28 % 12 + 1, number % 28 + 1);
    format!("/api/v1/calibration/nfl/won_on_points?from={year}-{month:02}-{day:02}")
}

fn cores() -> usize {
    available_parallelism().map_or(1, usize::from)
}

/// Requests calibrations on some connections until the test is over; returns all answers.
async fn keep_busy(
    customer: &Customer<'_>,
    connections: usize,
    number: &AtomicU64,
    is_over: &AtomicBool,
) -> Vec<Answer> {
    let client = async |_| {
        let mut answers = Vec::new();
        while !is_over.load(Relaxed) {
            answers.push(customer.get(&calibration(number.fetch_add(1, Relaxed))).await);
        }
        answers
    };
    join_all((0..connections).map(client)).await.into_iter().flatten().collect()
}

fn figure(figures: &str, name: &str) -> u64 {
    sample(figures, name).and_then(|value| value.parse().ok()).unwrap_or_else(|| panic!("no {name}: {figures}"))
}

/// Expects the refusal of a request whose customer has four others in the queue.
fn expect_too_many(answer: &Answer) {
    let detail = "At most 4 expensive requests of one caller can wait; send more when some are answered";
    assert_eq!((answer.header("retry-after"), answer.failure(429)), (Some("1"), detail.to_owned()));
}

const KINDS: [&str; 7] = ["replay", "csv", "ndjson", "parquet", "calibration", "leaderboard", "density"];

fn market(number: u64) -> &'static str {
    ["won_on_points", "won_on_spread", "over_under"][usize::try_from(number % 3).expect("small")]
}

/// Returns an expensive request of a kind. For most kinds, each number has another answer.
fn expensive(kind: &str, number: u64) -> String {
    let is_even = number.is_multiple_of(2);
    let path = match kind {
        "replay" => {
            let rule = if is_even { "follow_line_home" } else { "fade_line_away" };
            format!("strategies/nfl/won_on_spread/{rule}/replay?season=2023-24")
        }
        "calibration" => return calibration(30_000 + number),
        "leaderboard" => {
            let accounting = if is_even { "recorded_v2" } else { "legacy_v1" };
            format!("strategies/nfl/{}?accounting={accounting}", market(number / 2))
        }
        "density" => format!("results/nfl/{}/density", market(number)),
        format => format!("results/nfl/over_under?season=2023-24&format={format}&limit={}", number + 1),
    };
    format!("/api/v1/{path}")
}

fn expect_refused(answer: &Answer) {
    assert_eq!((answer.header("retry-after"), answer.failure(503)), (Some("5"), DETAIL.to_owned()));
}

/// Requests answers of a kind until one is refused; returns the number of successful ones. Cached answers succeed, so
/// few requests are sent.
async fn given_until_refused(customer: &Customer<'_>, kind: &str) -> u64 {
    for number in 0..500 {
        let answer = customer.get(&expensive(kind, number)).await;
        if answer.status != 200 {
            expect_refused(&answer);
            return number;
        }
    }
    panic!("{kind} is never refused")
}

#[tokio::test]
async fn an_expensive_request_that_is_queued_too_long_is_503_and_not_counted() {
    let (site, service) = league("1ms").await;
    let keys = ["second@example.com", "third@example.com"].map(|email| site.customer(email, "ai").1);
    let (customer, other, first) =
        (service.with_key(&keys[0]), service.with_key(&keys[1]), service.with_key(service.key()));
    let kept = ["/api/v1/strategies/nfl/over_under", SUMMARY, "/api/v1/sports"];
    for path in kept {
        assert_eq!(service.get(path).await.status, 200, "{path}");
    }
    let (number, is_over) = (AtomicU64::new(0), AtomicBool::new(false));
    let requests = async {
        let mut given = 0;
        for kind in KINDS {
            given += given_until_refused(&customer, kind).await;
            for path in kept {
                assert_eq!(service.get(path).await.status, 200, "{path} is kept or cheap");
            }
        }
        is_over.store(true, Relaxed);
        given
    };
    let busy = [&first, &other].map(|customer| keep_busy(customer, 2 * cores(), &number, &is_over));
    let (answers, given) = tokio::join!(join_all(busy), requests);
    for answer in answers.iter().flatten().filter(|answer| answer.status != 200) {
        if answer.status == 429 { expect_too_many(answer) } else { expect_refused(answer) }
    }
    let usage = customer.get("/api/v1/customers/me/usage").await.json();
    assert_eq!(usage["monthly_requests"], given, "a refusal is given back");
    service.until(&calibration(39_000), |answer| answer.status == 200).await;
    let figures = figures(&service).await;
    assert!(figure(&figures, "computations_refused_total") >= 7, "{figures}");
    assert_eq!((figure(&figures, "computations_running"), figure(&figures, "computations_waiting")), (0, 0));
    assert!(!site.log().contains("answered 503: "), "a refusal is no fault");
}

/// One customer sends as much as forty connections can; two others send one request after the other.
#[tokio::test]
async fn a_greedy_customer_delays_and_fails_no_other() {
    const CONNECTIONS: usize = 40;
    const REQUESTS: usize = 20;
    let (site, service) = league("1m").await;
    let keys = ["second@example.com", "third@example.com"].map(|email| site.customer(email, "ai").1);
    let (greedy, others) = (service.with_key(service.key()), [0, 1].map(|index| service.with_key(&keys[index])));
    let (number, is_over) = (AtomicU64::new(0), AtomicBool::new(false));
    let polite = async {
        let requests = others.iter().enumerate().map(async |(index, customer)| {
            for number in 0..REQUESTS as u64 {
                // The last ones are those that the greedy customer is waiting for.
                let number = if number % 4 == 3 { number } else { 20_000 + 1_000 * index as u64 + number };
                assert_eq!(customer.get(&calibration(number)).await.status, 200);
            }
        });
        join_all(requests).await;
        is_over.store(true, Relaxed);
    };
    let (answers, ()) = tokio::join!(keep_busy(&greedy, CONNECTIONS, &number, &is_over), polite);
    let (given, refused): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == 200);
    refused.iter().copied().for_each(expect_too_many);
    // In one line for all, each of the others' requests would wait for forty.
    let most = 2 * REQUESTS * 4 * cores();
    assert!(given.len() <= most + CONNECTIONS, "{} answers beside {} of the others", given.len(), 2 * REQUESTS);
    let usage = greedy.get("/api/v1/customers/me/usage").await.json();
    assert_eq!(usage["monthly_requests"], given.len(), "a refusal is given back");
}

#[tokio::test]
async fn equal_requests_share_a_computation_on_half_of_the_cores() {
    let (_site, service) = league("1m").await;
    let service = Arc::new(service);
    let (many, different) = (60, 5);
    let answers = (0..many).map(|number| {
        let service = Arc::clone(&service);
        tokio::spawn(async move { service.get(&calibration(number % different)).await })
    });
    let answers: Vec<_> = answers.collect();
    let (mut most, mut waited) = (0, 0);
    while answers.iter().any(|answer| !answer.is_finished()) {
        let figures = figures(&service).await;
        most = most.max(figure(&figures, "computations_running"));
        waited = waited.max(figure(&figures, "computations_waiting"));
    }
    let half = cores().div_ceil(2) as u64;
    assert!((1..=half).contains(&most), "{most} at once on {} cores", cores());
    assert!(waited <= different, "{waited} waited");
    for answer in join_all(answers).await {
        assert_eq!(answer.expect("no panic").status, 200);
    }
    let figures = figures(&service).await;
    let misses = figure(&figures, "cache_requests_total{cache=\"answers\",result=\"miss\"}");
    assert_eq!(misses, different, "many requests for each answer, one computation");
}
