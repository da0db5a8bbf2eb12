//! Tests of the market comparison over fakes.

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use sports_domain::{
    AmericanPrice, Forecasts, GameKey, GameLines, ModelColumn, ModelType, OwnForecasts, Probability, Sport, TeamSlug,
    TwoWayPrices,
};
use sports_ports::Clock;
use sports_ports::prices::{GamePrices, NoPrices};
use sports_publication::testing::{a_release, place, season};
use sports_publication::{Extras, Located, PredictedGame, PredictionsFile, Release};
use sports_slate::{OddsGame, QuotedGame, QuotedTeam, SlateGame};
use sports_testkit::prices::PricesFake;
use sports_usecases::markets::{Markets, MarketsError, SlateComparison};
use sports_usecases::moment::Moments;
use sports_usecases::record::CurrentGenerations;

use crate::world::World;

/// The initial time of [`World`].
const NOW: &str = "2024-11-25T15:00:00Z";
const ODDS_AS_OF: &str = "2024-11-25T14:00:00Z";

/// Builds a release of one game with its odds.
fn published(sport: Sport) -> Release {
    let mut release = a_release(sport, "2024-25", Vec::new());
    release.history.clear();
    release.season = Some(season(sport, "2024-25"));
    release.source_as_of.odds = Some(instant(ODDS_AS_OF));
    release.odds = Some(vec![Located { place: place(2), value: odds() }]);
    let row = PredictedGame { game: a_game(), game_type: None, quote_source: None, extras: Extras::default() };
    let file = PredictionsFile { rows: vec![Located { place: place(2), value: row }], ..PredictionsFile::default() };
    release.predictions.insert(ModelType::WonOnPoints, file);
    release
}

fn instant(text: &str) -> DateTime<Utc> {
    text.parse().expect("an instant")
}

fn team(name: &str) -> TeamSlug {
    TeamSlug::normalise(name).expect("a team")
}

/// Returns the game's key; the kick-off is at 21:25 UTC.
fn key() -> GameKey {
    GameKey {
        date: "2024-11-25".parse().expect("a date"),
        time: "16:25:00".parse().ok(),
        away: team("kansas_city_chiefs"),
        home: team("denver_broncos"),
        game_number: None,
    }
}

fn a_game() -> SlateGame {
    let forecasts = Forecasts::default().with(ModelColumn::Blend, Probability::new(0.58).expect("valid"));
    SlateGame {
        key: key(),
        game_id: None,
        match_id: None,
        lines: GameLines::default(),
        forecasts,
        own: OwnForecasts::default(),
    }
}

fn odds() -> OddsGame {
    let even = AmericanPrice::new(-110).ok();
    let lines = GameLines { money: TwoWayPrices { positive: even, negative: even }, ..GameLines::default() };
    OddsGame {
        key: key(),
        game_id: None,
        listed_start: None,
        match_id: None,
        lines,
        quote_source: None,
        last_updated: None,
    }
}

struct Exchange {
    world: World,
    node: Arc<CurrentGenerations>,
    moments: Moments,
    source: Arc<PricesFake>,
    markets: Markets,
}

impl Exchange {
    /// Compares the headline model as of now.
    async fn compare(&self, sport: Sport) -> Result<SlateComparison, MarketsError> {
        self.markets.compare(&self.moments.now(sport).expect("read"), None).await
    }
}

async fn exchange() -> Exchange {
    let world = World::new();
    for sport in [Sport::Nfl, Sport::Ncaaf] {
        world.try_publish(&published(sport)).await.expect("publishes");
    }
    let node = world.node();
    node.poll().await;
    let moments = Moments::new(world.past(&node), world.clock.clone());
    let source = Arc::new(PricesFake::new(world.clock.clone()));
    let quoted = |name, price| QuotedTeam { team: team(name), price: Probability::new(price).ok() };
    let teams = [quoted("kansas_city_chiefs", 0.465), quoted("denver_broncos", 0.54)];
    source.list(Sport::Nfl, vec![QuotedGame { date: key().date, time: None, game_number: None, teams }]);
    let prices: Arc<dyn GamePrices> = source.clone();
    let markets = Markets::new(world.clock.clone(), prices);
    Exchange { world, node, moments, source, markets }
}

