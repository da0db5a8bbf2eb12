//! The market comparison over fakes.

use std::sync::Arc;

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use sports_domain::{
    AmericanPrice, Forecasts, GameKey, GameLines, ModelColumn, Probability, Sport, TeamSlug, TwoWayPrices,
};
use sports_ports::Clock;
use sports_ports::prices::GamePrices;
use sports_slate::{OddsGame, QuotedGame, QuotedTeam, SlateGame};
use sports_testkit::clock::ClockFake;
use sports_testkit::prices::PricesFake;
use sports_usecases::markets::{Markets, MarketsError, MoneylineSlate, MoneylineSlates};

const NOW: &str = "2026-11-22T20:00:00Z";
const ODDS_AS_OF: &str = "2026-11-22T14:00:00Z";

struct Published;

#[async_trait]
impl MoneylineSlates for Published {
    async fn slate(&self, sport: Sport) -> Result<Option<MoneylineSlate>, MarketsError> {
        let slate = || MoneylineSlate { games: vec![a_game()], odds: vec![odds()], as_of: instant(ODDS_AS_OF) };
        Ok(matches!(sport, Sport::Nfl | Sport::Ncaaf).then(slate))
    }
}

fn instant(text: &str) -> DateTime<Utc> {
    text.parse().expect("an instant")
}

fn team(name: &str) -> TeamSlug {
    TeamSlug::normalise(name).expect("a team")
}

/// Kick-off is at 21:25 UTC.
fn key() -> GameKey {
    GameKey {
        date: "2026-11-22".parse().expect("a date"),
        time: "16:25:00".parse().ok(),
        away: team("kansas_city_chiefs"),
        home: team("denver_broncos"),
        game_number: None,
    }
}

fn a_game() -> SlateGame {
    let forecasts = Forecasts::default().with(ModelColumn::Blend, Probability::new(0.58).expect("valid"));
    SlateGame { key: key(), match_id: None, lines: GameLines::default(), forecasts }
}

fn odds() -> OddsGame {
    let even = AmericanPrice::new(-110).ok();
    let lines = GameLines { money: TwoWayPrices { positive: even, negative: even }, ..GameLines::default() };
    OddsGame { key: key(), match_id: None, lines, quote_source: None, last_updated: None }
}

struct World {
    clock: Arc<ClockFake>,
    source: Arc<PricesFake>,
    markets: Markets,
}

fn world() -> World {
    let clock = Arc::new(ClockFake::at(NOW));
    let source = Arc::new(PricesFake::new(clock.clone()));
    let quoted = |name, price| QuotedTeam { team: team(name), price: Probability::new(price).ok() };
    let teams = [quoted("kansas_city_chiefs", 0.465), quoted("denver_broncos", 0.54)];
    source.list(Sport::Nfl, vec![QuotedGame { date: key().date, time: None, game_number: None, teams }]);
    let prices: Arc<dyn GamePrices> = source.clone();
    World { markets: Markets::new(Arc::new(Published), Some(prices), clock.clone()), clock, source }
}

#[tokio::test]
async fn a_comparison_is_as_old_as_its_prices() {
    let world = world();
    let compared = world.markets.compare(Sport::Nfl).await.expect("published");
    assert_eq!(compared.as_of, instant(NOW));
    let [row] = &*compared.games else { panic!("{compared:?}") };
    assert_eq!((row.book_home, row.kalshi_home), (Some(Probability::HALF), Probability::new(0.54).ok()));
    assert!(row.edge_home().is_some_and(|edge| (edge - 0.08).abs() < 1e-12), "0.58 less the book's 0.5");
}

#[tokio::test]
async fn a_market_that_is_away_off_or_does_not_cover_the_league_costs_its_prices_only() {
    let world = world();
    world.source.set_away(true);
    let without = Markets::new(Arc::new(Published), None, world.clock.clone());
    let comparisons = [
        world.markets.compare(Sport::Nfl).await.expect("published"),
        world.markets.compare(Sport::Ncaaf).await.expect("published"),
        without.compare(Sport::Nfl).await.expect("published"),
    ];
    for compared in comparisons {
        assert_eq!(compared.as_of, instant(ODDS_AS_OF));
        let [row] = &*compared.games else { panic!("{compared:?}") };
        assert_eq!((row.kalshi_home, row.kalshi_away, row.book_home), (None, None, Some(Probability::HALF)));
    }
}

#[tokio::test]
async fn a_game_loses_its_price_when_our_clock_says_it_started() {
    let world = world();
    world.clock.advance(TimeDelta::minutes(85));
    assert_eq!(world.clock.now(), instant("2026-11-22T21:25:00Z"));
    let compared = world.markets.compare(Sport::Nfl).await.expect("published");
    assert_eq!(compared.games[0].kalshi_home, None);
}

#[tokio::test]
async fn without_predictions_there_is_nothing_to_compare_and_nobody_is_asked() {
    let world = world();
    let compared = world.markets.compare(Sport::Nhl).await;
    assert!(matches!(compared, Err(MarketsError::NothingPublished(Sport::Nhl))), "{compared:?}");
    assert_eq!(world.source.asked(), 0);
}
