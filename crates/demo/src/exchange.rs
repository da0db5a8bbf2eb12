//! The prediction market of a demo: a stand-in within the program that lists the published games.

use std::error::Error;
use std::sync::Arc;

use sports_domain::{ModelColumn, ModelType, Probability};
use sports_ports::Clock;
use sports_program::settings::{ServiceUrl, Settings};
use sports_publication::slate::SlateGame;

use crate::simulation::exchange::{Exchange, ListedGame, Listing};

/// Starts the stand-in and sets its address in the settings, unless they name a prediction market. It runs until it
/// is dropped.
///
/// # Errors
///
/// Returns an error if it cannot listen on this machine.
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

/// Converts moneyline predictions to games of the stand-in. The probability of a home win is the sportsbook's no-vig
/// probability, else BLEND's, else one half.
pub fn listed(games: &[SlateGame]) -> Vec<ListedGame> {
    let probability = |game: &SlateGame, model| game.probability(ModelType::WonOnPoints, model);
    let listed = |game: &SlateGame| ListedGame {
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
