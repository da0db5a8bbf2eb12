use std::marker::PhantomData;
use std::sync::Arc;

use async_trait::async_trait;
use sports_domain::content::ObjectHash;
use sports_ports::PortError;
use sports_ports::results::{Making, ResultCache};
use sports_ports::seasons::Weighed;

use crate::content::{ContentCache, ValueName};
use crate::lookups::Lookups;

/// Results of one type in the cache.
pub struct CachedResults<A> {
    cache: ContentCache,
    lookups: Lookups,
    kind: PhantomData<fn() -> A>,
}

impl<A: Weighed + Send + Sync + 'static> CachedResults<A> {
    /// Creates the results of this type in `cache`.
    pub fn new(cache: &ContentCache) -> Self {
        Self { cache: cache.clone(), lookups: Lookups::default(), kind: PhantomData }
    }

    /// Returns the counts of lookups.
    pub fn lookups(&self) -> Lookups {
        self.lookups.clone()
    }
}

#[async_trait]
impl<A: Weighed + Send + Sync + 'static> ResultCache<A> for CachedResults<A> {
    async fn result(&self, name: ObjectHash, making: Making<'_, A>) -> Result<Arc<A>, PortError> {
        self.cache.get(ValueName::Result(name), self.lookups.look_up(making)).await
    }

    async fn cached(&self, name: &ObjectHash) -> Option<Arc<A>> {
        self.cache.peek(ValueName::Result(*name)).await
    }
}
