use std::fmt;
use std::ops::RangeInclusive;

use chrono::{Datelike as _, NaiveDate};

use crate::{FormError, Sport};

/// A season's label: `YYYY` for baseball, `YYYY-YY` for leagues whose season spans two years.
///
/// Labels of one league are ordered by time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Season {
    first_year: u16,
    splits_years: bool,
}

impl Season {
    /// Parses a label of `sport`.
    ///
    /// # Errors
    ///
    /// [`FormError`] if the label is not `YYYY` (mlb) or `YYYY-YY` with consecutive years (all other leagues).
    pub fn parse(sport: Sport, label: &str) -> Result<Self, FormError> {
        let splits_years = sport.splits_years();
        let first_year = if splits_years { split_label(label) } else { year(label) };
        first_year.map(|first_year| Self { first_year, splits_years }).ok_or_else(|| {
            let form =
                if splits_years { "YYYY-YY with consecutive years, such as 2024-25" } else { "YYYY, such as 2024" };
            FormError::new(format!("`{label}` is not a season of {sport}; expected {form}"))
        })
    }

    /// Returns the season of `sport` that starts in `first_year`; `None` unless the year has four digits.
    pub fn starting_in(sport: Sport, first_year: u16) -> Option<Self> {
        (1000..=9999).contains(&first_year).then_some(Self { first_year, splits_years: sport.splits_years() })
    }

    /// Returns the season of a date: the season of its year or, if seasons span two years, the season that begins in
    /// or after July. Years before 1000 or after 9999 are clamped.
    pub fn around(sport: Sport, date: NaiveDate) -> Self {
        let splits_years = sport.splits_years();
        let first = if splits_years && date.month() < 7 { date.year() - 1 } else { date.year() };
        let first_year = u16::try_from(first.clamp(1000, 9999)).unwrap_or(9999);
        Self { first_year, splits_years }
    }

    /// Returns the year in which the season starts.
    pub const fn first_year(self) -> u16 {
        self.first_year
    }

    /// Returns the calendar years of its games: one, or two if the season spans two years.
    pub fn years(self) -> RangeInclusive<i32> {
        let first = i32::from(self.first_year);
        first..=first + i32::from(self.splits_years)
    }

    /// Returns `true` if a game of the season can be on a date: the date is in one of its calendar years.
    pub fn can_have(self, date: NaiveDate) -> bool {
        self.years().contains(&date.year())
    }

    /// The last month of a season that was played late because of the pandemic.
    const fn late_month(self, sport: Sport) -> Option<u32> {
        match (sport, self.first_year) {
            (Sport::Nba, 2019) => Some(10),
            (Sport::Nhl, 2019) => Some(9),
            (Sport::Nba | Sport::Nhl, 2020) => Some(7),
            _ => None,
        }
    }

    /// Returns true if a date is in the months in which `sport` usually plays a season, from its first regular games to
    /// its championship. The late seasons of nba and nhl, 2019-20 and 2020-21, have the months in which they were
    /// played.
    pub fn usually_has(self, sport: Sport, date: NaiveDate) -> bool {
        let (first, last) = sport.usual_months();
        let last = self.late_month(sport).unwrap_or(last);
        let years = self.years();
        let opening = date.year() == *years.start() && date.month() >= first;
        let closing = date.year() == *years.end() && date.month() <= last;
        if self.splits_years { opening || closing } else { opening && closing }
    }
}

fn year(digits: &str) -> Option<u16> {
    let four = digits.len() == 4 && digits.bytes().all(|b| b.is_ascii_digit());
    four.then(|| digits.parse().ok()).flatten().filter(|year| *year >= 1000)
}

fn split_label(label: &str) -> Option<u16> {
    let (first, last) = label.split_once('-')?;
    let first_year = year(first)?;
    (last == format!("{:02}", (first_year + 1) % 100)).then_some(first_year)
}

impl fmt::Display for Season {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.splits_years {
            write!(f, "{}-{:02}", self.first_year, (self.first_year + 1) % 100)
        } else {
            write!(f, "{}", self.first_year)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_is_parsed_back() {
        for (sport, label) in [(Sport::Mlb, "2016"), (Sport::Nfl, "1999-00"), (Sport::Ncaab, "2023-24")] {
            assert_eq!(Season::parse(sport, label).expect(label).to_string(), label);
        }
    }

    #[test]
    fn a_label_of_another_form_is_refused() {
        let wrong = ["", "2016-17", "16", "20a6", "02016", "0999"];
        for label in wrong {
            assert!(Season::parse(Sport::Mlb, label).is_err(), "{label}");
        }
        for label in ["2016", "2016-18", "2016-2017", "2016/17", "2016-1", "-2016-17", "2016-17 "] {
            assert!(Season::parse(Sport::Nba, label).is_err(), "{label}");
        }
        assert_eq!(
            Season::parse(Sport::Nba, "2016").expect_err("wrong form").to_string(),
            "`2016` is not a season of nba; expected YYYY-YY with consecutive years, such as 2024-25"
        );
    }

    #[test]
    fn a_season_can_have_dates_of_its_years_and_usually_has_those_of_its_months() {
        let table = [
            (Sport::Nfl, "2025-26", "2025-09-04", true, true),
            (Sport::Nfl, "2025-26", "2026-02-08", true, true),
            (Sport::Nfl, "2025-26", "2025-02-08", true, false),
            (Sport::Nfl, "2025-26", "2026-09-10", true, false),
            (Sport::Nfl, "2025-26", "2027-01-03", false, false),
            (Sport::Mlb, "2025", "2025-03-18", true, true),
            (Sport::Mlb, "2025", "2025-11-01", true, true),
            (Sport::Mlb, "2025", "2025-12-01", true, false),
            (Sport::Mlb, "2025", "2026-04-01", false, false),
            (Sport::Nba, "2025-26", "2026-06-19", true, true),
            (Sport::Nhl, "2025-26", "2026-07-01", true, false),
            (Sport::Ncaaf, "2025-26", "2025-08-23", true, true),
            (Sport::Ncaab, "2025-26", "2026-04-06", true, true),
        ];
        for (sport, label, date, can, usually) in table {
            let (season, date) = (Season::parse(sport, label).expect(label), date.parse().expect(date));
            assert_eq!((season.can_have(date), season.usually_has(sport, date)), (can, usually), "{sport} {date}");
        }
    }

    #[test]
    fn a_date_is_in_one_season() {
        let table = [
            (Sport::Nba, "2025-12-10", "2025-26"),
            (Sport::Nba, "2026-06-15", "2025-26"),
            (Sport::Nba, "2026-06-30", "2025-26"),
            (Sport::Nba, "2026-07-01", "2026-27"),
            (Sport::Nfl, "2026-08-30", "2026-27"),
            (Sport::Mlb, "2026-03-27", "2026"),
        ];
        for (sport, date, label) in table {
            assert_eq!(Season::around(sport, date.parse().expect(date)).to_string(), label, "{sport} {date}");
        }
    }

    #[test]
    fn labels_of_one_league_are_ordered_by_time() {
        let parse = |label| Season::parse(Sport::Nfl, label).expect(label);
        assert!(parse("1999-00") < parse("2000-01"));
    }
}
