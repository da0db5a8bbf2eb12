use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use moka::future::Cache;
use sports_domain::Sport;
use sports_ports::prices::{GamePrices, PriceList};
use sports_ports::{Clock, PortError};

/// The age below which a list is returned without a lookup.
const FRESH: Duration = Duration::from_secs(15);

/// The age below which a list replaces one that cannot be read.
const STANDS_IN: Duration = Duration::from_mins(2);

/// The age below which a failure is returned without a lookup, so that the source is not read on every request.
const FAILED: Duration = Duration::from_secs(2);

/// A cache of prices for 15 seconds, and for two minutes while the source cannot be read.
///
/// Concurrent callers for one league share one lookup and its result, a failure included. A list has the instant at which
/// it was read. Ages are of the clock's uptime, so setting the date makes no list older or younger.
pub struct CachedGamePrices {
    inner: Arc<dyn GamePrices>,
    clock: Arc<dyn Clock>,
    lookups: Cache<Sport, Lookup>,
    last_good: Cache<Sport, (Duration, Arc<PriceList>)>,
}

/// The result of a lookup, and the uptime at which it began.
#[derive(Clone)]
struct Lookup {
    at: Duration,
    result: Result<Option<Arc<PriceList>>, Arc<PortError>>,
}

impl Lookup {
    fn lifetime(&self) -> Duration {
        if self.result.is_ok() { FRESH } else { FAILED }
    }
}

impl CachedGamePrices {
    /// Returns an empty cache in front of `inner`.
    pub fn new(inner: Arc<dyn GamePrices>, clock: Arc<dyn Clock>) -> Self {
        let leagues = Sport::ALL.len() as u64;
        Self { inner, clock, lookups: Cache::new(leagues), last_good: Cache::new(leagues) }
    }

    async fn look_up(&self, sport: Sport) -> Lookup {
        let at = self.clock.uptime();
        let result = self.inner.prices(sport).await.map_err(Arc::new);
        if let Ok(Some(list)) = &result {
            self.last_good.insert(sport, (at, Arc::clone(list))).await;
        }
        Lookup { at, result }
    }
}

#[async_trait]
impl GamePrices for CachedGamePrices {
    async fn prices(&self, sport: Sport) -> Result<Option<Arc<PriceList>>, PortError> {
        let now = self.clock.uptime();
        let is_over = |lookup: &Lookup| now.saturating_sub(lookup.at) >= lookup.lifetime();
        let entry = self.lookups.entry(sport).or_insert_with_if(self.look_up(sport), is_over).await;
        let error = match entry.into_value().result {
            Ok(list) => return Ok(list),
            Err(error) => error,
        };
        let last = self.last_good.get(&sport).await.filter(|(at, _)| now.saturating_sub(*at) < STANDS_IN);
        last.map_or_else(|| Err(crate::shared(error)), |(_, list)| Ok(Some(list)))
    }
}
