use sports_domain::FinalScore;

use crate::simulation::random::Stream;

/// The expectation of a model, of the market, or of the truth for a game: the home team's margin and both teams' total.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Belief {
    pub(crate) margin: f64,
    pub(crate) total: f64,
}

/// The scoring process of a league.
#[derive(Debug)]
pub(crate) enum Scoring {
    /// High scores: margin and total are bell-shaped.
    Margins(Margins),
    /// Low scores: each team's points are drawn separately.
    Runs(Runs),
}

/// Bell-shaped margins and totals.
#[derive(Debug)]
pub(crate) struct Margins {
    pub(crate) deviation: f64,
    pub(crate) total_deviation: f64,
    pub(crate) widest: i32,
    /// True if points come in threes and sevens, which makes some margins and scores far more likely.
    pub(crate) football: bool,
    /// The increase of the mean total by those more likely scores.
    pub(crate) excess: f64,
}

/// Separate points of each team; a tie continues until one team leads by a point.
#[derive(Debug)]
pub(crate) struct Runs {
    /// The shape of a team's distribution: the smaller, the more likely are big innings.
    pub(crate) clumping: f64,
    pub(crate) home_in_extra: f64,
    /// The probability that a home win by two is recorded as a win by one, since the game ends with the winning run.
    pub(crate) last_at_bat: f64,
    /// The probability that a win by one becomes a win by two in the last minute.
    pub(crate) empty_net: f64,
}

/// The distribution of a game's result.
#[derive(Debug)]
pub(crate) struct Outlook {
    pub(crate) margin: Pmf,
    pub(crate) total: Pmf,
}

/// An upper bound on the points of a team in the low-scoring leagues.
const MOST_RUNS: i32 = 26;

/// The likelihood of a winning margin in football relative to a smooth curve, from 0 points up.
const FOOTBALL_MARGINS: [f64; 25] = [
    0.0, 0.72, 0.7, 2.6, 0.88, 0.64, 1.08, 1.72, 0.74, 0.35, 1.24, 0.62, 0.4, 0.72, 1.32, 0.45, 0.64, 1.12, 0.8, 0.5,
    0.85, 1.2, 0.5, 0.55, 1.15,
];

/// The likelihood of a football score relative to a smooth curve, from 0 points up; higher scores use the last value.
const FOOTBALL_SCORES: [f64; 29] = [
    2.28, 0.0, 0.04, 2.47, 0.0, 0.06, 1.52, 2.28, 0.19, 0.85, 1.92, 0.12, 0.36, 1.56, 1.32, 0.36, 1.08, 2.04, 0.3,
    0.72, 1.46, 0.91, 0.41, 1.05, 1.55, 0.32, 0.64, 1.46, 0.91,
];

impl Scoring {
    /// Returns the distribution of results by this belief.
    pub(crate) fn outlook(&self, belief: Belief) -> Outlook {
        match self {
            Self::Margins(shape) => shape.outlook(belief),
            Self::Runs(shape) => shape.outlook(belief),
        }
    }

    /// Plays a game with these true expectations.
    pub(crate) fn play(&self, truth: Belief, stream: &mut Stream) -> FinalScore {
        let (home, away) = match self {
            Self::Margins(shape) => shape.play(truth, stream),
            Self::Runs(shape) => shape.play(truth, stream),
        };
        let points = |score: i32| u16::try_from(score.max(0)).unwrap_or(0);
        FinalScore { away: points(away), home: points(home) }
    }
}

impl Margins {
    fn margin(&self, belief: Belief) -> Pmf {
        let bell = Pmf::bell(belief.margin, self.deviation, -self.widest, self.widest);
        bell.weighted(|margin| match usize::try_from(margin.abs()) {
            Ok(0) => 0.0,
            Ok(size) if self.football => FOOTBALL_MARGINS.get(size).copied().unwrap_or(0.85),
            _ => 1.0,
        })
    }

