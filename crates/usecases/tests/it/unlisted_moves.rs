//! Histories of games whose start changed while no slate listed them.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use proptest::prelude::*;
use sports_domain::{
    AmericanPrice, Forecasts, GameKey, GameLines, Market, ModelColumn, OwnForecasts, Probability, Sport,
    eastern_instant,
};
use sports_ports::publication::PublicationLog;
use sports_ports::seasons::SeasonRef;
use sports_publication::movement::{ForecastItem, HistoryLine, SeasonMovement};
use sports_publication::slate::{OddsGame, SlateGame};
use sports_publication::testing::{key, place, season};
use sports_publication::{Extras, Located, MovedBy, MovedGame, PredictedGame, PredictionsFile, Release};
use sports_usecases::moment::{Moments, RequestedMoment};
use sports_usecases::record::{CurrentGenerations, Ledgers};
use sports_usecases::season_walk::{NeededParts, SeasonWalks, WalkError, walk_season};

use crate::moved_back::{Evening, LABEL, MARKET, game_at};
use crate::world::generation;

const SPORT: Sport = Sport::Nba;
const GAME: &str = "nba-2025-12-10-boston_celtics-new_york_knicks";
/// 19:00 Eastern of 2025-12-10, the first start of the game.
const SEVEN: &str = "2025-12-11T00:00:00Z";
/// 22:00 Eastern of that day.
const TEN: &str = "2025-12-11T03:00:00Z";

fn instant(text: &str) -> DateTime<Utc> {
    text.parse().expect("an instant")
}

/// Returns another game, of two days later.
fn other() -> GameKey {
    key("2025-12-12", "21:00:00", "utah_jazz", "phoenix_suns")
}

/// A record of the game and of another one, and walks over it.
struct Record {
    evening: Evening,
    node: Arc<CurrentGenerations>,
    moments: Moments,
    walks: Arc<SeasonWalks>,
}

/// The history of the game: its earlier starts, the instant at which it closed, its lines as generation and home
/// price, the generation of the close and its age, the odds after the start, and its forecasts as generation and blend.
#[derive(Debug, PartialEq)]
struct Summary {
    earlier_starts: Vec<DateTime<Utc>>,
    closes_at: DateTime<Utc>,
    lines: Vec<(u64, Option<i32>)>,
    close: Option<(u64, TimeDelta)>,
    quoted_after_start: usize,
    forecasts: Vec<(u64, Option<f64>)>,
}

fn summary(movement: &SeasonMovement) -> Summary {
    let game = movement.game(GAME).expect("on record");
    let history = game.lines();
    let price = |line: &HistoryLine| line.lines.money.positive.map(AmericanPrice::get);
    let blend = |item: &ForecastItem<'_>| item.probability(ModelColumn::Blend).map(Probability::get);
    let forecasts = game.forecasts(MARKET);
    Summary {
        earlier_starts: game.earlier_starts(),
        closes_at: game.closes_at(),
        lines: history.lines.iter().map(|line| (line.published.generation.get(), price(line))).collect(),
        close: history.close.map(|close| (close.last_quoted.generation.get(), close.age)),
        quoted_after_start: history.quoted_after_start,
        forecasts: forecasts.iter().map(|item| (item.published.generation.get(), blend(item))).collect(),
    }
}

impl Record {
    fn new() -> Self {
        let evening = Evening::new(SPORT);
        let world = &evening.world;
        let node = world.node();
        let past = world.past(&node);
        let moments = Moments::new(Arc::clone(&past), world.clock.clone());
        let walks = world.walks(past);
        Self { evening, node, moments, walks }
    }

    async fn publish(&self, at: &str, release: Release) {
        let mut release = release;
        release.source_as_of.odds = release.odds.as_ref().map(|_| instant(at));
        self.evening.publish(at, release).await.expect("publishes");
        self.node.poll().await;
    }

    /// Publishes odds of games.
    async fn quote(&self, at: &str, games: &[(GameKey, i32)]) {
        self.publish(at, self.quoting(games)).await;
    }

