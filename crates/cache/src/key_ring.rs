use std::mem;
use std::num::NonZeroU32;
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
use tokio::sync::{mpsc, oneshot};
use tokio::time::{sleep, timeout};

/// The age below which a holder is returned without a lookup: a change made elsewhere takes effect this much later.
const FRESH: Duration = Duration::from_secs(1);

/// The time for which a known key works while the ring is unavailable.
const REMEMBERED: Duration = Duration::from_mins(5);

/// The number of keys in memory.
const CAPACITY: u64 = 100_000;

/// The timeout of a lookup that renews a key in memory.
const RENEWAL_TIMEOUT: Duration = Duration::from_millis(250);

/// A cache of key holders for a second, and for five minutes while the ring is unavailable.
///
/// Unknown keys are never cached, and guesses evict no known key. A change through this ring takes effect as soon as it
/// returns, whatever lookups are in flight. Each change begins a new era for its key. A result is returned only in the era in
/// which its lookup began, and a caller in a new era does not share a lookup of the era before.
///
/// The lookup of a known key has a short timeout, and none at all while the ring hangs: the holder is returned from memory,
/// and a background task renews it.
pub struct CachedKeyRing {
    inner: Arc<dyn KeyRing>,
    known: Arc<KnownKeys>,
}

/// The keys in memory, and the lookups that fill it.
struct KnownKeys {
    inner: Arc<dyn KeyRing>,
    unknown_key_lookups: UnknownKeyLookups,
    eras: Eras,
    fresh: Cache<(KeyDigest, Era), Arc<KeyHolder>>,
    remembered: Cache<KeyDigest, Arc<KeyHolder>>,
    /// True if the last lookup hung or failed.
    is_troubled: AtomicBool,
    /// The runtime of lookups that several requests await. It outlives the runtimes of those requests.
    runtime: Handle,
}

/// The number of changes before a lookup.
type Era = u64;

/// Counts of changes to keys, one count for all keys with the same first byte. A change to a key makes the others with its
/// byte be looked up again, and nothing else.
struct Eras([AtomicU64; 256]);

/// The reason for which a lookup has no holder to cache.
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
    /// Returns an empty cache in front of `inner`.
    ///
    /// # Panics
    ///
    /// Outside an asynchronous runtime, which looks keys up for as long as the cache exists.
    pub fn new(inner: Arc<dyn KeyRing>) -> Self {
        let known = KnownKeys {
            unknown_key_lookups: UnknownKeyLookups::start(Arc::clone(&inner)),
            inner: Arc::clone(&inner),
            eras: Eras([const { AtomicU64::new(0) }; 256]),
            fresh: Cache::builder().max_capacity(CAPACITY).time_to_live(FRESH).build(),
            remembered: Cache::builder().max_capacity(CAPACITY).time_to_live(REMEMBERED).build(),
            is_troubled: AtomicBool::new(false),
            runtime: Handle::current(),
        };
        Self { inner, known: Arc::new(known) }
    }

    /// Returns a ring over the same cache whose changes go to `inner`, another handle to the same keys.
    pub fn changing(&self, inner: Arc<dyn KeyRing>) -> Self {
        Self { inner, known: Arc::clone(&self.known) }
    }
}

impl KnownKeys {
    async fn look_up(self: &Arc<Self>, digest: &KeyDigest, era: Era) -> Result<Option<Arc<KeyHolder>>, PortError> {
        let found = match self.fresh.get(&(*digest, era)).await {
            Some(holder) => Ok(holder),
            None if self.remembered.contains_key(digest) => self.renew(digest, era).await,
            None => self.look_up_unknown(digest, era).await,
        };
        match found {
            Ok(holder) => Ok(Some(holder)),
            Err(Missing::Unknown) => Ok(None),
            Err(Missing::Failed(error)) => match self.recall(digest).await {
                Some(holder) => {
                    // It is not looked up again for a second. A holder that a task has found meanwhile is newer.
                    let kept = self.fresh.entry((*digest, era)).or_insert(holder).await;
                    Ok(Some(kept.into_value()))
                }
                None => Err(crate::shared(error)),
            },
        }
    }

    async fn look_up_unknown(&self, digest: &KeyDigest, era: Era) -> Result<Arc<KeyHolder>, Missing> {
        let holder = self.keep(digest, era, self.unknown_key_lookups.holder(digest).await).await?;
        self.fresh.insert((*digest, era), Arc::clone(&holder)).await;
        Ok(holder)
    }

