use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use papaya::HashMap;
use sports_accounts::{CalendarMonth, CustomerId};
use sports_ports::metering::UsageCount;

/// How many calls each customer made in each month that still matters.
#[derive(Debug, Default)]
pub struct Counts(HashMap<(CustomerId, CalendarMonth), Arc<Count>>);

/// The calls of one customer in one month.
#[derive(Debug, Default)]
pub struct Count {
    calls: AtomicU64,
    on_record: AtomicU64,
}

impl Counts {
    /// Counts as they are on record.
    pub fn on_record(recorded: &[UsageCount]) -> Self {
        let counts = Self::default();
        for count in recorded {
            let known = Count { calls: AtomicU64::new(count.calls), on_record: AtomicU64::new(count.calls) };
            counts.0.pin().insert((count.customer, count.month), Arc::new(known));
        }
        counts
    }

    /// A customer's count of a month, at zero where there is none yet.
    pub fn of(&self, customer: CustomerId, month: CalendarMonth) -> Arc<Count> {
        Arc::clone(self.0.pin().get_or_insert_with((customer, month), Arc::default))
    }

    /// Every count that differs from what is on record.
    pub fn unrecorded(&self) -> Vec<(UsageCount, Arc<Count>)> {
        let counts = self.0.pin();
        let changed = counts.iter().filter_map(|((customer, month), count)| {
            let calls = count.calls();
            let is_news = calls != count.on_record.load(Relaxed);
            is_news.then(|| (UsageCount { customer: *customer, month: *month, calls }, Arc::clone(count)))
        });
        changed.collect()
    }

    /// Forgets what is on record of months before `month`.
    pub fn forget_before(&self, month: CalendarMonth) {
        self.0.pin().retain(|(_, counted), count| *counted >= month || count.calls() != count.on_record.load(Relaxed));
    }
}

impl Count {
    /// As it stands.
    pub fn calls(&self) -> u64 {
        self.calls.load(Relaxed)
    }

    /// Counts one more call, unless `most` are counted; gives the count with it.
    pub fn add_up_to(&self, most: u64) -> Option<u64> {
        let added = self.calls.fetch_update(Relaxed, Relaxed, |calls| (calls < most).then_some(calls + 1));
        added.ok().map(|before| before + 1)
    }

    /// Counts one call less; gives the count without it.
    pub fn take_one_back(&self) -> u64 {
        let taken = self.calls.fetch_update(Relaxed, Relaxed, |calls| Some(calls.saturating_sub(1)));
        taken.unwrap_or_default().saturating_sub(1)
    }

    /// Notes what stands on record now.
    pub fn set_on_record(&self, calls: u64) {
        self.on_record.store(calls, Relaxed);
    }
}
