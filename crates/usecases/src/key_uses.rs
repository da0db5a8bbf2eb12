//! Commits of the last uses of keys and of their calls to the record.

use std::collections::{BTreeMap, HashMap};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use chrono::{Days, NaiveDate, TimeDelta};
use sports_accounts::{CustomerId, KeyDigest, KeyRecord, KeyUse};
use sports_ports::accounts::{DailyCalls, KeyUses};
use sports_ports::{Clock, PortError, error_chain};

/// The last uses of keys and their calls in memory, and their commits.
///
/// A use is committed if it is the first for a minute, or from another network than the one before, and at most once a second
/// for each key. So requests cost no write, and the use of a leaked key from elsewhere is on record a second later. Calls are
/// committed once a minute, and before they are shown.
pub struct CommittedKeyUses {
    record: Arc<dyn KeyUses>,
    clock: Arc<dyn Clock>,
    noted: Mutex<HashMap<KeyDigest, NotedUse>>,
    calls: Mutex<BTreeMap<CallsOf, u64>>,
}

/// A customer, a key, a day and an operation.
type CallsOf = (CustomerId, KeyDigest, NaiveDate, String);

/// The last use of a key, and the use on record.
#[derive(Clone, Copy)]
struct NotedUse {
    last: KeyUse,
    on_record: Option<KeyUse>,
}

impl NotedUse {
    /// The time for which uses from the same network are not committed.
    const SAME: TimeDelta = TimeDelta::minutes(1);

    fn is_due(&self) -> bool {
        self.on_record.is_none_or(|known| known.network != self.last.network || self.last.at - known.at >= Self::SAME)
    }
}

impl CommittedKeyUses {
    /// The time between two commits.
    const INTERVAL: Duration = Duration::from_secs(1);

    /// The number of commits of uses after which calls are committed, too.
    const UNTIL_CALLS: u32 = 60;

    /// The number of days, with the present one, for which calls are kept.
    pub const DAYS: u64 = 31;

    /// The most uses of one commit; further uses are in the next.
    const TOGETHER: usize = 500;

    /// Creates the memory of uses, which [`run`](Self::run) commits.
    pub fn new(record: Arc<dyn KeyUses>, clock: Arc<dyn Clock>) -> Self {
        Self { record, clock, noted: Mutex::default(), calls: Mutex::default() }
    }

    /// Commits uses once a second, for as long as `uses` are used elsewhere; calls `committed` after each time.
    pub async fn run(uses: Weak<Self>, committed: impl Fn()) {
        for round in 1_u32.. {
            tokio::time::sleep(Self::INTERVAL).await;
            let Some(uses) = uses.upgrade() else { return };
            uses.commit().await;
            if round.is_multiple_of(Self::UNTIL_CALLS) {
                uses.commit_calls().await;
            }
            committed();
        }
    }

    /// Counts a call of a key to the operation with a path pattern.
    pub fn count(&self, customer: CustomerId, key: KeyDigest, operation: &str) {
        let day = self.clock.now().date_naive();
        *self.counted().entry((customer, key, day, operation.to_owned())).or_default() += 1;
    }

    /// Commits the counted calls. Those of a failed commit are in the next.
    pub async fn commit_calls(&self) {
        let counted = std::mem::take(&mut *self.counted());
        if counted.is_empty() {
            return;
        }
        let calls: Vec<_> = counted
            .iter()
            .map(|((customer, key, day, operation), calls)| DailyCalls {
                customer: *customer,
                key: *key,
                operation: operation.clone(),
                day: *day,
                calls: *calls,
            })
            .collect();
        if let Err(error) = self.record.record_calls(&calls, self.first_day()).await {
            let causes = error_chain(&error);
            tracing::debug!(causes, "the calls of keys cannot be recorded: {causes}");
            let mut later = self.counted();
            for (of, calls) in counted {
                *later.entry(of).or_default() += calls;
            }
        }
    }

    /// Returns the calls of a customer by day, key and operation, with those of this process until now.
    ///
    /// # Errors
    ///
    /// [`PortError`] if they cannot be read.
    pub async fn calls_of(&self, customer: CustomerId) -> Result<Vec<DailyCalls>, PortError> {
        self.commit_calls().await;
        self.record.calls_since(customer, self.first_day()).await
    }

    /// Returns the first day whose calls are kept.
    pub fn first_day(&self) -> NaiveDate {
        let today = self.clock.now().date_naive();
        today.checked_sub_days(Days::new(Self::DAYS - 1)).unwrap_or(today)
    }

    /// Notes a use of a key from an address.
    pub fn note(&self, key: &KeyRecord, address: IpAddr) {
        let last = KeyUse { at: self.clock.now(), network: address.into() };
        self.noted().entry(key.digest).or_insert(NotedUse { last, on_record: key.last_use }).last = last;
    }

    /// Commits the uses that are due, and forgets keys that were not used for a minute. A failed commit is repeated with the
    /// next.
    pub async fn commit(&self) {
        let due: Vec<_> = {
            let noted = self.noted();
            let due = noted.iter().filter(|(_, noted)| noted.is_due());
            due.map(|(digest, noted)| (*digest, noted.last)).take(Self::TOGETHER).collect()
        };
        if !due.is_empty()
            && let Err(error) = self.record.record_uses(&due).await
        {
            let causes = error_chain(&error);
            return tracing::debug!(causes, "the last uses of keys cannot be recorded: {causes}");
        }
        let (mut noted, now) = (self.noted(), self.clock.now());
        for (digest, last) in due {
            if let Some(noted) = noted.get_mut(&digest) {
                noted.on_record = Some(last);
            }
        }
        noted.retain(|_, noted| noted.is_due() || now - noted.last.at < NotedUse::SAME);
    }

    fn counted(&self) -> MutexGuard<'_, BTreeMap<CallsOf, u64>> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn noted(&self) -> MutexGuard<'_, HashMap<KeyDigest, NotedUse>> {
        self.noted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
