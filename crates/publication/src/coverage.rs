use std::ops::RangeInclusive;

use chrono::{Days, NaiveDate};

use crate::SeasonArchive;

/// The number of days around a season's dates in which a listed game may belong to the season.
const NEARBY: Days = Days::new(15);

/// The coverage of a season archive, kept in the catalog so that the season list and freshness checks need not open the
/// archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SeasonCoverage {
    /// The number of games, graded or not.
    pub rows: usize,
    /// The number of games with a final and a posted line that did not push.
    pub decided: usize,
    /// The date of the first game.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "sports_domain::deserialize_reached_option"))]
    pub first_date: Option<NaiveDate>,
    /// The date of the last game.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "sports_domain::deserialize_reached_option"))]
    pub last_date: Option<NaiveDate>,
    /// The date of the last decided game.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "sports_domain::deserialize_reached_option"))]
    pub last_decided_date: Option<NaiveDate>,
    /// The date of the last game played against a posted line, pushes included.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "sports_domain::deserialize_reached_option"))]
    pub last_played_with_line_date: Option<NaiveDate>,
    /// The date of the first game without a final that was not called off.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "sports_domain::deserialize_reached_option"))]
    pub oldest_unsettled_date: Option<NaiveDate>,
}

impl SeasonCoverage {
    /// Computes the coverage of an archive.
    pub fn from_archive(archive: &SeasonArchive) -> Self {
        let model_type = archive.market().model_type;
        let mut coverage = Self { rows: archive.games().len(), ..Self::default() };
        // Games are in order of date: the first game has the earliest date, the last game the latest.
        for game in archive.games() {
            let date = Some(game.facts.key.date);
            coverage.first_date = coverage.first_date.or(date);
            coverage.last_date = date;
            let push = game.market_game(model_type).push();
            if push.is_some() {
                coverage.last_played_with_line_date = date;
            }
            if push == Some(false) {
                coverage.decided += 1;
                coverage.last_decided_date = date;
            }
            if !game.facts.is_over() {
                coverage.oldest_unsettled_date = coverage.oldest_unsettled_date.or(date);
            }
        }
        coverage
    }

    /// Returns the dates around the season's in which a listed game may belong to the season; `None` without games.
    pub fn nearby(&self) -> Option<RangeInclusive<NaiveDate>> {
        Some(self.first_date? - NEARBY..=self.last_date? + NEARBY)
    }
}
