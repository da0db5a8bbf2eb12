use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use papaya::HashMap;
use sports_accounts::{CalendarMonth, CustomerId, ProcessId};
use sports_ports::metering::{ProcessCount, UsageCount};

/// The calls of each customer in each recent month.
#[derive(Debug)]
pub struct Counts {
    process: ProcessId,
    created: AtomicU64,
    by_month: HashMap<(CustomerId, CalendarMonth), Arc<Count>>,
}

/// The calls of one customer in one month.
#[derive(Debug)]
pub struct Count {
    pub customer: CustomerId,
    pub month: CalendarMonth,
    /// The name under which calls of this process are recorded. A count that was forgotten and is created again has
    /// another name: under the first one, the higher number would stay.
    pub name: ProcessId,
    /// Calls that this process admitted and did not refund.
    own: AtomicU64,
    /// Calls that this process kept.
    kept: AtomicU64,
    /// The recorded part of the kept calls.
    on_record: AtomicU64,
    /// The latest known count of other processes.
    others: AtomicU64,
    /// The part of it that is on record.
    others_on_record: AtomicU64,
    /// The state of the count in Redis.
    pub shared: SharedCount,
}

/// The state of a count in Redis, for servers that count together.
#[derive(Debug, Default)]
pub struct SharedCount {
    /// The number of the connection on which the count was seeded last.
    pub seeded_on: AtomicU64,
    /// Locked during a seeding, so that the database is read once for concurrent calls.
    pub seeding: tokio::sync::Mutex<()>,
    /// Calls that Redis may have counted and has to subtract.
    pub owed: AtomicU64,
    /// True if this server admitted calls alone that Redis lacks.
    pub is_missed: AtomicBool,
}

impl Counts {
    /// Creates counts whose names are numbered from `process`.
    pub fn new(process: ProcessId) -> Self {
        Self { process, created: AtomicU64::default(), by_month: HashMap::new() }
    }

    /// Returns a customer's count of a month; a new count is zero.
    pub fn count_of(&self, customer: CustomerId, month: CalendarMonth) -> Arc<Count> {
        let new = || {
            Arc::new(Count {
                customer,
                month,
                name: self.process.numbered(self.created.fetch_add(1, Relaxed)),
                own: AtomicU64::default(),
                kept: AtomicU64::default(),
                on_record: AtomicU64::default(),
                others: AtomicU64::default(),
                others_on_record: AtomicU64::default(),
                shared: SharedCount::default(),
            })
        };
        Arc::clone(self.by_month.pin().get_or_insert_with((customer, month), new))
    }

    /// Updates the counts of other processes from the totals on record. No count is being recorded meanwhile.
    pub fn update_from_record(&self, totals: &[UsageCount]) {
        for UsageCount { customer, month, calls } in totals {
            let count = self.count_of(*customer, *month);
            count.raise_others(calls.saturating_sub(count.on_record.load(Relaxed)));
        }
    }

    /// Returns every count.
    pub fn all(&self) -> Vec<Arc<Count>> {
        self.by_month.pin().values().cloned().collect()
    }

    /// Returns every count with kept calls that are not on record.
    pub fn unrecorded(&self) -> Vec<(ProcessCount, Arc<Count>)> {
        let counts = self.by_month.pin();
        counts.values().filter_map(|count| Some((count.unrecorded()?, Arc::clone(count)))).collect()
    }

    /// Forgets months before `month` whose kept calls are all on record.
    pub fn forget_before(&self, month: CalendarMonth) {
        self.by_month.pin().retain(|(_, counted), count| *counted >= month || count.unrecorded().is_some());
    }
}

impl Count {
    /// Returns the latest known total of all processes.
    pub fn total(&self) -> u64 {
        self.others().saturating_add(self.own.load(Relaxed))
    }

    /// Returns the latest known count of other processes.
    pub fn others(&self) -> u64 {
        self.others.load(Relaxed)
    }

    /// Returns the number of calls that this process kept.
    pub fn kept(&self) -> u64 {
        self.kept.load(Relaxed)
    }

    /// Returns a number that the total has reached whatever is refunded: what others have on record, and the kept calls.
    pub fn least(&self) -> u64 {
        self.others_on_record.load(Relaxed).saturating_add(self.kept())
    }

    /// Counts one more call, unless the total is `most`; returns the total with it.
    pub fn add_up_to(&self, most: u64) -> Option<u64> {
        let others = self.others();
        let has_room = |own: u64| (others.saturating_add(own) < most).then_some(own + 1);
        let added = self.own.fetch_update(Relaxed, Relaxed, has_room);
        added.ok().map(|before| others + before + 1)
    }

    /// Counts a call that Redis admitted.
    pub fn add(&self) {
        self.own.fetch_add(1, Relaxed);
    }

    /// Refunds a call; returns the total without it.
    pub fn refund(&self) -> u64 {
        let _ = self.own.fetch_update(Relaxed, Relaxed, |own| own.checked_sub(1));
        self.total()
    }

    /// Keeps a call for the record.
    pub fn keep(&self) {
        self.kept.fetch_add(1, Relaxed);
    }

    /// Raises the count of other processes to a number that was on record.
    pub fn raise_others(&self, recorded: u64) {
        self.others.fetch_max(recorded, Relaxed);
        self.others_on_record.fetch_max(recorded, Relaxed);
    }

    /// Updates the count of other processes from the total in Redis.
    pub fn update(&self, total: u64) {
        self.others.store(total.saturating_sub(self.own.load(Relaxed)), Relaxed);
    }

    /// Notes that this number of kept calls is on record.
    pub fn set_on_record(&self, recorded: &ProcessCount) {
        self.on_record.store(recorded.calls, Relaxed);
    }

    fn unrecorded(&self) -> Option<ProcessCount> {
        let (Self { customer, month, name, .. }, calls) = (self, self.kept());
        let is_new = calls != self.on_record.load(Relaxed);
        is_new.then_some(ProcessCount { customer: *customer, month: *month, process: *name, calls })
    }
}