    /// Publishes odds of games and predictions of the same games.
    async fn list(&self, at: &str, games: &[(GameKey, i32)], blend: f64) {
        self.publish(at, self.listing(games, blend)).await;
    }

    fn listing(&self, games: &[(GameKey, i32)], blend: f64) -> Release {
        let rows = games.iter().map(|(key, _)| {
            let forecasts = Forecasts::default().with(ModelColumn::Blend, Probability::new(blend).expect("valid"));
            let (lines, own) = (GameLines::default(), OwnForecasts::default());
            let game = SlateGame { key: key.clone(), game_id: None, match_id: None, lines, forecasts, own };
            PredictedGame { game, game_type: None, quote_source: None, extras: Extras::default() }
        });
        let rows = rows.map(|value| Located { place: place(2), value }).collect();
        let file = PredictionsFile { rows, ..PredictionsFile::default() };
        Release { predictions: [(MARKET, file)].into(), ..self.quoting(games) }
    }

    fn quoting(&self, games: &[(GameKey, i32)]) -> Release {
        let odds = games.iter().map(|(key, price)| {
            let mut lines = GameLines::default();
            lines.money.positive = AmericanPrice::new(*price).ok();
            let (key, game_id, listed_start, match_id) = (key.clone(), None, None, None);
            OddsGame { key, game_id, listed_start, match_id, lines, quote_source: None, last_updated: None }
        });
        let odds = odds.map(|value| Located { place: place(3), value }).collect();
        Release { odds: Some(odds), ..self.evening.bare(LABEL) }
    }

    /// Moves the game, without a file.
    async fn move_to(&self, at: &str, to: GameKey) {
        self.publish(at, self.moving(to)).await;
    }

    fn moving(&self, to: GameKey) -> Release {
        let by = MovedBy::GameId(GAME.to_owned());
        let moved = vec![Located { place: place(1), value: MovedGame { by, to } }];
        Release { moved, ..self.evening.bare(LABEL) }
    }

    async fn at(&self, number: u64, needed: NeededParts) -> Result<Arc<SeasonMovement>, WalkError> {
        let moment = self.moments.at(SPORT, RequestedMoment::Generation(generation(number))).await;
        self.walks.season(&moment.expect("on record"), season(SPORT, LABEL), needed).await
    }

    /// Walks up to the newest entry in one go.
    async fn anew(&self, number: u64) -> SeasonMovement {
        let world = &self.evening.world;
        let entry = world.store.entry(SPORT, generation(number)).await.expect("answers").expect("an entry");
        let log: Arc<dyn PublicationLog> = world.store.clone();
        let label = season(SPORT, LABEL);
        walk_season(&Ledgers::new(&log), &world.slates, &world.archives, &entry, label).await.expect("walks")
    }

    /// Returns the history as of the newest entry. It is the same after a walk in one go, and every moment before has
    /// what a walk that ends there has.
    async fn summary(&self) -> Summary {
        let newest = self.evening.head().await.generation.get();
        for number in 1..=newest {
            let kept = self.at(number, NeededParts::OddsAndPredictions(MARKET)).await.expect("walks");
            assert_eq!(summary(&kept), summary(&self.anew(number).await), "{number}");
        }
        summary(&self.anew(newest).await)
    }

    /// Returns the number of log entries that a walk in one go reads.
    async fn reads(&self) -> usize {
        let (store, newest) = (&self.evening.world.store, self.evening.head().await.generation.get());
        let before = store.entries_read();
        self.anew(newest).await;
        // One of them is the newest, which is given to the walk, and the ledger reads the facts of each.
        store.entries_read() - before - 1 - usize::try_from(newest).expect("few entries")
    }

