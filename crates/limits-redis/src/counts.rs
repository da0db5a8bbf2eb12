use std::collections::HashMap;
use std::hash::Hash;
use std::sync::atomic::{
    AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
};
use std::sync::{Arc, PoisonError, RwLock};

use sports_accounts::{CalendarMonth, CustomerId, Limits, ProcessId, SlidingSecond};
use sports_ports::metering::ProcessCount;

use crate::call::Tally;
use crate::session::OnRecord;

/// The counts of this process by customer and month, beside the latest known counts of other processes.
pub struct Counts {
    process: ProcessId,
    limits: Limits,
    by_month: RwLock<HashMap<(CustomerId, CalendarMonth), Arc<Count>>>,
    seconds: RwLock<HashMap<CustomerId, Arc<SlidingSecond>>>,
    on_record: RwLock<HashMap<CalendarMonth, Arc<OnRecord>>>,
}

/// The calls of one customer in one month.
///
/// Its own numbers are authoritative: those of this process in Redis and on record are raised to them.
pub struct Count {
    pub customer: CustomerId,
    pub month: CalendarMonth,
    /// The number of the session that it was last merged in. Locked for reading while a call is counted, and for writing during
    /// a merge, so that a merge sees every call that was counted in memory.
    pub merged_in: tokio::sync::RwLock<u64>,
    /// The customer's last second, with the calls that this process admitted.
    pub second: Arc<SlidingSecond>,
    process: ProcessId,
    admitted: AtomicU64,
    given_back: AtomicU64,
    /// The count of the month without this process.
    others: AtomicU64,
    recorded: [AtomicU64; 2],
}

impl Counts {
    pub fn new(process: ProcessId, limits: Limits) -> Self {
        let (by_month, seconds, on_record) = (RwLock::default(), RwLock::default(), RwLock::default());
        Self { process, limits, by_month, seconds, on_record }
    }

    /// Returns a customer's count of a month; a new one starts from the recorded counts.
    pub fn count_of(&self, customer: CustomerId, month: CalendarMonth) -> Arc<Count> {
        get_or(&self.by_month, (customer, month), || {
            let known = read(&self.on_record).get(&month).cloned().unwrap_or_default();
            let per_second = self.limits.per_second;
            let second = get_or(&self.seconds, customer, || Arc::new(SlidingSecond::new(per_second)));
            let others = known.get(&customer).map_or(0, |counts| sum(counts, self.process));
            Arc::new(Count {
                customer,
                month,
                merged_in: tokio::sync::RwLock::default(),
                second,
                process: self.process,
                admitted: AtomicU64::default(),
                given_back: AtomicU64::default(),
                others: AtomicU64::new(others),
                recorded: Default::default(),
            })
        })
    }

    /// Sets the recorded counts of a month.
    pub fn set_on_record(&self, month: CalendarMonth, on_record: Arc<OnRecord>) {
        write(&self.on_record).insert(month, on_record);
    }

    /// Returns every count.
    pub fn all(&self) -> Vec<Arc<Count>> {
        read(&self.by_month).values().cloned().collect()
    }

    /// Returns every count with calls of this process that are not on record, with its numbers.
    pub fn unrecorded(&self) -> Vec<(Arc<Count>, ProcessCount)> {
        let counts = read(&self.by_month);
        counts.values().filter_map(|count| count.unrecorded().map(|own| (Arc::clone(count), own))).collect()
    }

    /// Forgets recorded months before `month`, their recorded counts, and customers without another month.
    pub fn forget_before(&self, month: CalendarMonth) {
        let is_over = |count: &Count| count.month < month && count.unrecorded().is_none();
        if read(&self.by_month).values().any(|count| is_over(count)) {
            write(&self.by_month).retain(|_, count| !is_over(count));
            // A task that is about to count a call of the customer holds a reference.
            write(&self.seconds).retain(|_, second| Arc::strong_count(second) > 1);
        }
        if read(&self.on_record).keys().any(|read| *read < month) {
            write(&self.on_record).retain(|read, _| *read >= month);
        }
    }
}

