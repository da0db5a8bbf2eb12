use sports_domain::rounded;

use crate::{BetResult, ExclusionReason, RuleOutcome};

/// The number of decimals of a percentage.
pub const PERCENT_PLACES: u8 = 2;

/// The number of decimals of an amount in units.
const UNIT_PLACES: u8 = 6;

/// The counts and profit of a strategy's bets, in one-unit stakes.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct BettingRecord {
    wins: u32,
    losses: u32,
    pushes: u32,
    profit: f64,
    missing_price: u32,
    unverified: u32,
}

impl BettingRecord {
    /// Adds one step of a walk.
    pub fn add(&mut self, step: &RuleOutcome) {
        match step {
            RuleOutcome::Bet(bet) => {
                match bet.result {
                    BetResult::Win => self.wins += 1,
                    BetResult::Loss => self.losses += 1,
                    BetResult::Push => self.pushes += 1,
                }
                self.profit += bet.profit();
            }
            RuleOutcome::ExclusionReason(exclusion) => match exclusion.reason {
                ExclusionReason::MissingPrice => self.missing_price += 1,
                ExclusionReason::UnverifiedFinality => self.unverified += 1,
            },
        }
    }

    /// Returns the number of bets won.
    pub const fn wins(&self) -> u32 {
        self.wins
    }

    /// Returns the number of bets lost.
    pub const fn losses(&self) -> u32 {
        self.losses
    }

    /// Returns the number of bets whose stake was returned.
    pub const fn pushes(&self) -> u32 {
        self.pushes
    }

    /// Returns the number of bets won or lost: the sample size of a record.
    pub const fn decisive(&self) -> u32 {
        self.wins + self.losses
    }

    /// Returns the units staked, including pushes.
    pub const fn stakes(&self) -> u32 {
        self.decisive() + self.pushes
    }

    /// Returns the number of finished games with a signal that were excluded for a reason.
    pub const fn excluded(&self, reason: ExclusionReason) -> u32 {
        match reason {
            ExclusionReason::MissingPrice => self.missing_price,
            ExclusionReason::UnverifiedFinality => self.unverified,
        }
    }

    /// Returns the profit in units.
    pub const fn units(&self) -> f64 {
        self.profit
    }

    /// Returns the profit as a fraction of the stakes; `None` without a bet.
    pub fn return_on_stakes(&self) -> Option<f64> {
        (self.stakes() > 0).then(|| self.profit / f64::from(self.stakes()))
    }

    /// Returns the profit in units, rounded to six places.
    pub fn profit_units(&self) -> f64 {
        rounded(self.profit, UNIT_PLACES)
    }

    /// Returns the percentage of decisive bets that were won, rounded to two places; `None` without a decisive bet.
    pub fn win_pct(&self) -> Option<f64> {
        percent(f64::from(self.wins), self.decisive())
    }

    /// Returns the profit as a percentage of the stakes, rounded to two places; `None` without a bet.
    pub fn roi(&self) -> Option<f64> {
        percent(self.profit, self.stakes())
    }
}

impl FromIterator<RuleOutcome> for BettingRecord {
    fn from_iter<T: IntoIterator<Item = RuleOutcome>>(steps: T) -> Self {
        let mut record = Self::default();
        steps.into_iter().for_each(|step| record.add(&step));
        record
    }
}

fn percent(part: f64, whole: u32) -> Option<f64> {
    (whole > 0).then(|| rounded(100.0 * part / f64::from(whole), PERCENT_PLACES))
}
