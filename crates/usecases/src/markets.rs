//! A slate's moneylines at the model, the book and the prediction market.

use std::sync::Arc;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use sports_domain::Sport;
use sports_ports::prices::{GamePrices, PriceList};
use sports_ports::{Clock, PortError};
use sports_slate::{MarketComparison, OddsGame, SlateGame, compare_markets};

use crate::on_air::NotReadYet;

/// The published half of a comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct MoneylineSlate {
    /// The upcoming games of the moneyline predictions, in the order they are served.
    pub games: Vec<SlateGame>,
    /// The current odds.
    pub odds: Vec<OddsGame>,
    /// The instant the odds speak of; the predictions' where no odds are published.
    pub as_of: DateTime<Utc>,
}

/// Where the published half comes from: the predictions and odds on air.
///
/// # Contract
///
/// - Games run from the upcoming floor on; without any, the slate is there and empty.
/// - A league without published moneyline predictions is `Ok(None)`.
#[async_trait]
pub trait MoneylineSlates: Send + Sync {
    /// The league's slate of one generation, whole.
    async fn slate(&self, sport: Sport) -> Result<Option<MoneylineSlate>, MarketsError>;
}

/// Compares markets.
pub struct Markets {
    slates: Arc<dyn MoneylineSlates>,
    prices: Option<Arc<dyn GamePrices>>,
    clock: Arc<dyn Clock>,
}

/// A comparison and its age.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
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
    /// What is published cannot be read.
    #[error(transparent)]
    Port(#[from] PortError),
}

impl Markets {
    /// Compares what `slates` has with `prices`; without a source there are no such prices.
    #[must_use]
    pub fn new(slates: Arc<dyn MoneylineSlates>, prices: Option<Arc<dyn GamePrices>>, clock: Arc<dyn Clock>) -> Self {
        Self { slates, prices, clock }
    }

    /// The league's upcoming games, compared as of now.
    ///
    /// # Errors
    ///
    /// [`MarketsError`].
    pub async fn compare(&self, sport: Sport) -> Result<Comparison, MarketsError> {
        let slate = self.slates.slate(sport).await?.ok_or(MarketsError::NothingPublished(sport))?;
        let prices = self.prices(sport).await;
        // The clock is read after the wait for prices: a game may have started meanwhile.
        let (now, quotes) = (self.clock.now(), prices.as_ref().map_or(&[][..], |list| &list.games));
        Ok(Comparison {
            as_of: prices.as_ref().map_or(slate.as_of, |list| list.as_of),
            games: compare_markets(&slate.games, &slate.odds, quotes, now),
        })
    }

    /// The league's prices, if anybody has them. Whoever guards the source has told the log why not.
    async fn prices(&self, sport: Sport) -> Option<Arc<PriceList>> {
        self.prices.as_ref()?.prices(sport).await.ok()?
    }
}
