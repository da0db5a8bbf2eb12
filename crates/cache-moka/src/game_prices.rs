use std::sync::Arc;

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use moka::future::Cache;
use sports_domain::Sport;
use sports_ports::prices::{GamePrices, PriceList};
use sports_ports::{Clock, PortError};

/// For how long a list is handed out without asking again.
const FRESH: TimeDelta = TimeDelta::seconds(15);

/// For how long after it was read a list stands in for one that cannot be read.
const STANDS_IN: TimeDelta = TimeDelta::minutes(2);

/// For how long a failure answers for the next ones: the other side is not asked on every request.
const FAILED: TimeDelta = TimeDelta::seconds(2);

/// Prices kept for 15 seconds, and for two minutes while the source cannot be read.
///
/// Whoever asks for the same league at once shares one question and its answer, a failure included. The
/// list says itself how old it is. Time is the clock's, so that a replayed day ages like a real one.
pub struct CachedGamePrices {
    inner: Arc<dyn GamePrices>,
    clock: Arc<dyn Clock>,
    asked: Cache<Sport, Asked>,
    last_good: Cache<Sport, Arc<PriceList>>,
}

/// What came of a question, and when it was put.
#[derive(Clone)]
struct Asked {
    at: DateTime<Utc>,
    answer: Result<Option<Arc<PriceList>>, Arc<PortError>>,
}

impl Asked {
    fn keeps(&self) -> TimeDelta {
        if self.answer.is_ok() { FRESH } else { FAILED }
    }
}

impl CachedGamePrices {
    /// Remembers what `inner` says.
    #[must_use]
    pub fn new(inner: Arc<dyn GamePrices>, clock: Arc<dyn Clock>) -> Self {
        let leagues = Sport::ALL.len() as u64;
        Self { inner, clock, asked: Cache::new(leagues), last_good: Cache::new(leagues) }
    }

    async fn ask(&self, sport: Sport) -> Asked {
        let at = self.clock.now();
        let answer = self.inner.prices(sport).await.map_err(Arc::new);
        if let Ok(Some(list)) = &answer {
            self.last_good.insert(sport, Arc::clone(list)).await;
        }
        Asked { at, answer }
    }
}

#[async_trait]
impl GamePrices for CachedGamePrices {
    async fn prices(&self, sport: Sport) -> Result<Option<Arc<PriceList>>, PortError> {
        let now = self.clock.now();
        let is_over = |asked: &Asked| now - asked.at >= asked.keeps();
        let entry = self.asked.entry(sport).or_insert_with_if(self.ask(sport), is_over).await;
        let error = match entry.into_value().answer {
            Ok(list) => return Ok(list),
            Err(error) => error,
        };
        let last = self.last_good.get(&sport).await.filter(|list| now - list.as_of < STANDS_IN);
        last.map_or_else(|| Err(crate::shared(&error)), |list| Ok(Some(list)))
    }
}
