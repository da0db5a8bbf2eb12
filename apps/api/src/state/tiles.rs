use std::collections::HashMap;
use std::sync::Arc;

use sports_domain::Sport;
use sports_ports::answers::Answers;

use crate::caching::File;

/// The tiles of records in memory, with a cache for each league.
pub struct CachedTiles(HashMap<Sport, Arc<dyn Answers<File>>>);

impl CachedTiles {
    pub(super) fn new(cache: impl Fn() -> Arc<dyn Answers<File>>) -> Self {
        Self(Sport::ALL.into_iter().map(|sport| (sport, cache())).collect())
    }

    pub(crate) fn of(&self, sport: Sport) -> &Arc<dyn Answers<File>> {
        &self.0[&sport]
    }
}
