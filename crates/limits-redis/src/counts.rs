use std::collections::HashMap;
use std::hash::Hash;
use std::sync::atomic::{
    AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
};
use std::sync::{Arc, PoisonError, RwLock};

use sports_accounts::{CalendarMonth, CustomerId, Limits, ProcessId, SlidingSecond};
use sports_ports::metering::ProcessCount;

use crate::calls::WaitingCalls;
use crate::session::{OnRecord, Tally};

/// What this process counted of each customer and month, and what it last heard that the others did.
pub struct Counts {
    process: ProcessId,
    limits: Limits,
    by_month: RwLock<HashMap<(CustomerId, CalendarMonth), Arc<Count>>>,
    seconds: RwLock<HashMap<CustomerId, Arc<SlidingSecond>>>,
    on_record: RwLock<HashMap<CalendarMonth, Arc<OnRecord>>>,
}

/// The calls of one customer in one month.
///
/// Its own numbers are the truth: what Redis and the record have of this process is raised to them.
pub struct Count {
    pub customer: CustomerId,
    pub month: CalendarMonth,
    /// The number of the session that it was last merged in. Held while a call is counted, and alone while it is merged:
    /// so no call is counted here alone that the merging does not see.
    pub merged_in: tokio::sync::RwLock<u64>,
    /// Calls that wait for those before them.
    pub waiting: WaitingCalls,
    /// The customer's last second, as far as this process let calls in.
    pub second: Arc<SlidingSecond>,
    process: ProcessId,
    admitted: AtomicU64,
    given_back: AtomicU64,
    /// What the month comes to without this process.
    others: AtomicU64,
    recorded: [AtomicU64; 2],
}

impl Counts {
    pub fn new(process: ProcessId, limits: Limits) -> Self {
        let (by_month, seconds, on_record) = (RwLock::default(), RwLock::default(), RwLock::default());
        Self { process, limits, by_month, seconds, on_record }
    }

    /// A customer's count of a month; a new one begins with what was last known to be on record.
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
                waiting: WaitingCalls::default(),
                second,
                process: self.process,
                admitted: AtomicU64::default(),
                given_back: AtomicU64::default(),
                others: AtomicU64::new(others),
                recorded: Default::default(),
            })
        })
    }

    /// Learns what is on record of a month.
    pub fn learn(&self, month: CalendarMonth, on_record: Arc<OnRecord>) {
        write(&self.on_record).insert(month, on_record);
    }

    /// Every count that there is.
    pub fn all(&self) -> Vec<Arc<Count>> {
        read(&self.by_month).values().cloned().collect()
    }

    /// Every count of which something is not on record, with what it is.
    pub fn unrecorded(&self) -> Vec<(Arc<Count>, ProcessCount)> {
        let counts = read(&self.by_month);
        counts.values().filter_map(|count| count.unrecorded().map(|own| (Arc::clone(count), own))).collect()
    }

    /// Forgets months before `month` that are on record, what was on record of them, and customers without another.
    pub fn forget_before(&self, month: CalendarMonth) {
        let is_over = |count: &Count| count.month < month && count.unrecorded().is_none();
        if read(&self.by_month).values().any(|count| is_over(count)) {
            write(&self.by_month).retain(|_, count| !is_over(count));
            // Whoever is about to count a call of the customer holds one.
            write(&self.seconds).retain(|_, second| Arc::strong_count(second) > 1);
        }
        if read(&self.on_record).keys().any(|read| *read < month) {
            write(&self.on_record).retain(|read, _| *read >= month);
        }
    }
}

impl Count {
    /// What the process itself counted.
    pub fn own(&self) -> ProcessCount {
        // In this order there are never more given back than admitted.
        let given_back = self.given_back.load(Acquire);
        let admitted = self.admitted.load(Acquire);
        ProcessCount { customer: self.customer, month: self.month, process: Some(self.process), admitted, given_back }
    }

    /// As many calls as this process knows of.
    pub fn known(&self) -> u64 {
        let own = self.own();
        self.others.load(Relaxed) + own.admitted - own.given_back
    }

    /// Learns what Redis has.
    pub fn hear(&self, tally: Tally) -> u64 {
        self.others.store(tally.total.saturating_sub(tally.own), Relaxed);
        tally.total
    }

    /// Counts a call that was admitted.
    pub fn add(&self) {
        self.admitted.fetch_add(1, Release);
    }

    /// Counts one more call, unless `most` are known of; gives the count with it.
    pub fn add_up_to(&self, most: u64) -> Option<u64> {
        let rest = |given_back, admitted: u64| self.others.load(Relaxed) + admitted - given_back;
        let given_back = self.given_back.load(Acquire);
        let added = self
            .admitted
            .fetch_update(Release, Acquire, |admitted| (rest(given_back, admitted) < most).then_some(admitted + 1));
        added.ok().map(|before| rest(given_back, before) + 1)
    }

    /// Counts that a call was given back; gives the count without it.
    pub fn take_one_back(&self) -> u64 {
        self.given_back.fetch_add(1, Release);
        self.known()
    }

    /// What is not on record of its own.
    pub fn unrecorded(&self) -> Option<ProcessCount> {
        let own = self.own();
        let recorded = self.recorded.each_ref().map(|number| number.load(Relaxed));
        (recorded != [own.admitted, own.given_back]).then_some(own)
    }

    /// Notes what is on record of its own.
    pub fn set_recorded(&self, own: &ProcessCount) {
        for (recorded, number) in self.recorded.iter().zip([own.admitted, own.given_back]) {
            recorded.store(number, Relaxed);
        }
    }
}

/// What counts come to without those of a process.
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
        counts.learn(past, Arc::default());
        counts.learn(next, Arc::default());
        counts.forget_before(next);
        let mut left: Vec<_> = read(&counts.by_month).keys().copied().collect();
        left.sort_by_key(|(_, month)| month.starts_at());
        assert_eq!(left, [(unrecorded, past), (here, next)]);
        assert_eq!(read(&counts.seconds).len(), 2);
        assert_eq!(read(&counts.on_record).keys().collect::<Vec<_>>(), [&next]);
    }
}
