/// Rounds a figure to `places` decimals for serving: halves away from zero, never `-0.0`.
///
/// Halves are those of the decimal figure, not of its binary neighbour: a number within a billionth of a half, or
/// within the resolution of binary numbers, counts as a half, so 1.005 becomes 1.01. The resolution is the spacing of
/// binary numbers of the figure's size, or around 1 if the figure is smaller. A figure has 15 digits: if it is too
/// large to have so many decimals, it is rounded to as many as it has.
///
/// ```
/// use sports_domain::rounded;
///
/// assert_eq!(rounded(2.0 / 3.0, 6), 0.666_667);
/// assert_eq!(rounded(1.005, 2), 1.01);
/// assert_eq!(rounded(-3.125, 2), -3.13);
/// ```
pub fn rounded(figure: f64, places: u8) -> f64 {
    /// The scale of a figure with 15 digits.
    const DIGITS: f64 = 1e15;
    let scale = 10_f64.powi(places.into());
    let scaled = figure.abs() * scale;
    if scaled >= DIGITS {
        return if places == 0 { figure.round() } else { rounded(figure, places - 1) };
    }
    let nearly = (2.0 * f64::EPSILON * scaled.max(scale)).clamp(1e-9, 1e-2);
    let size = (scaled + 0.5 + nearly).floor() / scale;
    if size == 0.0 { 0.0 } else { size.copysign(figure) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_rounded_away_from_zero_despite_binary_numbers() {
        let table = [
            (1.005, 2, 1.01),
            (-1.005, 2, -1.01),
            (3.125, 2, 3.13),
            (1.025, 2, 1.03),
            (1.004_999, 2, 1.0),
            (0.523_809_523, 6, 0.523_810),
            (0.0, 6, 0.0),
            (100.0, 2, 100.0),
            (1.0 - 0.4725, 12, 0.5275),
            (1.0 - 0.123_456_789_012_5, 12, 0.876_543_210_988),
            (0.523_809_523_809_5 - 0.5, 12, 0.023_809_523_81),
            (0.5 - 0.523_809_523_809_5, 12, -0.023_809_523_81),
            (0.523_809_523_809_4 - 0.5, 12, 0.023_809_523_809),
            (0.5661 * 1.3 - (1.0 - 0.5661), 12, 0.302_03),
        ];
        for (figure, places, expected) in table {
            assert!((rounded(figure, places) - expected).abs() < 1e-13, "{figure}");
        }
    }

    #[test]
    fn a_rounded_zero_has_no_sign_and_the_largest_figures_stay() {
        assert!(rounded(-0.000_000_1, 6).is_sign_positive());
        assert!(rounded(-0.0, 2).is_sign_positive());
        assert_eq!(rounded(f64::MAX, 6).total_cmp(&f64::MAX), std::cmp::Ordering::Equal);
        assert!(rounded(f64::NAN, 2).is_nan());
        assert_eq!(rounded(f64::INFINITY, 12).total_cmp(&f64::INFINITY), std::cmp::Ordering::Equal);
    }

    #[test]
    fn a_rounded_figure_is_written_without_noise() {
        let table = [
            (1.0 - 0.4725, "0.5275"),
            (0.58 - 0.54, "0.04"),
            (0.31_f64.mul_add(2000.0, -0.69), "619.31"),
            (-(1.0 - 0.4725), "-0.5275"),
            (98_765.432_1 * 10.0, "987654.321"),
            (8_765.308_653_087_53, "8765.30865308753"),
        ];
        for (figure, written) in table {
            assert_eq!(rounded(figure, 12).to_string(), written);
        }
    }
}
