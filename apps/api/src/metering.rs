//! Keeps what is counted in memory for the next process, and on record, while the program runs and at its end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use std::{io, thread};

use sports_limits_memory::LocalMeter;
use sports_ports::{Clock, PortError, in_one_line};

/// How often counts are kept and committed. A process that is killed loses what it counted in this time, and until the
/// system lets it write a few lines.
const EVERY: Duration = Duration::from_millis(50);

/// A meter and what commits it.
#[derive(Clone)]
pub struct CommittedMeter {
    meter: Arc<LocalMeter>,
    clock: Arc<dyn Clock>,
    failing: Arc<AtomicBool>,
}

impl CommittedMeter {
    /// Starts keeping and committing a meter's counts several times a second.
    ///
    /// # Errors
    ///
    /// When the system has no thread left.
    pub fn start(meter: Arc<LocalMeter>, clock: Arc<dyn Clock>) -> io::Result<Self> {
        // A thread of its own: whatever requests and the database are busy with, this is not behind it.
        let kept = Arc::downgrade(&meter);
        thread::Builder::new().name("counts".to_owned()).spawn(move || {
            let mut failing = false;
            while let Some(meter) = kept.upgrade() {
                failing = said(&meter.keep(), failing);
                drop(meter);
                thread::park_timeout(EVERY);
            }
        })?;
        let committed = Self { meter, clock, failing: Arc::default() };
        let forever = committed.clone();
        tokio::spawn(async move {
            loop {
                tokio::time::sleep(EVERY).await;
                forever.commit().await;
            }
        });
        Ok(committed)
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

    /// Puts on record what is not, for the last time. What cannot be is kept for the next process.
    pub async fn finish(&self) {
        self.commit().await;
        match self.meter.stop_keeping() {
            Ok(()) if self.expect_on_record().is_err() => {
                tracing::warn!("unrecorded calls are kept for the next start");
            }
            Ok(()) => {}
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
