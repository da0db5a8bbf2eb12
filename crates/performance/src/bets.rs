use chrono::NaiveDate;
use sports_domain::{AmericanPrice, Side};

use crate::wagers::Stakes;
use crate::{SeasonGame, Summarised, ensemble};

/// The units that [`Span::staked`](crate::Span) adds up over a season: the date of the game, and what the unit on it returned
/// beyond itself.
pub fn staked_games(games: &[SeasonGame<'_>], of: Summarised) -> impl Iterator<Item = (NaiveDate, f64)> {
    let returned = move |game: &SeasonGame<'_>| Stakes::on(game)?.wagers(game.market()).returned(of.lane());
    games.iter().filter_map(move |game| Some((game.date(), returned(game)?)))
}

/// The recorded prices of the sides that were picked, of the graded games that have one.
pub fn picked_prices(games: &[SeasonGame<'_>], of: Summarised) -> impl Iterator<Item = AmericanPrice> {
    games.iter().filter_map(move |game| game.market().prices().on(pick(of, game)?))
}

/// The side that was picked of a graded game; `None` without one.
fn pick(of: Summarised, game: &SeasonGame<'_>) -> Option<Side> {
    let graded = game.graded()?;
    match of {
        Summarised::Model(model) => graded.pick(model),
        Summarised::Ensemble => ensemble::pick(graded),
    }
}
