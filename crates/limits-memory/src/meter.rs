use std::collections::HashSet;
use std::io;
use std::sync::{Arc, Mutex as Lock, PoisonError};
use std::thread;
use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use papaya::HashMap;
use sports_accounts::{CalendarMonth, CustomerId, Limits, SlidingSecond, Tier};
use sports_ports::PortError;
use sports_ports::metering::{
    Admission, Arrival, CommittedCounts, CountedCall, Meter, UncountedAdmission, UsageChange, UsageCounts,
};
use tokio::sync::Mutex;

use crate::CrashFile;
use crate::counts::{Count, Counts};

/// A meter that counts calls in memory and commits the counts in groups.
pub struct LocalMeter {
    limits: Limits,
    counts: Counts,
    seconds: HashMap<CustomerId, Arc<SlidingSecond>>,
    /// Locked during a commit, so that an older count is not written after a newer one.
    record: Mutex<Record>,
    /// Locked from reading the counts until they are written, so that the file never gets older counts.
    crash_file: Lock<Option<CrashFile>>,
}

/// The counts on record, and the months that were read into memory.
struct Record {
    counts: Arc<dyn UsageCounts>,
    read: HashSet<CalendarMonth>,
}

impl Record {
    /// Adds the recorded counts of a month to the counts in memory, once.
    async fn read(&mut self, month: CalendarMonth, counts: &Counts) -> Result<(), PortError> {
        if !self.read.contains(&month) {
            counts.add_recorded(&self.counts.of_month(month).await?);
            self.read.insert(month);
        }
        Ok(())
    }

    /// Returns the counts to write. A month is read before any count of it is written.
    async fn changes(&mut self, counts: &Counts) -> Result<Vec<(UsageChange, Arc<Count>)>, PortError> {
        loop {
            let changes = counts.unrecorded();
            let mut months = changes.iter().map(|(change, _)| change.count.month);
            match months.find(|month| !self.read.contains(month)) {
                Some(month) => self.read(month, counts).await?,
                None => return Ok(changes),
            }
        }
    }
}

impl LocalMeter {
    /// Starts from the recorded counts of the month of `now`.
    ///
    /// # Errors
    ///
    /// [`PortError`] when they cannot be read.
    pub async fn start(record: Arc<dyn UsageCounts>, limits: Limits, now: DateTime<Utc>) -> Result<Self, PortError> {
        let record = Mutex::new(Record { counts: record, read: HashSet::new() });
        let (counts, seconds, crash_file) = (Counts::default(), HashMap::new(), Lock::default());
        let meter = Self { limits, counts, seconds, record, crash_file };
        meter.commit(now).await?;
        Ok(meter)
    }

    /// Persists counts that are not on record to a file, whose counts have been recovered.
    pub fn with_crash_file(mut self, file: CrashFile) -> Self {
        self.crash_file = Lock::new(Some(file));
        self
    }

    /// Continues from counts that neither the last process nor this one could record, before any call is counted.
    ///
    /// # Errors
    ///
    /// [`PortError`] when the record cannot be read.
    pub async fn resume(&self, left: &[UsageChange]) -> Result<(), PortError> {
        let mut record = self.record.lock().await;
        for change in left {
            record.read(change.count.month, &self.counts).await?;
            self.counts.count_of(change.count.customer, change.count.month).resume(change);
        }
        Ok(())
    }

    /// Writes counts that are not on record to the crash file, if there is one, without waiting for the record.
    ///
    /// # Errors
    ///
    /// [`io::Error`] when the file cannot be written.
    pub fn write_crash_file(&self) -> io::Result<()> {
        match self.crash_file.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
            Some(file) => file.replace(self.counts.unrecorded().into_iter().map(|(change, _)| change).collect()),
            None => Ok(()),
        }
    }

    /// Writes the crash file at this interval, until the meter is dropped.
    ///
    /// # Errors
    ///
    /// [`io::Error`] if the system has no thread left.
    pub fn keep_crash_file(self: &Arc<Self>, interval: Duration) -> io::Result<()> {
        let meter = Arc::downgrade(self);
        // A separate thread, so that neither requests nor the database delay it.
        thread::Builder::new().name("counts".to_owned()).spawn(move || {
            let mut failing = false;
            while let Some(meter) = meter.upgrade() {
                failing = log_transition(&meter.write_crash_file(), failing);
                drop(meter);
                thread::park_timeout(interval);
            }
        })?;
        Ok(())
    }

    fn second_of(&self, customer: CustomerId) -> Arc<SlidingSecond> {
        let new = || Arc::new(SlidingSecond::new(self.limits.per_second));
        Arc::clone(self.seconds.pin().get_or_insert_with(customer, new))
    }
}