    fn outlook(&self, belief: Belief) -> Outlook {
        let last = rounded(belief.total + 6.0 * self.total_deviation);
        let first = rounded(belief.total - 6.0 * self.total_deviation).max(1);
        Outlook { margin: self.margin(belief), total: Pmf::bell(belief.total, self.total_deviation, first, last) }
    }

    fn play(&self, truth: Belief, stream: &mut Stream) -> (i32, i32) {
        let margin = self.margin(truth).at(stream.unit());
        let total = self.outlook(Belief { total: truth.total - self.excess, ..truth }).total.weighted(|total| {
            // Both scores must be whole and not negative.
            if total < margin.abs() || (total - margin) % 2 != 0 {
                return 0.0;
            }
            self.likely(i32::midpoint(total, margin)) * self.likely(i32::midpoint(total, -margin))
        });
        let total = total.at(stream.unit());
        (i32::midpoint(total, margin), i32::midpoint(total, -margin))
    }

    /// Returns the likelihood of a score relative to a smooth curve.
    fn likely(&self, score: i32) -> f64 {
        let known = usize::try_from(score).ok().and_then(|score| FOOTBALL_SCORES.get(score));
        if self.football { known.copied().unwrap_or(0.91) } else { 1.0 }
    }
}

impl Runs {
    /// Returns the distribution of one team's points in regular time: a negative binomial, by its recurrence.
    fn of_team(&self, mean: f64) -> Vec<f64> {
        let mean = mean.max(0.5);
        let factor = mean / (mean + self.clumping);
        let mut weight = 1.0;
        let next = |points| {
            let now = weight;
            weight *= (f64::from(points) + self.clumping) / f64::from(points + 1) * factor;
            now
        };
        let weights: Vec<f64> = (0..MOST_RUNS).map(next).collect();
        let all: f64 = weights.iter().sum();
        weights.into_iter().map(|weight| weight / all).collect()
    }

    /// Calls `each` with every final, home points first, and its probability.
    fn finals(&self, belief: Belief, mut each: impl FnMut(i32, i32, f64)) {
        let home = self.of_team(f64::midpoint(belief.total, belief.margin));
        let away = self.of_team(f64::midpoint(belief.total, -belief.margin));
        for (h, home) in (0..).zip(&home) {
            for (a, away) in (0..).zip(&away) {
                let weight = home * away;
                match h - a {
                    0 => {
                        each(h + 1, a, weight * self.home_in_extra);
                        each(h, a + 1, weight * (1.0 - self.home_in_extra));
                    }
                    2 => {
                        each(h, a, weight * (1.0 - self.last_at_bat));
                        each(h - 1, a, weight * self.last_at_bat);
                    }
                    1 => {
                        each(h, a, weight * (1.0 - self.empty_net));
                        each(h + 1, a, weight * self.empty_net);
                    }
                    -1 => {
                        each(h, a, weight * (1.0 - self.empty_net));
                        each(h, a + 1, weight * self.empty_net);
                    }
                    _ => each(h, a, weight),
                }
            }
        }
    }

    fn outlook(&self, belief: Belief) -> Outlook {
        // A team can have one point more than in regular time.
        let (most, size) = (MOST_RUNS + 1, 2 * (MOST_RUNS + 1) + 1);
        let none = || (0..size).map(|_| 0.0).collect::<Vec<_>>();
        let (mut margin, mut total) = (none(), none());
        self.finals(belief, |home, away, weight| {
            let at = |number| usize::try_from(number).unwrap_or(0);
            margin[at(home - away + most)] += weight;
            total[at(home + away)] += weight;
        });
        Outlook { margin: Pmf::from_weights(-most, margin), total: Pmf::from_weights(0, total) }
    }

    fn play(&self, truth: Belief, stream: &mut Stream) -> (i32, i32) {
        let mut left = stream.unit();
        let mut score = (1, 0);
        self.finals(truth, |home, away, weight| {
            if left >= 0.0 && weight > 0.0 {
                score = (home, away);
                left -= weight;
            }
        });
        score
    }
}

