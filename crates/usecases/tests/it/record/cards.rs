//! Games as the model keeps them: a card for each market, and what a game was ever called.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use sports_domain::{Forecasts, GameKey, GameLines, ModelColumn, ModelType, TeamSlug, Total};
use sports_publication::Place;

use super::returning::Page;

/// What the model remembers of one market of one game.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Card {
    pub(super) blend: u8,
    pub(super) total: f64,
    pub(super) opener: Option<f64>,
    pub(super) published_at: DateTime<Utc>,
}

/// The first quote of a game under a start, and whether it was quoted again.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct FirstQuote {
    pub(super) total: f64,
    pub(super) again: bool,
}

/// A game as the model sees it: itself, whatever it is called.
#[derive(Debug, Clone)]
pub(super) struct Game {
    /// What it is called on record.
    pub(super) key: GameKey,
    /// What the publisher calls it now.
    pub(super) announced: GameKey,
    pub(super) match_id: Option<String>,
    pub(super) cards: BTreeMap<ModelType, Card>,
    /// First quotes, by what the game was called when they were seen.
    pub(super) openers: BTreeMap<GameKey, FirstQuote>,
    /// The home team's points, once it has a final.
    pub(super) home: Option<u16>,
    pub(super) called_off: bool,
    /// A start of it has passed, and it was rescheduled back since: its forecast counts, though it may not have
    /// started.
    pub(super) is_final: bool,
    /// Its cards after every step since it is on record.
    pub(super) pages: Vec<Page>,
}

impl Game {
    pub(super) fn started(&self, now: DateTime<Utc>) -> bool {
        starts(&self.key) <= now
    }

    /// Whether it can still be listed under another start.
    pub(super) fn is_open(&self, now: DateTime<Utc>) -> bool {
        !self.started(now) && self.home.is_none() && !self.called_off
    }

    pub(super) fn is_recorded(&self) -> bool {
        !self.cards.is_empty()
    }

    /// What it was called before a release that calls it `listed`; nothing is guessed after play.
    pub(super) fn reschedules_from(&self, listed: &GameKey, refresh: bool, now: DateTime<Utc>) -> Option<GameKey> {
        if starts(listed) <= now || (refresh && self.openers.contains_key(listed)) {
            return None;
        }
        if self.is_recorded() {
            // Odds alone state no reschedule, and a new date is no sign of one.
            let seen = self.match_id.is_some() || !refresh || self.key.date == listed.date;
            return (seen && self.is_open(now) && self.key != *listed).then(|| self.key.clone());
        }
        // What is only quoted is known by its id, or not at all.
        let known = self.openers.keys().find(|key| *key != listed && starts(key) > now);
        known.filter(|_| self.match_id.is_some()).cloned()
    }

    /// Calls it by a new start; whether a first quote of it came along.
    pub(super) fn reschedule_to(&mut self, from: &GameKey, to: &GameKey) -> bool {
        self.key = to.clone();
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

pub(super) fn game(number: usize) -> Game {
    // Games 4 and 5 are a doubleheader of the same teams; it and game 0 go by ids, the others by nothing.
    let pairing = number.min(4);
    let date = NaiveDate::from_ymd_opt(2024, 11, 24 + u32::from(number == 3)).expect("a date");
    let time = NaiveTime::from_hms_opt(12 + u32::try_from(number).expect("small"), 0, 0);
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

pub(super) fn blend(forecasts: &Forecasts) -> Option<u8> {
    let percent = forecasts.get(ModelColumn::Blend)?.get() * 100.0;
    (0..=100_u8).find(|whole| (f64::from(*whole) - percent).abs() < 1e-9)
}
