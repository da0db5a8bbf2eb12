//! The model: games as cards, and the content of the publisher's next release.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Days, NaiveTime, TimeDelta, Utc};
use sports_domain::content::ObjectHash;
use sports_domain::{GameKey, ModelType};
use sports_ports::Clock as _;
use sports_publication::slate::OddsGame;
use sports_publication::{ArchivedGame, Located, Release, Run, SlateActivity, SourceTimes};

use super::cards::{FirstQuote, Game, game, hour, place, posted, starts, total};
use super::reader::Reader;
use crate::world::{SEASON, SPORT, World};

pub(super) const GAMES: usize = 6;
/// The game whose reschedules the release states.
pub(super) const STATED: usize = 2;

pub(super) struct Model {
    pub(super) world: World,
    /// A reader with a separate node.
    pub(super) reader: Reader,
    pub(super) games: Vec<Game>,
    /// The games that each market serves.
    pub(super) served: BTreeMap<ModelType, BTreeSet<usize>>,
    pub(super) last: Option<Release>,
    pub(super) releases: u32,
    /// The identity of each game that was recorded.
    pub(super) ids: BTreeMap<usize, String>,
    /// The rows of started games as of the first check after their start.
    pub(super) frozen: BTreeMap<(ModelType, usize), ArchivedGame>,
}

impl Model {
    pub(super) fn new() -> Self {
        let world = World::new();
        world.clock.set("2024-11-24T14:00:00Z".parse().expect("an instant"));
        let reader = Reader::over(&world);
        Self {
            world,
            reader,
            games: (0..GAMES).map(game).collect(),
            served: BTreeMap::new(),
            last: None,
            releases: 0,
            ids: BTreeMap::new(),
            frozen: BTreeMap::new(),
        }
    }

    pub(super) fn now(&self) -> DateTime<Utc> {
        self.world.clock.now()
    }

    /// Creates a new release. Its sources are as of now, so that it always changes something.
    pub(super) fn release(&mut self) -> Release {
        self.releases += 1;
        let now = self.now();
        let run = Run {
            id: format!("run-{}", self.releases),
            started_at: now,
            completed_at: Some(now),
            slate: SlateActivity::Active,
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
            zero_spread_openers: None,
            models: sports_publication::registry::ReleaseModels::default(),
            content: ObjectHash::from_bytes(&self.releases.to_be_bytes()),
        }
    }

    /// Returns the start that the publisher lists: once a start has passed, the start on record, which may be that of the
    /// odds alone. Delayed starts have tests of their own.
    pub(super) fn listed_key(&self, number: usize) -> GameKey {
        let game = &self.games[number];
        let settled_on = game.started(self.now()) || starts(&game.announced) <= self.now();
        if settled_on && (game.is_recorded() || !game.openers.is_empty()) {
            game.key.clone()
        } else {
            game.announced.clone()
        }
    }

    pub(super) fn odds(&self, listed: &[bool], value: u8) -> Vec<Located<OddsGame>> {
        let games = (0..GAMES).filter(|number| listed[*number]);
        games
            .map(|number| Located {
                place: place(number),
                value: OddsGame {
                    key: self.listed_key(number),
                    game_id: None,
                    listed_start: None,
                    match_id: self.games[number].match_id.clone(),
                    lines: posted(total(value, number)),
                    quote_source: None,
                    last_updated: None,
                },
            })
            .collect()
    }

    /// Returns true if a game would get the start at which another is on record and stays: the service refuses such a
    /// release.
    pub(super) fn collide(&self, listed: &[bool], refresh: bool) -> bool {
        let now = self.now();
        let keys: Vec<_> = (0..GAMES).filter(|number| listed[*number]).map(|number| self.listed_key(number)).collect();
        if keys.iter().enumerate().any(|(index, key)| keys[..index].contains(key)) {
            return true;
        }
        if (4..GAMES).any(|number| listed[number] && self.is_near_a_called_off(number)) {
            return true;
        }
        let listed = || (0..GAMES).filter(|number| listed[*number] && self.games[*number].is_recorded());
        let reschedules =
            |number: usize| self.games[number].reschedules_from(&self.listed_key(number), refresh, now).is_some();
        let mut onto = listed().filter(|number| reschedules(*number));
        onto.any(|number| listed().any(|other| self.games[other].key == self.listed_key(number) && !reschedules(other)))
    }

    /// Returns true if a game of the doubleheader would get a start within three hours of the other one's, which has
    /// passed and which the other one keeps though it was called off.
    fn is_near_a_called_off(&self, number: usize) -> bool {
        let (now, listed) = (self.now(), self.listed_key(number));
        let is_near = |other: &Game| (starts(&other.key) - starts(&listed)).abs() < TimeDelta::hours(3);
        let mut others = self.games[4..].iter().filter(|other| other.called_off && other.started(now));
        listed != self.games[number].key && others.any(is_near)
    }

    /// Moves the games that are listed under a new start before play.
    pub(super) fn follow(&mut self, listed: &[bool], refresh: bool) {
        let (now, mut moved) = (self.now(), Vec::new());
        for number in (0..GAMES).filter(|number| listed[*number]) {
            let announced = self.listed_key(number);
            let game = &mut self.games[number];
            if let Some(from) = game.reschedules_from(&announced, refresh, now) {
                let quoted = game.reschedule_to(&from, &announced);
                moved.extend(quoted.then_some((number, announced)));
            } else if !game.is_recorded() {
                game.key = announced;
            }
        }
        for (number, key) in moved {
            self.quoted_alone(number, &key);
        }
    }

    /// Removes other first quotes of a start: the record keeps one per start, and of two games with ids that of the
    /// last.
    pub(super) fn quoted_alone(&mut self, number: usize, key: &GameKey) {
        let others =
            self.games.iter_mut().enumerate().filter(|(other, game)| *other != number && game.match_id.is_some());
        for (_, game) in others {
            game.openers.remove(key);
        }
    }

    pub(super) fn quote(&mut self, listed: &[bool], value: u8) {
        let now = self.now();
        for number in (0..GAMES).filter(|number| listed[*number]) {
            let key = self.listed_key(number);
            if starts(&key) > now {
                self.quoted_alone(number, &key);
                let first = FirstQuote { total: total(value, number), again: false };
                self.games[number].openers.entry(key).and_modify(|quote| quote.again = true).or_insert(first);
            }
        }
    }

    /// Announces a new start that no other game of the teams has. Only a game with an id, or with a stated reschedule,
    /// can be matched across dates.
    pub(super) fn announce(&mut self, number: usize, minutes: u16, tomorrow: bool) {
        let first = game(number);
        let base = 60 * hour(number);
        let minute = base + u32::from(minutes % 59) + 1;
        let later = tomorrow && (first.match_id.is_some() || number == STATED);
        let announced = GameKey {
            date: first.key.date + Days::new(u64::from(later)),
            time: NaiveTime::from_hms_opt(minute / 60, minute % 60, 0),
            ..first.key
        };
        if self.games[number].called_off || self.games.iter().any(|game| game.announced == announced) {
            return;
        }
        self.games[number].announced = announced;
        self.last = None;
    }

    /// Exchanges the announced starts of the doubleheader's games.
    pub(super) fn swap(&mut self) {
        let [.., first, second] = &mut self.games[..] else { return };
        if !first.called_off && !second.called_off {
            std::mem::swap(&mut first.announced, &mut second.announced);
            self.last = None;
        }
    }
}