/// The probability distribution of a whole number: a margin or a total.
///
/// All arithmetic uses operations that every platform rounds in the same way (no library logarithm or exponential), so
/// that prices are identical on every machine.
#[derive(Debug, Clone)]
pub(crate) struct Pmf {
    first: i32,
    weights: Vec<f64>,
}

/// The weights above and below a line; the remaining weight is on the line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Split {
    pub(crate) above: f64,
    pub(crate) below: f64,
}

impl Split {
    /// Returns the share of the weight above the line among the weight above and below.
    pub(crate) fn share(self) -> f64 {
        let decided = self.above + self.below;
        if decided > 0.0 { self.above / decided } else { 0.5 }
    }
}

impl Pmf {
    /// Creates a distribution from weights; the first belongs to the number `first`.
    pub(crate) const fn from_weights(first: i32, weights: Vec<f64>) -> Self {
        Self { first, weights }
    }

    /// Creates a bell-shaped distribution over whole numbers from `first` to `last`.
    pub(crate) fn bell(mean: f64, deviation: f64, first: i32, last: i32) -> Self {
        let (centre, variance) = (rounded(mean).clamp(first, last), deviation * deviation);
        let off = f64::from(centre) - mean;
        // Each weight is the previous one times a ratio, which itself shrinks by a constant factor.
        let factor = exp(-1.0 / variance);
        let walk = |step: f64, count: i32| {
            let mut ratio = exp(-(2.0 * off * step + 1.0) / (2.0 * variance));
            let mut weight = exp(-off * off / (2.0 * variance));
            let next = move |_| {
                weight *= ratio;
                ratio *= factor;
                weight
            };
            (0..count).map(next).collect::<Vec<_>>()
        };
        let mut weights = walk(-1.0, centre - first);
        weights.reverse();
        weights.push(exp(-off * off / (2.0 * variance)));
        weights.extend(walk(1.0, last - centre));
        Self { first, weights }
    }

    /// Multiplies every weight by a factor of its number.
    pub(crate) fn weighted(mut self, factor: impl Fn(i32) -> f64) -> Self {
        for (number, weight) in (self.first..).zip(&mut self.weights) {
            *weight *= factor(number);
        }
        self
    }

    /// Returns the numbers with their weights.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (i32, f64)> + '_ {
        (self.first..).zip(self.weights.iter().copied())
    }

    /// Returns the split of the weights around a line in half points.
    pub(crate) fn split(&self, half_points: i32) -> Split {
        let mut split = Split { above: 0.0, below: 0.0 };
        for (number, weight) in self.iter() {
            match (2 * number).cmp(&half_points) {
                std::cmp::Ordering::Greater => split.above += weight,
                std::cmp::Ordering::Less => split.below += weight,
                std::cmp::Ordering::Equal => {}
            }
        }
        split
    }

    /// Returns the line, in half points, with the most equal sides.
    pub(crate) fn balanced(&self) -> i32 {
        let total: f64 = self.weights.iter().sum();
        let (mut below, mut best, mut distance) = (0.0, 2 * self.first, f64::INFINITY);
        for (number, weight) in self.iter() {
            let on = Split { above: total - below - weight, below };
            let over = Split { above: total - below - weight, below: below + weight };
            for (line, split) in [(2 * number, on), (2 * number + 1, over)] {
                let off = (split.share() - 0.5).abs();
                if off < distance {
                    (best, distance) = (line, off);
                }
            }
            below += weight;
        }
        best
    }

    /// Returns the quantile at a share from 0 to 1.
    pub(crate) fn at(&self, share: f64) -> i32 {
        let mut left = share * self.weights.iter().sum::<f64>();
        for (number, weight) in self.iter() {
            left -= weight;
            if left < 0.0 {
                return number;
            }
        }
        self.iter().filter(|(_, weight)| *weight > 0.0).last().map_or(self.first, |(number, _)| number)
    }
}

