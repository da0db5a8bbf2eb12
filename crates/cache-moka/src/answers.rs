use std::sync::Arc;

use async_trait::async_trait;
use sports_content::ObjectHash;
use sports_ports::PortError;
use sports_ports::answers::{Answers, Making};
use sports_ports::seasons::Weighed;

use crate::Lookups;
use crate::weighed::WeighedCache;

/// A cache of answers with a bounded weight and LRU eviction.
pub struct KeptAnswers<A> {
    kept: WeighedCache<ObjectHash, A>,
    lookups: Lookups,
}

impl<A: Weighed + Send + Sync + 'static> KeptAnswers<A> {
    /// Returns an empty cache of `capacity` bytes.
    pub fn new(capacity: u64) -> Self {
        Self { kept: WeighedCache::new(capacity), lookups: Lookups::default() }
    }

    /// Returns the counts of lookups.
    pub fn lookups(&self) -> Lookups {
        self.lookups.clone()
    }

    /// Returns the weight of the cached answers as of the last maintenance, in bytes.
    pub fn weight(&self) -> u64 {
        self.kept.weight()
    }

    /// Runs the maintenance that is due, which the cache otherwise runs during lookups.
    pub async fn settle(&self) {
        self.kept.settle().await;
    }
}

#[async_trait]
impl<A: Weighed + Send + Sync + 'static> Answers<A> for KeptAnswers<A> {
    async fn answer(&self, name: ObjectHash, making: Making<'_, A>) -> Result<Arc<A>, PortError> {
        self.kept.get(name, self.lookups.look_up(making)).await
    }

    async fn kept(&self, name: &ObjectHash) -> Option<Arc<A>> {
        self.kept.peek(name).await
    }
}
