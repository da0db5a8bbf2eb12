//! Counting calls in a database that several servers share.

mod count;
mod seconds;
mod statements;

use std::collections::HashMap;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use sports_accounts::{CalendarMonth, CustomerId, Limits, ProcessId, SlidingSecond, Tier};
use sports_ports::PortError;
use sports_ports::metering::{
    Admission, Arrival, CommittedCounts, CountedCall, Meter, ProcessCount, ProcessCounts, UncountedAdmission,
    UsageCounts,
};
use tokio::time::timeout;

use crate::AccountsDatabase;
use count::{Count, LocalCalls};
use seconds::Seconds;

const PORT: &str = "usage counts";

/// The longest time for the database to count a call. After it, calls are counted in memory until the next commit.
const STATEMENT_TIMEOUT: Duration = Duration::from_secs(1);

/// A meter that counts calls in PostgreSQL, one statement an admitted call: servers that share it hold customers to one quota
/// a month. Each server limits the second by itself.
///
/// While the database does not reply, calls are counted in memory, up to the quota on top of the last known count, and
/// [`commit`](CommittedCounts::commit) adds them afterwards. A call whose statement had no reply may be counted twice; a
/// call refunded in such a statement may stay counted.
pub struct DatabaseMeter {
    database: AccountsDatabase,
    /// The name under which calls counted in memory are added.
    process: ProcessId,
    limits: Limits,
    counts: Mutex<HashMap<Key, Count>>,
    seconds: Mutex<Seconds>,
    is_away: AtomicBool,
    /// Held by a commit: two concurrent ones would record the same calls twice.
    committing: tokio::sync::Mutex<()>,
    on_failure: OnFailure,
}

/// A function that is called after each statement without a reply.
pub type OnFailure = Arc<dyn Fn() + Send + Sync>;

type Key = (CustomerId, CalendarMonth);

impl DatabaseMeter {
    /// Starts from the counts that a PostgreSQL database has for the month of `now`.
    ///
    /// # Errors
    ///
    /// [`PortError`] if these counts cannot be read.
    pub async fn start(
        database: AccountsDatabase,
        process: ProcessId,
        limits: Limits,
        now: DateTime<Utc>,
        on_failure: OnFailure,
    ) -> Result<Self, PortError> {
        let known = database.of_month(CalendarMonth::containing(now)).await?;
        let known = known.into_iter().map(|count| ((count.customer, count.month), Count::from_database(count.calls)));
        let (counts, seconds, is_away) = (Mutex::new(known.collect()), Mutex::default(), AtomicBool::new(false));
        let committing = tokio::sync::Mutex::default();
        Ok(Self { database, process, limits, counts, seconds, is_away, committing, on_failure })
    }

    fn waiting(&self) -> Vec<(Key, Count)> {
        let counts = self.counts();
        counts.iter().filter(|(_, count)| count.is_waiting()).map(|(key, count)| (*key, *count)).collect()
    }

    fn row(&self, (customer, month): Key, count: &Count) -> ProcessCount {
        let LocalCalls { admitted, given_back } = count.local();
        ProcessCount { customer, month, process: Some(self.process), admitted, given_back }
    }

    fn counts(&self) -> std::sync::MutexGuard<'_, HashMap<Key, Count>> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn with<T>(&self, key: Key, act: impl FnOnce(&mut Count) -> T) -> T {
        act(self.counts().entry(key).or_default())
    }

    fn second_of(&self, customer: CustomerId, uptime: Duration) -> Arc<SlidingSecond> {
        let mut seconds = self.seconds.lock().unwrap_or_else(PoisonError::into_inner);
        seconds.of(customer, self.limits.per_second, uptime)
    }

    /// Returns the result of a statement; `None` while the database is away.
    async fn reply<T>(&self, statement: impl Future<Output = Result<T, PortError>>) -> Option<T> {
        if self.is_away.load(Relaxed) {
            return None;
        }
        let answer = timeout(STATEMENT_TIMEOUT, statement).await.ok().and_then(Result::ok);
        if answer.is_none() {
            (self.on_failure)();
            self.is_away.store(true, Relaxed);
        }
        answer
    }

    /// Returns the month's count of the database; the last known count while the database is away.
    async fn used(&self, key: Key) -> u64 {
        match self.reply(self.database.calls_of(key)).await {
            Some(used) => self.with(key, |count| count.update(used)),
            None => self.with(key, |count| count.total()),
        }
    }
}

