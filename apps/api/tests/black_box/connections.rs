//! Clients that are slow, many, greedy or not HTTP clients at all.

mod bodies;
pub mod client;
mod floods;
mod malformed;
mod pipelines;
mod slow;

use std::fs;
use std::time::Duration;

use self::client::Client;
use crate::service::Service;

/// The server's time limits for clients in these tests, wherever they can be set.
pub const SHORT: [(&str, &str); 4] = [
    ("SPORTS_HTTP__HEAD_TIMEOUT", "1s"),
    ("SPORTS_HTTP__BODY_TIMEOUT", "1s"),
    ("SPORTS_HTTP__ANSWER_TIMEOUT", "1s"),
    ("SPORTS_HTTP__IDLE_TIMEOUT", "1s"),
];

/// A test's time limit for an effect that is due within seconds: the machine may be busy.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Returns a line of the system's status of the server's memory, in KiB.
fn memory(service: &Service, line: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", service.id())).expect("a process of Linux");
    let line = status.lines().find_map(|found| found.strip_prefix(line)).expect("a line");
    line.trim().trim_end_matches(" kB").parse().expect("a number")
}

/// Returns the server's resident memory, in KiB.
pub fn resident(service: &Service) -> u64 {
    memory(service, "VmRSS:")
}

/// Asserts that new clients are answered.
async fn others_are_answered(service: &Service) {
    for path in ["/api/v1/liveness", "/api/v1/readiness", "/api/v1/health", "/api/v1/data-status/nfl"] {
        let mut client = Client::connect(service).await;
        client.send(format!("GET {path} HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n")).await;
        let answer = client.answer().await.unwrap_or_else(|| panic!("no answer to {path}"));
        assert_eq!(answer.status, 200, "{path}: {answer:?}");
    }
}
