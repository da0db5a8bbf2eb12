use sports_calibration::{SplitMix64, largest_fall, share_of_larger_falls};

use crate::RuleBet;
use crate::rule::Stake;

/// A bank that starts at 1 and bets shares of itself by Kelly's formula. It changes once a date.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bankroll {
    /// The bank after the last bet.
    pub bank: f64,
    /// The largest share lost from a peak at the end of a date, or from the start.
    pub drawdown: f64,
    /// The share of 10,000 orders of the same dates with a larger `drawdown`.
    pub larger_drawdown_share: f64,
}

impl Bankroll {
    /// Returns the bank of the bets, which are oldest first; `None` with flat stakes. The generator draws the orders.
    pub(crate) fn of(stake: Stake, bets: &[RuleBet], generator: SplitMix64) -> Option<Self> {
        let Stake::Kelly { fraction, max_stake } = stake else { return None };
        let stake = |bet: &RuleBet| (fraction.get() * bet.kelly_share().unwrap_or(0.0)).min(max_stake.get());
        let growths = bets.chunk_by(|one, other| one.date == other.date).map(|date| {
            let staked: f64 = date.iter().map(stake).sum();
            let won: f64 = date.iter().map(|bet| stake(bet) * bet.bet.profit()).sum();
            // Stakes above the bank are scaled to the whole bank by one factor.
            1.0 + won / staked.max(1.0)
        });
        let growths: Vec<_> = growths.collect();
        Some(Self {
            bank: growths.iter().product(),
            drawdown: largest_fall(&growths),
            larger_drawdown_share: share_of_larger_falls(growths, generator),
        })
    }
}

#[cfg(test)]
mod tests {
    use sports_domain::{AmericanPrice, Probability, Season, Side, Sport};

    use super::*;
    use crate::rule::Share;
    use crate::{Bet, BetResult};

    /// By Kelly half of the bank goes on each of three bets at +100 and three quarters: one factor makes each a third.
    #[test]
    fn stakes_above_the_bank_are_scaled_by_one_factor() {
        let bet = |result| RuleBet {
            season: Season::parse(Sport::Nfl, "2023-24").expect("a season"),
            date: "2023-09-10".parse().expect("a date"),
            bet: Bet { game: 0, price: AmericanPrice::new(100).expect("a price"), result },
            side: Side::Positive,
            line: None,
            probability: Probability::new(0.75).ok(),
            market: None,
        };
        let whole = Share::new(1.0).expect("a share");
        let bank = |results: &[BetResult]| {
            let bets: Vec<_> = results.iter().map(|result| bet(*result)).collect();
            let stake = Stake::Kelly { fraction: whole, max_stake: whole };
            Bankroll::of(stake, &bets, SplitMix64::from_seed(1)).expect("stakes").bank
        };
        assert!((bank(&[BetResult::Win, BetResult::Loss, BetResult::Win]) - 4.0 / 3.0).abs() < 1e-12);
        assert!(bank(&[BetResult::Loss; 3]).abs() < 1e-12);
        assert!((bank(&[BetResult::Loss]) - 0.5).abs() < 1e-12);
        assert!((bank(&[]) - 1.0).abs() < 1e-12);
    }
}
