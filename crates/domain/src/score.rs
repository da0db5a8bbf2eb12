/// The score a game ended with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FinalScore {
    /// Points, runs or goals of the away team.
    pub away: u16,
    /// Points, runs or goals of the home team.
    pub home: u16,
}

impl FinalScore {
    /// By how much the home team won; negative when it lost, zero for a tie.
    #[must_use]
    #[inline]
    pub fn home_margin(self) -> i32 {
        i32::from(self.home) - i32::from(self.away)
    }

    /// What both teams scored together.
    #[must_use]
    #[inline]
    pub fn combined(self) -> u32 {
        u32::from(self.home) + u32::from(self.away)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_margin_is_the_home_teams_and_a_total_both_teams() {
        for (away, home, margin, total) in
            [(3, 5, 2, 8), (5, 3, -2, 8), (4, 4, 0, 8), (0, 0, 0, 0), (u16::MAX, u16::MAX, 0, 131_070)]
        {
            let score = FinalScore { away, home };
            assert_eq!((score.home_margin(), score.combined()), (margin, total), "{away}-{home}");
        }
    }
}