/// Returns the nearest whole number.
pub(crate) fn rounded(number: f64) -> i32 {
    #[expect(clippy::cast_possible_truncation, reason = "a cast from a float saturates; scores and prices are far off")]
    let whole = number.round() as i32;
    whole
}

/// Returns `e` to the power of `x`: halves `x` until a short series is accurate, and squares the result back.
fn exp(x: f64) -> f64 {
    if x < -700.0 {
        return 0.0;
    }
    let small = x / 1024.0;
    let series = 1.0 + small * (1.0 + small / 2.0 * (1.0 + small / 3.0 * (1.0 + small / 4.0 * (1.0 + small / 5.0))));
    (0..10).fold(series, |power, _| power * power)
}

#[cfg(test)]
mod tests {
    use sports_domain::Sport;

    use super::*;
    use crate::simulation::league::League;
    use crate::simulation::random::Purpose;

    #[test]
    fn simulated_scores_match_the_true_means_and_win_share() {
        for sport in Sport::ALL {
            let league = League::for_sport(sport);
            let truth = Belief { margin: league.strengths.home_edge, total: league.strengths.total };
            let mut stream = Stream::for_purpose(1, Purpose::Contest, &[league.number()]);
            let finals: Vec<_> = (0..4000).map(|_| league.scoring.play(truth, &mut stream)).collect();
            assert!(finals.iter().all(|score| score.home_margin() != 0), "{sport}: no game is a tie");
            let total = finals.iter().map(|score| f64::from(score.combined())).sum::<f64>() / 4000.0;
            assert!((total / truth.total - 1.0).abs() < 0.06, "{sport}: {total}");
            let wins = finals.iter().filter(|score| score.home_margin() > 0).map(|_| 1.0).sum::<f64>() / 4000.0;
            let share = league.scoring.outlook(truth).margin.split(0).share();
            assert!((wins - share).abs() < 0.03, "{sport}: {wins} for {share}");
        }
    }

    #[test]
    fn exp_is_close_to_the_librarys_exponential() {
        for x in [-20.0, -3.5, -0.01, 0.0, 0.7] {
            assert!((exp(x) / f64::exp(x) - 1.0).abs() < 1e-9, "{x}");
        }
        assert!(exp(-1e9).abs() < f64::MIN_POSITIVE);
    }

    #[test]
    fn a_bell_has_the_mean_and_deviation_it_was_given() {
        let bell = Pmf::bell(2.3, 5.0, -60, 60);
        let total: f64 = bell.iter().map(|(_, weight)| weight).sum();
        let mean = bell.iter().map(|(number, weight)| f64::from(number) * weight).sum::<f64>() / total;
        let square = bell.iter().map(|(number, weight)| f64::from(number * number) * weight).sum::<f64>() / total;
        assert!((mean - 2.3).abs() < 1e-6 && (square - mean * mean - 25.0).abs() < 1e-4);
    }

    #[test]
    fn the_balanced_line_halves_what_is_decided() {
        let coin = Pmf::from_weights(0, vec![1.0, 1.0]);
        assert_eq!(coin.balanced(), 1);
        assert_eq!(coin.split(1), Split { above: 1.0, below: 1.0 });
        let three = Pmf::from_weights(-1, vec![1.0, 5.0, 1.0]);
        assert_eq!(three.balanced(), 0);
        assert!((three.split(0).share() - 0.5).abs() < 1e-12);
    }

    #[test]
    fn a_quantile_is_found_by_its_share() {
        let pmf = Pmf::from_weights(3, vec![1.0, 0.0, 3.0]);
        assert_eq!([0.0, 0.2, 0.3, 0.99, 1.0].map(|share| pmf.at(share)), [3, 3, 5, 5, 5]);
    }
}
