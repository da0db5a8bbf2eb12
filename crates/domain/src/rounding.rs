/// A figure as it is served: rounded to `places` decimals, halves away from zero, never `-0.0`.
///
/// Halves are decided on the decimal figure, not on its binary neighbour: whatever lies within a
/// billionth of a half counts as one, so that 1.005 becomes 1.01.
///
/// ```
/// use sports_domain::rounded;
///
/// assert_eq!(rounded(2.0 / 3.0, 6), 0.666_667);
/// assert_eq!(rounded(1.005, 2), 1.01);
/// assert_eq!(rounded(-3.125, 2), -3.13);
/// ```
#[must_use]
pub fn rounded(figure: f64, places: u8) -> f64 {
    const A_HALF_OR_NEARLY: f64 = 0.5 + 1e-9;
    let scale = 10_f64.powi(places.into());
    let size = (figure.abs() * scale + A_HALF_OR_NEARLY).floor() / scale;
    // A figure too large to be scaled has no decimals to lose.
    if !size.is_finite() || size == 0.0 { figure.trunc() + 0.0 } else { size.copysign(figure) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_go_away_from_zero_even_where_binary_numbers_fall_short_of_them() {
        let table = [
            (1.005, 2, 1.01),
            (-1.005, 2, -1.01),
            (3.125, 2, 3.13),
            (1.025, 2, 1.03),
            (1.004_999, 2, 1.0),
            (0.523_809_523, 6, 0.523_810),
            (0.0, 6, 0.0),
            (100.0, 2, 100.0),
        ];
        for (figure, places, expected) in table {
            assert!((rounded(figure, places) - expected).abs() < 1e-12, "{figure}");
        }
    }

    #[test]
    fn nothing_left_is_a_plain_zero_and_the_largest_stay() {
        assert!(rounded(-0.000_000_1, 6).is_sign_positive());
        assert!(rounded(-0.0, 2).is_sign_positive());
        assert_eq!(rounded(f64::MAX, 6).total_cmp(&f64::MAX), std::cmp::Ordering::Equal);
        assert!(rounded(f64::NAN, 2).is_nan());
    }
}
