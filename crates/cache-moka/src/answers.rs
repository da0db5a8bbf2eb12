use std::sync::Arc;

use async_trait::async_trait;
use sports_content::ObjectHash;
use sports_ports::PortError;
use sports_ports::answers::{Answers, Making};
use sports_ports::seasons::Weighed;

use crate::Lookups;
use crate::weighed::WeighedCache;

/// Answers kept in memory up to a weight, the least recently asked for going first.
pub struct KeptAnswers<A> {
    kept: WeighedCache<ObjectHash, A>,
    lookups: Lookups,
}

impl<A: Weighed + Send + Sync + 'static> KeptAnswers<A> {
    /// Keeps answers that weigh `capacity` bytes together at most.
    #[must_use]
    pub fn new(capacity: u64) -> Self {
        Self { kept: WeighedCache::new(capacity), lookups: Lookups::default() }
    }

    /// How often an answer was asked for, and how often it was not there.
    #[must_use]
    pub fn lookups(&self) -> Lookups {
        self.lookups.clone()
    }

    /// What the kept answers weigh, as of the last upkeep.
    #[must_use]
    pub fn weight(&self) -> u64 {
        self.kept.weight()
    }

    /// Does the upkeep that is due, which the cache otherwise does beside its work.
    pub async fn settle(&self) {
        self.kept.settle().await;
    }
}

#[async_trait]
impl<A: Weighed + Send + Sync + 'static> Answers<A> for KeptAnswers<A> {
    async fn answer(&self, name: ObjectHash, making: Making<'_, A>) -> Result<Arc<A>, PortError> {
        self.kept.get(name, self.lookups.look_up(making)).await
    }
}
