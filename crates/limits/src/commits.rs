use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use sports_ports::{Clock, PortError, error_chain};

use crate::LocalMeter;

/// The commits of the counts of a meter, while the program runs and at its end.
#[derive(Clone)]
pub struct Commits {
    meter: Arc<LocalMeter>,
    clock: Arc<dyn Clock>,
    failing: Arc<AtomicBool>,
}

impl Commits {
    /// The time between two commits. A process that is killed loses the calls of this time, and of the time that the last
    /// commit took.
    const INTERVAL: Duration = Duration::from_millis(50);

    /// Creates the commits of a meter's counts, which [`run`](Self::run) makes.
    pub fn new(meter: Arc<LocalMeter>, clock: Arc<dyn Clock>) -> Self {
        Self { meter, clock, failing: Arc::default() }
    }

    /// Commits the counts several times a second; calls `committed` after each time.
    pub async fn run(self, committed: impl Fn()) {
        loop {
            tokio::time::sleep(Self::INTERVAL).await;
            self.commit().await;
            committed();
        }
    }

    /// Returns the number of counts that are not committed.
    pub fn pending(&self) -> u64 {
        self.meter.pending()
    }

    /// Checks that the last commit succeeded, without I/O.
    ///
    /// # Errors
    ///
    /// [`PortError::Unavailable`] if it failed; the log has the reason.
    pub fn expect_on_record(&self) -> Result<(), PortError> {
        let failing = self.failing.load(Relaxed);
        if failing { Err(PortError::unavailable("usage counts", "the last counts are not on record")) } else { Ok(()) }
    }

    /// Commits for the last time. What cannot be committed is lost.
    pub async fn finish(&self) {
        self.commit().await;
        if self.expect_on_record().is_err() {
            tracing::error!("unrecorded calls are lost: {} counts", self.pending());
        }
    }

    /// Commits the pending counts. Logs the first failure of a series, and the first success after it.
    async fn commit(&self) {
        match self.meter.commit(self.clock.now()).await {
            Ok(()) if self.failing.swap(false, Relaxed) => {
                tracing::info!("the counts of calls are on record again");
            }
            Err(error) if !self.failing.swap(true, Relaxed) => {
                let causes = error_chain(&error);
                tracing::error!("the counts of calls cannot be recorded: {causes}");
            }
            _ => {}
        }
    }
}
