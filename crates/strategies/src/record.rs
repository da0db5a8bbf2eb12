use sports_domain::rounded;

use crate::{BetResult, ExclusionReason, RuleOutcome};

/// Decimals of a percentage.
pub const PERCENT_PLACES: u8 = 2;

/// Decimals of an amount of units.
const UNIT_PLACES: u8 = 6;

/// What a rule's bets come to, in one-unit stakes.
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
    /// Counts one step of a walk.
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

    /// Bets won.
    #[must_use]
    pub const fn wins(&self) -> u32 {
        self.wins
    }

    /// Bets lost.
    #[must_use]
    pub const fn losses(&self) -> u32 {
        self.losses
    }

    /// Bets whose stake came back.
    #[must_use]
    pub const fn pushes(&self) -> u32 {
        self.pushes
    }

    /// Bets won or lost: the sample a record is judged by.
    #[must_use]
    pub const fn decisive(&self) -> u32 {
        self.wins + self.losses
    }

    /// Units staked, pushes included.
    #[must_use]
    pub const fn stakes(&self) -> u32 {
        self.decisive() + self.pushes
    }

    /// Finished games with a signal that were left out for one reason.
    #[must_use]
    pub const fn excluded(&self, reason: ExclusionReason) -> u32 {
        match reason {
            ExclusionReason::MissingPrice => self.missing_price,
            ExclusionReason::UnverifiedFinality => self.unverified,
        }
    }

    /// What was won less what was lost, in units, rounded to six places.
    #[must_use]
    pub fn profit_units(&self) -> f64 {
        rounded(self.profit, UNIT_PLACES)
    }

    /// The percentage of decisive bets that were won, rounded to two places; `None` without one.
    #[must_use]
    pub fn win_pct(&self) -> Option<f64> {
        percent(f64::from(self.wins), self.decisive())
    }

    /// Profit as a percentage of what was staked, rounded to two places; `None` without a bet.
    #[must_use]
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
