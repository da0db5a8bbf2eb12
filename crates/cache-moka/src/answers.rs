use std::sync::Arc;

use async_trait::async_trait;
use moka::future::Cache;
use sports_content::ObjectHash;
use sports_ports::PortError;
use sports_ports::answers::{Answers, Making};
use sports_ports::seasons::Weighed;

use crate::Lookups;

/// Answers kept in memory up to a weight, the least recently useful going first.
pub struct KeptAnswers<A> {
    kept: Cache<ObjectHash, Arc<A>>,
    lookups: Lookups,
}

impl<A: Weighed + Send + Sync + 'static> KeptAnswers<A> {
    /// Keeps answers that weigh `capacity` bytes together at most.
    #[must_use]
    pub fn new(capacity: u64) -> Self {
        let kept = Cache::builder().max_capacity(capacity).weigher(|_, answer| crate::weigh(answer)).build();
        Self { kept, lookups: Lookups::default() }
    }

    /// How often an answer was asked for, and how often it was not there.
    #[must_use]
    pub fn lookups(&self) -> Lookups {
        self.lookups.clone()
    }

    /// What the kept answers weigh, as of the last upkeep.
    #[must_use]
    pub fn weight(&self) -> u64 {
        self.kept.weighted_size()
    }

    /// Does the upkeep that is due, which the cache otherwise does beside its work.
    pub async fn settle(&self) {
        self.kept.run_pending_tasks().await;
    }
}

#[async_trait]
impl<A: Weighed + Send + Sync + 'static> Answers<A> for KeptAnswers<A> {
    async fn answer(&self, name: ObjectHash, making: Making<'_, A>) -> Result<Arc<A>, PortError> {
        self.kept.try_get_with(name, self.lookups.look_up(making)).await.map_err(|error| crate::shared(&error))
    }
}
