//! The moneylines of a slate compared between model, sportsbook and prediction market.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use sports_domain::{Market, ModelName, ModelType, Sport};
use sports_ports::prices::{GamePrices, PriceList};
use sports_ports::{Clock, PortError};
use sports_publication::registry::ShownTo;
use sports_publication::slate::{MarketComparison, OddsGame, SlateGame, compare_markets};

use crate::chosen_models::{MissingModel, NoSuchModel};
use crate::moment::LeagueMoment;
use crate::today::{self, SlateScope, TodayError};

/// The comparison of markets.
pub struct Markets {
    clock: Arc<dyn Clock>,
    prices: Arc<dyn GamePrices>,
}

/// The published part of a comparison.
struct ComparedSlate {
    model: ModelName,
    missing: Option<MissingModel>,
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
    /// The note on a model without a value in the slate.
    pub missing: Option<MissingModel>,
    /// One row per game.
    pub games: Vec<MarketComparison>,
}

/// An error in comparing markets. A failure of the prediction market is not an error.
#[derive(Debug, thiserror::Error)]
pub enum MarketsError {
    /// The league has no such model.
    #[error(transparent)]
    NoSuchModel(#[from] NoSuchModel),
    /// The league has no moneyline predictions.
    #[error("no moneyline predictions are published for {0}")]
    NothingPublished(Sport),
    /// The slate cannot be read.
    #[error(transparent)]
    Unreadable(#[from] PortError),
}

impl Markets {
    /// Creates a comparison of the current slate with `prices`.
    pub const fn new(clock: Arc<dyn Clock>, prices: Arc<dyn GamePrices>) -> Self {
        Self { clock, prices }
    }

    /// Compares a model's probabilities of the upcoming games of a moment with the markets' as of now. The default is that
    /// of the market.
    ///
    /// # Errors
    ///
    /// [`MarketsError`] if no slate is available.
    pub async fn compare(
        &self,
        moment: &LeagueMoment,
        model: Option<ModelName>,
    ) -> Result<SlateComparison, MarketsError> {
        let slate = slate(moment, model).await?;
        let prices = self.prices(moment.sport()).await;
        // The clock is read after the prices arrive, since a game may start in the meantime.
        let (now, quotes) = (self.clock.now(), prices.as_ref().map_or(&[][..], |list| &list.games));
        Ok(SlateComparison {
            as_of: prices.as_ref().map_or(slate.as_of, |list| list.as_of),
            model: slate.model,
            missing: slate.missing,
            games: compare_markets(slate.model, &slate.games, &slate.odds, quotes, now),
        })
    }

    /// Returns the league's prices if the source succeeds. The circuit breaker around the source logs its failures.
    async fn prices(&self, sport: Sport) -> Option<Arc<PriceList>> {
        self.prices.prices(sport).await.ok()?
    }
}

/// Returns the upcoming moneylines of a moment and its odds, both from one generation.
async fn slate(moment: &LeagueMoment, model: Option<ModelName>) -> Result<ComparedSlate, MarketsError> {
    let market = Market::new(moment.sport(), ModelType::WonOnPoints);
    let current = match today::predictions(moment, market, SlateScope::Upcoming, ShownTo::Subscribers).await {
        Ok(named) => named.read().await?,
        Err(TodayError::Unreadable(error)) => return Err(error.into()),
        Err(TodayError::NoPredictions(_) | TodayError::NoOdds(_)) => {
            return Err(MarketsError::NothingPublished(moment.sport()));
        }
    };
    let odds = moment.odds().await?;
    let odds_as_of = moment.catalog().and_then(|catalog| catalog.odds.as_ref()).map(|odds| odds.source_as_of);
    let model = current.named().models().model(model)?;
    Ok(ComparedSlate {
        model,
        missing: current.missing(model),
        games: current.games().map(|game| game.game.clone()).collect(),
        odds: odds.map(|odds| odds.games().to_vec()).unwrap_or_default(),
        as_of: odds_as_of.unwrap_or(current.named().entry().artifact.source_as_of),
    })
}
