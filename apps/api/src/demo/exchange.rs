//! A prediction market for a demo: it runs in the program and lists the games that are on air.

use std::error::Error;
use std::sync::Arc;

use sports_domain::{ModelColumn, ModelType, Probability};
use sports_ports::Clock;
use sports_prices_kalshi::stub::{Exchange, Listing, StubGame};
use sports_settings::{ServiceUrl, Settings};
use sports_slate::SlateGame;

/// Starts the stand-in and points the settings at it, unless they name a market already. It runs until it
/// is dropped.
///
/// # Errors
///
/// When it cannot listen on this machine.
pub async fn start(
    settings: &mut Settings,
    listing: Arc<Listing>,
    clock: Arc<dyn Clock>,
) -> Result<Option<Exchange>, Box<dyn Error + Send + Sync>> {
    if settings.prices.kalshi_url.is_some() {
        return Ok(None);
    }
    let exchange = Exchange::start(listing, clock).await?;
    settings.prices.kalshi_url = Some(ServiceUrl::new(&exchange.url(), &["http"])?);
    Ok(Some(exchange))
}

/// The games of moneyline predictions as the stand-in for the exchange lists them, each at the book's
/// chance of a home win; else at the blend's, else at even chances.
#[must_use]
pub fn listed(games: &[SlateGame]) -> Vec<StubGame> {
    let probability = |game: &SlateGame, model| game.probability(ModelType::WonOnPoints, model);
    let listed = |game: &SlateGame| StubGame {
        date: game.key.date,
        time: game.key.time,
        game_number: game.key.game_number,
        away: game.key.away.clone(),
        home: game.key.home.clone(),
        home_probability: probability(game, ModelColumn::Implied)
            .or_else(|| probability(game, ModelColumn::Blend))
            .unwrap_or(Probability::HALF),
    };
    games.iter().map(listed).collect()
}
