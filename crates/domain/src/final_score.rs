use std::fmt;
use std::ops::RangeInclusive;

use crate::{Season, Sport};

/// The final score of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FinalScore {
    /// Points, runs or goals of the away team.
    pub away: u16,
    /// Points, runs or goals of the home team.
    pub home: u16,
}

impl FinalScore {
    /// Returns the home team's points minus the away team's.
    #[inline]
    pub fn home_margin(self) -> i32 {
        i32::from(self.home) - i32::from(self.away)
    }

    /// Returns the sum of both teams' points.
    #[inline]
    pub fn combined(self) -> u32 {
        u32::from(self.home) + u32::from(self.away)
    }

    /// Returns the scores that a team of the league can have. Those of 87,850 games from 1999 on are 0-25 (mlb), 54-176 (nba), 0-70
    /// (nfl), 0-11 (nhl), 0-80 (ncaaf) and 26-144 (ncaab).
    pub const fn bounds(sport: Sport) -> RangeInclusive<u16> {
        match sport {
            Sport::Mlb => 0..=40,
            Sport::Nba => 40..=200,
            Sport::Nfl => 0..=90,
            Sport::Nhl => 0..=20,
            Sport::Ncaaf => 0..=120,
            Sport::Ncaab => 10..=180,
        }
    }

    /// Returns true if both teams' scores are within the bounds of the league.
    pub fn is_within_bounds(self, sport: Sport) -> bool {
        let bounds = Self::bounds(sport);
        bounds.contains(&self.away) && bounds.contains(&self.home)
    }

    /// Returns the year in which the first season began whose games go on until one team has won, 0 for all seasons; `None` for a
    /// league with ties.
    pub const fn overtime_since(sport: Sport) -> Option<u16> {
        match sport {
            // Ties are rare, and regular: suspended games of mlb, overtime without a score in nfl.
            Sport::Mlb | Sport::Nfl => None,
            Sport::Nba | Sport::Ncaab => Some(0),
            // The shootout.
            Sport::Nhl => Some(2005),
            Sport::Ncaaf => Some(1996),
        }
    }

    /// Returns true if a game of the season can have this final: it is not level, or the league has ties.
    pub fn can_end(self, sport: Sport, season: Season) -> bool {
        self.away != self.home || Self::overtime_since(sport).is_none_or(|year| season.first_year() < year)
    }
}

impl fmt::Display for FinalScore {
    /// Writes the away score first: `17-24`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.away, self.home)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_margin_is_the_home_teams_and_a_total_is_of_both_teams() {
        for (away, home, margin, total) in
            [(3, 5, 2, 8), (5, 3, -2, 8), (4, 4, 0, 8), (0, 0, 0, 0), (u16::MAX, u16::MAX, 0, 131_070)]
        {
            let score = FinalScore { away, home };
            assert_eq!((score.home_margin(), score.combined()), (margin, total), "{score}");
        }
    }

    /// The widest real scores, from the seasons that publishers have, and scores that files of other sources had.
    #[test]
    fn real_scores_are_within_bounds_and_misprints_are_not() {
        for (sport, real, misprint) in [
            (Sport::Mlb, [0, 25], 41),
            (Sport::Nba, [54, 176], 39),
            (Sport::Nfl, [0, 70], 1000),
            (Sport::Nhl, [0, 11], 21),
            (Sport::Ncaaf, [0, 80], 222),
            (Sport::Ncaab, [26, 144], 9),
        ] {
            let [away, home] = real;
            assert!(FinalScore { away, home }.is_within_bounds(sport), "{sport}");
            for score in [FinalScore { away: misprint, home }, FinalScore { away, home: misprint }] {
                assert!(!score.is_within_bounds(sport), "{sport} {score}");
            }
        }
    }

    #[test]
    fn games_end_level_in_leagues_and_seasons_with_ties() {
        for (sport, level, not_level) in [
            (Sport::Mlb, Some("2016"), None),
            (Sport::Nfl, Some("2022-23"), None),
            (Sport::Nhl, Some("2003-04"), Some("2005-06")),
            (Sport::Ncaaf, Some("1995-96"), Some("1996-97")),
            (Sport::Nba, None, Some("1999-00")),
            (Sport::Ncaab, None, Some("1999-00")),
        ] {
            let ends = |away: u16, label: &str| {
                FinalScore { away, home: 60 }.can_end(sport, Season::parse(sport, label).expect("a season"))
            };
            assert!(level.is_none_or(|label| ends(60, label)), "{sport}");
            assert!(not_level.is_none_or(|label| !ends(60, label) && ends(61, label)), "{sport}");
        }
    }
}
