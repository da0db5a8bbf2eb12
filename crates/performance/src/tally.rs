use sports_domain::rounded;

/// The decimal places of a share of games, a mean return and net units.
pub const SHARE_PLACES: u8 = 6;

/// Wins and losses, without pushes and games without a pick. Counts saturate at [`u32::MAX`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Tally {
    /// Games won.
    pub wins: u32,
    /// Games lost.
    pub losses: u32,
}

impl Tally {
    /// Counts one game.
    pub const fn add(&mut self, won: bool) {
        if won {
            self.wins = self.wins.saturating_add(1);
        } else {
            self.losses = self.losses.saturating_add(1);
        }
    }

    /// Adds another tally's counts.
    pub const fn add_all(&mut self, other: Self) {
        self.wins = self.wins.saturating_add(other.wins);
        self.losses = self.losses.saturating_add(other.losses);
    }

    /// Returns the number of games won or lost.
    pub const fn games(self) -> u32 {
        self.wins.saturating_add(self.losses)
    }

    /// Returns `wins / games`, 0 to 1, rounded to six places; `None` without games.
    pub fn win_share(self) -> Option<f64> {
        share(self.wins, self.games())
    }

    /// Returns `losses / games`, the share of wins of the opposite bets, rounded to six places; `None` without games.
    pub fn fade_share(self) -> Option<f64> {
        share(self.losses, self.games())
    }
}

impl FromIterator<bool> for Tally {
    /// Counts wins (`true`) and losses (`false`).
    fn from_iter<T: IntoIterator<Item = bool>>(games: T) -> Self {
        let mut tally = Self::default();
        games.into_iter().for_each(|won| tally.add(won));
        tally
    }
}

fn share(part: u32, whole: u32) -> Option<f64> {
    (whole > 0).then(|| rounded(f64::from(part) / f64::from(whole), SHARE_PLACES))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_saturate() {
        let mut most = Tally { wins: u32::MAX, losses: 1 };
        assert_eq!(most.games(), u32::MAX);
        most.add(true);
        most.add_all(most);
        assert_eq!(most, Tally { wins: u32::MAX, losses: 2 });
        assert_eq!((most.win_share(), Tally { wins: 1, losses: u32::MAX }.fade_share()), (Some(1.0), Some(1.0)));
    }

    #[test]
    fn shares_are_rounded_to_six_places_and_missing_without_games() {
        let two_of_three = Tally { wins: 2, losses: 1 };
        assert_eq!(two_of_three.games(), 3);
        assert_eq!((two_of_three.win_share(), two_of_three.fade_share()), (Some(0.666_667), Some(0.333_333)));
        assert_eq!(Tally::default().win_share(), None);
        assert_eq!([true, false, true].into_iter().collect::<Tally>(), two_of_three);
    }
}
