//! The contract suite of [`GamePrices`].
#![expect(clippy::missing_panics_doc, reason = "a broken promise panics: that is what a contract is for")]

use std::sync::Arc;

use sports_domain::{Probability, Sport, TeamSlug};
use sports_ports::prices::{GamePrices, PriceList};
use sports_ports::{Clock, PortError};
use sports_publication::slate::{QuotedGame, QuotedPrice, QuotedTeam};

/// Returns a game for a source that lists what a test gives it.
pub fn a_quoted_game() -> QuotedGame {
    let quoted = |name, price| QuotedTeam {
        team: TeamSlug::normalise(name).expect("a team"),
        price: Probability::new(price).ok().map(QuotedPrice::Middle),
    };
    QuotedGame {
        date: "2026-11-22".parse().expect("a date"),
        time: None,
        game_number: None,
        teams: [quoted("kansas_city_chiefs", 0.465), quoted("denver_broncos", 0.54)],
    }
}

/// Runs every check of a working source, which must cover the NFL with at least one game and the NHL without one, and
/// must not cover college football. The clock must not move during the checks.
pub async fn of_a_working_source(source: &dyn GamePrices, clock: &dyn Clock) {
    a_league_without_a_game_is_an_empty_list(source).await;
    a_league_that_is_not_covered_is_none(source).await;
    a_price_lies_strictly_between_0_and_1(source).await;
    a_list_has_the_time_of_its_reading(source, clock).await;
}

/// Checks that an unreachable source returns an error and no list.
pub async fn an_unreachable_source_is_unavailable(source: &dyn GamePrices) {
    let answer = source.prices(Sport::Nfl).await;
    assert!(matches!(answer, Err(PortError::Unavailable { .. })), "{answer:?}");
}

async fn nfl(source: &dyn GamePrices) -> Arc<PriceList> {
    source.prices(Sport::Nfl).await.expect("answers").expect("covered")
}

async fn a_league_without_a_game_is_an_empty_list(source: &dyn GamePrices) {
    let list = source.prices(Sport::Nhl).await.expect("answers").expect("covered");
    assert_eq!(list.games, []);
}

async fn a_league_that_is_not_covered_is_none(source: &dyn GamePrices) {
    assert_eq!(source.prices(Sport::Ncaaf).await.expect("answers"), None);
}

async fn a_price_lies_strictly_between_0_and_1(source: &dyn GamePrices) {
    let list = nfl(source).await;
    let teams: Vec<_> = list.games.iter().flat_map(|game| &game.teams).collect();
    assert!(teams.iter().any(|quoted| quoted.price.is_some()), "{list:?}");
    for quoted in teams {
        let price = quoted.price.map(|price| price.probability().get());
        assert!(price.is_none_or(|price| price > 0.0 && price < 1.0), "{quoted:?}");
    }
}

async fn a_list_has_the_time_of_its_reading(source: &dyn GamePrices, clock: &dyn Clock) {
    assert_eq!(nfl(source).await.as_of, clock.now());
}
