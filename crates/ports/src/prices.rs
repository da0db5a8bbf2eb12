//! What a prediction market charges for a team's win.

use std::sync::Arc;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use sports_domain::Sport;
use sports_slate::QuotedGame;

use crate::PortError;

/// The games a prediction market lists, and when they were read.
#[derive(Debug, Clone, PartialEq)]
pub struct PriceList {
    /// When the prices were read.
    pub as_of: DateTime<Utc>,
    /// Every listed game of the league, in no particular order.
    pub games: Vec<QuotedGame>,
}

/// Moneyline prices of a prediction market.
///
/// # Contract
///
/// - A list holds the league's game winners and nothing else, whole: a source that fails half-way is
///   an error, never a shorter list. A single item that does not read is left out, and nothing beside it.
/// - A price lies strictly between 0 and 1. Without a bid, an ask or a trade there is none.
/// - A league the source does not cover is `Ok(None)`. One without a game is an empty list.
/// - A source that cannot be asked is [`PortError::Unavailable`], an answer that makes no sense
///   [`PortError::Corrupt`].
/// - `as_of` is when the source was asked: a list handed out again keeps its instant.
#[async_trait]
pub trait GamePrices: Send + Sync {
    /// The open games of a league.
    async fn prices(&self, sport: Sport) -> Result<Option<Arc<PriceList>>, PortError>;
}
