use std::collections::HashSet;
use std::io;
use std::sync::{Arc, Mutex as Lock, PoisonError};

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use papaya::HashMap;
use sports_accounts::{CalendarMonth, CustomerId, Limits, SlidingSecond, Tier};
use sports_ports::PortError;
use sports_ports::metering::{Admission, Arrival, CountedCall, Meter, UncountedAdmission, UsageChange, UsageCounts};
use tokio::sync::Mutex;

use crate::KeptCounts;
use crate::counts::{Count, Counts};

/// Counts calls in memory and commits the counts in groups.
pub struct LocalMeter {
    limits: Limits,
    counts: Counts,
    seconds: HashMap<CustomerId, Arc<SlidingSecond>>,
    /// Held through a commit: an older count must not be written after a newer one.
    record: Mutex<Record>,
    /// Held from looking at the counts until they are written: what is kept is never older than what was.
    kept: Lock<Option<KeptCounts>>,
}

/// The counts on record, and the months of which those in memory know them.
struct Record {
    counts: Arc<dyn UsageCounts>,
    read: HashSet<CalendarMonth>,
}

impl Record {
    /// Adds what is on record of a month to the counts in memory, once.
    async fn read(&mut self, month: CalendarMonth, counts: &Counts) -> Result<(), PortError> {
        if !self.read.contains(&month) {
            counts.add_recorded(&self.counts.of_month(month).await?);
            self.read.insert(month);
        }
        Ok(())
    }

    /// What is to be written. A month is read before anything of it is.
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
    /// Goes on from the counts on record for the month of `now`.
    ///
    /// # Errors
    ///
    /// [`PortError`] when they cannot be read.
    pub async fn start(record: Arc<dyn UsageCounts>, limits: Limits, now: DateTime<Utc>) -> Result<Self, PortError> {
        let record = Mutex::new(Record { counts: record, read: HashSet::new() });
        let (counts, seconds, kept) = (Counts::default(), HashMap::new(), Lock::default());
        let meter = Self { limits, counts, seconds, record, kept };
        meter.commit(now).await?;
        Ok(meter)
    }

    /// Has what is not on record kept in a file, whose counts have been handed over.
    #[must_use]
    pub fn keeping(mut self, file: KeptCounts) -> Self {
        self.kept = Lock::new(Some(file));
        self
    }

    /// Goes on from counts that the last process could not put on record, nor this one yet: before any call is counted.
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

    /// Keeps what is not on record, where it has a file for that: it does not wait for the record.
    ///
    /// # Errors
    ///
    /// When the file cannot be written.
    pub fn keep(&self) -> io::Result<()> {
        match self.kept.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
            Some(file) => file.keep(self.counts.unrecorded().into_iter().map(|(change, _)| change).collect()),
            None => Ok(()),
        }
    }

    /// Keeps counts for the last time. The file goes where everything is on record.
    ///
    /// # Errors
    ///
    /// When the file can be neither written nor removed.
    pub fn stop_keeping(&self) -> io::Result<()> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner).take();
        match (kept, self.counts.unrecorded()) {
            (None, _) => Ok(()),
            (Some(file), all) if all.is_empty() => file.remove(),
            (Some(mut file), left) => file.keep(left.into_iter().map(|(change, _)| change).collect()),
        }
    }

    /// Puts on record what was counted since the last commit, on top of what is there. `now` decides which months are
    /// over and forgotten, and which is read before it begins.
    ///
    /// # Errors
    ///
    /// [`PortError`] when it cannot be read or written; the next commit makes up for it.
    pub async fn commit(&self, now: DateTime<Utc>) -> Result<(), PortError> {
        let mut record = self.record.lock().await;
        let month = CalendarMonth::containing(now);
        record.read(month, &self.counts).await?;
        record.read(month.next(), &self.counts).await?;
        let (changes, counts): (Vec<_>, Vec<_>) = record.changes(&self.counts).await?.into_iter().unzip();
        if !changes.is_empty() {
            // The kept counts must not be older than the record: handing them over would lower it.
            drop(self.keep());
            record.counts.record(&changes).await?;
            counts.iter().zip(&changes).for_each(|(count, change)| count.set_on_record(change));
        }
        // A call may be given back to the month before; older ones have been answered long ago.
        let kept = self.counts.forget_before(month.previous());
        record.read.retain(|read| *read >= month.previous() || kept.contains(read));
        Ok(())
    }

    /// How many counts are not on record.
    #[must_use]
    pub fn pending(&self) -> u64 {
        u64::try_from(self.counts.unrecorded().len()).unwrap_or(u64::MAX)
    }

    fn second_of(&self, customer: CustomerId) -> Arc<SlidingSecond> {
        let new = || Arc::new(SlidingSecond::new(self.limits.per_second));
        Arc::clone(self.seconds.pin().get_or_insert_with(customer, new))
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
        Ok(self.counts.count_of(call.customer, call.month).take_one_back())
    }
}

impl std::fmt::Debug for LocalMeter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LocalMeter").field("limits", &self.limits).finish_non_exhaustive()
    }
}
