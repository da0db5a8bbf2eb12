//! What is published while a demo is served.

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
    /// Starts the task that `cycle` asks for, if any.
    pub(crate) fn start(publisher: DemoPublisher, clock: Arc<dyn Clock>, cycle: Cycle) -> Self {
        Self(match cycle {
            Cycle::Every(period) => Some(tokio::spawn(periods(publisher, clock, period))),
            Cycle::Stopped => Some(tokio::spawn(mornings(publisher, clock))),
            Cycle::Off => None,
        })
    }

    /// Ends the task, whatever it is doing, so that it reports no failure when the program ends around it.
    pub async fn end(self) {
        if let Some(task) = self.0 {
            task.abort();
            drop(task.await);
        }
    }
}

/// How long after new odds predictions are rebuilt on them; a quarter of a period that is short.
const REBUILD: Duration = Duration::from_mins(1);

/// Publishes until the task is ended. A failure is logged, and the next cycle tries again.
async fn periods(publisher: DemoPublisher, clock: Arc<dyn Clock>, period: Duration) {
    let rebuild = REBUILD.min(period / 4);
    loop {
        tokio::time::sleep(period.saturating_sub(rebuild)).await;
        for sport in Sport::ALL {
            report(sport, publisher.settle(sport, clock.now()).await);
            report(sport, publisher.refresh_odds(sport, clock.now()).await);
        }
        tokio::time::sleep(rebuild).await;
        for sport in Sport::ALL {
            report(sport, publisher.rebuild(sport, clock.now()).await);
        }
    }
}

/// How often the task looks whether the next release of a morning is due.
const LOOK: Duration = Duration::from_secs(2);

/// Publishes a morning's releases when they are due. What failed is tried again at each look; a failure is logged
/// when it differs from the last.
async fn mornings(publisher: DemoPublisher, clock: Arc<dyn Clock>) {
    let mut logged = HashMap::new();
    loop {
        tokio::time::sleep(LOOK).await;
        for sport in Sport::ALL {
            let outcome = publisher.morning(sport, clock.now()).await;
            let wrong = outcome.as_ref().err().map(ToString::to_string);
            if logged.insert(sport, wrong.clone()).flatten() != wrong {
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