impl Count {
    /// Returns the numbers of this process.
    pub fn own(&self) -> ProcessCount {
        // In this order refunds never exceed admissions.
        let given_back = self.given_back.load(Acquire);
        let admitted = self.admitted.load(Acquire);
        ProcessCount { customer: self.customer, month: self.month, process: Some(self.process), admitted, given_back }
    }

    /// Returns the latest total of all processes.
    pub fn total(&self) -> u64 {
        let own = self.own();
        self.others.load(Relaxed) + own.admitted - own.given_back
    }

    /// Updates the count of the other processes from Redis; returns the total.
    pub fn update(&self, tally: Tally) -> u64 {
        self.others.store(tally.total.saturating_sub(tally.own), Relaxed);
        tally.total
    }

    /// Counts a call that was admitted.
    pub fn add(&self) {
        self.admitted.fetch_add(1, Release);
    }

    /// Counts one more call, and returns the total with it; `None` if the total is `most` or more.
    pub fn add_up_to(&self, most: u64) -> Option<u64> {
        let rest = |given_back, admitted: u64| self.others.load(Relaxed) + admitted - given_back;
        let given_back = self.given_back.load(Acquire);
        let added = self
            .admitted
            .fetch_update(Release, Acquire, |admitted| (rest(given_back, admitted) < most).then_some(admitted + 1));
        added.ok().map(|before| rest(given_back, before) + 1)
    }

    /// Refunds a call; returns the count without it.
    pub fn refund(&self) -> u64 {
        self.given_back.fetch_add(1, Release);
        self.total()
    }

    /// Returns the numbers of this process, unless they are on record.
    pub fn unrecorded(&self) -> Option<ProcessCount> {
        let own = self.own();
        let recorded = self.recorded.each_ref().map(|number| number.load(Relaxed));
        (recorded != [own.admitted, own.given_back]).then_some(own)
    }

    /// Notes that these numbers of this process are on record.
    pub fn set_recorded(&self, own: &ProcessCount) {
        for (recorded, number) in self.recorded.iter().zip([own.admitted, own.given_back]) {
            recorded.store(number, Relaxed);
        }
    }
}

/// Sums up counts without those of a process.
fn sum(counts: &[ProcessCount], without: ProcessId) -> u64 {
    let others = counts.iter().filter(|count| count.process != Some(without));
    others.map(|count| count.admitted.saturating_sub(count.given_back)).sum()
}

fn get_or<K: Hash + Eq, V>(map: &RwLock<HashMap<K, Arc<V>>>, key: K, new: impl FnOnce() -> Arc<V>) -> Arc<V> {
    if let Some(found) = read(map).get(&key) {
        return Arc::clone(found);
    }
    let new = new();
    Arc::clone(write(map).entry(key).or_insert(new))
}

fn read<T>(lock: &RwLock<T>) -> std::sync::RwLockReadGuard<'_, T> {
    lock.read().unwrap_or_else(PoisonError::into_inner)
}

fn write<T>(lock: &RwLock<T>) -> std::sync::RwLockWriteGuard<'_, T> {
    lock.write().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use chrono::Months;
    use sports_accounts::testing::{a_customer, second};

    use super::*;

    #[test]
    fn months_that_are_over_and_customers_that_only_they_had_are_forgotten() {
        let per_second = std::num::NonZeroU32::MIN;
        let limits = Limits { monthly: 1.try_into().expect("not 0"), per_second };
        let counts = Counts::new(ProcessId::from_random([1; 8]), limits);
        let past = CalendarMonth::containing(second(0));
        let next = CalendarMonth::containing(second(0) + Months::new(1));
        let [gone, unrecorded, here] = [1, 2, 3].map(|seed| a_customer().seeded(seed).build().id);
        counts.count_of(gone, past);
        counts.count_of(unrecorded, past).add();
        counts.count_of(here, past);
        counts.count_of(here, next);
        counts.set_on_record(past, Arc::default());
        counts.set_on_record(next, Arc::default());
        counts.forget_before(next);
        let mut left: Vec<_> = read(&counts.by_month).keys().copied().collect();
        left.sort_by_key(|(_, month)| month.starts_at());
        assert_eq!(left, [(unrecorded, past), (here, next)]);
        assert_eq!(read(&counts.seconds).len(), 2);
        assert_eq!(read(&counts.on_record).keys().collect::<Vec<_>>(), [&next]);
    }
}
