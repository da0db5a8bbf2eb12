//! Fast isotonic regression of many draws. Over games in the order of their probabilities, the cumulative sum of the
//! fitted rates is the greatest convex minorant of the cumulative count of wins. Blocks lie between its corners.

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

    use super::*;
    use crate::corp::Corp;
    use crate::pooled::{Pool, Pooled};

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
