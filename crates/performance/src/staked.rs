use sports_domain::rounded;

use crate::SHARE_PLACES;

/// One-unit stakes and what they returned.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Staked {
    pub(crate) bets: u32,
    pub(crate) units: f64,
}

impl Staked {
    /// How many units were staked.
    #[must_use]
    pub const fn bets(&self) -> u32 {
        self.bets
    }

    /// What was won less what was lost, in units, rounded to six places.
    #[must_use]
    pub fn units(&self) -> f64 {
        rounded(self.units, SHARE_PLACES)
    }

    /// The mean return of a stake, rounded to six places; `None` over no bets.
    #[must_use]
    pub fn roi(&self) -> Option<f64> {
        (self.bets > 0).then(|| rounded(self.units / f64::from(self.bets), SHARE_PLACES))
    }
}
