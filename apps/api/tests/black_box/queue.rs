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

/// Requests calibrations until the test is over, several times as many at once as are computed.
async fn keep_busy(service: &Service, number: &AtomicU64, is_over: &AtomicBool) -> Vec<Answer> {
    let cores = available_parallelism().map_or(1, usize::from);
    let client = async |_| {
        let mut refused = Vec::new();
        while !is_over.load(Relaxed) {
            let answer = service.get(&calibration(number.fetch_add(1, Relaxed))).await;
            if answer.status != 200 {
                refused.push(answer);
            }
        }
        refused
    };
    join_all((0..4 * cores).map(client)).await.into_iter().flatten().collect()
}

fn figure(figures: &str, name: &str) -> u64 {
    sample(figures, name).and_then(|value| value.parse().ok()).unwrap_or_else(|| panic!("no {name}: {figures}"))
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
    let (_, key) = site.customer("second@example.com", "ai");
    let customer = service.with_key(&key);
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
    let (refused, given) = tokio::join!(keep_busy(&service, &number, &is_over), requests);
    refused.iter().for_each(expect_refused);
    let usage = customer.get("/api/v1/customers/me/usage").await.json();
    assert_eq!(usage["monthly_requests"], given, "a refusal is given back");
    service.until(&calibration(39_000), |answer| answer.status == 200).await;
    let figures = figures(&service).await;
    assert!(figure(&figures, "computations_refused_total") >= 7, "{figures}");
    assert_eq!((figure(&figures, "computations_running"), figure(&figures, "computations_waiting")), (0, 0));
    assert!(!site.log().contains("answered 503: "), "a refusal is no fault");
}

#[tokio::test]
async fn equal_requests_share_a_computation_on_half_of_the_cores() {
    let (_site, service) = league("1m").await;
    let service = Arc::new(service);
    let many = 60;
    let answers = (0..many).map(|number| {
        let service = Arc::clone(&service);
        tokio::spawn(async move { service.get(&calibration(number / 3)).await })
    });
    let answers: Vec<_> = answers.collect();
    let (mut most, mut waited) = (0, 0);
    while answers.iter().any(|answer| !answer.is_finished()) {
        let figures = figures(&service).await;
        most = most.max(figure(&figures, "computations_running"));
        waited = waited.max(figure(&figures, "computations_waiting"));
    }
    let cores = available_parallelism().map_or(1, usize::from) as u64;
    assert!((1..=(cores / 2).max(1)).contains(&most), "{most} at once on {cores} cores");
    assert!(waited <= many / 3, "{waited} waited");
    for answer in join_all(answers).await {
        assert_eq!(answer.expect("no panic").status, 200);
    }
    let figures = figures(&service).await;
    let misses = figure(&figures, "cache_requests_total{cache=\"answers\",result=\"miss\"}");
    assert_eq!(misses, many / 3, "three requests for each answer, one computation");
}
