/// Holm's correction of p-values for being asked together: the smallest is multiplied by how many there are, the next by one
/// less, and so on; none falls below a smaller one's, and none is above 1.
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

    /// As `statsmodels.stats.multitest.multipletests(…, method="holm")` has them.
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
