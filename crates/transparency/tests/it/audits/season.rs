//! A record in the making: its leaves, and the answers of an honest service about it.

use std::num::NonZeroUsize;

use chrono::{DateTime, NaiveTime, TimeDelta, Utc};
use sports_domain::content::ObjectHash;
use sports_domain::{
    AmericanPrice, ClockSource, FinalScore, GameKey, GameLines, LineColumn, ModelColumn, ModelName, ModelType,
    Probability, Season, Sport, TeamSlug, TwoWayPrices,
};
use sports_transparency::audit::{
    AuditTerms, Evidence, ListedRelease, LocatedOpening, ResultRow, RowStatements, SeasonFiles,
};
use sports_transparency::{Leaf, LeafFact, Nonce, Opening, Payload, RecordedEnding, TreeHash};

pub const SPORT: Sport = Sport::Nfl;
pub const MARKET: ModelType = ModelType::WonOnPoints;
pub const SEASON: &str = "2023-24";
/// A generation that is published after the games start: one is published each minute from 15:00 UTC on.
pub const AFTER_THE_START: u64 = 400;
/// The start of each game: 2024-01-06 16:30 Eastern, which is 21:30 UTC.
pub const START: i64 = 1_704_576_600;

#[derive(Debug, Clone)]
pub struct Record {
    pub leaves: Vec<Leaf>,
    pub files: SeasonFiles,
    pub evidence: Evidence,
    pub listed: Vec<ListedRelease>,
    /// The size of the tree after the first entry.
    pub first_entry: u64,
    is_timeless: bool,
}

impl Default for Record {
    fn default() -> Self {
        let (leaves, files, listed) = (Vec::new(), SeasonFiles::default(), Vec::new());
        Self { leaves, files, evidence: no_evidence(), listed, first_entry: 0, is_timeless: false }
    }
}

/// No statement of the one voice that is needed.
pub fn no_evidence() -> Evidence {
    Evidence::of_quorum(NonZeroUsize::MIN)
}

/// An audit of the season on the evening of its games.
pub fn terms() -> AuditTerms {
    let now = DateTime::from_timestamp(START, 0).expect("an instant");
    let root = TreeHash::of_leaf(b"a root");
    AuditTerms { sport: SPORT, season: season(SEASON), now, root, model: None, schedule: None, is_public: false }
}

pub fn season(label: &str) -> Season {
    Season::parse(SPORT, label).expect("a season")
}

fn team(text: &str) -> TeamSlug {
    TeamSlug::normalise(text).expect("a team")
}

pub fn game(number: u32) -> GameKey {
    let time = NaiveTime::from_hms_opt(16, 30, 0);
    let date = "2024-01-06".parse().expect("a date");
    let (away, home) = (team(&format!("away {number}")), team(&format!("home {number}")));
    GameKey { date, time, away, home, game_number: None }
}

/// The probability of a game's forecast.
pub fn probability(number: u32) -> f64 {
    0.5 + f64::from(number) / 100.0
}

pub fn ending(away: u16, home: u16) -> RecordedEnding {
    RecordedEnding::Final { score: FinalScore { away, home }, status: "settled".parse().expect("a word") }
}

pub fn published(generation: u64) -> DateTime<Utc> {
    let first: DateTime<Utc> = "2024-01-06T15:00:00Z".parse().expect("an instant");
    first + TimeDelta::minutes(i64::try_from(generation).expect("small"))
}

fn entry_hash(generation: u64) -> ObjectHash {
    ObjectHash::from_bytes(format!("entry {generation}").as_bytes())
}

fn run(generation: u64) -> String {
    format!("release-{generation}")
}

impl Record {
    /// One entry with forecasts of three games, cosigned hours before they start.
    pub fn of_three() -> Self {
        let mut record = Self::default();
        record.forecast(1, &[(1, probability(1)), (2, probability(2)), (3, probability(3))]);
        record.first_entry = record.leaves.len() as u64;
        let size = record.first_entry;
        record.evidence.add_cosignature(0, size, u64::try_from(START).expect("after 1970") - 20_000);
        record
    }

    /// Generations 1, 3, 4 and 6, without forecasts.
    pub fn of_releases() -> Self {
        let mut record = Self::default();
        let stated = |generation| (published(generation), ClockSource::System);
        let numbers = [(1, None), (3, Some(1)), (4, Some(3)), (6, Some(4))];
        let release = |(generation, before): (u64, Option<u64>)| {
            let (published_at, clock) = stated(generation);
            Leaf {
                sport: SPORT,
                generation,
                fact: LeafFact::Release { published_at, clock, continues: before.map(entry_hash) },
            }
        };
        record.leaves = numbers.map(release).to_vec();
        record.listed = numbers
            .map(|(generation, before)| {
                let (published_at, clock) = stated(generation);
                let (release_id, previous) = (run(generation), before.map(entry_hash));
                ListedRelease { generation, release_id, published_at, clock, sha256: entry_hash(generation), previous }
            })
            .to_vec();
        record
    }

    /// Makes the games of later forecasts ones without a time.
    pub const fn without_times(&mut self) {
        self.is_timeless = true;
    }

