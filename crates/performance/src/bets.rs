use chrono::NaiveDate;
use sports_domain::{AmericanPrice, Side};

use crate::wagers::Stakes;
use crate::{SeasonGame, Summarised, ensemble};

/// Returns the date and the profit of each unit in [`Span::staked`](crate::Span) over a season.
pub fn staked_games(games: &[SeasonGame<'_>], of: Summarised) -> impl Iterator<Item = (NaiveDate, f64)> {
    let returned = move |game: &SeasonGame<'_>| Stakes::on(game)?.wagers(game.market()).returned(of.lane());
    games.iter().filter_map(move |game| Some((game.date(), returned(game)?)))
}

/// Returns the recorded prices of the picked sides of graded games. Games without such a price are omitted.
pub fn picked_prices(games: &[SeasonGame<'_>], of: Summarised) -> impl Iterator<Item = AmericanPrice> {
    games.iter().filter_map(move |game| game.market().prices().on(pick(of, game)?))
}

/// Returns the picked side of a graded game, if any.
fn pick(of: Summarised, game: &SeasonGame<'_>) -> Option<Side> {
    let graded = game.graded()?;
    match of {
        Summarised::Model(model) => graded.pick(model),
        Summarised::Ensemble => ensemble::pick(graded),
    }
}
