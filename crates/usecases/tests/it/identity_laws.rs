//! The laws of identity, over random seasons and random ways to publish them.
//!
//! `PROPTEST_CASES` sets the number of seasons of each law; without it each has [`CASES`].

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, NaiveDateTime, TimeDelta, Utc};
use proptest::prelude::*;
use sports_domain::content::ObjectHash;
use sports_domain::{
    FinalScore, Forecasts, GameKey, GameLines, LineColumn, Market, ModelColumn, ModelType, OwnForecasts, Probability,
    Season, Sport, TeamSlug, Total, eastern_date, eastern_instant,
};
use sports_ports::Clock as _;
use sports_ports::seasons::SeasonRef;
use sports_publication::registry::{NamedColumn, Registry};
use sports_publication::settle::Permissions;
use sports_publication::slate::{OddsGame, SlateGame};
use sports_publication::testing::{a_game, a_release};
use sports_publication::{
    ArchivedGame, Ending, Extras, FinalRow, GameFacts, Located, Odds, PredictedGame, Predictions, PredictionsFile,
    Release, Value, testing,
};
use sports_usecases::publish::{Mode, PublishError, PublishOutcome, Settlement};
use sports_usecases::record::newest_entry;

use crate::world::World;

/// The seasons of each law in an ordinary run.
const CASES: u32 = 128;
const PAIRINGS: usize = 3;
/// Starts of one pairing at most this far apart are of one game, outside mlb.
const ONE_GAME: TimeDelta = TimeDelta::hours(12);

/// A game as it is really played. Games of one pairing are at least 36 hours apart.
#[derive(Debug, Clone)]
pub struct RealGame {
    pairing: usize,
    start: NaiveDateTime,
    match_id: Option<String>,
}

impl RealGame {
    /// The key of a listing whose start is off by some minutes.
    pub fn key(&self, minutes: i64) -> GameKey {
        let start = self.start + TimeDelta::minutes(minutes);
        let team = |side: &str| TeamSlug::normalise(&format!("{side} {}", self.pairing)).expect("a team");
        let (away, home) = (team("away"), team("home"));
        GameKey { date: start.date(), time: Some(start.time()), away, home, game_number: None }
    }

    fn score(&self) -> FinalScore {
        let points = u16::try_from(self.start.and_utc().timestamp() / 60 % 60).expect("small");
        FinalScore { away: 80 + points, home: 90 }
    }
}

/// The season of a league that the laws are about.
#[derive(Debug, Clone, Copy)]
pub struct League {
    pub sport: Sport,
    label: &'static str,
    first: &'static str,
}

pub const NBA: League = League { sport: Sport::Nba, label: "2025-26", first: "2025-12-10T12:07:00" };
pub const MLB: League = League { sport: Sport::Mlb, label: "2025", first: "2025-05-10T12:07:00" };

impl League {
    pub fn season(self) -> Season {
        testing::season(self.sport, self.label)
    }

    fn first(self) -> NaiveDateTime {
        self.first.parse().expect("a time")
    }
}

/// Seasons of up to six games, some with an id. No start is one that feeds write for a start that is not known.
pub fn real_games(league: League) -> impl Strategy<Value = Vec<RealGame>> {
    let gap = (36 * 6..72 * 6_i64).prop_map(|tens| 10 * tens);
    let game = (0..PAIRINGS, gap, any::<bool>());
    proptest::collection::vec(game, 1..6).prop_map(move |games| {
        let mut last = [league.first(); PAIRINGS];
        let place = |(number, (pairing, gap, has_id)): (usize, (usize, i64, bool))| {
            last[pairing] += TimeDelta::minutes(gap);
            RealGame { pairing, start: last[pairing], match_id: has_id.then(|| format!("g{number}")) }
        };
        games.into_iter().enumerate().map(place).collect()
    })
}

