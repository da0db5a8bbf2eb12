mod unknown_key_lookups;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use moka::Entry;
use moka::future::Cache;
use moka::ops::compute::Op;
use sports_accounts::{CustomerId, KeyDigest, KeyName, KeyRecord};
use sports_ports::PortError;
use sports_ports::accounts::{KeyHolder, KeyIssue, KeyRenaming, KeyRevocation, KeyRing};

use unknown_key_lookups::{Found, UnknownKeyLookups};

/// For how long an answer is taken without asking again: a change made elsewhere shows this much later.
const FRESH: Duration = Duration::from_secs(1);

/// How long a key that was seen keeps working while the ring cannot be asked.
const REMEMBERED: Duration = Duration::from_mins(5);

/// How many keys are remembered.
const CAPACITY: u64 = 100_000;

/// Key holders kept in memory for a second, and for five minutes while the ring is unavailable.
///
/// That a key is unknown is never kept, and guesses take no room from keys that are known. A change made through this ring
/// shows from the moment it is answered, whatever look-ups were under way: each change begins a new era for its key, no
/// answer is given out in a later era than it was asked for, and a caller in a new era does not wait for a look-up of the
/// one before.
pub struct CachedKeyRing {
    inner: Arc<dyn KeyRing>,
    unknown_key_lookups: UnknownKeyLookups,
    eras: Eras,
    fresh: Cache<(KeyDigest, Era), Arc<KeyHolder>>,
    remembered: Cache<KeyDigest, Arc<KeyHolder>>,
}

/// How many changes there were before a look-up.
type Era = u64;

/// How many changes there were to keys, counted together for those with the same first byte. A change to one of them makes
/// the others be looked up again, and no more.
struct Eras([AtomicU64; 256]);

/// Why a look-up leaves nothing to keep.
#[derive(Clone)]
enum Missing {
    Unknown,
    Failed(Arc<PortError>),
}

impl Eras {
    fn era_counter(&self, digest: &KeyDigest) -> &AtomicU64 {
        &self.0[usize::from(digest.as_bytes()[0])]
    }

    fn current(&self, digest: &KeyDigest) -> Era {
        self.era_counter(digest).load(Ordering::SeqCst)
    }

    fn begin_new(&self, digest: &KeyDigest) {
        self.era_counter(digest).fetch_add(1, Ordering::SeqCst);
    }
}

impl CachedKeyRing {
    /// Remembers the holders `inner` knows.
    ///
    /// # Panics
    ///
    /// Outside an asynchronous runtime, which looks keys up for as long as this is there.
    #[must_use]
    pub fn new(inner: Arc<dyn KeyRing>) -> Self {
        Self {
            unknown_key_lookups: UnknownKeyLookups::meet(Arc::clone(&inner)),
            inner,
            eras: Eras([const { AtomicU64::new(0) }; 256]),
            fresh: Cache::builder().max_capacity(CAPACITY).time_to_live(FRESH).build(),
            remembered: Cache::builder().max_capacity(CAPACITY).time_to_live(REMEMBERED).build(),
        }
    }

    /// A key that was seen lately is looked up at once, by its first caller: unknown keys cannot make it wait.
    async fn ask(&self, digest: &KeyDigest, era: Era) -> Result<Arc<KeyHolder>, Missing> {
        if self.remembered.contains_key(digest) {
            let asking = async { self.keep(digest, era, self.inner.holder(digest).await.map_err(Arc::new)).await };
            return self.fresh.try_get_with((*digest, era), asking).await.map_err(|missing| Missing::clone(&missing));
        }
        let holder = self.keep(digest, era, self.unknown_key_lookups.holder(digest).await).await?;
        self.fresh.insert((*digest, era), Arc::clone(&holder)).await;
        Ok(holder)
    }

    async fn keep(&self, digest: &KeyDigest, era: Era, found: Found) -> Result<Arc<KeyHolder>, Missing> {
        let holder = Arc::new(found.map_err(Missing::Failed)?.ok_or(Missing::Unknown)?);
        self.remember(digest, era, &holder).await;
        Ok(holder)
    }

    async fn look_up(&self, digest: &KeyDigest, era: Era) -> Result<Option<KeyHolder>, PortError> {
        let found = match self.fresh.get(&(*digest, era)).await {
            Some(holder) => Ok(holder),
            None => self.ask(digest, era).await,
        };
        match found {
            Ok(holder) => Ok(Some(KeyHolder::clone(&holder))),
            Err(Missing::Unknown) => {
                self.remembered.invalidate(digest).await;
                Ok(None)
            }
            Err(Missing::Failed(error)) => match self.recall(digest).await {
                Some(holder) => {
                    self.fresh.insert((*digest, era), Arc::clone(&holder)).await;
                    Ok(Some(KeyHolder::clone(&holder)))
                }
                None => Err(crate::shared(&error)),
            },
        }
    }

    /// Remembers an answer, unless a change was made since it was asked for. This, recalling and forgetting take turns
    /// for a key: an answer from before a change is not given out after it, not even for a moment.
    async fn remember(&self, digest: &KeyDigest, era: Era, holder: &Arc<KeyHolder>) {
        let turn = |_| async { if self.eras.current(digest) == era { Op::Put(Arc::clone(holder)) } else { Op::Nop } };
        self.remembered.entry(*digest).and_compute_with(turn).await;
    }

    /// The holder that is remembered: of the era that was current before, or of a later one.
    async fn recall(&self, digest: &KeyDigest) -> Option<Arc<KeyHolder>> {
        let turn = self.remembered.entry(*digest).and_compute_with(|_| async { Op::Nop });
        turn.await.into_entry().map(Entry::into_value)
    }

    /// What was known of a key before a change is known no more.
    async fn forget(&self, digest: &KeyDigest) {
        let turn = |_| async {
            self.eras.begin_new(digest);
            Op::Remove
        };
        self.remembered.entry(*digest).and_compute_with(turn).await;
    }
}

#[async_trait]
impl KeyRing for CachedKeyRing {
    async fn holder(&self, digest: &KeyDigest) -> Result<Option<KeyHolder>, PortError> {
        loop {
            let era = self.eras.current(digest);
            let holder = self.look_up(digest, era).await;
            if self.eras.current(digest) == era {
                return holder;
            }
        }
    }

    async fn keys_of(&self, customer: CustomerId) -> Result<Vec<KeyRecord>, PortError> {
        self.inner.keys_of(customer).await
    }

    async fn issue(&self, customer: CustomerId, key: &KeyRecord) -> Result<KeyIssue, PortError> {
        self.inner.issue(customer, key).await
    }

    async fn rename(&self, customer: CustomerId, digest: &KeyDigest, name: &KeyName) -> Result<KeyRenaming, PortError> {
        let renamed = self.inner.rename(customer, digest, name).await;
        self.forget(digest).await;
        renamed
    }

    async fn revoke(
        &self,
        customer: CustomerId,
        digest: &KeyDigest,
        at: DateTime<Utc>,
    ) -> Result<KeyRevocation, PortError> {
        let revoked = self.inner.revoke(customer, digest, at).await;
        self.forget(digest).await;
        revoked
    }
}