    /// Returns the start of the game in the archive of an entry, and the time of the entry.
    async fn recorded(&self, number: u64) -> (DateTime<Utc>, DateTime<Utc>) {
        let (world, label) = (&self.evening.world, season(SPORT, LABEL));
        let entry = world.store.entry(SPORT, generation(number)).await.expect("answers").expect("an entry").catalog;
        let archive = &entry.results[&(MARKET, label)].artifact;
        let archive = SeasonRef::from_artifact(Market::new(SPORT, MARKET), label, archive);
        let archive = world.archives.read(&archive).await.expect("reads");
        let game = archive.games().iter().find(|game| game.facts.game_id.as_deref() == Some(GAME)).expect("on record");
        (eastern_instant(game.facts.key.date, game.facts.key.time.expect("a time")), entry.published_at)
    }

    async fn walk_if(&self, walks: bool) {
        if walks {
            self.walk().await;
        }
    }

    async fn walk(&self) {
        let now = self.moments.now(SPORT).expect("read");
        self.walks.season(&now, season(SPORT, LABEL), NeededParts::Odds).await.expect("walks");
    }
}

#[tokio::test]
async fn a_game_that_is_moved_while_no_slate_has_it_closes_at_its_new_start() {
    for (is_dropped, walks_in_steps) in [(false, false), (true, false), (true, true)] {
        let record = Record::new();
        let (seven, ten) = (game_at("19:00"), game_at("22:00"));
        record.list("2025-12-10T12:00:00Z", &[(seven, -120), (other(), -110)], 0.6).await;
        record.walk_if(walks_in_steps).await;
        if is_dropped {
            record.list("2025-12-10T13:00:00Z", &[(other(), -125)], 0.55).await;
        } else {
            record.quote("2025-12-10T13:00:00Z", &[(game_at("19:00"), -120), (other(), -125)]).await;
        }
        record.walk_if(walks_in_steps).await;
        // Four hours before its first start.
        record.move_to("2025-12-10T20:00:00Z", ten.clone()).await;
        record.walk_if(walks_in_steps).await;
        record.list("2025-12-11T01:00:00Z", &[(ten.clone(), -140), (other(), -125)], 0.7).await;
        record.walk_if(walks_in_steps).await;
        record.quote("2025-12-11T02:30:00Z", &[(ten, -150), (other(), -125)]).await;
        let (mut lines, mut forecasts) = (vec![(1, Some(-120))], vec![(1, Some(0.6))]);
        if is_dropped {
            lines.push((2, None));
            forecasts.push((2, None));
        }
        lines.extend([(4, Some(-140)), (5, Some(-150))]);
        forecasts.push((4, Some(0.7)));
        let expected = Summary {
            earlier_starts: vec![instant(SEVEN)],
            closes_at: instant(TEN),
            lines,
            close: Some((5, TimeDelta::minutes(30))),
            quoted_after_start: 0,
            forecasts,
        };
        assert_eq!(record.summary().await, expected, "{is_dropped} {walks_in_steps}");
    }
}

#[tokio::test]
async fn a_game_that_is_moved_after_its_start_while_no_slate_has_it_stays_closed() {
    for walks_in_steps in [false, true] {
        let record = Record::new();
        record.list("2025-12-10T23:30:00Z", &[(game_at("19:00"), -120), (other(), -110)], 0.6).await;
        record.walk_if(walks_in_steps).await;
        record.list("2025-12-11T02:00:00Z", &[(other(), -125)], 0.55).await;
        record.walk_if(walks_in_steps).await;
        let one = key("2025-12-11", "01:00:00", "boston_celtics", "new_york_knicks");
        record.move_to("2025-12-11T03:00:00Z", one).await;
        let expected = Summary {
            earlier_starts: vec![instant(SEVEN)],
            closes_at: instant(SEVEN),
            lines: vec![(1, Some(-120))],
            close: Some((1, TimeDelta::minutes(30))),
            quoted_after_start: 0,
            forecasts: vec![(1, Some(0.6))],
        };
        assert_eq!(record.summary().await, expected, "{walks_in_steps}");
    }
}

