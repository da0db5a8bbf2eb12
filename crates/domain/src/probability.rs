use crate::Side;

/// A probability of a market's positive side: finite, from 0 to 1, inclusive.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Probability(f64);

/// A number that is not a probability.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error("{0} is not a probability: probabilities are from 0 to 1")]
pub struct NotAProbability(pub f64);

impl Probability {
    /// One half, which is no pick.
    pub const HALF: Self = Self(0.5);

    /// Checks a probability.
    ///
    /// # Errors
    ///
    /// [`NotAProbability`] if `raw` is below 0, above 1 or not finite.
    #[inline]
    pub fn new(raw: f64) -> Result<Self, NotAProbability> {
        // Adding zero turns `-0.0` into `0.0`.
        if (0.0..=1.0).contains(&raw) { Ok(Self(raw + 0.0)) } else { Err(NotAProbability(raw)) }
    }

    /// Returns the number, from 0 to 1.
    #[inline]
    pub const fn get(self) -> f64 {
        self.0
    }

    /// Returns the probability of the other side.
    #[inline]
    pub fn complement(self) -> Self {
        Self(1.0 - self.0)
    }

    /// Returns the side with a probability above one half; `None` at exactly 0.5.
    #[inline]
    pub fn favoured(self) -> Option<Side> {
        if self.0 > 0.5 {
            Some(Side::Positive)
        } else if self.0 < 0.5 {
            Some(Side::Negative)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_probability_is_finite_and_from_zero_to_one() {
        for raw in [0.0, 1e-300, 0.5, 1.0] {
            assert_eq!(Probability::new(raw).map(Probability::get), Ok(raw));
        }
        for raw in [-1e-9, 1.000_001, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(Probability::new(raw).is_err(), "{raw}");
        }
    }

    #[test]
    fn above_half_favours_the_positive_side_and_exactly_half_neither() {
        let favoured = |raw| Probability::new(raw).expect("valid").favoured();
        assert_eq!(favoured(0.500_1), Some(Side::Positive));
        assert_eq!(favoured(0.499_9), Some(Side::Negative));
        assert_eq!(favoured(0.5), None);
    }

    #[test]
    fn both_sides_share_one_probability() {
        for (probability, other) in [(0.0, 1.0), (0.25, 0.75), (1.0, 0.0)] {
            assert_eq!(Probability::new(probability).map(Probability::complement), Probability::new(other));
        }
    }
}
