//! Commits of counted calls and of uses of keys to the record, while the program runs and at its end.

mod key_uses;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use sports_ports::metering::CommittedCounts;
use sports_ports::{Clock, PortError, in_one_line};

pub use key_uses::CommittedKeyUses;

/// The time between two commits of counts, and between two writes of a crash file. A process that is killed loses the counts
/// of this time, and of the time that the last write took.
pub const COMMIT_INTERVAL: Duration = Duration::from_millis(50);

/// A meter, and the commits of its counts.
#[derive(Clone)]
pub struct CommittedMeter {
    meter: Arc<dyn CommittedCounts>,
    clock: Arc<dyn Clock>,
    failing: Arc<AtomicBool>,
}

impl CommittedMeter {
    /// Creates the commits of a meter's counts, which [`run`](Self::run) makes.
    pub fn new(meter: Arc<dyn CommittedCounts>, clock: Arc<dyn Clock>) -> Self {
        Self { meter, clock, failing: Arc::default() }
    }

    /// Commits the counts several times a second; calls `committed` after each time.
    pub async fn run(self, committed: impl Fn()) {
        loop {
            tokio::time::sleep(COMMIT_INTERVAL).await;
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
        let failing = self.failing.load(Ordering::Relaxed);
        if failing { Err(PortError::unavailable("usage counts", "the last counts are not on record")) } else { Ok(()) }
    }

    /// Commits for the last time, and persists what could not be committed.
    pub async fn finish(&self) {
        self.commit().await;
        let persisted = self.meter.persist_for_restart();
        if self.expect_on_record().is_ok() {
            return;
        }
        match persisted {
            Ok(true) => tracing::warn!("unrecorded calls are kept for the next start"),
            Ok(false) => tracing::error!("unrecorded calls are lost: {} counts", self.pending()),
            Err(error) => tracing::error!("unrecorded calls cannot be kept either: {error}"),
        }
    }

    /// Commits the pending counts. Logs the first failure of a series, and the first success after it.
    async fn commit(&self) {
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
