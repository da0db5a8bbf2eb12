//! The walk over the entries of a season, over fakes.

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::TimeDelta;
use sports_domain::content::ObjectHash;
use sports_domain::{
    AmericanPrice, Forecasts, GameKey, GameLines, ModelColumn, ModelType, OwnForecasts, Probability, TeamSlug,
    TwoWayPrices,
};
use sports_ledger::Sought;
use sports_ports::Clock as _;
use sports_ports::publication::PublicationLog as _;
use sports_publication::movement::{EntrySlate, SeasonMovement};
use sports_publication::slate::{OddsGame, SlateGame};
use sports_publication::testing::{a_release, key, place, season};
use sports_publication::{Extras, Located, Odds, PredictedGame, PredictionsFile, Release, ReleaseId};
use sports_usecases::game_histories::{GameName, find};
use sports_usecases::moment::{LeagueMoment, Moments, RequestedMoment};
use sports_usecases::record::{CurrentGenerations, Ledgers, newest_entry};
use sports_usecases::season_walk::{NeededParts, SeasonWalks, WalkError, walk_season};

use crate::world::{SPORT, World, generation};

pub const LABEL: &str = "2024";
const MARKET: ModelType = ModelType::WonOnPoints;
/// Every part of the slates that [`release`] publishes.
const ALL: NeededParts = NeededParts::OddsAndPredictions(MARKET);

/// Returns the game; it starts at 18:00 UTC of the day after [`World`]'s time.
fn game() -> GameKey {
    key("2024-11-26", "13:00:00", "boston_red_sox", "new_york_yankees")
}

/// Quotes the game at a price of the home team, and forecasts it.
pub fn release(number: u32, home: i32, blend: Option<f64>) -> Release {
    let mut release = a_release(SPORT, LABEL, Vec::new());
    release.history.clear();
    release.slate_date = game().date;
    release.season = Some(season(SPORT, LABEL));
    release.content = ObjectHash::from_bytes(&number.to_be_bytes());
    let money = TwoWayPrices { positive: AmericanPrice::new(home).ok(), negative: AmericanPrice::new(-110).ok() };
    let lines = GameLines { money, ..GameLines::default() };
    let quoted = OddsGame {
        key: game(),
        game_id: None,
        listed_start: None,
        match_id: None,
        lines,
        quote_source: None,
        last_updated: None,
    };
    release.odds = Some(vec![Located { place: place(2), value: quoted }]);
    if let Some(blend) = blend {
        let forecasts = Forecasts::default().with(ModelColumn::Blend, Probability::new(blend).expect("valid"));
        let (lines, own) = (GameLines::default(), OwnForecasts::default());
        let game = SlateGame { key: game(), game_id: None, match_id: None, lines, forecasts, own };
        let row = PredictedGame { game, game_type: None, quote_source: None, extras: Extras::default() };
        let file =
            PredictionsFile { rows: vec![Located { place: place(2), value: row }], ..PredictionsFile::default() };
        release.predictions.insert(MARKET, file);
    }
    release
}

/// A record that is published to, and a node that walks over it.
struct Walked {
    world: World,
    node: Arc<CurrentGenerations>,
    moments: Moments,
    walks: Arc<SeasonWalks>,
}

impl Walked {
    fn new() -> Self {
        Self::over(World::new())
    }

    fn over(world: World) -> Self {
        let node = world.node();
        let past = world.past(&node);
        let moments = Moments::new(Arc::clone(&past), world.clock.clone());
        let walks = world.walks(past);
        Self { world, node, moments, walks }
    }

    /// Publishes releases a minute apart, each a home price and a forecast.
    async fn publish(&self, releases: impl IntoIterator<Item = (i32, Option<f64>)>) {
        for (home, blend) in releases {
            self.world.clock.advance(TimeDelta::minutes(1));
            let number = u32::try_from(self.world.clock.now().timestamp()).expect("a time");
            let mut release = release(number, home, blend);
            // Equal odds of a later reading are published again.
            release.source_as_of.odds = Some(self.world.clock.now());
            self.world.try_publish(&release).await.expect("publishes");
        }
        self.node.poll().await;
    }

    /// Waits until the ledger has the facts of all entries.
    async fn read_facts(&self) {
        let found = self.node.ledgers().of(SPORT).find(Sought::Number(generation(1))).await;
        assert!(matches!(found, Ok(Ok(_))), "{found:?}");
    }

    fn now(&self) -> LeagueMoment {
        self.moments.now(SPORT).expect("read")
    }

    async fn walk(&self) -> Result<Arc<SeasonMovement>, WalkError> {
        self.walks.season(&self.now(), season(SPORT, LABEL), ALL).await
    }
}

/// The lines of the game, each as generation and home price, and its forecasts, each as generation and probability.
type Moved = (Vec<(u64, i32)>, Vec<(u64, f64)>);

