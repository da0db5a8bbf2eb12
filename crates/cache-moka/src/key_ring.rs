mod unknown_key_lookups;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use moka::Entry;
use moka::future::Cache;
use moka::ops::compute::Op;
use sports_accounts::{CustomerId, KeyDigest, KeyName, KeyRecord};
use sports_ports::PortError;
use sports_ports::accounts::{KeyHolder, KeyIssue, KeyRenaming, KeyRevocation, KeyRing};

use tokio::runtime::Handle;
use tokio::time::timeout;
use unknown_key_lookups::{Found, UnknownKeyLookups};

/// For how long an answer is taken without asking again: a change made elsewhere shows this much later.
const FRESH: Duration = Duration::from_secs(1);

/// How long a key that was seen keeps working while the ring cannot be asked.
const REMEMBERED: Duration = Duration::from_mins(5);

/// How many keys are remembered.
const CAPACITY: u64 = 100_000;

/// How long a caller whose key is in memory waits for the ring to say whether that is still so.
const PATIENCE: Duration = Duration::from_millis(250);

/// Key holders kept in memory for a second, and for five minutes while the ring is unavailable.
///
/// That a key is unknown is never kept, and guesses take no room from keys that are known. A change made through this ring
/// shows from the moment it is answered, whatever look-ups were under way: each change begins a new era for its key, no
/// answer is given out in a later era than it was asked for, and a caller in a new era does not wait for a look-up of the
/// one before.
///
/// A key that was seen waits for the ring no longer than a moment, and for one that hangs not at all: it is answered from
/// memory while a task of its own asks.
pub struct CachedKeyRing {
    inner: Arc<dyn KeyRing>,
    known: Arc<KnownKeys>,
}

/// The keys in memory, and the ways of asking about them.
struct KnownKeys {
    inner: Arc<dyn KeyRing>,
    unknown_key_lookups: UnknownKeyLookups,
    eras: Eras,
    fresh: Cache<(KeyDigest, Era), Arc<KeyHolder>>,
    remembered: Cache<KeyDigest, Arc<KeyHolder>>,
    /// Whether the last look-up hung or failed.
    is_troubled: AtomicBool,
    /// Runs look-ups that several requests await. It outlives the runtimes of those requests.
    runtime: Handle,
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
        let known = KnownKeys {
            unknown_key_lookups: UnknownKeyLookups::meet(Arc::clone(&inner)),
            inner: Arc::clone(&inner),
            eras: Eras([const { AtomicU64::new(0) }; 256]),
            fresh: Cache::builder().max_capacity(CAPACITY).time_to_live(FRESH).build(),
            remembered: Cache::builder().max_capacity(CAPACITY).time_to_live(REMEMBERED).build(),
            is_troubled: AtomicBool::new(false),
            runtime: Handle::current(),
        };
        Self { inner, known: Arc::new(known) }
    }
}

impl KnownKeys {
    async fn look_up(self: &Arc<Self>, digest: &KeyDigest, era: Era) -> Result<Option<Arc<KeyHolder>>, PortError> {
        let found = match self.fresh.get(&(*digest, era)).await {
            Some(holder) => Ok(holder),
            None if self.remembered.contains_key(digest) => self.ask_again(digest, era).await,
            None => self.ask(digest, era).await,
        };
        match found {
            Ok(holder) => Ok(Some(holder)),
            Err(Missing::Unknown) => Ok(None),
            Err(Missing::Failed(error)) => match self.recall(digest).await {
                Some(holder) => {
                    // For a second it is not looked up again. What a task has learned meanwhile is newer.
                    let kept = self.fresh.entry((*digest, era)).or_insert(holder).await;
                    Ok(Some(kept.into_value()))
                }
                None => Err(crate::shared(error)),
            },
        }
    }

    async fn ask(&self, digest: &KeyDigest, era: Era) -> Result<Arc<KeyHolder>, Missing> {
        let holder = self.keep(digest, era, self.unknown_key_lookups.holder(digest).await).await?;
        self.fresh.insert((*digest, era), Arc::clone(&holder)).await;
        Ok(holder)
    }

    /// A key that was seen lately is looked up at once, by its first caller: unknown keys cannot make it wait. The look-up
    /// goes on when its callers have stopped waiting, and brings news to the next.
    async fn ask_again(self: &Arc<Self>, digest: &KeyDigest, era: Era) -> Result<Arc<KeyHolder>, Missing> {
        let (known, digest) = (Arc::clone(self), *digest);
        let asking = self.runtime.spawn(async move {
            let look_up = async { known.keep(&digest, era, known.inner.holder(&digest).await.map_err(Arc::new)).await };
            known.fresh.try_get_with((digest, era), look_up).await.map_err(|missing| Missing::clone(&missing))
        });
        let patience = if self.is_troubled.load(Ordering::Relaxed) { Duration::ZERO } else { PATIENCE };
        let failed = |why| Missing::Failed(Arc::new(PortError::unavailable("key ring", why)));
        match timeout(patience, asking).await {
            Ok(Ok(found)) => found,
            Ok(Err(panicked)) => Err(failed(panicked.to_string())),
            Err(late) => {
                self.is_troubled.store(true, Ordering::Relaxed);
                Err(failed(late.to_string()))
            }
        }
    }

    async fn keep(&self, digest: &KeyDigest, era: Era, found: Found) -> Result<Arc<KeyHolder>, Missing> {
        self.is_troubled.store(found.is_err(), Ordering::Relaxed);
        let Some(holder) = found.map_err(Missing::Failed)? else {
            self.remembered.invalidate(digest).await;
            return Err(Missing::Unknown);
        };
        self.remember(digest, era, &holder).await;
        Ok(holder)
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
    async fn holder(&self, digest: &KeyDigest) -> Result<Option<Arc<KeyHolder>>, PortError> {
        loop {
            let era = self.known.eras.current(digest);
            let holder = self.known.look_up(digest, era).await;
            if self.known.eras.current(digest) == era {
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
        self.known.forget(digest).await;
        renamed
    }

    async fn revoke(
        &self,
        customer: CustomerId,
        digest: &KeyDigest,
        at: DateTime<Utc>,
    ) -> Result<KeyRevocation, PortError> {
        let revoked = self.inner.revoke(customer, digest, at).await;
        self.known.forget(digest).await;
        revoked
    }
}
