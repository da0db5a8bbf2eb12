use sports_domain::rounded;

use crate::SHARE_PLACES;

/// One-unit stakes and their profit.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Staked {
    pub(crate) bets: u32,
    pub(crate) units: f64,
}

impl Staked {
    /// Returns the number of stakes, of one unit each.
    pub const fn bets(&self) -> u32 {
        self.bets
    }

    /// Returns the profit in units, rounded to six places.
    pub fn units(&self) -> f64 {
        rounded(self.units, SHARE_PLACES)
    }

    /// Returns the profit per stake, rounded to six places; `None` without bets.
    pub fn roi(&self) -> Option<f64> {
        (self.bets > 0).then(|| rounded(self.units / f64::from(self.bets), SHARE_PLACES))
    }
}
