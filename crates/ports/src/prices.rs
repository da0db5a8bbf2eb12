//! Prices of a prediction market for a team's win.

use std::sync::Arc;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use sports_domain::Sport;
use sports_publication::slate::QuotedGame;

use crate::PortError;

/// The games listed by a prediction market, with the time of reading.
#[derive(Debug, Clone, PartialEq)]
pub struct PriceList {
    /// The time at which the prices were read.
    pub as_of: DateTime<Utc>,
    /// Every listed game of the league, in no particular order.
    pub games: Vec<QuotedGame>,
}

/// Moneyline prices of a prediction market.
///
/// # Contract
///
/// - A list contains all of the league's game winners and nothing else: a source that fails half-way is an error, never
///   a shorter list. An unreadable item is left out without affecting the others.
/// - A price lies strictly between 0 and 1, and is one at which orders stand or, failing that, were met: never the middle
///   of orders that are far apart, nor a last trade beyond an order.
/// - A league that the source does not cover is `Ok(None)`. A covered league without a game is an empty list.
/// - An unreachable source is [`PortError::Unavailable`]; an invalid response is [`PortError::Corrupt`].
/// - `as_of` is the time of the request to the source: a list that is returned again keeps it.
#[async_trait]
pub trait GamePrices: Send + Sync {
    /// Returns the open games of a league.
    async fn prices(&self, sport: Sport) -> Result<Option<Arc<PriceList>>, PortError>;
}

/// A source that covers no league, for a service without a prediction market.
#[derive(Debug, Clone, Copy)]
pub struct NoPrices;

#[async_trait]
impl GamePrices for NoPrices {
    async fn prices(&self, _: Sport) -> Result<Option<Arc<PriceList>>, PortError> {
        Ok(None)
    }
}
