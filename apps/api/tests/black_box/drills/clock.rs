//! A machine whose date is set, back and ahead, while programs run.

use std::time::Duration;

use sports_testkit::clocks::MovedClocks;
use tokio::time::{Instant, sleep};

use super::load::Load;
use super::scene::{Scene, shows};
use super::{SPORTS, at_most, pick};
use crate::service::Service;

const HOUR: i64 = 60 * 60;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
#[ignore = "a drill: `just drill`"]
async fn a_date_that_is_set_back_and_ahead_under_load_loses_and_refuses_no_call() {
    let Some(clocks) = MovedClocks::of_the_machine() else { return };
    let scene = Scene::new();
    let moved = clocks.variables();
    let limited = [moved.as_slice(), &[("SPORTS_LIMITS__PER_SECOND", "40".to_owned())]].concat();
    let limited: Vec<_> = limited.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let service = scene.site.serve_with(&limited).await;
    // Two callers of each customer, well below the limit.
    let load = Load::start(&scene, &service, Duration::from_millis(150));
    // Time in a record goes forward only: docs/design/record.md.
    for (number, (seconds, is_published)) in
        [(-2 * HOUR, false), (0, true), (40 * 24 * HOUR, true), (-24 * HOUR, false)].into_iter().enumerate()
    {
        clocks.set_date(seconds);
        sleep(pick(Duration::from_millis(700), Duration::from_secs(5))).await;
        expect_refusals_to_end(&scene, &service, number).await;
        let (published, stadium) = scene.publish(&moved);
        assert_eq!(
            published.status.success(),
            is_published,
            "{seconds} s: {}",
            String::from_utf8_lossy(&published.stderr)
        );
        if is_published {
            shows(&service, &stadium).await;
        }
    }
    let calls = load.end().await;
    calls.expect_counted(&scene).await;
    at_most("calls refused or failed", calls.with_status(|status| !matches!(status, 200 | 400)), 0);
    service.stop();
    let service = scene.site.serve_with(&limited).await;
    for (_, key) in &scene.customers {
        assert_eq!(service.with_key(key).get(SPORTS).await.status, 200, "keys work after a start in the past");
    }
    service.stop();
    assert!(scene.verifies());
    scene.expect_logs(20);
}

/// Asserts that a customer who used up a second is admitted again soon, by the uptime.
async fn expect_refusals_to_end(scene: &Scene, service: &Service, number: usize) {
    let (_, key) = scene.site.customer(&format!("hasty{number}@example.com"), "ai");
    let hasty = service.with_key(&key);
    let mut refused = None;
    for _ in 0..200 {
        if hasty.get(SPORTS).await.status == 429 {
            refused = Some(Instant::now());
            break;
        }
    }
    let refused = refused.expect("more calls than the limit within a second");
    hasty.until(SPORTS, |answer| answer.status == 200).await;
    at_most("seconds of refusals", refused.elapsed().as_secs_f64(), 3.0);
}
