use crate::pooled::{Pool, Pooled};

/// A run of adjacent probabilities with one rate, from isotonic regression.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Block {
    /// The lowest probability in it.
    pub p_min: f64,
    /// The highest probability in it.
    pub p_max: f64,
    /// The number of games.
    pub games: u32,
    /// The number of games that the positive side won.
    pub won: u32,
}

impl Block {
    /// Returns the share of its games that the positive side won, which is its calibrated probability.
    pub fn rate(&self) -> f64 {
        self.pool().probability
    }

    fn wins_less_often_than(&self, other: &Self) -> bool {
        u64::from(self.won) * u64::from(other.games) < u64::from(other.won) * u64::from(self.games)
    }

    fn pool(&self) -> Pool {
        let pool = Pool { probability: 0.0, games: self.games, won: self.won };
        pool.rescored(pool.rate())
    }
}

/// The decomposition of a Brier score of Dimitriadis, Gneiting and Jordan (2021): `mcb − dsc + unc` is the score.
#[derive(Debug, Clone, PartialEq)]
pub struct Corp {
    /// Miscalibration: the decrease of the score if each probability is replaced by its block's rate.
    pub mcb: f64,
    /// Discrimination: the difference between the scores of one rate for all games and of the blocks' rates.
    pub dsc: f64,
    /// Uncertainty: the score of one rate for all games.
    pub unc: f64,
    /// The blocks, whose rates rise strictly.
    pub blocks: Vec<Block>,
}

impl Corp {
    /// Decomposes the Brier score of forecasts.
    pub(crate) fn from_forecasts(forecasts: &Pooled) -> Self {
        let blocks = isotonic(forecasts.pools());
        let recalibrated = Pooled::from_pools(blocks.iter().map(Block::pool).collect());
        let recalibrated = recalibrated.map_or(0.0, |recalibrated| recalibrated.brier());
        let unc = forecasts.climatology().brier();
        Self { mcb: forecasts.brier() - recalibrated, dsc: unc - recalibrated, unc, blocks }
    }
}

/// Computes the isotonic regression of outcomes on probabilities by pooling adjacent violators: a block whose rate is
/// not below the next block's rate is merged with it. Rates are compared in integers.
fn isotonic(pools: &[Pool]) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    for pool in pools {
        let probability = pool.probability;
        let mut last = Block { p_min: probability, p_max: probability, games: pool.games, won: pool.won };
        while let Some(before) = blocks.pop_if(|before| !before.wins_less_often_than(&last)) {
            let (games, won) = (before.games + last.games, before.won + last.won);
            last = Block { p_min: before.p_min, p_max: last.p_max, games, won };
        }
        blocks.push(last);
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corp(forecasts: &[(f64, bool)]) -> Corp {
        Corp::from_forecasts(&Pooled::from_forecasts(forecasts.iter().copied()).expect("games"))
    }

    /// 0.6 lost and 0.5 won, so both are one block of rate 1/2. Brier: (.04 + .25 + .36 + .01) / 4 = .165. Of the
    /// rates 0, 1/2, 1/2, 1: (0 + .25 + .25 + 0) / 4 = .125. Of one rate: .25.
    #[test]
    fn a_decomposition_matches_hand_calculation() {
        let corp = corp(&[(0.2, false), (0.5, true), (0.6, false), (0.9, true)]);
        let block = |p_min, p_max, games, won| Block { p_min, p_max, games, won };
        assert_eq!(corp.blocks, [block(0.2, 0.2, 1, 0), block(0.5, 0.6, 2, 1), block(0.9, 0.9, 1, 1)]);
        for (term, expected) in [(corp.mcb, 0.04), (corp.dsc, 0.125), (corp.unc, 0.25)] {
            assert!((term - expected).abs() < 1e-12, "{corp:?}");
        }
    }

    #[test]
    fn blocks_of_equal_rates_are_one() {
        let corp = corp(&[(0.2, false), (0.2, true), (0.4, true), (0.4, false)]);
        assert_eq!(corp.blocks, [Block { p_min: 0.2, p_max: 0.4, games: 4, won: 2 }]);
        // With one rate for all, probabilities do not discriminate.
        assert_eq!(corp.dsc.to_bits(), 0.0_f64.to_bits());
    }

    #[test]
    fn forecasts_in_the_wrong_order_are_one_block() {
        let corp = corp(&[(0.1, true), (0.2, true), (0.8, false), (0.9, false)]);
        assert_eq!(corp.blocks, [Block { p_min: 0.1, p_max: 0.9, games: 4, won: 2 }]);
    }
}
