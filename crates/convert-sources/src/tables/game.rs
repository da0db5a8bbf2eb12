use std::cmp::Ordering;

use chrono::{NaiveDate, NaiveTime};
use sports_domain::{LineColumn, Season, TeamSlug};

use super::prices::Decimal;
use crate::tables::field::TextColumn;

/// A game with the values of a release.
#[derive(Debug, Clone)]
pub(crate) struct Game {
    /// The number of its first row, in the file with this place among all files.
    pub(crate) row: u64,
    pub(crate) file: usize,
    pub(crate) season: Season,
    pub(crate) date: NaiveDate,
    pub(crate) time: Option<NaiveTime>,
    pub(crate) away: TeamSlug,
    pub(crate) home: TeamSlug,
    pub(crate) number: Option<u8>,
    /// The part of the season, in the word of a release; empty if the file has no game types.
    pub(crate) part: Box<str>,
    pub(crate) score: Option<Score>,
    pub(crate) status: Box<str>,
    pub(crate) texts: Vec<(TextColumn, Box<str>)>,
    pub(crate) prices: Vec<(LineColumn, i32)>,
    pub(crate) spreads: Spreads,
    pub(crate) totals: Vec<(LineColumn, Decimal)>,
    /// The probability of each model of the map, of the positive side.
    pub(crate) models: Vec<Option<Decimal>>,
    pub(crate) extras: Vec<Box<str>>,
}

/// A final.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Score {
    pub(crate) away: u16,
    pub(crate) home: u16,
}

/// The home team's spreads.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Spreads {
    pub(crate) closing: Option<Decimal>,
    pub(crate) opening: Option<Decimal>,
}

impl Game {
    /// Compares games by season, start, teams and number.
    pub(crate) fn compared(&self, other: &Self) -> Ordering {
        let start = |game: &Self| (game.season, game.date, game.time.is_none(), game.time);
        let teams = || self.away.cmp(&other.away).then_with(|| self.home.cmp(&other.home));
        start(self).cmp(&start(other)).then_with(teams).then_with(|| self.number.cmp(&other.number))
    }

    pub(crate) fn price(&self, line: LineColumn) -> Option<i32> {
        self.prices.iter().find(|(known, _)| *known == line).map(|(_, price)| *price)
    }

    pub(crate) fn total(&self, line: LineColumn) -> Option<Decimal> {
        self.totals.iter().find(|(known, _)| *known == line).map(|(_, total)| *total)
    }

    pub(crate) fn text(&self, column: TextColumn) -> &str {
        self.texts.iter().find(|(known, _)| *known == column).map_or("", |(_, text)| text)
    }

    /// Returns true if the game has a line or a price.
    pub(crate) fn is_quoted(&self) -> bool {
        !self.prices.is_empty() || self.spreads.closing.is_some() || !self.totals.is_empty()
    }
}