    /// Adds an entry with forecasts, each a game and its probability, and the rows and openings of an honest service.
    pub fn forecast(&mut self, generation: u64, games: &[(u32, f64)]) {
        self.add_entry(generation, Vec::new());
        for (number, probability) in games {
            let key = GameKey { time: game(*number).time.filter(|_| !self.is_timeless), ..game(*number) };
            self.add_forecast(generation, key, *probability);
        }
    }

    /// Adds an entry with the forecast of one game, at any start.
    pub fn forecast_at(&mut self, generation: u64, game: GameKey, probability: f64) {
        self.add_entry(generation, Vec::new());
        self.add_forecast(generation, game, probability);
    }

    fn add_forecast(&mut self, generation: u64, key: GameKey, probability: f64) {
        let money = TwoWayPrices { positive: AmericanPrice::new(130).ok(), negative: AmericanPrice::new(-155).ok() };
        let lines = GameLines { money, ..GameLines::default() };
        let model: ModelName = "BLEND".parse().expect("a model");
        let payload = Payload {
            sport: SPORT,
            model_type: MARKET,
            season: season(SEASON),
            game: &key,
            release_id: &run(generation),
            published_at: published(generation),
            clock: ClockSource::System,
            lines: &lines,
            probabilities: &[(model, Probability::new(probability).expect("valid"))],
        };
        let payload = payload.to_json();
        let salt = Nonce::new([7; 32]).salt(generation, MARKET, &key);
        let commitment = salt.commit(payload.as_bytes());
        let leaf = Leaf {
            sport: SPORT,
            generation,
            fact: LeafFact::Forecast { model_type: MARKET, season: season(SEASON), game: key.clone(), commitment },
        };
        let opening = Opening { entry: leaf.to_text(), salt, payload };
        self.files.openings.push(LocatedOpening { index: self.leaves.len() as u64, opening });
        self.leaves.push(leaf);
        self.add_row(key, generation, probability);
    }

    /// Adds the row of a game that has none yet.
    fn add_row(&mut self, game: GameKey, generation: u64, probability: f64) {
        if self.files.rows.iter().any(|row| row.game == game) {
            return;
        }
        self.files.rows.push(ResultRow {
            model_type: MARKET,
            season: season(SEASON),
            game,
            live_run: Some(run(generation)),
            is_recorded: true,
            lines: [(LineColumn::HomeMoneyLine, 130.0), (LineColumn::AwayMoneyLine, -155.0)].into(),
            probabilities: [(ModelName::of(ModelColumn::Blend), probability)].into(),
            ending: RecordedEnding::Gone,
            statements: RowStatements {
                season: SEASON.to_owned(),
                published_at: Some(published(generation)),
                probability_source: Some("recorded".to_owned()),
                ungraded_reason: Some("no_final".to_owned()),
                ..RowStatements::default()
            },
        });
    }

    /// Adds an entry with these leaves.
    pub fn add_entry(&mut self, generation: u64, leaves: Vec<Leaf>) {
        self.leaves.push(Leaf {
            sport: SPORT,
            generation,
            fact: LeafFact::Release {
                published_at: published(generation),
                clock: ClockSource::System,
                continues: generation.checked_sub(1).filter(|before| *before > 0).map(entry_hash),
            },
        });
        self.leaves.extend(leaves);
    }

    /// The witness has all leaves up to now a minute before the games.
    pub fn cosign_in_time(&mut self) {
        self.evidence.add_cosignature(0, self.leaves.len() as u64, u64::try_from(START).expect("after 1970") - 60);
    }

    /// Moves the openings behind leaves that were inserted before them.
    pub fn shift_openings(&mut self, by: u64) {
        self.files.openings.iter_mut().for_each(|opening| opening.index += by);
    }
}

/// Ends a game of the moneyline, whose row is graded from then on.
pub fn end(row: &mut ResultRow, away: u16, home: u16) {
    row.ending = ending(away, home);
    row.statements.positive_won = Some(home > away);
    row.statements.push = Some(home == away);
    row.statements.graded = home != away;
    row.statements.ungraded_reason = (home == away).then(|| "push".to_owned());
}

pub fn later(number: u32) -> GameKey {
    GameKey { time: NaiveTime::from_hms_opt(20, 15, 0), ..game(number) }
}

pub fn moved(generation: u64, from: GameKey, to: GameKey) -> Leaf {
    Leaf { sport: SPORT, generation, fact: LeafFact::Moved { season: season(SEASON), from, to } }
}

pub fn withdrawn(generation: u64, game: GameKey) -> Leaf {
    Leaf { sport: SPORT, generation, fact: LeafFact::Withdrawn { model_type: MARKET, season: season(SEASON), game } }
}

pub fn ended(generation: u64, game: GameKey, away: u16, home: u16) -> Leaf {
    Leaf {
        sport: SPORT,
        generation,
        fact: LeafFact::Final { season: season(SEASON), game, ending: ending(away, home) },
    }
}

pub fn model(generation: u64, name: &str) -> Leaf {
    let model = name.parse().expect("a model");
    Leaf { sport: SPORT, generation, fact: LeafFact::Model { model, version: Some("1".to_owned()), sha256: None } }
}
