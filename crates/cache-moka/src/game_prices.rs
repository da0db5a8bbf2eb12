use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use moka::future::Cache;
use sports_domain::Sport;
use sports_ports::prices::{GamePrices, PriceList};
use sports_ports::{Clock, PortError};

/// For how long a list is handed out without asking again.
const FRESH: Duration = Duration::from_secs(15);

/// How long after it was read a list is used in place of one that cannot be read.
const STANDS_IN: Duration = Duration::from_mins(2);

/// For how long a failure answers for the next ones: the other side is not asked on every request.
const FAILED: Duration = Duration::from_secs(2);

/// Prices kept for 15 seconds, and for two minutes while the source cannot be read.
///
/// Callers that ask for the same league at the same time share one question and its answer, a failure included. The
/// list has the instant it was read. Ages are of the clock's uptime: setting the date makes no list older or younger.
pub struct CachedGamePrices {
    inner: Arc<dyn GamePrices>,
    clock: Arc<dyn Clock>,
    asked: Cache<Sport, Asked>,
    last_good: Cache<Sport, (Duration, Arc<PriceList>)>,
}

/// What came of a question, and when it was put.
#[derive(Clone)]
struct Asked {
    at: Duration,
    answer: Result<Option<Arc<PriceList>>, Arc<PortError>>,
}

impl Asked {
    fn keeps(&self) -> Duration {
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
        let at = self.clock.uptime();
        let answer = self.inner.prices(sport).await.map_err(Arc::new);
        if let Ok(Some(list)) = &answer {
            self.last_good.insert(sport, (at, Arc::clone(list))).await;
        }
        Asked { at, answer }
    }
}

#[async_trait]
impl GamePrices for CachedGamePrices {
    async fn prices(&self, sport: Sport) -> Result<Option<Arc<PriceList>>, PortError> {
        let now = self.clock.uptime();
        let is_over = |asked: &Asked| now.saturating_sub(asked.at) >= asked.keeps();
        let entry = self.asked.entry(sport).or_insert_with_if(self.ask(sport), is_over).await;
        let error = match entry.into_value().answer {
            Ok(list) => return Ok(list),
            Err(error) => error,
        };
        let last = self.last_good.get(&sport).await.filter(|(at, _)| now.saturating_sub(*at) < STANDS_IN);
        last.map_or_else(|| Err(crate::shared(error)), |(_, list)| Ok(Some(list)))
    }
}