#[tokio::test]
async fn a_comparison_is_as_old_as_its_prices() {
    let exchange = exchange().await;
    let compared = exchange.compare(Sport::Nfl).await.expect("published");
    assert_eq!(compared.as_of, instant(NOW));
    let [row] = &*compared.games else { panic!("{compared:?}") };
    assert_eq!((row.book_home, row.exchange_home), (Some(Probability::HALF), Probability::new(0.54).ok()));
    assert!(row.edge_home().is_some_and(|edge| (edge - 0.08).abs() < 1e-12), "0.58 less the book's 0.5");
}

#[tokio::test]
async fn a_comparison_without_a_prediction_market_lacks_only_its_prices() {
    let exchange = exchange().await;
    exchange.source.set_unavailable(true);
    let without = Markets::new(exchange.world.clock.clone(), Arc::new(NoPrices));
    let moment = exchange.moments.now(Sport::Nfl).expect("read");
    let comparisons = [
        exchange.compare(Sport::Nfl).await.expect("published"),
        exchange.compare(Sport::Ncaaf).await.expect("published"),
        without.compare(&moment, None).await.expect("published"),
    ];
    for compared in comparisons {
        assert_eq!(compared.as_of, instant(ODDS_AS_OF));
        let [row] = &*compared.games else { panic!("{compared:?}") };
        assert_eq!((row.exchange_home, row.exchange_away, row.book_home), (None, None, Some(Probability::HALF)));
    }
}

#[tokio::test]
async fn a_game_that_has_started_by_our_clock_has_no_price() {
    let exchange = exchange().await;
    exchange.world.clock.advance(TimeDelta::minutes(6 * 60 + 25));
    assert_eq!(exchange.world.clock.now(), instant("2024-11-25T21:25:00Z"));
    let compared = exchange.compare(Sport::Nfl).await.expect("published");
    assert_eq!(compared.games[0].exchange_home, None);
}

#[tokio::test]
async fn a_started_game_is_compared_with_the_prices_of_its_forecast() {
    let exchange = exchange().await;
    let compared = exchange.compare(Sport::Nfl).await.expect("published");
    assert_eq!(compared.games[0].book_home, Some(Probability::HALF), "the current odds, before the start");
    let money =
        |home, away| TwoWayPrices { positive: AmericanPrice::new(home).ok(), negative: AmericanPrice::new(away).ok() };
    for (passed, home, away, book_home) in [(3, -150, 150, 0.6), (5, -400, 400, 0.5)] {
        exchange.world.clock.advance(TimeDelta::hours(passed));
        let lines = GameLines { money: money(home, away), ..GameLines::default() };
        let odds = vec![Located { place: place(2), value: OddsGame { lines, ..odds() } }];
        let refresh =
            Release { odds: Some(odds), predictions: BTreeMap::default(), season: None, ..published(Sport::Nfl) };
        exchange.world.try_publish(&refresh).await.expect("publishes");
        exchange.node.poll().await;
        let compared = exchange.compare(Sport::Nfl).await.expect("published");
        let [row] = &*compared.games else { panic!("{compared:?}") };
        assert_eq!(row.book_home.map(Probability::get), Some(book_home), "{passed} hours later");
    }
}

#[tokio::test]
async fn a_league_without_predictions_has_no_comparison_and_reads_no_prices() {
    let exchange = exchange().await;
    let compared = exchange.compare(Sport::Nhl).await;
    assert!(matches!(compared, Err(MarketsError::NothingPublished(Sport::Nhl))), "{compared:?}");
    assert_eq!(exchange.source.asked(), 0);
}
