//! A prediction market for a demo: it runs in the program and lists the games that are on air.

use sports_domain::{ModelColumn, ModelType, Probability};
use sports_prices_kalshi::stub::StubGame;
use sports_slate::SlateGame;

/// The games of moneyline predictions as the stand-in for the exchange lists them, each at the book's
/// chance of a home win; else at the blend's, else at even chances.
#[must_use]
pub fn listed(games: &[SlateGame]) -> Vec<StubGame> {
    let chance = |game: &SlateGame, model| game.chance(ModelType::WonOnPoints, model);
    let listed = |game: &SlateGame| StubGame {
        date: game.key.date,
        time: game.key.time,
        game_number: game.key.game_number,
        away: game.key.away.clone(),
        home: game.key.home.clone(),
        home_chance: chance(game, ModelColumn::Implied)
            .or_else(|| chance(game, ModelColumn::Blend))
            .unwrap_or(Probability::HALF),
    };
    games.iter().map(listed).collect()
}
