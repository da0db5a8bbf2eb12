//! Keeps what is counted in memory for the next process, and on record, while the program runs and at its end.

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

/// How often counts are committed, and kept in a file where there is one. A process that is killed loses what it counted in
/// this time, and until the system lets it write a few lines.
pub const EVERY: Duration = Duration::from_millis(50);

/// Counts that are made in memory and put on record a little later.
#[async_trait]
pub trait CommittedCounts: Send + Sync {
    /// Puts on record what is not. `now` decides which months are over.
    async fn commit(&self, now: DateTime<Utc>) -> Result<(), PortError>;

    /// How many counts are not on record.
    fn pending(&self) -> u64;

    /// Ends the counting: leaves what is not on record for the next process, and says whether that knows of it.
    ///
    /// # Errors
    ///
    /// When it cannot be left for it.
    fn leave_for_the_next(&self) -> io::Result<bool>;
}

#[async_trait]
impl CommittedCounts for LocalMeter {
    async fn commit(&self, now: DateTime<Utc>) -> Result<(), PortError> {
        Self::commit(self, now).await
    }

    fn pending(&self) -> u64 {
        Self::pending(self)
    }

    fn leave_for_the_next(&self) -> io::Result<bool> {
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

    fn leave_for_the_next(&self) -> io::Result<bool> {
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

    fn leave_for_the_next(&self) -> io::Result<bool> {
        Ok(self.is_shared())
    }
}

/// Keeps a meter's counts in its file several times a second, for as long as there is the meter.
///
/// # Errors
///
/// When the system has no thread left.
pub fn keep(meter: Weak<LocalMeter>) -> io::Result<()> {
    // A thread of its own: whatever requests and the database are busy with, this is not behind it.
    thread::Builder::new().name("counts".to_owned()).spawn(move || {
        let mut failing = false;
        while let Some(meter) = meter.upgrade() {
            failing = said(&meter.write_crash_file(), failing);
            drop(meter);
            thread::park_timeout(EVERY);
        }
    })?;
    Ok(())
}

/// A meter and what commits it.
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

    /// How many counts are not on record.
    #[must_use]
    pub fn pending(&self) -> u64 {
        self.meter.pending()
    }

    /// Says whether the last counts are on record, from memory.
    ///
    /// # Errors
    ///
    /// [`PortError::Unavailable`] when they are not; the log has the reason.
    pub fn expect_on_record(&self) -> Result<(), PortError> {
        let failing = self.failing.load(Ordering::Relaxed);
        if failing { Err(PortError::unavailable("usage counts", "the last counts are not on record")) } else { Ok(()) }
    }

    /// Puts on record what is not, for the last time.
    pub async fn finish(&self) {
        self.commit().await;
        let left = self.meter.leave_for_the_next();
        if self.expect_on_record().is_ok() {
            return;
        }
        match left {
            Ok(true) => tracing::warn!("unrecorded calls are kept for the next start"),
            Ok(false) => tracing::error!("unrecorded calls are lost: {} counts", self.pending()),
            Err(error) => tracing::error!("unrecorded calls cannot be kept either: {error}"),
        }
    }

    /// Puts on record what was counted since the last time. What fails is said once, until it works again.
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

/// Says that keeping fails when it begins to, and whether it does.
fn said(kept: &io::Result<()>, was_failing: bool) -> bool {
    if let (Err(error), false) = (kept, was_failing) {
        tracing::error!("counts cannot be kept for the next start: {error}");
    }
    kept.is_err()
}
