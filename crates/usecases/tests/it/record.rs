//! The record under random days: publishes, odds refreshes, held and moved games, starts, finals and
//! releases told twice, against a model that a child could keep with cards.

mod cards;
mod checks;

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, NaiveTime, TimeDelta, Utc};
use proptest::prelude::*;
use sports_domain::{FinalScore, Forecasts, GameKey, LineColumn, ModelColumn, ModelType, Probability};
use sports_ports::Clock as _;
use sports_publication::settle::Permissions;
use sports_publication::{
    ArchivedGame, Ending, Extras, FinalRow, Located, Move, ObjectHash, PredictedGame, PredictionsFile, Release, Run,
    Slate, SourceTimes,
};
use sports_slate::{OddsGame, SlateGame};
use sports_usecases::publish::{Mode, Outcome, PublishError, Settlement};

use cards::{Card, Game, blend_of, game, place, posted, starts, total};

use crate::world::{SEASON, SPORT, World};

const GAMES: usize = 6;

/// One thing a publisher or the sun does.
#[derive(Debug, Clone)]
enum Step {
    /// A release with predictions of some markets, and odds or not.
    Publish { told: Vec<bool>, held: Vec<bool>, markets: u8, odds: bool, value: u8 },
    /// A release with odds only.
    Refresh { told: Vec<bool>, value: u8 },
    /// The release before, told again.
    Again,
    /// Time passes.
    Wait { minutes: u16 },
    /// A game is announced at another time.
    Announce { game: usize, minutes: u16 },
    /// The games of the doubleheader change places.
    Swap,
    /// A final arrives.
    Settle { game: usize, home: u16, correct: bool },
}

fn a_step() -> impl Strategy<Value = Step> {
    let some = || proptest::collection::vec(any::<bool>(), GAMES);
    let mostly = || proptest::collection::vec(proptest::bool::weighted(0.85), GAMES);
    let seldom = || proptest::collection::vec(proptest::bool::weighted(0.15), GAMES);
    prop_oneof![
        4 => (mostly(), seldom(), 1..8_u8, any::<bool>(), 1..100_u8)
            .prop_map(|(told, held, markets, odds, value)| Step::Publish { told, held, markets, odds, value }),
        2 => (some(), 1..100_u8).prop_map(|(told, value)| Step::Refresh { told, value }),
        1 => Just(Step::Again),
        3 => (10..400_u16).prop_map(|minutes| Step::Wait { minutes }),
        2 => (0..GAMES, 1..300_u16).prop_map(|(game, minutes)| Step::Announce { game, minutes }),
        1 => Just(Step::Swap),
        2 => (0..GAMES, 0..9_u16, any::<bool>())
            .prop_map(|(game, home, correct)| Step::Settle { game, home, correct }),
    ]
}

struct Model {
    world: World,
    games: Vec<Game>,
    /// Which games each market serves.
    served: BTreeMap<ModelType, BTreeSet<usize>>,
    last: Option<Release>,
    releases: u32,
    /// The rows of started games as they stood when they were first seen started.
    frozen: BTreeMap<(ModelType, usize), ArchivedGame>,
}

impl Model {
    fn new() -> Self {
        let world = World::new();
        world.clock.set("2024-11-24T14:00:00Z".parse().expect("an instant"));
        Self {
            world,
            games: (0..GAMES).map(game).collect(),
            served: BTreeMap::new(),
            last: None,
            releases: 0,
            frozen: BTreeMap::new(),
        }
    }

    fn now(&self) -> DateTime<Utc> {
        self.world.clock.now()
    }

    /// A new release; sources speak at once, so that it always says something new.
    fn release(&mut self) -> Release {
        self.releases += 1;
        let now = self.now();
        let run = Run {
            id: format!("run-{}", self.releases),
            started_at: now,
            completed_at: Some(now),
            slate: Slate::Active,
        };
        Release {
            sport: SPORT,
            slate_date: sports_domain::eastern_date(now),
            run: Some(run),
            source_as_of: SourceTimes::default(),
            season: Some(sports_publication::testing::season(SPORT, SEASON)),
            odds: None,
            predictions: BTreeMap::new(),
            held_games: BTreeMap::new(),
            moved: Vec::new(),
            history: Vec::new(),
            content: ObjectHash::of(&self.releases.to_be_bytes()),
        }
    }

    /// The start a publisher tells: after play begins, only a game with an id goes by a later time.
    fn told_key(&self, number: usize) -> GameKey {
        let game = &self.games[number];
        let settled_on = game.started(self.now()) || starts(&game.announced) <= self.now();
        if settled_on && game.is_recorded() && game.match_id.is_none() {
            game.key.clone()
        } else {
            game.announced.clone()
        }
    }

    fn odds(&self, told: &[bool], value: u8) -> Vec<Located<OddsGame>> {
        let games = (0..GAMES).filter(|number| told[*number]);
        games
            .map(|number| Located {
                place: place(number),
                value: OddsGame {
                    key: self.told_key(number),
                    match_id: self.games[number].match_id.clone(),
                    lines: posted(total(value, number)),
                    quote_source: None,
                    last_updated: None,
                },
            })
            .collect()
    }

