//! The model's games: a card for each market, and every start that a game had.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use sports_domain::{Forecasts, GameKey, GameLines, ModelColumn, ModelType, TeamSlug, Total};
use sports_publication::Place;

use super::returning::Page;

/// The model's state of one market of one game.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Card {
    pub(super) blend: u8,
    pub(super) total: f64,
    pub(super) opener: Option<f64>,
    pub(super) published_at: DateTime<Utc>,
}

/// The first quote of a game under a start; `again` is true if it was quoted again.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct FirstQuote {
    pub(super) total: f64,
    pub(super) again: bool,
}

/// A game of the model, with the same identity under every start.
#[derive(Debug, Clone)]
pub(super) struct Game {
    /// The key on record.
    pub(super) key: GameKey,
    /// The key that the publisher announces now.
    pub(super) announced: GameKey,
    pub(super) match_id: Option<String>,
    pub(super) cards: BTreeMap<ModelType, Card>,
    /// First quotes, by the key of the game when they were published.
    pub(super) openers: BTreeMap<GameKey, FirstQuote>,
    /// The home team's points, once it has a final.
    pub(super) home: Option<u16>,
    pub(super) called_off: bool,
    /// True if a start has passed and the game was rescheduled back since: its forecast counts, though the game may not
    /// have started.
    pub(super) is_final: bool,
    /// The cards after every step since the game is on record.
    pub(super) pages: Vec<Page>,
}

impl Game {
    pub(super) fn started(&self, now: DateTime<Utc>) -> bool {
        starts(&self.key) <= now
    }

    /// Returns true if the game can still be listed under another start.
    pub(super) fn is_open(&self, now: DateTime<Utc>) -> bool {
        !self.started(now) && self.home.is_none() && !self.called_off
    }

    pub(super) fn is_recorded(&self) -> bool {
        !self.cards.is_empty()
    }

    /// Returns the game's key before a release that lists it as `listed`; after play nothing is inferred.
    pub(super) fn reschedules_from(&self, listed: &GameKey, refresh: bool, now: DateTime<Utc>) -> Option<GameKey> {
        if starts(listed) <= now || (refresh && self.openers.contains_key(listed)) {
            return None;
        }
        // Odds alone state no reschedule, and do not match games across dates.
        let seen = self.match_id.is_some() || !refresh || self.key.date == listed.date;
        if self.is_recorded() && seen {
            return (self.is_open(now) && self.key != *listed).then(|| self.key.clone());
        }
        // What is only quoted is known by its id, or by its teams and date.
        let is_known = |key: &GameKey| self.match_id.is_some() || key.date == listed.date;
        self.openers.keys().find(|key| *key != listed && starts(key) > now && is_known(key)).cloned()
    }

    /// Moves the game to a new start, or only its first quote if the game is on record under another one. Returns true
    /// if a first quote moved.
    pub(super) fn reschedule_to(&mut self, from: &GameKey, to: &GameKey) -> bool {
        if !self.is_recorded() || self.key == *from {
            self.key = to.clone();
        }
        let opener = self.openers.remove(from);
        opener.map(|opener| self.openers.entry(to.clone()).or_insert(opener)).is_some()
    }
}

pub(super) fn starts(key: &GameKey) -> DateTime<Utc> {
    sports_domain::eastern_instant(key.date, key.time.expect("timed"))
}

fn team(name: &str) -> TeamSlug {
    TeamSlug::normalise(name).expect("a team")
}

/// Returns the hour from which a game can start: the games of the doubleheader are three hours apart or more.
pub(super) fn hour(number: usize) -> u32 {
    12 + u32::try_from(number).expect("small") + if number == 5 { 3 } else { 0 }
}

pub(super) fn game(number: usize) -> Game {
    // Games 4 and 5 are a doubleheader of the same teams; these and game 0 have match ids, the others have none.
    let pairing = number.min(4);
    let date = NaiveDate::from_ymd_opt(2024, 11, 24 + u32::from(number == 3)).expect("a date");
    let time = NaiveTime::from_hms_opt(hour(number), 0, 0);
    let (away, home) = (team(&format!("away {pairing}")), team(&format!("home {pairing}")));
    let key = GameKey { date, time, away, home, game_number: None };
    let match_id = (number == 0 || number >= 4).then(|| format!("m-{number}"));
    let (cards, openers) = (BTreeMap::new(), BTreeMap::new());
    Game {
        announced: key.clone(),
        key,
        match_id,
        cards,
        openers,
        home: None,
        called_off: false,
        is_final: false,
        pages: Vec::new(),
    }
}

pub(super) fn place(row: usize) -> Place {
    Place { file: "predictions.csv".into(), row: Some(row + 2) }
}

pub(super) fn total(value: u8, game: usize) -> f64 {
    30.0 + f64::from(value) + 0.5 * f64::from(u8::try_from(game).expect("small"))
}

pub(super) fn blend_of(value: u8, game: usize, model_type: ModelType) -> u8 {
    let shift = u8::try_from(game).expect("small") * 3 + model_type as u8;
    (value + shift) % 101
}

pub(super) fn posted(points: f64) -> GameLines {
    GameLines { total: Total::new(points).ok(), ..GameLines::default() }
}

pub(super) fn blend(forecasts: &Forecasts<'_>) -> Option<u8> {
    let percent = forecasts.get(ModelColumn::Blend)?.get() * 100.0;
    (0..=100_u8).find(|whole| (f64::from(*whole) - percent).abs() < 1e-9)
}