/// Three doubleheaders of mlb with ids; the second games start so many hours later.
pub fn doubleheaders(hours: i64) -> Vec<RealGame> {
    let first = MLB.first() + TimeDelta::hours(24);
    let game = |number: usize| {
        let start = first + if number.is_multiple_of(2) { TimeDelta::zero() } else { TimeDelta::hours(hours) };
        RealGame { pairing: number / 2, start, match_id: Some(format!("g{number}")) }
    };
    (0..6).map(game).collect()
}

/// A row of a file: a game, the minutes by which its start is off, and whether the row has the game's id.
#[derive(Debug, Clone)]
pub struct Row {
    pub game: usize,
    pub minutes: i64,
    pub has_id: bool,
}

/// A file of a release.
#[derive(Debug, Clone)]
pub enum File {
    /// A games file, with the finals of games that are over if `finals`.
    Games { finals: bool },
    /// Predictions of the markets whose bits are set.
    Predictions { markets: u8 },
    /// Odds.
    Odds,
    /// A finals file for `settle`.
    Finals,
}

/// A release after some minutes.
#[derive(Debug, Clone)]
pub struct Step {
    minutes: i64,
    file: File,
    rows: Vec<Row>,
}

fn a_file() -> impl Strategy<Value = File> {
    prop_oneof![
        2 => any::<bool>().prop_map(|finals| File::Games { finals }),
        3 => (1..8_u8).prop_map(|markets| File::Predictions { markets }),
        2 => Just(File::Odds),
        1 => Just(File::Finals),
    ]
}

pub fn a_step() -> impl Strategy<Value = Step> {
    let off = prop_oneof![3 => Just(0), 1 => Just(5), 1 => Just(30), 1 => Just(60), 1 => Just(300), 1 => (0..60_i64).prop_map(|tens| 10 * tens)];
    let row = (0..6_usize, off, any::<bool>()).prop_map(|(game, minutes, has_id)| Row { game, minutes, has_id });
    let minutes = prop_oneof![Just(10), Just(120), 0..3000_i64];
    (minutes, a_file(), proptest::collection::vec(row, 1..5)).prop_map(|(minutes, file, rows)| Step {
        minutes,
        file,
        rows,
    })
}

/// The number of a release in the values that it publishes: a total and a probability.
fn lines(release: usize) -> GameLines {
    let number = u32::try_from(release).expect("small");
    GameLines { total: Total::new(100.0 + f64::from(number)).ok(), ..GameLines::default() }
}

fn release_of(lines: &GameLines) -> Option<usize> {
    let number = lines.total?.get() - 100.0;
    (0..1000).find(|release| (f64::from(u32::try_from(*release).expect("small")) - number).abs() < 1e-9)
}

/// A store that is published to, and the time at which each game closed.
pub struct Publishing {
    pub league: League,
    pub games: Vec<RealGame>,
    pub world: World,
    /// The columns of the publisher's own models in files of predictions.
    pub own: &'static [&'static str],
    /// The instants of the releases.
    releases: Vec<DateTime<Utc>>,
    listed: BTreeSet<usize>,
    closed: BTreeMap<String, DateTime<Utc>>,
}

/// The league's record after a release.
#[derive(Debug, Default)]
struct Record {
    rows: Vec<(ModelType, ArchivedGame)>,
    predictions: Vec<Predictions>,
    odds: Option<Odds>,
}

impl Record {
    /// Every game by its identity: its key and ids, from every part of the record.
    fn games(&self) -> BTreeMap<String, (BTreeSet<GameKey>, BTreeSet<String>)> {
        let mut games: BTreeMap<String, (BTreeSet<GameKey>, BTreeSet<String>)> = BTreeMap::new();
        let mut note = |id: Option<&String>, key: &GameKey, match_id: Option<&String>| {
            let (keys, ids) = games.entry(id.expect("an identity").clone()).or_default();
            keys.insert(key.clone());
            ids.extend(match_id.cloned());
        };
        for facts in self.rows.iter().map(|(_, row)| &row.facts) {
            note(facts.game_id.as_ref(), &facts.key, facts.match_id.as_ref());
        }
        for game in self.predictions.iter().flat_map(Predictions::games).map(|game| &game.game) {
            note(game.game_id.as_ref(), &game.key, game.match_id.as_ref());
        }
        for game in self.odds.iter().flat_map(Odds::games) {
            note(game.game_id.as_ref(), &game.key, game.match_id.as_ref());
        }
        games
    }
}