    /// Whether a game would move onto a start that another one on record does not leave, as it began early:
    /// that is refused.
    fn collide(&self, told: &[bool], refresh: bool) -> bool {
        let now = self.now();
        let told = || (0..GAMES).filter(|number| told[*number] && self.games[*number].is_recorded());
        let moves = |number: usize| self.games[number].moves_from(&self.told_key(number), refresh, now).is_some();
        let mut onto = told().filter(|number| moves(*number));
        onto.any(|number| told().any(|other| self.games[other].key == self.told_key(number) && !moves(other)))
    }

    /// Games told under a new start before play are there from now on.
    fn follow(&mut self, told: &[bool], refresh: bool) {
        let (now, mut moved) = (self.now(), Vec::new());
        for number in (0..GAMES).filter(|number| told[*number]) {
            let announced = self.told_key(number);
            let game = &mut self.games[number];
            if let Some(from) = game.moves_from(&announced, refresh, now) {
                let quoted = game.move_to(&from, &announced);
                moved.extend(quoted.then_some((number, announced)));
            } else if !game.is_recorded() {
                game.key = announced;
            }
        }
        for (number, key) in moved {
            self.quoted_alone(number, &key);
        }
    }

    /// The record keeps one first quote of a start: of two games known by their ids, that of the last.
    fn quoted_alone(&mut self, number: usize, key: &GameKey) {
        let others =
            self.games.iter_mut().enumerate().filter(|(other, game)| *other != number && game.match_id.is_some());
        for (_, game) in others {
            game.openers.remove(key);
        }
    }

    fn quote(&mut self, told: &[bool], value: u8) {
        let now = self.now();
        for number in (0..GAMES).filter(|number| told[*number]) {
            let key = self.told_key(number);
            if starts(&key) > now {
                self.quoted_alone(number, &key);
                self.games[number].openers.entry(key).or_insert(total(value, number));
            }
        }
    }

    async fn publish(&mut self, told: &[bool], held: &[bool], markets: u8, odds: bool, value: u8) {
        let now = self.now();
        let mut release = self.release();
        // An empty file is refused, so there is none.
        let odds = odds && told.contains(&true);
        if odds {
            release.odds = Some(self.odds(told, value));
        }
        let keys: Vec<_> = (0..GAMES).map(|number| self.told_key(number)).collect();
        // A doubleheader is told whole, or its new starts would be anybody's.
        let moves = (0..GAMES).filter(|number| told[*number] && *number < 4 && self.games[*number].match_id.is_none());
        for number in moves {
            let game = &self.games[number];
            let movable =
                game.is_recorded() && !game.started(now) && starts(&keys[number]) > now && game.home.is_none();
            if number == 2 && movable && game.key != keys[number] {
                let stated = Move { from: game.key.clone(), to: keys[number].clone() };
                release.moved.push(Located { place: place(0), value: stated });
            }
        }
        self.follow(told, false);
        if odds {
            self.quote(told, value);
        }
        for (bit, model_type) in ModelType::ALL.into_iter().enumerate().filter(|(bit, _)| markets & (1 << bit) != 0) {
            let _ = bit;
            let before = self.served.get(&model_type).cloned().unwrap_or_default();
            let mut file = PredictionsFile { given: vec![LineColumn::OverUnder], rows: Vec::new() };
            let mut serves = BTreeSet::new();
            for number in 0..GAMES {
                let holds = held[number] && before.contains(&number);
                if holds {
                    let game = &self.games[number];
                    release
                        .held_games
                        .entry(model_type)
                        .or_default()
                        .push(Located { place: place(0), value: game.key.clone() });
                    serves.insert(number);
                }
                if !told[number] {
                    continue;
                }
                let blend = blend_of(value, number, model_type);
                file.rows.push(self.row(number, keys[number].clone(), blend, total(value, number)));
                // Its start is on record as that of the other game, which could not leave it any more.
                let taken = !self.games[number].is_recorded()
                    && (4..GAMES).any(|other| other != number && self.is_at(other, &keys[number], &keys[other]));
                let game = &mut self.games[number];
                let over = taken || starts(&game.key) <= now || starts(&keys[number]) <= now || game.home.is_some();
                if !over && !holds {
                    let recorded = game.cards.get(&model_type).and_then(|card| card.opener);
                    let card = Card {
                        blend,
                        total: total(value, number),
                        opener: recorded.or_else(|| game.openers.get(&game.key).copied()),
                        published_at: now,
                    };
                    game.cards.insert(model_type, card);
                    serves.insert(number);
                } else if game.cards.contains_key(&model_type) {
                    serves.insert(number);
                }
            }
            if file.rows.is_empty() && serves.is_empty() {
                continue;
            }
            release.predictions.insert(model_type, file);
            self.served.insert(model_type, serves);
        }
        let published = self.world.try_publish(&release).await.expect("publishes");
        assert!(matches!(published.outcome, Outcome::OnAir { .. }), "{published:?}");
        self.last = Some(release);
    }

