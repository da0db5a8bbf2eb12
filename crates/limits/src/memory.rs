use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use sports_accounts::{CalendarMonth, CustomerId, Limits, ProcessId, SlidingSecond, Tier};
use sports_ports::PortError;
use sports_ports::metering::{Admission, Arrival, CountedCall, Meter, UncountedAdmission, UsageCounts};
use tokio::sync::Mutex;
use tokio::time::{Instant, timeout};

use crate::counts::{Count, Counts};

/// A meter that counts calls in memory and commits the counts in groups.
///
/// A month is limited by what this process counted, on top of what others had recorded when the record was read last.
pub struct LocalMeter {
    limits: Limits,
    counts: Counts,
    seconds: papaya::HashMap<CustomerId, Arc<SlidingSecond>>,
    record: Arc<dyn UsageCounts>,
    /// The times at which months were read. Locked during a commit: calls recorded meanwhile would count as those of
    /// others.
    read_at: Mutex<HashMap<CalendarMonth, Instant>>,
}

impl LocalMeter {
    /// The time after which the counts of other processes are read again.
    const REREAD: Duration = Duration::from_mins(1);

    /// The longest time for reading a count to seed Redis with, for which calls are delayed.
    const SEED_TIMEOUT: Duration = Duration::from_millis(500);

    /// Starts from the counts that other processes recorded for the month of `now`. No other process ever has the name
    /// `process`.
    ///
    /// # Errors
    ///
    /// [`PortError`] if the recorded counts cannot be read.
    pub async fn start(
        record: Arc<dyn UsageCounts>,
        process: ProcessId,
        limits: Limits,
        now: DateTime<Utc>,
    ) -> Result<Self, PortError> {
        let (counts, seconds, read_at) = (Counts::new(process), papaya::HashMap::new(), Mutex::default());
        let meter = Self { limits, counts, seconds, record, read_at };
        meter.commit(now).await?;
        Ok(meter)
    }

    /// Records the kept calls that are not on record, and reads the months of calls that are made now and soon. A failed
    /// commit loses nothing: the next one makes up for it.
    ///
    /// # Errors
    ///
    /// [`PortError`] if the record cannot be written or read.
    pub async fn commit(&self, now: DateTime<Utc>) -> Result<(), PortError> {
        let mut read_at = self.read_at.lock().await;
        let (changes, counts): (Vec<_>, Vec<_>) = self.counts.unrecorded().into_iter().unzip();
        if !changes.is_empty() {
            self.record.record(&changes).await?;
            counts.iter().zip(&changes).for_each(|(count, change)| count.set_on_record(change));
        }
        let month = CalendarMonth::containing(now);
        let counted = changes.iter().map(|change| change.month);
        for month in counted.chain([month, month.next()]).collect::<HashSet<_>>() {
            if read_at.get(&month).is_none_or(|read| read.elapsed() >= Self::REREAD) {
                self.counts.update_from_record(&self.record.of_month(month).await?);
                read_at.insert(month, Instant::now());
            }
        }
        // A call may be refunded in the month before; older calls have been answered long ago.
        self.counts.forget_before(month.previous());
        read_at.retain(|read, _| *read >= month.previous());
        Ok(())
    }

    /// Returns the number of counts with kept calls that are not on record.
    pub fn pending(&self) -> u64 {
        u64::try_from(self.counts.unrecorded().len()).unwrap_or(u64::MAX)
    }

    pub(crate) const fn limits(&self) -> Limits {
        self.limits
    }

    pub(crate) fn count_of(&self, customer: CustomerId, month: CalendarMonth) -> Arc<Count> {
        self.counts.count_of(customer, month)
    }

    /// Returns the counts of all customers and months.
    pub(crate) fn counts(&self) -> Vec<Arc<Count>> {
        self.counts.all()
    }

    pub(crate) fn second_of(&self, customer: CustomerId) -> Arc<SlidingSecond> {
        let new = || Arc::new(SlidingSecond::new(self.limits.per_second));
        Arc::clone(self.seconds.pin().get_or_insert_with(customer, new))
    }

    /// Returns the number to seed a count in Redis with: what others have on record now, and the kept calls. If the record
    /// does not answer, what was last known of others takes its place.
    pub(crate) async fn seed_of(&self, count: &Count) -> u64 {
        let recorded = self.record.of_others(count.customer, count.month, count.name);
        match timeout(Self::SEED_TIMEOUT, recorded).await {
            Ok(Ok(others)) => {
                count.raise_others(others);
                count.least()
            }
            Ok(Err(_)) | Err(_) => count.others().saturating_add(count.kept()),
        }
    }
}

#[async_trait]
impl Meter for LocalMeter {
    async fn admit(&self, customer: CustomerId, tier: Tier, arrival: Arrival) -> Result<Admission, PortError> {
        let Arrival { month, uptime } = arrival;
        let (count, most) = (self.count_of(customer, month), self.limits.admitted_monthly(tier));
        let used = count.total();
        if used >= most {
            return Ok(Admission::MonthIsFull { used });
        }
        let second = self.second_of(customer);
        let Some(slot) = second.admit(uptime) else { return Ok(Admission::SecondIsFull { used }) };
        if let Some(used) = count.add_up_to(most) {
            return Ok(Admission::Admitted(CountedCall { customer, month, used }));
        }
        // Another caller had the last call of the month.
        second.release(slot);
        Ok(Admission::MonthIsFull { used: count.total() })
    }

    async fn admit_uncounted(&self, customer: CustomerId, arrival: Arrival) -> Result<UncountedAdmission, PortError> {
        let used = self.count_of(customer, arrival.month).total();
        Ok(match self.second_of(customer).admit(arrival.uptime) {
            Some(_) => UncountedAdmission::Admitted { used },
            None => UncountedAdmission::SecondIsFull { used },
        })
    }

    fn keep(&self, call: CountedCall) {
        self.count_of(call.customer, call.month).keep();
    }

    async fn give_back(&self, call: CountedCall) -> Result<u64, PortError> {
        Ok(self.count_of(call.customer, call.month).refund())
    }
}

impl std::fmt::Debug for LocalMeter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LocalMeter").field("limits", &self.limits).finish_non_exhaustive()
    }
}