#[tokio::test]
async fn a_start_that_passed_before_it_was_taken_back_closes_a_game_that_no_slate_has() {
    let record = Record::new();
    record.list("2025-12-10T12:00:00Z", &[(game_at("19:00"), -120), (other(), -110)], 0.6).await;
    record.list("2025-12-10T13:00:00Z", &[(other(), -125)], 0.55).await;
    record.move_to("2025-12-10T14:00:00Z", game_at("15:00")).await;
    record.move_to("2025-12-10T20:30:00Z", game_at("19:00")).await;
    record.quote("2025-12-10T21:00:00Z", &[(other(), -126)]).await;
    let summary = record.summary().await;
    assert_eq!(summary.closes_at, instant("2025-12-10T20:00:00Z"));
    assert_eq!(summary.earlier_starts, [summary.closes_at]);
}

#[tokio::test]
async fn every_start_of_a_long_time_without_a_listing_is_found_in_few_archives() {
    let record = Record::new();
    record.list("2025-12-10T10:00:00Z", &[(game_at("19:00"), -120), (other(), -110)], 0.6).await;
    for minute in 0..40 {
        match minute {
            9 => record.move_to("2025-12-10T12:09:00Z", game_at("20:00")).await,
            23 => record.move_to("2025-12-10T12:23:00Z", game_at("22:00")).await,
            _ => record.list(&format!("2025-12-10T12:{minute:02}:00Z"), &[(other(), -111 - minute)], 0.55).await,
        }
    }
    let before = record.anew(41).await;
    record.list("2025-12-11T01:30:00Z", &[(game_at("22:00"), -140), (other(), -125)], 0.7).await;
    let eight = "2025-12-11T01:00:00Z";
    for movement in [before, record.anew(42).await] {
        let summary = summary(&movement);
        assert_eq!(summary.earlier_starts, [instant(SEVEN), instant(eight)]);
        assert_eq!(summary.closes_at, instant(TEN), "neither start passed while it held");
    }
    assert_eq!(summary(&record.anew(42).await).close, Some((42, TimeDelta::minutes(90))));
    // Two searches in 41 entries.
    let reads = record.reads().await;
    assert!((43..=42 + 14).contains(&reads), "{reads}");
    record.walk().await;
    record.quote("2025-12-11T02:00:00Z", &[(game_at("22:00"), -145), (other(), -125)]).await;
    let before = record.evening.world.store.entries_read();
    record.walk().await;
    assert_eq!(record.evening.world.store.entries_read() - before, 1, "nothing is searched for again");
}

#[tokio::test]
async fn games_that_are_listed_when_they_move_cost_no_other_read() {
    let record = Record::new();
    record.list("2025-12-10T12:00:00Z", &[(game_at("19:00"), -120), (other(), -110)], 0.6).await;
    record.list("2025-12-10T13:00:00Z", &[(other(), -125)], 0.55).await;
    record.list("2025-12-10T14:00:00Z", &[(game_at("19:00"), -130), (other(), -125)], 0.6).await;
    record.move_to("2025-12-10T15:00:00Z", game_at("20:00")).await;
    record.list("2025-12-10T16:00:00Z", &[(game_at("22:00"), -140), (other(), -125)], 0.7).await;
    assert_eq!(record.reads().await, 5);
    assert_eq!(record.summary().await.closes_at, instant(TEN));
}

#[tokio::test]
async fn an_archive_between_two_listings_is_needed_where_a_start_is_searched_for() {
    for is_moved in [true, false] {
        let record = Record::new();
        record.list("2025-12-10T12:00:00Z", &[(game_at("19:00"), -120), (other(), -110)], 0.6).await;
        record.list("2025-12-10T13:00:00Z", &[(other(), -125)], 0.55).await;
        let dropped = record.evening.head().await;
        if is_moved {
            record.move_to("2025-12-10T20:00:00Z", game_at("22:00")).await;
        }
        record.quote("2025-12-10T21:00:00Z", &[(other(), -126)]).await;
        record.list("2025-12-10T22:00:00Z", &[(other(), -127)], 0.65).await;
        record.evening.world.store.lose_object(&dropped.results[&(MARKET, season(SPORT, LABEL))].artifact.object);
        let newest = record.evening.head().await.generation.get();
        let walked = record.at(newest, NeededParts::Odds).await;
        assert_eq!(walked.is_err(), is_moved, "a start may be missing");
    }
}

