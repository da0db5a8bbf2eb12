//! Keeps what is counted in memory on record, for as long as the program runs and once at its end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use sports_limits_memory::LocalMeter;
use sports_ports::{Clock, in_one_line};

/// How often counts are committed. A process that is killed loses less than twice that.
const EVERY: Duration = Duration::from_millis(50);

/// A meter and what commits it.
#[derive(Clone)]
pub struct CommittedMeter {
    meter: Arc<LocalMeter>,
    clock: Arc<dyn Clock>,
    failing: Arc<AtomicBool>,
}

impl CommittedMeter {
    /// Starts committing a meter several times a second.
    #[must_use]
    pub fn start(meter: Arc<LocalMeter>, clock: Arc<dyn Clock>) -> Self {
        let committed = Self { meter, clock, failing: Arc::default() };
        let forever = committed.clone();
        tokio::spawn(async move {
            loop {
                tokio::time::sleep(EVERY).await;
                forever.commit().await;
            }
        });
        committed
    }

    /// Puts on record what was counted since the last time. What fails is said once, until it works again.
    pub async fn commit(&self) {
        match self.meter.commit(self.clock.now()).await {
            Ok(()) if self.failing.swap(false, Ordering::Relaxed) => {
                tracing::info!("the counts of calls are on record again");
            }
            Err(error) if !self.failing.swap(true, Ordering::Relaxed) => {
                let causes = in_one_line(&error);
                tracing::error!(causes, "the counts of calls cannot be recorded: {causes}");
            }
            _ => {}
        }
    }
}
