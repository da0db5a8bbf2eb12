use sports_domain::Sport;

use super::daily::Daily;
use super::series::BASEBALL_DAYS;
use super::weekly::Weekly;

/// The distribution of a league's games over a season.
pub(super) enum Plan {
    Series,
    Daily(Daily),
    Weekly(Weekly),
}

pub(super) const fn plan(sport: Sport) -> Plan {
    match sport {
        Sport::Mlb => Plan::Series,
        Sport::Nba | Sport::Nhl => Plan::Daily(Daily { rounds: 82, days: 2, break_after: 55, preseason: 2 }),
        Sport::Ncaab => Plan::Daily(Daily { rounds: 31, days: 4, break_after: 20, preseason: 0 }),
        Sport::Nfl => Plan::Weekly(Weekly::PROFESSIONAL),
        Sport::Ncaaf => Plan::Weekly(Weekly::COLLEGE),
    }
}

/// Returns the number of days of a regular season, including breaks.
pub(crate) const fn regular_days(sport: Sport) -> i32 {
    match plan(sport) {
        Plan::Series => BASEBALL_DAYS.cast_signed(),
        Plan::Daily(daily) => daily.total_days(),
        Plan::Weekly(weekly) => weekly.weeks * 7,
    }
}

/// Returns a busy day in the middle of the regular season.
pub(crate) const fn middle_day(sport: Sport) -> u32 {
    match plan(sport) {
        Plan::Series => 85,
        Plan::Daily(daily) => (daily.rounds / 2 * daily.days).cast_unsigned(),
        Plan::Weekly(weekly) => (weekly.weeks / 2 * 7 + weekly.main_day).cast_unsigned(),
    }
}

/// Returns the number of days at the beginning of a season within which each edge case occurs once. Baseball's number
/// is small, since its season may have begun in January (see `Calendar`).
pub(crate) const fn early_days(sport: Sport) -> i32 {
    match plan(sport) {
        Plan::Series => 20,
        Plan::Daily(_) | Plan::Weekly(_) => middle_day(sport).cast_signed() * 3 / 4,
    }
}

/// Returns an upper bound for the last day of a season, including the postseason.
#[cfg(test)]
pub(crate) const fn last_day(sport: Sport) -> i32 {
    regular_days(sport)
        + match sport {
            Sport::Mlb => 24,
            Sport::Nba | Sport::Nhl => 60,
            Sport::Nfl | Sport::Ncaaf | Sport::Ncaab => 32,
        }
}