/// Returns what was published of the game.
fn moved(movement: &SeasonMovement) -> Moved {
    let games = movement.games();
    let [game] = &games[..] else { panic!("{} games", games.len()) };
    let price =
        |line: &sports_publication::movement::HistoryLine| line.lines.money.positive.map_or(0, AmericanPrice::get);
    let lines = game.lines().lines;
    let lines = lines.iter().map(|line| (line.published.generation.get(), price(line))).collect();
    let items = game.forecasts(MARKET).into_iter();
    let blend = |item: &sports_publication::movement::ForecastItem<'_>| {
        item.probability(ModelColumn::Blend).map(Probability::get)
    };
    (lines, items.map(|item| (item.published.generation.get(), blend(&item).unwrap_or_default())).collect())
}

#[tokio::test]
async fn a_walk_reads_each_entry_once_and_goes_on_after_a_publication() {
    let walked = Walked::new();
    let prices = (0..40).map(|number| (100 + number % 3, (number == 0).then_some(0.6)));
    walked.publish(prices).await;
    walked.read_facts().await;
    let before = walked.world.store.entries_read();
    let first = walked.walk().await.expect("walked");
    assert_eq!(walked.world.store.entries_read() - before, 40);
    assert_eq!(first.entries().len(), 40);
    let (lines, forecasts) = moved(&first);
    assert_eq!((lines.len(), &lines[..2], forecasts), (40, &[(1, 100), (2, 101)][..], vec![(1, 0.6)]));
    let before = walked.world.store.entries_read();
    walked.walk().await.expect("walked");
    assert_eq!(walked.world.store.entries_read() - before, 0, "it is in memory");
    walked.publish([(150, Some(0.7)), (150, None)]).await;
    let before = walked.world.store.entries_read();
    let second = walked.walk().await.expect("walked");
    assert_eq!(walked.world.store.entries_read() - before, 2);
    let (lines, forecasts) = moved(&second);
    assert_eq!((lines.last(), forecasts), (Some(&(41, 150)), vec![(1, 0.6), (41, 0.7)]));
    assert_eq!(
        second
            .game(first.games()[0].game_id())
            .and_then(|game| game.lines().close)
            .map(|close| { close.last_quoted.generation.get() }),
        Some(42)
    );
    assert_eq!(moved(&first).0.len(), 40, "what was given before stays");
}

#[tokio::test]
async fn a_walk_from_anew_has_what_a_walk_in_steps_has() {
    let walked = Walked::new();
    for step in 0..5 {
        walked.publish([(100 + step, Some(0.5 + f64::from(step) / 100.0)), (100 + step, None)]).await;
        let stepped = walked.walk().await.expect("walked");
        let world = &walked.world;
        let newest = newest_entry(&*world.store, SPORT).await.expect("answers").expect("published");
        let log: Arc<dyn sports_ports::publication::PublicationLog> = world.store.clone();
        let anew =
            walk_season(&Ledgers::new(&log), &world.slates, &world.archives, &newest, season(SPORT, LABEL)).await;
        assert_eq!(moved(&anew.expect("walked")), moved(&stepped), "{step}");
    }
}

#[tokio::test]
async fn an_earlier_moment_has_what_was_published_by_then() {
    let walked = Walked::new();
    let mut then = Vec::new();
    for step in 0..4 {
        walked.publish([(100 + step, Some(0.5 + f64::from(step) / 100.0))]).await;
        then.push(moved(&walked.walk().await.expect("walked")));
    }
    for (number, expected) in (1..).zip(&then) {
        let requested = RequestedMoment::Generation(generation(number));
        let moment = walked.moments.at(SPORT, requested).await.expect("on record");
        let movement = walked.walks.season(&moment, season(SPORT, LABEL), ALL).await.expect("walked");
        assert_eq!(&moved(&movement), expected, "{number}");
        let standing = movement.games()[0].standing(MARKET).map(|item| item.published.generation.get());
        assert_eq!(standing, Some(number));
    }
}

#[tokio::test]
async fn a_damaged_entry_fails_the_walk() {
    let walked = Walked::new();
    walked.publish((0..20).map(|number| (100 + number, Some(0.6)))).await;
    walked.world.store.spoil_entry(SPORT, generation(10));
    assert!(matches!(walked.walk().await, Err(WalkError::Unreadable(_))), "a line may be missing");
}

#[tokio::test]
async fn damage_after_an_earlier_moment_leaves_its_season_readable() {
    let walked = Walked::new();
    walked.publish((0..20).map(|number| (100 + number, (number == 0).then_some(0.6)))).await;
    walked.world.store.spoil_entry(SPORT, generation(10));
    let read = async |number| {
        let moment = walked.moments.at(SPORT, RequestedMoment::Generation(generation(number))).await;
        walked.walks.season(&moment.expect("on record"), season(SPORT, LABEL), ALL).await
    };
    let early = read(3).await.expect("undamaged up to there");
    assert_eq!(moved(&early), (vec![(1, 100), (2, 101), (3, 102)], vec![(1, 0.6)]));
    assert_eq!(early.games()[0].standing(MARKET).map(|item| item.published.generation.get()), Some(1));
    assert_eq!(moved(&read(9).await.expect("undamaged up to there")).0.len(), 9);
    let before = walked.world.store.entries_read();
    assert_eq!(moved(&read(3).await.expect("kept")), moved(&early));
    assert!(walked.world.store.entries_read() - before <= 1, "the walk is in memory");
    assert!(matches!(read(11).await, Err(WalkError::Unreadable(_))), "a line may be missing");
}

