use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{
    AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
};

use papaya::HashMap;
use sports_accounts::{CalendarMonth, CustomerId};
use sports_ports::metering::{UsageChange, UsageCount};

/// The number of calls of each customer in each recent month.
#[derive(Debug, Default)]
pub struct Counts(HashMap<(CustomerId, CalendarMonth), Arc<Count>>);

/// The calls of one customer in one month.
#[derive(Debug, Default)]
pub struct Count {
    calls: AtomicU64,
    on_record: AtomicU64,
    /// Refunds since the count was recorded, or more.
    given_back: AtomicU64,
}

impl Counts {
    /// Returns a customer's count of a month; a new count is zero.
    pub fn count_of(&self, customer: CustomerId, month: CalendarMonth) -> Arc<Count> {
        Arc::clone(self.0.pin().get_or_insert_with((customer, month), Arc::default))
    }

    /// Adds recorded counts to the calls that were counted before the record was read.
    pub fn add_recorded(&self, recorded: &[UsageCount]) {
        for UsageCount { customer, month, calls } in recorded {
            let count = self.count_of(*customer, *month);
            count.on_record.fetch_add(*calls, Relaxed);
            count.calls.fetch_add(*calls, Relaxed);
        }
    }

    /// Returns every count that differs from the record.
    pub fn unrecorded(&self) -> Vec<(UsageChange, Arc<Count>)> {
        let counts = self.0.pin();
        let changed = counts.iter().filter_map(|((customer, month), count)| {
            let calls = count.unrecorded()?;
            let given_back = count.given_back.load(Relaxed);
            let count_now = UsageCount { customer: *customer, month: *month, calls };
            Some((UsageChange { count: count_now, given_back }, Arc::clone(count)))
        });
        changed.collect()
    }

    /// Forgets months before `month` whose counts are all on record; returns the other months before it.
    pub fn forget_before(&self, month: CalendarMonth) -> HashSet<CalendarMonth> {
        let counts = self.0.pin();
        let unrecorded = counts.iter().filter(|((_, counted), count)| *counted < month && count.unrecorded().is_some());
        let kept: HashSet<_> = unrecorded.map(|((_, counted), _)| *counted).collect();
        counts.retain(|(_, counted), _| *counted >= month || kept.contains(counted));
        kept
    }
}

impl Count {
    /// Returns the current count.
    pub fn calls(&self) -> u64 {
        self.calls.load(Relaxed)
    }

    /// Returns the current count, if the record has another. The refunds, when read after it, include all that lowered it.
    fn unrecorded(&self) -> Option<u64> {
        let calls = self.calls.load(Acquire);
        (calls != self.on_record.load(Relaxed)).then_some(calls)
    }

    /// Counts one more call, unless `most` are counted; returns the count with it.
    pub fn add_up_to(&self, most: u64) -> Option<u64> {
        let added = self.calls.fetch_update(Relaxed, Relaxed, |calls| (calls < most).then_some(calls + 1));
        added.ok().map(|before| before + 1)
    }

    /// Refunds a call; returns the count without it.
    pub fn refund(&self) -> u64 {
        self.given_back.fetch_add(1, Relaxed);
        let taken = self.calls.fetch_update(Release, Relaxed, |calls| calls.checked_sub(1));
        taken.map_or(0, |before| before - 1)
    }

    /// Continues from a count that another process could not record; `self` is at the recorded count.
    pub fn resume(&self, left: &UsageChange) {
        let lowered = self.calls().saturating_sub(left.given_back);
        self.given_back.fetch_add(left.given_back, Relaxed);
        self.calls.store(left.count.calls.max(lowered), Relaxed);
    }

    /// Notes the count that is on record now.
    pub fn set_on_record(&self, recorded: &UsageChange) {
        self.on_record.store(recorded.count.calls, Relaxed);
        self.given_back.fetch_sub(recorded.given_back, Relaxed);
    }
}