/// Logs the first failed write of a series; returns true if this write failed.
fn log_transition(kept: &io::Result<()>, was_failing: bool) -> bool {
    if let (Err(error), false) = (kept, was_failing) {
        tracing::error!("counts cannot be kept for the next start: {error}");
    }
    kept.is_err()
}

#[async_trait]
impl CommittedCounts for LocalMeter {
    /// Records the calls on top of the record, and reads the next month before it begins.
    async fn commit(&self, now: DateTime<Utc>) -> Result<(), PortError> {
        let mut record = self.record.lock().await;
        let month = CalendarMonth::containing(now);
        record.read(month, &self.counts).await?;
        record.read(month.next(), &self.counts).await?;
        let (changes, counts): (Vec<_>, Vec<_>) = record.changes(&self.counts).await?.into_iter().unzip();
        if !changes.is_empty() {
            // The crash file must not be older than the record: recovering it would lower the record.
            drop(self.write_crash_file());
            record.counts.record(&changes).await?;
            counts.iter().zip(&changes).for_each(|(count, change)| count.set_on_record(change));
        }
        // A call may be refunded in the month before; older calls have been answered long ago.
        let unrecorded = self.counts.forget_before(month.previous());
        record.read.retain(|read| *read >= month.previous() || unrecorded.contains(read));
        Ok(())
    }

    fn pending(&self) -> u64 {
        u64::try_from(self.counts.unrecorded().len()).unwrap_or(u64::MAX)
    }

    /// Writes the crash file for the last time; removes it if everything is on record.
    fn persist_for_restart(&self) -> io::Result<bool> {
        let file = self.crash_file.lock().unwrap_or_else(PoisonError::into_inner).take();
        match (file, self.counts.unrecorded()) {
            (None, _) => Ok(()),
            (Some(file), all) if all.is_empty() => file.remove(),
            (Some(mut file), left) => file.replace(left.into_iter().map(|(change, _)| change).collect()),
        }
        .map(|()| true)
    }
}

#[async_trait]
impl Meter for LocalMeter {
    async fn admit(&self, customer: CustomerId, tier: Tier, arrival: Arrival) -> Result<Admission, PortError> {
        let Arrival { month, uptime } = arrival;
        let (count, most) = (self.counts.count_of(customer, month), self.limits.admitted_monthly(tier));
        let used = count.calls();
        if used >= most {
            return Ok(Admission::MonthIsFull { used });
        }
        let second = self.second_of(customer);
        let Some(place) = second.admit(uptime) else { return Ok(Admission::SecondIsFull { used }) };
        if let Some(used) = count.add_up_to(most) {
            return Ok(Admission::Admitted(CountedCall { customer, month, used }));
        }
        // Another caller had the last call of the month.
        second.release(place);
        Ok(Admission::MonthIsFull { used: count.calls() })
    }

    async fn admit_uncounted(&self, customer: CustomerId, arrival: Arrival) -> Result<UncountedAdmission, PortError> {
        let used = self.counts.count_of(customer, arrival.month).calls();
        Ok(match self.second_of(customer).admit(arrival.uptime) {
            Some(_) => UncountedAdmission::Admitted { used },
            None => UncountedAdmission::SecondIsFull { used },
        })
    }

    async fn give_back(&self, call: CountedCall) -> Result<u64, PortError> {
        Ok(self.counts.count_of(call.customer, call.month).refund())
    }
}

impl std::fmt::Debug for LocalMeter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LocalMeter").field("limits", &self.limits).finish_non_exhaustive()
    }
}
