//! Persists in-memory call counts to the database and to a crash file.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;
use std::{io, thread};

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use sports_accounts_sea_orm::DatabaseMeter;
use sports_limits_memory::LocalMeter;
use sports_limits_redis::RedisMeter;
use sports_ports::{Clock, PortError, in_one_line};

/// The time between two commits of counts, and between two writes of the crash file. A process that is killed loses the counts
/// of this time, and of the time that the last write took.
pub const EVERY: Duration = Duration::from_millis(50);

/// Counts in memory that are committed to the database a little later.
#[async_trait]
pub trait CommittedCounts: Send + Sync {
    /// Commits the pending counts. `now` determines the months that are over.
    async fn commit(&self, now: DateTime<Utc>) -> Result<(), PortError>;

    /// Returns the number of counts that are not committed.
    fn pending(&self) -> u64;

    /// Ends the counting, and persists the pending counts for the next process; returns false if they cannot reach it.
    ///
    /// # Errors
    ///
    /// An error if the crash file cannot be written.
    fn persist_for_restart(&self) -> io::Result<bool>;
}

#[async_trait]
impl CommittedCounts for LocalMeter {
    async fn commit(&self, now: DateTime<Utc>) -> Result<(), PortError> {
        Self::commit(self, now).await
    }

    fn pending(&self) -> u64 {
        Self::pending(self)
    }

    fn persist_for_restart(&self) -> io::Result<bool> {
        self.close_crash_file().map(|()| true)
    }
}

#[async_trait]
impl CommittedCounts for DatabaseMeter {
    async fn commit(&self, now: DateTime<Utc>) -> Result<(), PortError> {
        Self::commit(self, now).await
    }

    fn pending(&self) -> u64 {
        Self::pending(self)
    }

    fn persist_for_restart(&self) -> io::Result<bool> {
        Ok(false)
    }
}

#[async_trait]
impl CommittedCounts for RedisMeter {
    async fn commit(&self, now: DateTime<Utc>) -> Result<(), PortError> {
        Self::commit(self, now).await
    }

    fn pending(&self) -> u64 {
        Self::pending(self)
    }

    fn persist_for_restart(&self) -> io::Result<bool> {
        Ok(self.is_shared())
    }
}

/// Writes the counts of a meter to its crash file several times a second, until the meter is dropped.
///
/// # Errors
///
/// An error if the system has no thread left.
pub fn keep(meter: Weak<LocalMeter>) -> io::Result<()> {
    // A separate thread, so that neither requests nor the database delay it.
    thread::Builder::new().name("counts".to_owned()).spawn(move || {
        let mut failing = false;
        while let Some(meter) = meter.upgrade() {
            failing = log_transition(&meter.write_crash_file(), failing);
            drop(meter);
            thread::park_timeout(EVERY);
        }
    })?;
    Ok(())
}

/// A meter and the task that commits its counts.
#[derive(Clone)]
pub struct CommittedMeter {
    meter: Arc<dyn CommittedCounts>,
    clock: Arc<dyn Clock>,
    failing: Arc<AtomicBool>,
}

impl CommittedMeter {
    /// Starts committing a meter's counts several times a second.
    #[must_use]
    pub fn start(meter: Arc<dyn CommittedCounts>, clock: Arc<dyn Clock>) -> Self {
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

    /// Returns the number of counts that are not committed.
    #[must_use]
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

/// Logs the first failed write of a series; returns true if this write failed.
fn log_transition(kept: &io::Result<()>, was_failing: bool) -> bool {
    if let (Err(error), false) = (kept, was_failing) {
        tracing::error!("counts cannot be kept for the next start: {error}");
    }
    kept.is_err()
}
