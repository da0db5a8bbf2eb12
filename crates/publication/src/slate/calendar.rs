//! The dates of a league's slates: those on record, which tell its markets, and those on which the next ones are due.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{Days, NaiveDate};
use sports_domain::ModelType;

use crate::Catalog;
use crate::registry::SlateDays;

/// The slate dates on record, each with the markets of its predictions, as far as entries were noted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SlateDates(BTreeMap<NaiveDate, BTreeSet<ModelType>>);

impl SlateDates {
    /// The number of the last slate dates whose markets a league has, the one under way included.
    pub const LAST: usize = 14;

    /// Creates the dates of an entry.
    pub fn of(entry: &Catalog) -> Self {
        let mut dates = Self::default();
        dates.note(entry);
        dates
    }

    /// Notes the slate dates of an entry's predictions. Dates without predictions are no slate dates.
    pub fn note(&mut self, entry: &Catalog) {
        for (model_type, predictions) in &entry.predictions {
            self.0.entry(predictions.artifact.slate_date).or_default().insert(*model_type);
        }
    }

    /// Returns the markets of the last slate dates; every market before the first predictions.
    pub fn markets(&self) -> BTreeSet<ModelType> {
        let markets: BTreeSet<_> = self.0.values().rev().take(Self::LAST).flatten().copied().collect();
        if markets.is_empty() { ModelType::ALL.into() } else { markets }
    }

    /// Returns true if entries before the oldest noted one may change [`Self::markets`] of the newest noted one.
    ///
    /// They cannot while the last predictions of each market are so recent that fewer slate dates fit in between.
    pub fn needs_before(&self, newest: &Catalog, oldest: &Catalog) -> bool {
        let last = || newest.predictions.values().map(|entry| entry.artifact.slate_date);
        let days = last().max().zip(last().min()).map(|(newest, oldest)| (newest - oldest).num_days());
        // No earlier entry has a slate date behind that of the oldest noted one.
        let known = self.0.range(oldest.slate_date..).filter(|(date, _)| **date > oldest.slate_date).count();
        let is_old = days.and_then(|days| usize::try_from(days).ok()).is_some_and(|days| days >= Self::LAST);
        is_old && known < Self::LAST
    }

    /// Returns the last slate date before another date, with its markets.
    pub fn last_before(&self, date: NaiveDate) -> Option<(NaiveDate, &BTreeSet<ModelType>)> {
        self.0.range(..date).next_back().map(|(date, markets)| (*date, markets))
    }
}

/// The days on which a league's slate is due. By default every day is one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SlateCalendar {
    /// The declared weekdays; `None` for every day.
    pub slate_days: Option<SlateDays>,
    /// The date of the last game on record that is over.
    pub last_final: Option<NaiveDate>,
    /// The dates of games on record without an ending.
    pub games: BTreeSet<NaiveDate>,
}

impl SlateCalendar {
    /// The number of days behind the last final of a season from which no slate is due before the next game on record.
    pub const SEASON_ENDS_AFTER: Days = Days::new(7);

    /// Returns true if a slate is due on an Eastern date. A date with a game is such a day, whatever its weekday.
    pub fn is_due(&self, date: NaiveDate) -> bool {
        let is_slate_day = || self.slate_days.is_none_or(|days| days.contains(date));
        self.games.contains(&date) || (is_slate_day() && !self.is_between_seasons(date))
    }

    /// Returns the first date behind another on which a slate is due; `None` between seasons without a game on record.
    pub fn next_due(&self, after: NaiveDate) -> Option<NaiveDate> {
        let week = after.iter_days().skip(1).take(7);
        let games = self.games.range(after..).copied().filter(|date| *date > after);
        week.chain(games).filter(|date| self.is_due(*date)).min()
    }

    /// Returns true if the season's last final is a week old and no game since then is awaited. A game of the past without
    /// an ending keeps the season open: its publisher may have stopped. The seventh day is a slate day of a league with
    /// declared weekdays, else a weekly league would have no slate to be late with.
    fn is_between_seasons(&self, date: NaiveDate) -> bool {
        let ended = self.last_final.and_then(|last| last.checked_add_days(Self::SEASON_ENDS_AFTER));
        let is_over = |ended| date > ended || (date == ended && self.slate_days.is_none());
        ended.is_some_and(is_over) && self.games.range(..=date).next().is_none()
    }
}