impl Publishing {
    pub fn new(league: League, games: Vec<RealGame>) -> Self {
        let world = World::new();
        let first = league.first();
        world.clock.set(eastern_instant(first.date(), first.time()));
        let (releases, listed, closed) = Default::default();
        Self { league, games, world, own: &[], releases, listed, closed }
    }

    pub fn now(&self) -> DateTime<Utc> {
        self.world.clock.now()
    }

    /// The rows of a file, each game once, without rows of games that the season does not have.
    pub fn rows(&self, rows: &[Row]) -> Vec<Row> {
        let mut seen = BTreeSet::new();
        let is_first = |row: &&Row| row.game < self.games.len() && seen.insert(row.game);
        rows.iter().filter(is_first).cloned().collect()
    }

    pub fn match_id(&self, row: &Row) -> Option<String> {
        self.games[row.game].match_id.clone().filter(|_| row.has_id)
    }

    /// A release without files, read under the models on record.
    pub async fn bare(&self) -> Release {
        let mut release = a_release(self.league.sport, self.league.label, Vec::new());
        release.history.clear();
        release.slate_date = eastern_date(self.now());
        release.season = Some(self.league.season());
        release.content = ObjectHash::from_bytes(&self.releases.len().to_be_bytes());
        release.models.read_under = self.world.publisher().models(self.league.sport).await.expect("reads").registry;
        release
    }

    /// Adds a file to a release.
    fn add(&self, release: &mut Release, file: &File, rows: &[Row]) {
        let number = self.releases.len();
        match file {
            File::Games { finals } => release.history.extend(self.history(rows, *finals)),
            File::Predictions { markets } => {
                for (bit, model_type) in ModelType::ALL.into_iter().enumerate() {
                    if markets & (1 << bit) != 0 {
                        let models = &release.models.read_under;
                        let rows = rows.iter().map(|row| self.predicted(row, number, models)).collect();
                        let given = vec![LineColumn::OverUnder];
                        release.predictions.insert(model_type, PredictionsFile { given, rows, ..Default::default() });
                    }
                }
            }
            File::Odds => release.odds = Some(rows.iter().map(|row| self.quoted(row, number)).collect()),
            File::Finals => {}
        }
    }

    fn history(&self, rows: &[Row], finals: bool) -> Vec<sports_publication::SeasonHistory> {
        let now = self.now();
        let game = |row: &Row| {
            let (real, key) = (&self.games[row.game], self.games[row.game].key(row.minutes));
            let is_over = finals && key.has_started(now) && real.key(0).has_started(now - TimeDelta::hours(3));
            let facts = GameFacts {
                match_id: self.match_id(row),
                lines: lines(self.releases.len()),
                ending: is_over.then(|| Ending::settled(real.score())),
                ..GameFacts::unforecast(key)
            };
            a_game().with(|game| game.facts = facts).unforecast().build()
        };
        a_release(self.league.sport, self.league.label, rows.iter().map(game).collect()).history
    }

    /// A row of predictions under these models; a column that no model has is an extra one.
    pub fn predicted(&self, row: &Row, number: usize, models: &Registry) -> Located<PredictedGame> {
        let percent = f64::from(u32::try_from(number + 1).expect("small"));
        let (mut own, mut extras) = (OwnForecasts::default(), Extras::default());
        for column in self.own {
            match models.column(column, None) {
                NamedColumn::Model(model) => {
                    own.insert(model, Probability::new(percent / 999.0).expect("a probability"));
                }
                NamedColumn::Retired(_) => {}
                NamedColumn::NoModel | NamedColumn::Undeclared => {
                    extras.insert(*column, Value::Number(percent / 999.0));
                }
            }
        }
        let game = SlateGame {
            key: self.games[row.game].key(row.minutes),
            game_id: None,
            match_id: self.match_id(row),
            lines: lines(number),
            forecasts: Forecasts::default()
                .with(ModelColumn::Blend, Probability::new(percent / 1000.0).expect("a probability")),
            own,
        };
        let value = PredictedGame { game, game_type: None, quote_source: None, extras };
        Located { place: testing::place(row.game + 2), value }
    }

