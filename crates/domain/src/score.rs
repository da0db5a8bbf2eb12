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
            assert_eq!((score.home_margin(), score.combined()), (margin, total), "{away}-{home}");
        }
    }
}
