/// The distance from 0 and 1 to which the log loss clips a probability. At 0 or 1 it would be infinite.
pub const LOG_LOSS_CLIP: f64 = 1e-6;

/// Games with the same probability, or with adjacent probabilities.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pool {
    /// The probability that is scored.
    pub probability: f64,
    /// The number of games.
    pub games: u32,
    /// The number of games that the positive side won.
    pub won: u32,
}

impl Pool {
    /// Returns the share of games that the positive side won.
    pub fn rate(&self) -> f64 {
        f64::from(self.won) / f64::from(self.games)
    }

    /// Returns the same games with another probability.
    pub const fn rescored(self, probability: f64) -> Self {
        Self { probability, ..self }
    }

    /// Returns the sum over games of `true_cost` for a win and `false_cost` for a loss.
    fn cost(&self, true_cost: f64, false_cost: f64) -> f64 {
        f64::from(self.won) * true_cost + f64::from(self.games - self.won) * false_cost
    }
}

/// Forecasts and outcomes, with equal probabilities pooled, in the order of probabilities. Scores depend on nothing
/// else, and not on the order of games.
#[derive(Debug, Clone, PartialEq)]
pub struct Pooled {
    pools: Vec<Pool>,
    games: u32,
}

impl Pooled {
    /// Pools pairs of a probability and its outcome; returns `None` without forecasts.
    pub fn from_forecasts(forecasts: impl IntoIterator<Item = (f64, bool)>) -> Option<Self> {
        let mut forecasts: Vec<_> = forecasts.into_iter().collect();
        forecasts.sort_unstable_by(|(one, _), (other, _)| one.total_cmp(other));
        let mut pools: Vec<Pool> = Vec::new();
        for (probability, won) in forecasts {
            let last = pools.pop_if(|last| last.probability.total_cmp(&probability).is_eq());
            let Pool { games, won: won_before, .. } = last.unwrap_or(Pool { probability, games: 0, won: 0 });
            pools.push(Pool { probability, games: games + 1, won: won_before + u32::from(won) });
        }
        Self::from_pools(pools)
    }

    /// Creates forecasts from pools; returns `None` without games.
    pub fn from_pools(pools: Vec<Pool>) -> Option<Self> {
        let games = pools.iter().map(|pool| pool.games).sum();
        (games > 0).then_some(Self { pools, games })
    }

    /// Returns a pool for each probability, in ascending order.
    pub fn pools(&self) -> &[Pool] {
        &self.pools
    }

    /// Returns the number of games, at least one.
    pub const fn games(&self) -> u32 {
        self.games
    }

    /// Returns all games as one pool, whose probability is the share of games that the positive side won.
    pub fn climatology(&self) -> Self {
        let won = self.pools.iter().map(|pool| pool.won).sum();
        let all = Pool { probability: 0.0, games: self.games, won };
        Self { pools: vec![all.rescored(all.rate())], games: self.games }
    }

    /// Returns the mean of (probability − outcome)².
    pub fn brier(&self) -> f64 {
        self.mean(|pool| {
            let missed = 1.0 - pool.probability;
            pool.cost(missed * missed, pool.probability * pool.probability)
        })
    }

    /// Returns the mean of −ln of the probability given to what happened, clipped by [`LOG_LOSS_CLIP`].
    pub fn log_loss(&self) -> f64 {
        self.mean(|pool| pool.cost(log_loss(pool.probability, true), log_loss(pool.probability, false)))
    }

    /// Returns the number of games whose probability the log loss clips.
    pub fn clipped(&self) -> u32 {
        let clipped = self.pools.iter().filter(|pool| clipped(pool.probability).total_cmp(&pool.probability).is_ne());
        clipped.map(|pool| pool.games).sum()
    }

    fn mean(&self, of: impl Fn(&Pool) -> f64) -> f64 {
        self.pools.iter().map(of).sum::<f64>() / f64::from(self.games)
    }
}

/// Returns (probability − outcome)² of one game.
pub fn squared_error(probability: f64, won: bool) -> f64 {
    let missed = if won { 1.0 - probability } else { probability };
    missed * missed
}

/// Returns −ln of the probability given to the outcome of one game, clipped.
pub fn log_loss(probability: f64, won: bool) -> f64 {
    // The outcome's probability is clipped, not its complement: 1 - (1 - 0.000001) is not exactly 0.000001.
    let given = if won { probability } else { 1.0 - probability };
    -clipped(given).ln()
}

const fn clipped(probability: f64) -> f64 {
    probability.clamp(LOG_LOSS_CLIP, 1.0 - LOG_LOSS_CLIP)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pooled(forecasts: &[(f64, bool)]) -> Pooled {
        Pooled::from_forecasts(forecasts.iter().copied()).expect("games")
    }

    #[test]
    fn equal_probabilities_are_one_pool() {
        let pooled = pooled(&[(0.7, true), (0.2, false), (0.7, false), (0.7, true)]);
        let pool = |probability, games, won| Pool { probability, games, won };
        assert_eq!(pooled.pools(), [pool(0.2, 1, 0), pool(0.7, 3, 2)]);
        assert_eq!(pooled.games(), 4);
        assert_eq!(pooled.climatology().pools(), [pool(0.5, 4, 2)]);
        assert_eq!(Pooled::from_forecasts([]), None);
    }

    #[test]
    fn scores_match_hand_calculation() {
        let pooled = pooled(&[(0.8, true), (0.8, false), (0.4, false)]);
        // .04 + .64 + .16
        assert!((pooled.brier() - 0.28).abs() < 1e-12);
        // .223144 + 1.609438 + .510826
        assert!((pooled.log_loss() - 0.781_136).abs() < 1e-6);
        assert_eq!(pooled.clipped(), 0);
        for (probability, won, squared, log) in [(0.8, true, 0.04, 0.223_144), (0.8, false, 0.64, 1.609_438)] {
            assert!((squared_error(probability, won) - squared).abs() < 1e-12);
            assert!((log_loss(probability, won) - log).abs() < 1e-6);
        }
    }

    /// ln 10⁶ = 13.815511.
    #[test]
    fn the_log_loss_of_a_wrong_certainty_is_limited_by_the_clip() {
        let wrong = pooled(&[(0.0, true), (1.0, false)]);
        assert!((wrong.brier() - 1.0).abs() < 1e-12 && (wrong.log_loss() - 13.815_511).abs() < 1e-6);
        assert_eq!(wrong.clipped(), 2);
        let right = pooled(&[(0.0, false), (1.0, true), (1e-6, false), (1.0 - 1e-6, true), (1e-7, false)]);
        assert!(right.brier() < 1e-12 && (right.log_loss() - 1e-6).abs() < 1e-9);
        assert_eq!(right.clipped(), 3);
    }
}