    fn quoted(&self, row: &Row, number: usize) -> Located<OddsGame> {
        let value = OddsGame {
            key: self.games[row.game].key(row.minutes),
            game_id: None,
            listed_start: None,
            match_id: self.match_id(row),
            lines: lines(number),
            quote_source: None,
            last_updated: None,
        };
        Located { place: testing::place(row.game + 2), value }
    }

    async fn record(&self) -> Record {
        let Some(head) = newest_entry(&*self.world.store, self.league.sport).await.expect("answers") else {
            return Record::default();
        };
        let catalog = head.catalog;
        let mut record = Record::default();
        for ((model_type, season), entry) in &catalog.results {
            let market = Market::new(self.league.sport, *model_type);
            let archive = SeasonRef::from_artifact(market, *season, &entry.artifact);
            let archive = self.world.archives.read(&archive).await.expect("reads");
            record.rows.extend(archive.games().iter().map(|game| (*model_type, game.clone())));
        }
        for entry in catalog.predictions.values() {
            let predictions = self.world.slates.predictions(self.league.sport, &entry.artifact).await;
            record.predictions.push(predictions.expect("reads"));
        }
        if let Some(odds) = &catalog.odds {
            record.odds = Some(self.world.slates.odds(self.league.sport, odds).await.expect("reads"));
        }
        record
    }

    /// Notes the games whose start on record has passed.
    async fn close(&mut self) {
        let (now, record) = (self.now(), self.record().await);
        for (id, (keys, _)) in record.games() {
            let start = keys.first().and_then(|key| Some(eastern_instant(key.date, key.time?))).expect("timed");
            if start <= now {
                self.closed.entry(id).or_insert(start);
            }
        }
    }

    pub async fn take(&mut self, step: &Step) {
        self.world.clock.advance(TimeDelta::minutes(step.minutes));
        self.close().await;
        let rows = self.rows(&step.rows);
        if rows.is_empty() {
            return;
        }
        self.world.clock.advance(TimeDelta::milliseconds(1));
        if matches!(step.file, File::Finals) {
            self.settle(&rows).await;
        } else {
            self.publish(&step.file, &rows).await;
        }
    }

    async fn publish(&mut self, file: &File, rows: &[Row]) {
        let mut release = self.bare().await;
        self.add(&mut release, file, rows);
        self.releases.push(self.now());
        let taken = self.world.try_publish(&release).await;
        match taken {
            Ok(_) => {
                self.listed.extend(rows.iter().map(|row| row.game));
                self.world.clock.advance(TimeDelta::milliseconds(1));
                let again = self.world.publisher().publish(&release, Mode::Commit).await;
                let outcome = again.map(|published| published.outcome);
                assert!(matches!(outcome, Ok(PublishOutcome::AlreadyPublished { .. })), "again: {outcome:?}");
            }
            Err(PublishError::Problems(problems)) => assert!(!problems.is_empty(), "a reason"),
            Err(other) => panic!("{other}"),
        }
    }

    async fn settle(&mut self, rows: &[Row]) {
        let row = |row: &Row| {
            let key = self.games[row.game].key(row.minutes);
            let ending = Ending::settled(self.games[row.game].score());
            let value =
                FinalRow { key, game_id: None, match_id: self.match_id(row), ending, void: None, remarks: Vec::new() };
            Located { place: testing::place(row.game + 2), value }
        };
        let settlement = Settlement {
            sport: self.league.sport,
            finals: rows.iter().map(row).collect(),
            content: ObjectHash::from_bytes(b"finals"),
            permissions: Permissions::default(),
        };
        let settled = self.world.publisher().settle(&settlement, Mode::Commit).await;
        let is_refused = matches!(settled, Err(PublishError::Problems(_) | PublishError::NothingPublished(_)));
        assert!(settled.is_ok() || is_refused, "{settled:?}");
    }

