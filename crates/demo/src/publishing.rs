//! The releases of a running demo.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use sports_domain::Sport;
use sports_ports::Clock;
use tokio::task::JoinHandle;

use crate::cycle::Cycle;
use crate::failure::Failure;
use crate::publisher::DemoPublisher;

/// The task that publishes while a demo is served.
pub struct Publishing(Option<JoinHandle<()>>);

impl Publishing {
    /// Starts the task for `cycle`, if it needs one.
    pub(crate) fn start(publisher: DemoPublisher, clock: Arc<dyn Clock>, cycle: Cycle) -> Self {
        Self(match cycle {
            Cycle::Every(period) => Some(tokio::spawn(periods(publisher, clock, period))),
            Cycle::Stopped => Some(tokio::spawn(mornings(publisher, clock))),
            Cycle::Off => None,
        })
    }

    /// Aborts the task, so that it logs no failure while the program ends.
    pub async fn end(self) {
        if let Some(task) = self.0 {
            task.abort();
            drop(task.await);
        }
    }
}

/// The delay between new odds and the rebuild of predictions; at most a quarter of the period.
const REBUILD: Duration = Duration::from_mins(1);

/// Publishes until the task is aborted. A failure is logged, and the next cycle retries.
async fn periods(publisher: DemoPublisher, clock: Arc<dyn Clock>, period: Duration) {
    let rebuild = REBUILD.min(period / 4);
    loop {
        tokio::time::sleep(period.saturating_sub(rebuild)).await;
        for sport in Sport::ALL {
            report(sport, publisher.settle(sport, clock.now()).await);
            report(sport, publisher.refresh_odds(sport, clock.now()).await);
            publisher.sign(sport).await;
        }
        tokio::time::sleep(rebuild).await;
        for sport in Sport::ALL {
            report(sport, publisher.rebuild(sport, clock.now()).await);
            publisher.sign(sport).await;
        }
    }
}

/// The interval at which the task checks if a morning's release is due.
const POLL_INTERVAL: Duration = Duration::from_secs(2);

/// Publishes a morning's releases as they become due. Retries failures at each interval, and logs a failure if it
/// differs from the previous one.
async fn mornings(publisher: DemoPublisher, clock: Arc<dyn Clock>) {
    let mut logged = HashMap::new();
    loop {
        tokio::time::sleep(POLL_INTERVAL).await;
        for sport in Sport::ALL {
            let outcome = publisher.morning(sport, clock.now()).await;
            let failure = outcome.as_ref().err().map(ToString::to_string);
            if logged.insert(sport, failure.clone()).flatten() != failure {
                report(sport, outcome);
            }
        }
    }
}

fn report(sport: Sport, published: Result<(), Failure>) {
    if let Err(error) = published {
        tracing::warn!(%sport, error = sports_ports::in_one_line(&*error), "the demo could not publish");
    }
}
