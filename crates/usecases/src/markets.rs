//! The moneylines of a slate compared between model, sportsbook and prediction market.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use sports_domain::{Market, ModelName, ModelType, Sport};
use sports_ports::Clock;
use sports_ports::prices::{GamePrices, PriceList};
use sports_slate::{MarketComparison, OddsGame, SlateGame, compare_markets};

use crate::chosen_models::NoSuchModel;
use crate::record::NotReadYet;
use crate::today::{SlateScope, Today, TodayError};

/// The comparison of markets.
pub struct Markets {
    today: Today,
    prices: Option<Arc<dyn GamePrices>>,
    clock: Arc<dyn Clock>,
}

/// The published part of a comparison.
struct ComparedSlate {
    model: ModelName,
    games: Vec<SlateGame>,
    odds: Vec<OddsGame>,
    /// The instant of the odds; of the predictions if no odds are published.
    as_of: DateTime<Utc>,
}

/// A comparison and its age.
#[derive(Debug, Clone, PartialEq)]
pub struct SlateComparison {
    /// The read time of the prediction market; without its prices, the instant of the odds.
    pub as_of: DateTime<Utc>,
    /// The model that is compared with the markets.
    pub model: ModelName,
    /// One row per game.
    pub games: Vec<MarketComparison>,
}

/// An error in comparing markets. A failure of the prediction market is not an error.
#[derive(Debug, thiserror::Error)]
pub enum MarketsError {
    /// The league's log has not been read yet.
    #[error(transparent)]
    NotReadYet(#[from] NotReadYet),
    /// The league has no such model.
    #[error(transparent)]
    NoSuchModel(#[from] NoSuchModel),
    /// The league has no moneyline predictions.
    #[error("no moneyline predictions are published for {0}")]
    NothingPublished(Sport),
}

impl Markets {
    /// Creates a comparison of the current slate with `prices`; `None` leaves the prediction market out.
    #[must_use]
    pub fn new(today: Today, prices: Option<Arc<dyn GamePrices>>, clock: Arc<dyn Clock>) -> Self {
        Self { today, prices, clock }
    }

    /// Compares a model's probabilities of the league's upcoming games with the markets' as of now. The default is the
    /// headline model.
    ///
    /// # Errors
    ///
    /// [`MarketsError`] if no slate is available.
    pub async fn compare(&self, sport: Sport, model: Option<ModelName>) -> Result<SlateComparison, MarketsError> {
        let slate = self.slate(sport, model)?;
        let prices = self.prices(sport).await;
        // The clock is read after the prices arrive, since a game may start in the meantime.
        let (now, quotes) = (self.clock.now(), prices.as_ref().map_or(&[][..], |list| &list.games));
        Ok(SlateComparison {
            as_of: prices.as_ref().map_or(slate.as_of, |list| list.as_of),
            model: slate.model,
            games: compare_markets(slate.model, &slate.games, &slate.odds, quotes, now),
        })
    }

    /// Returns the league's upcoming moneylines and its odds, both from one generation.
    fn slate(&self, sport: Sport, model: Option<ModelName>) -> Result<ComparedSlate, MarketsError> {
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
            model: current.league().model(model)?,
            games: current.games().map(|game| game.game.clone()).collect(),
            odds: odds.map(|odds| odds.games().to_vec()).unwrap_or_default(),
            as_of: odds_as_of.unwrap_or(current.entry().artifact.source_as_of),
        })
    }

    /// Returns the league's prices if the source succeeds. The circuit breaker around the source logs its failures.
    async fn prices(&self, sport: Sport) -> Option<Arc<PriceList>> {
        self.prices.as_ref()?.prices(sport).await.ok()?
    }
}