    /// Checks every law that holds at any moment.
    async fn check(&self) {
        let record = self.record().await;
        let games = record.games();
        let mut names: BTreeMap<&String, &String> = BTreeMap::new();
        let mut pairings: BTreeMap<(TeamSlug, TeamSlug), Vec<&GameKey>> = BTreeMap::new();
        for (id, (keys, ids)) in &games {
            assert_eq!(keys.len(), 1, "{id} has one start in every part of the record: {keys:?}");
            assert!(ids.len() <= 1, "{id} has one id: {ids:?}");
            for name in ids {
                let other = names.insert(name, id);
                assert!(other.is_none(), "{name} is of {id} and of {other:?}");
            }
            let key = keys.first().expect("one");
            pairings.entry((key.away.clone(), key.home.clone())).or_default().push(key);
        }
        for (pairing, keys) in &pairings {
            let real = self.listed.iter().filter(|game| self.games[**game].key(0).away == pairing.0).count();
            assert!(keys.len() <= real, "{real} real games are {keys:?}");
            let mut starts: Vec<_> = keys.iter().map(|key| key.date.and_time(key.time.expect("timed"))).collect();
            starts.sort_unstable();
            assert!(starts.windows(2).all(|pair| pair[1] - pair[0] > ONE_GAME), "{keys:?}");
        }
        self.check_closed(&record);
    }

    /// Checks that no forecast or price of a live game is newer than its closing.
    fn check_closed(&self, record: &Record) {
        let live: BTreeSet<_> = record.rows.iter().filter(|(_, row)| row.forecast.is_live()).collect_ids();
        for (model_type, row) in &record.rows {
            let id = row.facts.game_id.as_ref().expect("an identity");
            let Some(closed) = self.closed.get(id).filter(|_| live.contains(id)) else { continue };
            if let Some(release) = release_of(&row.facts.lines) {
                assert!(self.releases[release] < *closed, "{model_type} {id}: a price after {closed}");
            }
            if let Some(blend) = row.forecast.forecasts.get(ModelColumn::Blend) {
                let release = (0..self.releases.len()).find(|number| {
                    let percent = f64::from(u32::try_from(*number + 1).expect("small"));
                    (blend.get() * 1000.0 - percent).abs() < 1e-9
                });
                let release = release.expect("a release has it");
                assert!(self.releases[release] < *closed, "{model_type} {id}: a forecast after {closed}");
            }
        }
    }
}

trait CollectIds {
    fn collect_ids(self) -> BTreeSet<String>;
}

impl<'r, I: Iterator<Item = &'r (ModelType, ArchivedGame)>> CollectIds for I {
    fn collect_ids(self) -> BTreeSet<String> {
        self.filter_map(|(_, row)| row.facts.game_id.clone()).collect()
    }
}

pub fn run<F: Future>(future: F) -> F::Output {
    tokio::runtime::Builder::new_current_thread().build().expect("a runtime").block_on(future)
}

/// The games in the archives.
async fn recorded(publishing: &Publishing) -> BTreeSet<(String, GameKey)> {
    let rows = publishing.record().await.rows;
    rows.into_iter().map(|(_, row)| (row.facts.game_id.expect("an identity"), row.facts.key)).collect()
}

