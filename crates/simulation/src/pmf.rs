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
    use super::*;

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
