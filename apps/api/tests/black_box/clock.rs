//! A machine's clock that is set wrong while the server runs, and corrected.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::Value;
use sports_ports::Clock;
use sports_program::SystemClock;
use sports_testkit::clocks::MovedClocks;
use tokio::time::sleep;

use crate::metrics::{MEASURED, sample};
use crate::service::{Service, Site};

const HEALTH: &str = "/api/v1/health";
const USAGE: &str = "/api/v1/customers/me/usage";
const DAY: i64 = 24 * 60 * 60;
const MINUTE: i64 = 60;

/// Returns the date of the machine, which is right.
fn now() -> DateTime<Utc> {
    SystemClock::new().now()
}

/// Advances the clocks, and waits until the server has closed the connections that were idle for that long.
async fn pass(clocks: &MovedClocks, seconds: i64) {
    clocks.pass(seconds);
    sleep(Duration::from_secs(2)).await;
}

fn date(health: &Value) -> DateTime<Utc> {
    health["timestamp"].as_str().expect("a text").parse().expect("an instant")
}

fn clock_of(health: &Value) -> &Value {
    &health["dependencies"]["clock"]["status"]
}

/// Returns one metric. A connection from before the advance may have timed out by the same clock: then another is
/// opened.
async fn number(service: &Service, name: &str) -> f64 {
    let printed = service.printed();
    let address = printed.lines().find_map(|line| line.strip_prefix("metrics on ")).expect("an address");
    let mut answer = service.fetch(address).send().await;
    for _ in 0..5 {
        if answer.as_ref().is_ok_and(|answer| answer.status() == 200) {
            break;
        }
        answer = service.fetch(address).send().await;
    }
    let figures = answer.expect("answered").text().await.expect("text");
    sample(&figures, name).and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("{name}\n{figures}"))
}

async fn counted(service: &Service) -> (Value, Value) {
    let usage = service.get(USAGE).await.json();
    (usage["reset_date"].clone(), usage["monthly_requests"].clone())
}

#[tokio::test]
async fn the_date_is_set_back_ten_minutes_after_a_wrong_clock_was_corrected() {
    let Some(clocks) = MovedClocks::of_the_machine() else { return };
    let site = Site::empty();
    let expires = (now() + TimeDelta::days(30)).to_rfc3339();
    let expiring = site.key_of_another("ai", &["--expires", &expires]);
    let [preload, offsets] = clocks.variables();
    let variables = [(preload.0, preload.1.as_str()), (offsets.0, offsets.1.as_str()), MEASURED[0]];
    let service = site.serve_with(&variables).await;
    let status = async || service.with_key(&expiring).get("/api/v1/sports").await.status;
    let before = counted(&service).await;
    assert_eq!((status().await, service.get("/api/v1/sports").await.status), (200, 200));
    assert_eq!(service.get(HEALTH).await.json()["status"], "healthy");

    clocks.set_date(400 * DAY);
    let wrong = now() + TimeDelta::days(399);
    service.until(HEALTH, |health| date(&health.json()) > wrong).await;
    assert_eq!(status().await, 401);
    assert_ne!(counted(&service).await.0, before.0);
    assert_eq!(
        service.get(HEALTH).await.json()["status"],
        "healthy",
        "a wrong step cannot be distinguished from a right one"
    );

    clocks.set_date(0);
    service.until(HEALTH, |health| clock_of(&health.json()) == "degraded").await;
    for passed in [0, 5 * MINUTE, 9 * MINUTE] {
        pass(&clocks, passed).await;
        let health = service.get(HEALTH).await.json();
        assert_eq!((&health["status"], clock_of(&health)), (&"degraded".into(), &"degraded".into()), "{health}");
        assert!(health["dependencies"]["clock"]["detail"].as_str().is_some_and(|why| why.contains("service date")));
        assert!(date(&health) > wrong, "{health}");
        assert_eq!(status().await, 401);
    }
    assert!(number(&service, "clock_ahead_seconds").await > 399.0 * 86_400.0);
    service.until(HEALTH, |_| site.log().contains("behind the service date")).await;
    assert!((number(&service, "clock_set_back_total").await - 1.0).abs() < f64::EPSILON);

    pass(&clocks, 10 * MINUTE + 1).await;
    service.until(HEALTH, |health| health.json()["status"] == "healthy").await;
    let health = service.get(HEALTH).await.json();
    assert!((date(&health) - now()).abs() < TimeDelta::hours(1), "{health}");
    assert_eq!(health["dependencies"].get("clock"), None);
    assert_eq!(status().await, 200);
    assert!(number(&service, "clock_ahead_seconds").await < 1.0);
    service.until(HEALTH, |_| site.log().contains("follows the system clock again")).await;
    let calls = before.1.as_u64().expect("a number") + 1;
    service
        .until(USAGE, |usage| {
            (&usage.json()["reset_date"], &usage.json()["monthly_requests"]) == (&before.0, &calls.into())
        })
        .await;
}

#[tokio::test]
async fn a_clock_that_catches_up_in_time_does_not_move_the_date_back() {
    let Some(clocks) = MovedClocks::of_the_machine() else { return };
    let site = Site::empty();
    let [preload, offsets] = clocks.variables();
    let service = site.serve_with(&[(preload.0, &preload.1), (offsets.0, &offsets.1)]).await;
    for round in 0..3 {
        let passed = round * 9 * MINUTE;
        clocks.set_date(DAY);
        let ahead = now() + TimeDelta::hours(23);
        service.until(HEALTH, |health| date(&health.json()) > ahead && health.json()["status"] == "healthy").await;
        clocks.set_date(0);
        service.until(HEALTH, |health| clock_of(&health.json()) == "degraded").await;
        pass(&clocks, passed + 9 * MINUTE).await;
        let health = service.get(HEALTH).await.json();
        assert!(date(&health) > ahead && health["status"] == "degraded", "round {round}: {health}");
    }
}
