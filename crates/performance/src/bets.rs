use chrono::NaiveDate;
use sports_domain::{AmericanPrice, ModelSet, Probability};

use crate::wagers::Stakes;
use crate::{SeasonGame, Summarised, ensemble};

/// Returns the date and the profit of each unit in [`Span::staked`](crate::Span) over a season with these models.
pub fn staked_games(
    games: &[SeasonGame<'_>],
    models: &ModelSet,
    of: Summarised,
) -> impl Iterator<Item = (NaiveDate, f64)> {
    let model = of.id(models);
    games.iter().filter_map(move |game| {
        let probability = game.market().probability(model?).map_or(f64::NAN, Probability::get);
        Some((game.date(), Stakes::on(game)?.wagers([probability]).returned()?))
    })
}

/// Returns the recorded prices of the picked sides of graded games. Games without such a price are omitted.
pub fn picked_prices(
    games: &[SeasonGame<'_>],
    models: &ModelSet,
    of: Summarised,
) -> impl Iterator<Item = AmericanPrice> {
    let model = of.id(models);
    games.iter().filter_map(move |game| {
        let graded = game.graded()?;
        let pick = if of == Summarised::Ensemble { ensemble::pick(graded) } else { graded.pick(model?) };
        game.market().prices().on(pick?)
    })
}
