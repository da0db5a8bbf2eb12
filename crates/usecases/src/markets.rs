//! A slate's moneylines at the model, the book and the prediction market.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use sports_domain::{Market, ModelType, Sport};
use sports_ports::Clock;
use sports_ports::prices::{GamePrices, PriceList};
use sports_slate::{MarketComparison, OddsGame, SlateGame, compare_markets};

use crate::record::NotReadYet;
use crate::today::{SlateScope, Today, TodayError};

/// Compares markets.
pub struct Markets {
    today: Today,
    prices: Option<Arc<dyn GamePrices>>,
    clock: Arc<dyn Clock>,
}

/// The published half of a comparison.
struct ComparedSlate {
    games: Vec<SlateGame>,
    odds: Vec<OddsGame>,
    /// The instant the odds speak of; the predictions' where no odds are published.
    as_of: DateTime<Utc>,
}

/// A comparison and its age.
#[derive(Debug, Clone, PartialEq)]
pub struct SlateComparison {
    /// When the prediction market was read; where it was not, the instant the odds speak of.
    pub as_of: DateTime<Utc>,
    /// One row a game.
    pub games: Vec<MarketComparison>,
}

/// Why there is nothing to compare. The prediction market is never the reason.
#[derive(Debug, thiserror::Error)]
pub enum MarketsError {
    /// The league's log was not read yet.
    #[error(transparent)]
    NotReadYet(#[from] NotReadYet),
    /// The league has no moneyline predictions.
    #[error("no moneyline predictions are published for {0}")]
    NothingPublished(Sport),
}

impl Markets {
    /// Compares the current slate with `prices`; without a source there are no such prices.
    #[must_use]
    pub fn new(today: Today, prices: Option<Arc<dyn GamePrices>>, clock: Arc<dyn Clock>) -> Self {
        Self { today, prices, clock }
    }

    /// The league's upcoming games, compared as of now.
    ///
    /// # Errors
    ///
    /// [`MarketsError`].
    pub async fn compare(&self, sport: Sport) -> Result<SlateComparison, MarketsError> {
        let slate = self.slate(sport)?;
        let prices = self.prices(sport).await;
        // The clock is read after the wait for prices: a game may have started meanwhile.
        let (now, quotes) = (self.clock.now(), prices.as_ref().map_or(&[][..], |list| &list.games));
        Ok(SlateComparison {
            as_of: prices.as_ref().map_or(slate.as_of, |list| list.as_of),
            games: compare_markets(&slate.games, &slate.odds, quotes, now),
        })
    }

    /// The league's upcoming moneylines and its odds, both of one generation: what was published since is for
    /// the next question.
    fn slate(&self, sport: Sport) -> Result<ComparedSlate, MarketsError> {
        let current = match self.today.predictions(Market::new(sport, ModelType::WonOnPoints), SlateScope::Upcoming) {
            Ok(current) => current,
            Err(TodayError::NotReadYet(unread)) => return Err(unread.into()),
            Err(TodayError::NoPredictions(_) | TodayError::NoOdds(_)) => {
                return Err(MarketsError::NothingPublished(sport));
            }
        };
        let odds = current.league().odds.as_ref();
        let odds_as_of = current.league().catalog().odds.as_ref().map(|odds| odds.source_as_of);
        Ok(ComparedSlate {
            games: current.games().map(|game| game.game.clone()).collect(),
            odds: odds.map(|odds| odds.games().to_vec()).unwrap_or_default(),
            as_of: odds_as_of.unwrap_or(current.entry().artifact.source_as_of),
        })
    }

    /// The league's prices, where the source answers. Why it does not is logged by the circuit breaker around it.
    async fn prices(&self, sport: Sport) -> Option<Arc<PriceList>> {
        self.prices.as_ref()?.prices(sport).await.ok()?
    }
}
