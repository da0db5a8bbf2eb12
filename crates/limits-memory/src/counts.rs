use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{
    AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
};

use papaya::HashMap;
use sports_accounts::{CalendarMonth, CustomerId};
use sports_ports::metering::{UsageChange, UsageCount};

/// How many calls each customer made in each month that still matters.
#[derive(Debug, Default)]
pub struct Counts(HashMap<(CustomerId, CalendarMonth), Arc<Count>>);

/// The calls of one customer in one month.
#[derive(Debug, Default)]
pub struct Count {
    calls: AtomicU64,
    on_record: AtomicU64,
    /// Calls given back since the count was recorded, or more.
    given_back: AtomicU64,
}

impl Counts {
    /// A customer's count of a month, at zero where there is none yet.
    pub fn count_of(&self, customer: CustomerId, month: CalendarMonth) -> Arc<Count> {
        Arc::clone(self.0.pin().get_or_insert_with((customer, month), Arc::default))
    }

    /// Adds what is on record to what was counted before that was known.
    pub fn add_recorded(&self, recorded: &[UsageCount]) {
        for UsageCount { customer, month, calls } in recorded {
            let count = self.count_of(*customer, *month);
            count.on_record.fetch_add(*calls, Relaxed);
            count.calls.fetch_add(*calls, Relaxed);
        }
    }

    /// Every count that differs from what is on record.
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

    /// Forgets months before `month` that are on record as a whole; gives those before it that are not.
    pub fn forget_before(&self, month: CalendarMonth) -> HashSet<CalendarMonth> {
        let counts = self.0.pin();
        let unrecorded = counts.iter().filter(|((_, counted), count)| *counted < month && count.unrecorded().is_some());
        let kept: HashSet<_> = unrecorded.map(|((_, counted), _)| *counted).collect();
        counts.retain(|(_, counted), _| *counted >= month || kept.contains(counted));
        kept
    }
}

impl Count {
    /// As it is now.
    pub fn calls(&self) -> u64 {
        self.calls.load(Relaxed)
    }

    /// The current count, if the record has another. The calls given back, when read after it, include all that lowered
    /// it.
    fn unrecorded(&self) -> Option<u64> {
        let calls = self.calls.load(Acquire);
        (calls != self.on_record.load(Relaxed)).then_some(calls)
    }

    /// Counts one more call, unless `most` are counted; gives the count with it.
    pub fn add_up_to(&self, most: u64) -> Option<u64> {
        let added = self.calls.fetch_update(Relaxed, Relaxed, |calls| (calls < most).then_some(calls + 1));
        added.ok().map(|before| before + 1)
    }

    /// Counts one call less; gives the count without it.
    pub fn take_one_back(&self) -> u64 {
        self.given_back.fetch_add(1, Relaxed);
        let taken = self.calls.fetch_update(Release, Relaxed, |calls| calls.checked_sub(1));
        taken.map_or(0, |before| before - 1)
    }

    /// Goes on from a count that another process could not put on record; this one has the count on record so far.
    pub fn resume(&self, left: &UsageChange) {
        let lowered = self.calls().saturating_sub(left.given_back);
        self.given_back.fetch_add(left.given_back, Relaxed);
        self.calls.store(left.count.calls.max(lowered), Relaxed);
    }

    /// Notes what is on record now.
    pub fn set_on_record(&self, recorded: &UsageChange) {
        self.on_record.store(recorded.count.calls, Relaxed);
        self.given_back.fetch_sub(recorded.given_back, Relaxed);
    }
}