/// Publishes the rows of a day, each in the release with its number, and returns the games on record.
async fn published_in_parts(
    games: &[RealGame],
    league: League,
    day: &[(File, Row, usize)],
) -> BTreeSet<(String, GameKey)> {
    let mut publishing = Publishing::new(league, games.to_vec());
    let parts: BTreeSet<_> = day.iter().map(|(.., part)| *part).collect();
    for part in parts {
        let mut release = publishing.bare().await;
        for kind in [File::Games { finals: false }, File::Predictions { markets: 7 }, File::Odds] {
            let of_file = day
                .iter()
                .filter(|(file, _, of)| *of == part && std::mem::discriminant(file) == std::mem::discriminant(&kind));
            let rows: Vec<_> = of_file.map(|(_, row, _)| row.clone()).collect();
            let rows = publishing.rows(&rows);
            if !rows.is_empty() {
                publishing.add(&mut release, &kind, &rows);
            }
        }
        publishing.world.try_publish(&release).await.expect("publishes");
        publishing.releases.push(publishing.now());
        publishing.world.clock.advance(TimeDelta::milliseconds(1));
    }
    recorded(&publishing).await
}

/// The rows of a day at the real starts: each game in a games file or in predictions, and some in the odds.
fn a_day() -> impl Strategy<Value = Vec<(File, Row, usize)>> {
    let row = (any::<bool>(), any::<bool>(), any::<bool>(), 0..4_usize, 0..4_usize);
    proptest::collection::vec(row, 6).prop_map(|rows| {
        let listed = |(game, (is_history, is_quoted, has_id, part, quoted_in)): (usize, _)| {
            let file = if is_history { File::Games { finals: false } } else { File::Predictions { markets: 7 } };
            let row = Row { game, minutes: 0, has_id };
            let odds = if is_quoted { Some((File::Odds, row.clone(), quoted_in)) } else { None };
            [Some((file, row, part)), odds]
        };
        rows.into_iter().enumerate().flat_map(listed).flatten().collect()
    })
}

/// Returns the settings of every law: as many cases for each.
fn settings() -> ProptestConfig {
    let given = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    ProptestConfig { cases: given.unwrap_or(CASES), ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(settings())]

    /// No sequence of releases records a game twice or under two ids, publishes anything after the game closed, or
    /// changes the record when its last release is published again.
    #[test]
    fn any_sequence_of_releases_keeps_the_laws_of_identity(
        games in real_games(NBA),
        steps in proptest::collection::vec(a_step(), 1..9),
    ) {
        run(async {
            let mut publishing = Publishing::new(NBA, games);
            for step in &steps {
                publishing.take(step).await;
                publishing.check().await;
            }
        });
    }

    /// A day's information gives the same games in one release and in several, in any order.
    #[test]
    fn any_split_of_a_day_over_releases_gives_the_same_games(games in real_games(NBA), day in a_day()) {
        let whole: Vec<_> = day.iter().cloned().map(|(file, row, _)| (file, row, 0)).collect();
        let day: Vec<_> = day.into_iter().filter(|(_, row, _)| row.game < games.len()).collect();
        let whole: Vec<_> = whole.into_iter().filter(|(_, row, _)| row.game < games.len()).collect();
        let (one, several) = run(async {
            (published_in_parts(&games, NBA, &whole).await, published_in_parts(&games, NBA, &day).await)
        });
        prop_assert_eq!(one, several);
    }

    /// The games of doubleheaders with ids stay apart, however a day is split.
    #[test]
    fn any_split_of_doubleheaders_with_ids_gives_the_same_games(hours in 3..9_i64, day in a_day()) {
        let games = doubleheaders(hours);
        let named = |(file, row, part): (File, Row, usize)| (file, Row { has_id: true, ..row }, part);
        let day: Vec<_> = day.into_iter().map(named).collect();
        let whole: Vec<_> = day.iter().cloned().map(|(file, row, _)| (file, row, 0)).collect();
        let keys = |games: BTreeSet<(String, GameKey)>| games.into_iter().map(|(_, key)| key).collect::<BTreeSet<_>>();
        let (one, several) = run(async {
            (published_in_parts(&games, MLB, &whole).await, published_in_parts(&games, MLB, &day).await)
        });
        prop_assert_eq!(keys(one), keys(several));
    }
}