    /// Looks a known key up at once, ahead of unknown keys. The lookup continues after the timeout of its callers, for the next
    /// caller.
    async fn renew(self: &Arc<Self>, digest: &KeyDigest, era: Era) -> Result<Arc<KeyHolder>, Missing> {
        let (known, digest) = (Arc::clone(self), *digest);
        let renewal = self.runtime.spawn(async move {
            let look_up = async { known.keep(&digest, era, known.inner.holder(&digest).await.map_err(Arc::new)).await };
            known.fresh.try_get_with((digest, era), look_up).await.map_err(|missing| Missing::clone(&missing))
        });
        let limit = if self.is_troubled.load(Ordering::Relaxed) { Duration::ZERO } else { RENEWAL_TIMEOUT };
        let failed = |why| Missing::Failed(Arc::new(PortError::unavailable("key ring", why)));
        match timeout(limit, renewal).await {
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

    /// Remembers a holder, unless its key was changed since the lookup began. Remembering, recalling and forgetting a key
    /// exclude each other, so a holder from before a change is never returned after it.
    async fn remember(&self, digest: &KeyDigest, era: Era, holder: &Arc<KeyHolder>) {
        let turn = |_| async { if self.eras.current(digest) == era { Op::Put(Arc::clone(holder)) } else { Op::Nop } };
        self.remembered.entry(*digest).and_compute_with(turn).await;
    }

    /// Returns the remembered holder, of the era that was current before the call or of a later era.
    async fn recall(&self, digest: &KeyDigest) -> Option<Arc<KeyHolder>> {
        let turn = self.remembered.entry(*digest).and_compute_with(|_| async { Op::Nop });
        turn.await.into_entry().map(Entry::into_value)
    }

    /// Forgets a key, and begins its next era.
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

    async fn issue_limited(
        &self,
        customer: CustomerId,
        key: &KeyRecord,
        per_minute: NonZeroU32,
    ) -> Result<KeyIssue, PortError> {
        self.inner.issue_limited(customer, key, per_minute).await
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

/// The most keys of one lookup.
const TOGETHER: usize = 1_000;

/// The pause after a lookup in which a key was unknown.
const REST: Duration = Duration::from_millis(20);

/// The longest time for which a lookup delays the next.
const LONGEST_DELAY: Duration = Duration::from_millis(250);

/// Lookups of keys that are not in memory.
///
/// Any of these keys may be in its first use, but most of a flood are guesses. So lookups are batched and serialised, unless one
/// hangs, and back off after a miss. A lookup begins after its requests arrived, so a key is never reported unknown by a lookup
/// that is older than the request.
struct UnknownKeyLookups(mpsc::Sender<Request>);

/// The result of a lookup. Lookups that failed together share the error.
type Found = Result<Option<Arc<KeyHolder>>, Arc<PortError>>;

struct Request {
    digest: KeyDigest,
    reply: oneshot::Sender<Found>,
}

impl UnknownKeyLookups {
    /// Starts the task that looks keys up in `ring`.
    fn start(ring: Arc<dyn KeyRing>) -> Self {
        let (sender, requests) = mpsc::channel(TOGETHER);
        tokio::spawn(serve(ring, requests));
        Self(sender)
    }

    async fn holder(&self, digest: &KeyDigest) -> Found {
        let (reply, found) = oneshot::channel();
        // If the task has ended, the reply is dropped with its request.
        let _ = self.0.send(Request { digest: *digest, reply }).await;
        found.await.unwrap_or_else(|dropped| Err(Arc::new(PortError::unavailable("key ring", dropped))))
    }
}

async fn serve(ring: Arc<dyn KeyRing>, mut receiver: mpsc::Receiver<Request>) {
    let mut requests = Vec::new();
    while receiver.recv_many(&mut requests, TOGETHER).await > 0 {
        // A task of its own, so that a lookup that hangs or panics does not end the next ones.
        let look_up = tokio::spawn(look_up(Arc::clone(&ring), mem::take(&mut requests)));
        if let Ok(Ok(Batch::WithUnknown)) = timeout(LONGEST_DELAY, look_up).await {
            sleep(REST).await;
        }
    }
}

/// The keys of one lookup.
enum Batch {
    AllKnown,
    WithUnknown,
}

async fn look_up(ring: Arc<dyn KeyRing>, mut requests: Vec<Request>) -> Batch {
    // A caller that has gone needs no reply.
    requests.retain(|request| !request.reply.is_closed());
    let digests: Vec<_> = requests.iter().map(|request| request.digest).collect();
    let found = match ring.holders(&digests).await {
        Ok(holders) => holders.into_iter().map(Ok).collect(),
        Err(error) => vec![Err(Arc::new(error)); digests.len()],
    };
    let has_unknown = found.iter().any(|found| matches!(found, Ok(None)));
    for (request, found) in requests.into_iter().zip(found) {
        let _ = request.reply.send(found);
    }
    if has_unknown { Batch::WithUnknown } else { Batch::AllKnown }
}
