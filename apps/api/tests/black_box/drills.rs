//! Drills of one server: faults, attacks and accidents under load, and the damage that they do.
//!
//! They take minutes and measure times, so they run alone: `just drill`.

mod clock;
mod databases;
mod disks;
mod ends;
mod load;
mod scene;
mod stores;

use std::fmt::Display;
use std::time::Duration;

use reqwest::Method;
use serde_json::json;
use tokio::time::Instant;

use crate::service::{Answer, Service};

const HEALTH: &str = "/api/v1/health";
const READINESS: &str = "/api/v1/readiness";
const KEYS: &str = "/api/v1/customers/me/api-keys";
const SPORTS: &str = "/api/v1/sports";

/// The time limit for full recovery after a fault.
const RECOVERED: Duration = Duration::from_secs(10);

/// The time limit for calls to be on record beside a running server.
const ON_RECORD: Duration = Duration::from_secs(8);

/// Returns one of two values: the second if `DRILLS` is `full`, for longer faults and more rounds.
fn pick<T>(short: T, full: T) -> T {
    if std::env::var_os("DRILLS").is_some_and(|form| form == "full") { full } else { short }
}

/// Prints a figure, and asserts that it is within its limit.
fn at_most<T: PartialOrd + Display + Copy>(figure: &str, found: T, limit: T) {
    println!("{figure}: {found} of at most {limit}");
    assert!(found <= limit, "{figure}: {found} is more than {limit}");
}

/// Waits until health and readiness report recovery; asserts that it came in time.
async fn recovers(service: &Service) {
    let started = Instant::now();
    service.until(HEALTH, |health| health.json()["status"] == "healthy").await;
    service.until(READINESS, |readiness| readiness.status == 200).await;
    at_most("seconds until recovery", started.elapsed().as_secs_f64(), RECOVERED.as_secs_f64());
}

/// Waits until health names a fault of a dependency.
async fn health_names(service: &Service, dependency: &str) {
    service.until(HEALTH, |health| health.json()["dependencies"][dependency]["status"] != "healthy").await;
}

/// Creates a key as a customer; returns the answer.
async fn make_key(service: &Service, key: &str) -> Answer {
    Answer::to(service.with_key(key).request(Method::POST, KEYS).json(&json!({ "name": "drill" }))).await
}
