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

// Fast isotonic regression of many draws. Over games in the order of their probabilities, the cumulative sum of the
// fitted rates is the greatest convex minorant of the cumulative count of wins. Blocks lie between its corners.

/// A cumulative count of games, and of those that the positive side won.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Point {
    /// Games.
    pub games: u32,
    /// Games that the positive side won.
    pub won: u32,
}

/// The number of passes that discard points which cannot be corners, before the stack-based scan of the rest. A pass
/// has no branch for the processor to predict, while every other prediction in the scan is wrong.
const PASSES: usize = 4;

/// A search for the corners of a greatest convex minorant, with reused buffers.
#[derive(Debug, Clone, Default)]
pub struct Hull {
    passes: [Vec<Point>; PASSES],
    corners: Vec<Point>,
}

impl Hull {
    /// Returns the corners below points with increasing games, including the first and the last point.
    pub fn below<'a>(&'a mut self, points: &'a [Point]) -> &'a [Point] {
        let left = self.passes.iter_mut().fold(points, |points, room| discard_inner_points(points, room));
        self.corners.clear();
        for point in left {
            while let [.., before, last] = self.corners[..]
                && !is_corner(before, last, *point)
            {
                self.corners.pop();
            }
            self.corners.push(*point);
        }
        &self.corners
    }
}

/// Returns the points that lie below the line between their neighbours, and both end points. Other points cannot be
/// corners: a corner lies below each line between an earlier and a later point.
fn discard_inner_points<'a>(points: &'a [Point], room: &'a mut Vec<Point>) -> &'a [Point] {
    let [first, .., last] = points else { return points };
    if points.len() > room.len() {
        room.resize(points.len(), Point::default());
    }
    room[0] = *first;
    let mut kept = 1;
    for neighbours in points.windows(3) {
        room[kept] = neighbours[1];
        kept += usize::from(is_corner(neighbours[0], neighbours[1], neighbours[2]));
    }
    room[kept] = *last;
    &room[..=kept]
}

/// Returns `true` if a point lies below the line between two others.
#[inline]
fn is_corner(before: Point, point: Point, after: Point) -> bool {
    let (games, won) = (point.games - before.games, point.won - before.won);
    let (games_after, won_after) = (after.games - point.games, after.won - point.won);
    u64::from(won) * u64::from(games_after) < u64::from(won_after) * u64::from(games)
}

/// Returns the sum over games of the squared fitted rate.
pub fn squares(corners: &[Point]) -> f64 {
    let block = |ends: &[Point]| {
        let won = f64::from(ends[1].won - ends[0].won);
        won * won / f64::from(ends[1].games - ends[0].games)
    };
    corners.windows(2).map(block).sum()
}

/// Evaluates the convex minorant: returns the sum of the fitted rates of the first `games` games.
pub fn height(corners: &[Point], games: u32) -> f64 {
    let next = corners.partition_point(|corner| corner.games < games);
    let (Some(next), before) = (corners.get(next), corners.get(next.wrapping_sub(1))) else { return f64::NAN };
    let Some(before) = before else { return f64::from(next.won) };
    let share = f64::from(games - before.games) / f64::from(next.games - before.games);
    f64::from(before.won) + share * f64::from(next.won - before.won)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Corp, Pool, Pooled, *};

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

    fn points(pools: &[(u32, u32)]) -> Vec<Point> {
        let mut last = Point::default();
        let mut after = |(games, won): &(u32, u32)| {
            last = Point { games: last.games + games, won: last.won + won };
            last
        };
        let after: Vec<_> = pools.iter().map(&mut after).collect();
        std::iter::once(Point::default()).chain(after).collect()
    }

    #[test]
    fn corners_and_heights_match_hand_calculation() {
        // Won: no; yes, no; yes. The games in the middle are one block of rate 1/2.
        let mut hull = Hull::default();
        let corners = hull.below(&points(&[(1, 0), (1, 1), (1, 0), (1, 1)])).to_vec();
        let point = |games, won| Point { games, won };
        assert_eq!(corners, [point(0, 0), point(1, 0), point(3, 1), point(4, 2)]);
        assert!((squares(&corners) - 1.5).abs() < 1e-12);
        for (games, sum) in [(0, 0.0), (1, 0.0), (2, 0.5), (3, 1.0), (4, 2.0)] {
            assert!((height(&corners, games) - sum).abs() < 1e-12, "{games}");
        }
    }

    proptest! {
        /// Pooling adjacent violators, a different algorithm, finds the same blocks; and a hull can be reused.
        #[test]
        fn corners_are_the_ends_of_pooled_blocks(
            draws in prop::collection::vec(prop::collection::vec((1_u32..4, 0_u32..4), 1..80), 1..4),
        ) {
            let mut hull = Hull::default();
            for draw in draws {
                let draw: Vec<_> = draw.into_iter().map(|(games, won)| (games, won.min(games))).collect();
                let corners = hull.below(&points(&draw)).to_vec();
                let pool = |(place, (games, won)): (usize, &(u32, u32))| {
                    Pool { probability: f64::from(u32::try_from(place).expect("few")), games: *games, won: *won }
                };
                let forecasts = Pooled::from_pools(draw.iter().enumerate().map(pool).collect()).expect("games");
                let blocks: Vec<_> =
                    Corp::from_forecasts(&forecasts).blocks.iter().map(|block| (block.games, block.won)).collect();
                prop_assert_eq!(points(&blocks), corners);
            }
        }
    }
}
