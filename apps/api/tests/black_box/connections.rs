//! Clients that are slow, many, greedy or no HTTP clients at all.

mod bodies;
mod client;
mod floods;
mod malformed;
mod slow;

use std::time::Duration;

use crate::service::{Answer, Service};

/// How long the server waits for a client in these tests, wherever it can be made to wait.
const SHORT: [(&str, &str); 4] = [
    ("SPORTS_HTTP__HEAD_TIMEOUT", "1s"),
    ("SPORTS_HTTP__BODY_TIMEOUT", "1s"),
    ("SPORTS_HTTP__ANSWER_TIMEOUT", "1s"),
    ("SPORTS_HTTP__IDLE_TIMEOUT", "1s"),
];

/// How long a test waits for what was promised within seconds: the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(30);

/// Whether somebody else is answered.
async fn others_are_answered(service: &Service) {
    for path in ["/api/v1/liveness", "/api/v1/readiness", "/api/v1/health", "/api/v1/data-status/nfl"] {
        let answer = Answer::to(service.request(path).header("Connection", "close")).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
    }
}
