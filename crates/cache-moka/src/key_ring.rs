use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use moka::future::Cache;
use sports_accounts::{CustomerId, KeyDigest, KeyName, KeyRecord};
use sports_ports::PortError;
use sports_ports::accounts::{KeyHolder, KeyIssue, KeyRenaming, KeyRevocation, KeyRing};

/// For how long an answer is taken without asking again: a change made elsewhere shows this much later.
const FRESH: Duration = Duration::from_secs(1);

/// For how long a key that was seen keeps working while the ring cannot be asked.
const REMEMBERED: Duration = Duration::from_mins(5);

/// How many keys are remembered.
const CAPACITY: u64 = 100_000;

/// Key holders kept in memory for a second, and for five minutes while the ring is away.
///
/// That a key is unknown is never kept. A change made through this ring shows at once.
pub struct CachedKeyRing {
    inner: Arc<dyn KeyRing>,
    fresh: Cache<KeyDigest, Arc<KeyHolder>>,
    remembered: Cache<KeyDigest, Arc<KeyHolder>>,
}

/// Why a look-up leaves nothing to keep.
#[derive(Clone)]
enum Missing {
    Unknown,
    Failed(Arc<PortError>),
}

impl CachedKeyRing {
    /// Remembers the holders `inner` knows.
    #[must_use]
    pub fn new(inner: Arc<dyn KeyRing>) -> Self {
        let cache = |keep| Cache::builder().max_capacity(CAPACITY).time_to_live(keep).build();
        Self { inner, fresh: cache(FRESH), remembered: cache(REMEMBERED) }
    }

    async fn ask(&self, digest: &KeyDigest) -> Result<Arc<KeyHolder>, Missing> {
        match self.inner.holder(digest).await {
            Ok(Some(holder)) => {
                let holder = Arc::new(holder);
                self.remembered.insert(*digest, Arc::clone(&holder)).await;
                Ok(holder)
            }
            Ok(None) => Err(Missing::Unknown),
            Err(error) => Err(Missing::Failed(Arc::new(error))),
        }
    }

    async fn forget(&self, digest: &KeyDigest) {
        self.fresh.invalidate(digest).await;
        self.remembered.invalidate(digest).await;
    }
}

#[async_trait]
impl KeyRing for CachedKeyRing {
    async fn holder(&self, digest: &KeyDigest) -> Result<Option<KeyHolder>, PortError> {
        let missing = match self.fresh.try_get_with_by_ref(digest, self.ask(digest)).await {
            Ok(holder) => return Ok(Some(KeyHolder::clone(&holder))),
            Err(missing) => Missing::clone(&missing),
        };
        match missing {
            Missing::Unknown => {
                self.forget(digest).await;
                Ok(None)
            }
            Missing::Failed(error) => match self.remembered.get(digest).await {
                Some(holder) => {
                    self.fresh.insert(*digest, Arc::clone(&holder)).await;
                    Ok(Some(KeyHolder::clone(&holder)))
                }
                None => Err(crate::shared(&error)),
            },
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
