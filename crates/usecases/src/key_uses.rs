//! Commits of the last uses of keys to the record.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use chrono::TimeDelta;
use sports_accounts::{KeyDigest, KeyRecord, KeyUse};
use sports_ports::accounts::KeyUses;
use sports_ports::{Clock, error_chain};

/// The last uses of keys in memory, and their commits.
///
/// A use is committed if it is the first for a minute, or from another network than the one before, and at most once a second
/// for each key. So requests cost no write, and the use of a leaked key from elsewhere is on record a second later.
pub struct CommittedKeyUses {
    record: Arc<dyn KeyUses>,
    clock: Arc<dyn Clock>,
    noted: Mutex<HashMap<KeyDigest, NotedUse>>,
}

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

    /// The most uses of one commit; further uses are in the next.
    const TOGETHER: usize = 500;

    /// Creates the memory of uses, which [`run`](Self::run) commits.
    pub fn new(record: Arc<dyn KeyUses>, clock: Arc<dyn Clock>) -> Self {
        Self { record, clock, noted: Mutex::default() }
    }

    /// Commits uses once a second, for as long as `uses` are used elsewhere; calls `committed` after each time.
    pub async fn run(uses: Weak<Self>, committed: impl Fn()) {
        loop {
            tokio::time::sleep(Self::INTERVAL).await;
            let Some(uses) = uses.upgrade() else { return };
            uses.commit().await;
            committed();
        }
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

    fn noted(&self) -> MutexGuard<'_, HashMap<KeyDigest, NotedUse>> {
        self.noted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
