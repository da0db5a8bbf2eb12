//! Quantiles of a sample.

use crate::Interval;
use crate::interval::count;

/// Returns the central interval of values, with half of `share` outside at each end; `None` without values. Sorts
/// `values`.
pub fn central(values: &mut [f64], share: f64) -> Option<Interval> {
    values.sort_unstable_by(f64::total_cmp);
    Some(Interval { low: quantile(values, share / 2.0)?, high: quantile(values, 1.0 - share / 2.0)? })
}

/// Returns the quantile of sorted values at `share`, interpolated between the two nearest values.
fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let place = share * count(last);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to the last place")]
    let below = place.floor() as usize;
    let (low, high) = (sorted[below], sorted[(below + 1).min(last)]);
    Some(low + (high - low) * (place - place.floor()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same results as `numpy.quantile`.
    #[test]
    fn quantiles_lie_between_the_two_nearest_values() {
        let sorted = [1.0, 2.0, 4.0, 8.0];
        for (share, point) in [(0.0, 1.0), (0.5, 3.0), (0.25, 1.75), (0.9, 6.8), (1.0, 8.0)] {
            assert!((quantile(&sorted, share).expect("values") - point).abs() < 1e-12, "{share}");
        }
        assert_eq!((quantile(&[], 0.5), quantile(&[3.0], 0.9)), (None, Some(3.0)));
    }

    #[test]
    fn a_central_interval_leaves_out_half_a_share_at_each_end() {
        let mut values: Vec<f64> = (0..=100).rev().map(f64::from).collect();
        let interval = central(&mut values, 0.1).expect("values");
        assert!((interval.low - 5.0).abs() < 1e-9 && (interval.high - 95.0).abs() < 1e-9, "{interval:?}");
        assert_eq!(central(&mut [], 0.1), None);
    }
}
