/// Corrects p-values for multiple comparisons with Holm's method: the smallest is multiplied by their number, the
/// next by one less, and so on. Each result is at least the result of every smaller p-value, and at most 1.
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<_> = (0..p_values.len()).collect();
    order.sort_by(|one, other| p_values[*one].total_cmp(&p_values[*other]));
    let mut corrected = vec![0.0; p_values.len()];
    let (mut left, mut least) = (crate::interval::count(p_values.len()), 0.0_f64);
    for place in order {
        least = least.max(left * p_values[place]).min(1.0);
        corrected[place] = least;
        left -= 1.0;
    }
    corrected
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same results as `statsmodels.stats.multitest.multipletests(…, method="holm")`.
    #[test]
    fn corrections_match_hand_calculation() {
        let corrected = holm(&[0.01, 0.04, 0.03, 0.005]);
        for (corrected, expected) in corrected.into_iter().zip([0.03, 0.06, 0.06, 0.02]) {
            assert!((corrected - expected).abs() < 1e-12, "{corrected}");
        }
        assert_eq!(holm(&[0.7, 0.6]), [1.0, 1.0]);
        assert_eq!(holm(&[0.03]), [0.03]);
        assert_eq!(holm(&[]), [0.0; 0]);
    }
}
