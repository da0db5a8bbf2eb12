use std::sync::Arc;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use papaya::HashMap;
use sports_accounts::{CalendarMonth, CustomerId, Limits, SlidingSecond, Tier};
use sports_ports::PortError;
use sports_ports::metering::{Admission, CountedCall, Meter, UsageCount, UsageCounts};
use tokio::sync::Mutex;

use crate::counts::Counts;

/// Counts calls in memory and commits the counts in groups.
pub struct LocalMeter {
    limits: Limits,
    counts: Counts,
    seconds: HashMap<CustomerId, Arc<SlidingSecond>>,
    /// Held through a commit: an older count must not be written after a newer one.
    record: Mutex<Arc<dyn UsageCounts>>,
}

impl LocalMeter {
    /// Goes on from the counts on record for the month of `now`. Months that begin later begin with nothing.
    ///
    /// # Errors
    ///
    /// [`PortError`] when they cannot be read.
    pub async fn start(record: Arc<dyn UsageCounts>, limits: Limits, now: DateTime<Utc>) -> Result<Self, PortError> {
        let counts = Counts::on_record(&record.of_month(CalendarMonth::of(now)).await?);
        Ok(Self { limits, counts, seconds: HashMap::new(), record: Mutex::new(record) })
    }

    /// Puts on record what was counted since the last commit. `now` decides which months are over and forgotten.
    ///
    /// # Errors
    ///
    /// [`PortError`] when it cannot be written; the next commit makes up for it.
    pub async fn commit(&self, now: DateTime<Utc>) -> Result<(), PortError> {
        let record = self.record.lock().await;
        let changed = self.counts.unrecorded();
        if !changed.is_empty() {
            let (counts, cells): (Vec<UsageCount>, Vec<_>) = changed.into_iter().unzip();
            record.record(&counts).await?;
            cells.iter().zip(&counts).for_each(|(cell, count)| cell.set_on_record(count.calls));
        }
        // A call may be given back to the month before; older ones have been answered long ago.
        self.counts.forget_before(CalendarMonth::of(now).previous());
        Ok(())
    }

    fn second_of(&self, customer: CustomerId) -> Arc<SlidingSecond> {
        let new = || Arc::new(SlidingSecond::new(self.limits.per_second));
        Arc::clone(self.seconds.pin().get_or_insert_with(customer, new))
    }
}

#[async_trait]
impl Meter for LocalMeter {
    async fn admit(&self, customer: CustomerId, tier: Tier, now: DateTime<Utc>) -> Result<Admission, PortError> {
        let month = CalendarMonth::of(now);
        let (count, most) = (self.counts.of(customer, month), self.limits.admitted_monthly(tier));
        let used = count.calls();
        if used >= most {
            return Ok(Admission::MonthIsFull { used });
        }
        let second = self.second_of(customer);
        let Some(place) = second.admit(now) else { return Ok(Admission::SecondIsFull { used }) };
        if let Some(used) = count.add_up_to(most) {
            return Ok(Admission::Admitted(CountedCall { customer, month, used }));
        }
        // Somebody else had the last call of the month.
        second.release(place);
        Ok(Admission::MonthIsFull { used: count.calls() })
    }

    async fn give_back(&self, call: CountedCall) -> Result<u64, PortError> {
        Ok(self.counts.of(call.customer, call.month).take_one_back())
    }
}

impl std::fmt::Debug for LocalMeter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LocalMeter").field("limits", &self.limits).finish_non_exhaustive()
    }
}