    /// Whether a game stands on record at a start while it is told another.
    fn is_at(&self, number: usize, key: &GameKey, told: &GameKey) -> bool {
        let game = &self.games[number];
        game.is_recorded() && game.key == *key && told != key
    }

    fn row(&self, number: usize, key: GameKey, blend: u8, points: f64) -> Located<PredictedGame> {
        let chance = Probability::new(f64::from(blend) / 100.0).expect("a probability");
        let game = SlateGame {
            key,
            match_id: self.games[number].match_id.clone(),
            lines: posted(points),
            forecasts: Forecasts::default().with(ModelColumn::Blend, chance),
        };
        let value = PredictedGame { game, game_type: None, quote_source: None, extras: Extras::default() };
        Located { place: place(number), value }
    }

    async fn refresh(&mut self, told: &[bool], value: u8) {
        if !told.contains(&true) {
            return;
        }
        let mut release = self.release();
        release.run = None;
        release.odds = Some(self.odds(told, value));
        self.follow(told, true);
        self.quote(told, value);
        self.world.try_publish(&release).await.expect("publishes");
        self.last = Some(release);
    }

    /// What was told before changes nothing, unless the clock has moved what it says.
    async fn again(&mut self) {
        let Some(release) = self.last.clone() else { return };
        let before = self.world.head().await;
        // A refresh without a source time is as of its publication: told later, it is new odds.
        let published = self.world.publisher().publish(&release, Mode::Commit).await.expect("publishes");
        if release.run.is_some() {
            assert!(matches!(published.outcome, Outcome::AlreadyOnAir { .. }), "{:?}", published.outcome);
            assert_eq!(self.world.head().await, before);
        }
    }

    async fn settle(&mut self, number: usize, home: u16, correct: bool) {
        let now = self.now();
        let game = &self.games[number];
        if !game.is_recorded() {
            return;
        }
        let score = FinalScore { away: 3, home };
        let ending = Ending::Final { score, status: "settled".to_owned() };
        let row = Located { place: place(number), value: FinalRow { key: game.key.clone(), ending } };
        let leave = Permissions { correct, allow_unknown: false };
        let content = ObjectHash::of(b"finals");
        let settlement = Settlement { sport: SPORT, finals: vec![row], content, leave };
        let answer = self.world.publisher().settle(&settlement).await;
        let stands = game.home;
        let fits = game.started(now) && (correct || stands.is_none_or(|stands| stands == home));
        match answer {
            Ok(_) => {
                assert!(fits, "a final that does not fit was taken: {game:?}");
                self.games[number].home = Some(home);
                self.last = None;
            }
            Err(PublishError::Problems(problems)) => assert!(!fits, "{problems:?}"),
            Err(other) => panic!("{other}"),
        }
    }

    async fn take(&mut self, step: &Step) {
        match step {
            Step::Publish { told, held, markets, odds, value } => {
                let told = whole_doubleheader(told);
                if !self.collide(&told, false) {
                    self.publish(&told, held, *markets, *odds, *value).await;
                }
            }
            Step::Refresh { told, value } => {
                let told = whole_doubleheader(told);
                if !self.collide(&told, true) {
                    self.refresh(&told, *value).await;
                }
            }
            Step::Again => self.again().await,
            Step::Wait { minutes } => self.world.clock.advance(TimeDelta::minutes(i64::from(*minutes))),
            Step::Announce { game, minutes } => self.announce(*game, *minutes),
            Step::Swap => self.swap(),
            Step::Settle { game, home, correct } => self.settle(*game, *home, *correct).await,
        }
    }

    /// A new start on the same date, which no other game of the teams is announced at.
    fn announce(&mut self, number: usize, minutes: u16) {
        let base = 12 * 60 + 60 * u32::try_from(number).expect("small");
        let minute = base + u32::from(minutes % 59) + 1;
        let time = NaiveTime::from_hms_opt(minute / 60, minute % 60, 0);
        let announced = GameKey { time, ..self.games[number].announced.clone() };
        if self.games.iter().any(|game| game.announced == announced) {
            return;
        }
        self.games[number].announced = announced;
        self.last = None;
    }

    /// Each of the doubleheader's games is announced at the start of the other.
    fn swap(&mut self) {
        let [.., first, second] = &mut self.games[..] else { return };
        std::mem::swap(&mut first.announced, &mut second.announced);
        self.last = None;
    }
}

fn whole_doubleheader(told: &[bool]) -> Vec<bool> {
    let mut told = told.to_vec();
    told[5] = told[4];
    told
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    /// No started forecast changes, no row is lost or doubled, what is served is what is recorded, the
    /// chain verifies, and a node serves one generation.
    #[test]
    fn the_record_keeps_its_promises(steps in proptest::collection::vec(a_step(), 1..30)) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        runtime.block_on(async {
            let mut model = Model::new();
            for step in &steps {
                model.take(step).await;
                model.check().await;
            }
        });
    }
}
