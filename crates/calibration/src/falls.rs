use sports_domain::NO_DIFFERENCE;

use crate::SplitMix64;
use crate::interval::count;
use crate::luck::LUCKY_DRAWS;

/// Returns the largest share of a bank that is lost from a peak, where the bank starts at 1 and each date multiplies it.
pub fn largest_fall(growths: &[f64]) -> f64 {
    let mut fall = FallingBank::default();
    for growth in growths {
        fall.grow(*growth);
    }
    fall.largest
}

/// Returns the share of [`LUCKY_DRAWS`] orders of the same dates in which the bank falls further.
pub fn share_of_larger_falls(mut growths: Vec<f64>, mut generator: SplitMix64) -> f64 {
    let largest = largest_fall(&growths);
    let mut is_larger = || {
        let mut fall = FallingBank::default();
        // The rest of the order does not matter once the bank has fallen further.
        (0..growths.len()).any(|place| {
            let other = place + generator.below(growths.len() - place);
            growths.swap(place, other);
            fall.grow(growths[place]);
            fall.largest > largest + NO_DIFFERENCE
        })
    };
    count((0..LUCKY_DRAWS).filter(|_| is_larger()).count()) / count(LUCKY_DRAWS)
}

/// A bank as a share of its peak.
struct FallingBank {
    of_peak: f64,
    largest: f64,
}

impl Default for FallingBank {
    fn default() -> Self {
        Self { of_peak: 1.0, largest: 0.0 }
    }
}

impl FallingBank {
    fn grow(&mut self, growth: f64) {
        self.of_peak = (self.of_peak * growth).min(1.0);
        self.largest = self.largest.max(1.0 - self.of_peak);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Up a half, down a third: 1, 1.5, 1, 0.5. Of the three places of the gain, the last has the fall of 1 to 1/3.
    #[test]
    fn the_fall_of_a_bank_depends_on_the_order_of_its_dates() {
        let growths = [1.5, 2.0 / 3.0, 0.5];
        let assert_close =
            |figure: f64, expected: f64| assert!((figure - expected).abs() < 1e-12, "{figure} {expected}");
        assert_close(largest_fall(&growths), 2.0 / 3.0);
        assert_close(largest_fall(&[0.5, 1.5, 2.0 / 3.0]), 0.5);
        assert_close(largest_fall(&[]), 0.0);
        assert_close(share_of_larger_falls(growths.to_vec(), SplitMix64::from_seed(5)), 0.0);
        // Further than one half: wherever the two losses are side by side, four of six orders.
        let share = share_of_larger_falls(vec![0.5, 1.5, 2.0 / 3.0], SplitMix64::from_seed(5));
        assert!((share - 2.0 / 3.0).abs() < 0.02, "{share}");
    }
}