#[tokio::test]
async fn a_missing_object_fails_the_walks_that_need_it() {
    let walked = Walked::new();
    walked.publish([(100, Some(0.6)), (101, None), (102, Some(0.7)), (103, None)]).await;
    let entry = walked.world.store.entry(SPORT, generation(3)).await.expect("answers").expect("an entry");
    walked.world.store.lose_object(&entry.catalog.predictions[&MARKET].artifact.object);
    let read = async |number, needed| {
        let moment = walked.moments.at(SPORT, RequestedMoment::Generation(generation(number))).await;
        let read = walked.walks.season(&moment.expect("on record"), season(SPORT, LABEL), needed).await;
        read.ok().map(|movement| moved(&movement).0)
    };
    let lines = |count| Some((1..=count).zip(100..).collect::<Vec<_>>());
    let other = NeededParts::OddsAndPredictions(ModelType::WonOnSpread);
    for (number, needed, expected) in [
        (4, NeededParts::Odds, lines(4)),
        (4, other, lines(4)),
        (3, NeededParts::Odds, lines(3)),
        (4, ALL, None),
        (4, NeededParts::Predictions(MARKET), None),
        (3, ALL, None),
        (2, ALL, lines(2)),
    ] {
        assert_eq!(read(number, needed).await, expected, "{needed:?} up to {number}");
    }
}

#[tokio::test]
async fn a_season_that_the_league_does_not_have_is_without_entries() {
    let walked = Walked::new();
    walked.node.poll().await;
    let nothing = walked.walk().await.expect("walked");
    assert!(nothing.entries().is_empty() && nothing.games().is_empty());
    walked.publish([(100, Some(0.6))]).await;
    let other = walked.walks.season(&walked.now(), season(SPORT, "2019"), ALL).await.expect("walked");
    assert!(other.entries().is_empty());
}

/// Publishes odds of two games of a pair, on a date at 13:05 and 19:05.
fn note_two_games(movement: &mut SeasonMovement, number: u64, date: &str) {
    let quoted = |time: &str, id: &str| OddsGame {
        key: key(date, time, "boston_red_sox", "new_york_yankees"),
        game_id: Some(id.to_owned()),
        listed_start: None,
        match_id: None,
        lines: GameLines::default(),
        quote_source: None,
        last_updated: None,
    };
    let odds = Odds::new(vec![quoted("13:05:00", "first"), quoted("19:05:00", "second")]).expect("two games");
    let at = "2024-11-26T15:00:00Z".parse().expect("an instant");
    movement.note(&EntrySlate {
        generation: generation(number),
        published_at: at,
        release_id: &ReleaseId::from_log(format!("r{number}")),
        season: season(SPORT, LABEL),
        odds: Some((at, &odds)),
        predictions: BTreeMap::new(),
    });
}

/// Names the game of a pair on [`game`]'s date.
fn on_that_date(time: Option<&str>, away: &str) -> GameName {
    let team = |name: &str| TeamSlug::normalise(name).expect("a team");
    let time = time.map(|time| time.parse().expect("a time"));
    GameName::Listed { date: game().date, time, away: team(away), home: team("yankees") }
}

#[test]
fn a_pair_that_plays_twice_is_named_by_its_time() {
    let mut movement = SeasonMovement::new(SPORT, season(SPORT, LABEL), true);
    note_two_games(&mut movement, 1, "2024-11-26");
    let named = |time: Option<&str>, away: &str| find(&movement, &on_that_date(time, away));
    let refused = named(None, "boston_red_sox").expect_err("two games");
    assert_eq!(refused.written(), "13:05:00 and 19:05:00");
    assert_eq!(named(Some("13:05:00"), "boston_red_sox"), Ok(Some("first".to_owned())));
    assert_eq!(named(Some("19:05:00"), "Red Sox"), Ok(Some("second".to_owned())));
    assert_eq!(named(Some("20:00:00"), "boston_red_sox"), Ok(None));
    assert_eq!(named(None, "baltimore_orioles"), Ok(None));
    assert_eq!(find(&movement, &GameName::Id("second".to_owned())), Ok(Some("second".to_owned())));
    assert_eq!(find(&movement, &GameName::Id("third".to_owned())), Ok(None));
}

#[test]
fn a_pair_that_was_to_play_twice_is_named_by_a_former_time() {
    let mut movement = SeasonMovement::new(SPORT, season(SPORT, LABEL), true);
    note_two_games(&mut movement, 1, "2024-11-26");
    note_two_games(&mut movement, 2, "2024-11-27");
    let named = |time: Option<&str>| find(&movement, &on_that_date(time, "boston_red_sox"));
    let refused = named(None).expect_err("two games");
    assert_eq!(refused.written(), "13:05:00 and 19:05:00");
    assert_eq!(named(Some("13:05:00")), Ok(Some("first".to_owned())));
    assert_eq!(named(Some("19:05:00")), Ok(Some("second".to_owned())));
    assert_eq!(named(Some("20:00:00")), Ok(None));
}