#[async_trait]
impl CommittedCounts for DatabaseMeter {
    /// Adds the calls that were counted in memory to the record, and counts in the database again.
    async fn commit(&self, now: DateTime<Utc>) -> Result<(), PortError> {
        let _guard = self.committing.lock().await;
        let previous = CalendarMonth::containing(now).previous();
        self.counts().retain(|(_, month), count| *month >= previous || count.is_waiting());
        let waiting = self.waiting();
        if waiting.is_empty() && !self.is_away.load(Relaxed) {
            return Ok(());
        }
        let rows: Vec<_> = waiting.iter().map(|(key, count)| self.row(*key, count)).collect();
        self.database.record_of_processes(&rows).await.inspect_err(|_| (self.on_failure)())?;
        for (key, count) in &waiting {
            self.with(*key, |now| now.set_recorded(count));
        }
        for (key, _) in waiting {
            // Refunds are sent once: a second statement after a lost reply could subtract them twice.
            let given_back = self.with(key, Count::take_given_back);
            if given_back > 0 {
                let taken = self.database.take_back(key, given_back).await;
                let used = taken.inspect_err(|_| (self.on_failure)())?;
                self.with(key, |count| count.update_after_refund(used));
            }
        }
        self.is_away.store(false, Relaxed);
        Ok(())
    }

    fn pending(&self) -> u64 {
        self.waiting().len() as u64
    }

    /// Returns false: the counts that the database lacks are not persisted.
    fn persist_for_restart(&self) -> io::Result<bool> {
        Ok(false)
    }
}

#[async_trait]
impl Meter for DatabaseMeter {
    async fn admit(&self, customer: CustomerId, tier: Tier, arrival: Arrival) -> Result<Admission, PortError> {
        let Arrival { month, uptime } = arrival;
        let (key, most) = ((customer, month), self.limits.admitted_monthly(tier));
        // For a second, a full month is refused without a statement: a flood of refused calls must not load the database.
        if let Some(used) = self.with(key, |count| count.was_full(most, uptime)) {
            return Ok(Admission::MonthIsFull { used });
        }
        let second = self.second_of(customer, uptime);
        let Some(place) = second.admit(uptime) else {
            // The total may be too high, since another server may have refunded calls. The month was not full a moment ago.
            return Ok(Admission::SecondIsFull { used: self.with(key, |count| count.total()) });
        };
        let counted = match self.reply(self.database.count_up_to(key, most)).await {
            Some(counted) => counted.map(|used| self.with(key, |count| count.update_after_admission(used))),
            None => self.with(key, |count| count.add_local_up_to(most)),
        };
        if let Some(used) = counted {
            if used >= most {
                self.with(key, |count| count.set_full_at(uptime));
            }
            return Ok(Admission::Admitted(CountedCall { customer, month, used }));
        }
        second.release(place);
        let used = self.used(key).await;
        self.with(key, |count| count.set_full_at(uptime));
        Ok(Admission::MonthIsFull { used })
    }

    async fn admit_uncounted(&self, customer: CustomerId, arrival: Arrival) -> Result<UncountedAdmission, PortError> {
        let key = (customer, arrival.month);
        Ok(match self.second_of(customer, arrival.uptime).admit(arrival.uptime) {
            Some(_) => UncountedAdmission::Admitted { used: self.used(key).await },
            None => UncountedAdmission::SecondIsFull { used: self.with(key, |count| count.total()) },
        })
    }

    async fn give_back(&self, call: CountedCall) -> Result<u64, PortError> {
        let key = (call.customer, call.month);
        if self.is_away.load(Relaxed) {
            return Ok(self.with(key, Count::take_back_locally));
        }
        Ok(match self.reply(self.database.take_back(key, 1)).await {
            Some(used) => self.with(key, |count| count.update_after_refund(used)),
            // The statement may have succeeded: a second refund would be one too many.
            None => self.with(key, |count| count.total()),
        })
    }
}
