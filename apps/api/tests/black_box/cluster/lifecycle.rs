//! What a stopping server does.

use std::time::Duration;

use tokio::time::Instant;

use crate::service::{Answer, Site};

#[tokio::test]
async fn a_stopping_node_is_not_ready_for_the_time_of_the_drain_and_still_answers() {
    const DRAIN: Duration = Duration::from_secs(3);
    let site = Site::publishing(&["nfl-2023-week-18"]);
    let service = site.serve_with(&[("SPORTS_HTTP__DRAIN", "3s")]).await;
    let before = service.page("nfl/over_under").await.json();
    let asked = Instant::now();
    service.signal("TERM");
    let unready = service.until("/api/v1/readiness", |answer| answer.status == 503).await.json();
    assert_eq!((&unready["status"], &unready["checks"]["running"]), (&"not_ready".into(), &false.into()));
    while asked.elapsed() < DRAIN / 2 {
        let answer = Answer::to(service.keyed("/api/v1/results/nfl/over_under")).await;
        assert_eq!((answer.status, answer.header("connection")), (200, Some("close")));
        assert_eq!(answer.json()["total"], before["total"]);
    }
    assert!(service.ended().success());
    assert!(asked.elapsed() >= DRAIN, "it goes on for as long as it is to");
}

#[tokio::test]
async fn a_second_signal_ends_the_drain_at_once() {
    let site = Site::empty();
    let service = site.serve_with(&[("SPORTS_HTTP__DRAIN", "5m")]).await;
    service.signal("INT");
    service.until("/api/v1/readiness", |answer| answer.status == 503).await;
    service.signal("TERM");
    assert!(service.ended().success(), "long before five minutes");
}
