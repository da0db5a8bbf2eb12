use statrs::function::beta::beta_reg;

/// Returns the two-sided p-value of Student's t with so many degrees of freedom.
pub fn two_sided(t: f64, freedom: f64) -> f64 {
    beta_reg(freedom / 2.0, 0.5, freedom / (freedom + t * t))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values from tables of the distribution, and from its closed forms for one and two degrees of freedom.
    #[test]
    fn p_values_agree_with_tables() {
        for (t, freedom, p) in [
            (2.228_138_9, 10.0, 0.05),
            (-2.228_138_9, 10.0, 0.05),
            (2.660_283_0, 60.0, 0.01),
            // 1 − 2/π · atan(t)
            (1.0, 1.0, 0.5),
            (3.0_f64.sqrt(), 1.0, 1.0 / 3.0),
            (0.301_242, 1.0, 0.813_727_694),
            // 1 − t / √(2 + t²)
            (2.0, 2.0, 1.0 - 2.0 / 6.0_f64.sqrt()),
            (0.0, 7.0, 1.0),
            (1e-5, 1.0, 1.0 - 2e-5 / std::f64::consts::PI),
            (1e5, 1.0, 2e-5 / std::f64::consts::PI),
        ] {
            assert!((two_sided(t, freedom) - p).abs() < 1e-8, "{t} {freedom}");
        }
    }
}