#[tokio::test]
async fn odds_alone_have_the_starts_of_games_that_predictions_alone_listed() {
    let record = Record::new();
    record.list("2025-12-10T12:00:00Z", &[(game_at("19:00"), -120), (other(), -110)], 0.6).await;
    record.quote("2025-12-10T13:00:00Z", &[(other(), -125)]).await;
    // The predictions have the game, and are written anew.
    record.move_to("2025-12-10T20:00:00Z", game_at("22:00")).await;
    let moved = record.evening.head().await;
    record.quote("2025-12-11T01:00:00Z", &[(game_at("22:00"), -140), (other(), -125)]).await;
    let whole = summary(&record.anew(4).await);
    record.evening.world.store.lose_object(&moved.predictions[&MARKET].artifact.object);
    let odds = summary(&record.at(4, NeededParts::Odds).await.expect("walks"));
    assert_eq!((odds.closes_at, &odds.lines, odds.close), (instant(TEN), &whole.lines, whole.close));
    assert_eq!(odds.lines, [(1, Some(-120)), (2, None), (4, Some(-140))]);
}

/// A release of a random record.
#[derive(Debug, Clone, Copy)]
enum Step {
    List,
    Quote,
    Drop,
    /// Moves the game to an Eastern hour. Each step has a minute of its own, so no start comes again.
    Move(u32),
}

fn any_step() -> impl Strategy<Value = Step> {
    prop_oneof![Just(Step::List), Just(Step::Quote), Just(Step::Drop), (14..23_u32).prop_map(Step::Move)]
}

impl Record {
    /// Publishes a step. A refused one, such as a choice between two forecasts, changes nothing.
    async fn step(&self, number: u32, step: Step) {
        let at = instant("2025-12-10T15:00:00Z") + TimeDelta::minutes(50) * i32::try_from(number).expect("few");
        let row = self.evening.rows().await.into_iter().find(|row| row.facts.game_id.as_deref() == Some(GAME));
        let (game, price) = (row.expect("on record").facts.key, -120 - i32::try_from(number).expect("few"));
        let (both, one) = ([(game, price), (other(), price)], [(other(), price)]);
        let blend = 0.3 + f64::from(number) / 100.0;
        let release = match step {
            Step::List => self.listing(&both, blend),
            Step::Quote => self.quoting(&both),
            Step::Drop => self.listing(&one, blend),
            Step::Move(hour) => self.moving(game_at(&format!("{hour}:{number:02}"))),
        };
        drop(self.evening.publish(&at.to_rfc3339(), release).await);
        self.node.poll().await;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// A game closes at the first start that passed while the archives had it, at the latest at its present one; and every
    /// moment of a walk in steps has what a walk that ends there has.
    #[test]
    fn a_game_closes_at_the_first_start_that_passed_while_it_was_on_record(
        steps in prop::collection::vec(any_step(), 1..14),
        walks in prop::collection::vec(any::<bool>(), 14),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
        runtime.block_on(async {
            let record = Record::new();
            record.list("2025-12-10T14:00:00Z", &[(game_at("19:00"), -120), (other(), -110)], 0.6).await;
            for ((number, step), walk) in (0..).zip(&steps).zip(walks) {
                record.step(number, *step).await;
                record.walk_if(walk).await;
            }
            let newest = record.evening.head().await.generation.get();
            let (mut start, mut passed) = (record.recorded(1).await.0, Vec::new());
            for number in 2..=newest {
                let (next, published_at) = record.recorded(number).await;
                passed.extend((next != start && start <= published_at).then_some(start));
                start = next;
            }
            let closes_at = passed.into_iter().chain([start]).min();
            prop_assert_eq!(Some(record.summary().await.closes_at), closes_at);
            Ok(())
        })?;
    }
}
