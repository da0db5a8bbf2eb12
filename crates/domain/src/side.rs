/// A side of a market. Probabilities are always of the positive side.
///
/// | market | positive | negative |
/// |---|---|---|
/// | total | over | under |
/// | moneyline | home team | away team |
/// | spread | home spread | away spread |
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// The over, or the home team.
    Positive,
    /// The under, or the away team.
    Negative,
}

impl Side {
    /// Returns the side that wins when this one loses.
    #[inline]
    pub const fn opposite(self) -> Self {
        match self {
            Self::Positive => Self::Negative,
            Self::Negative => Self::Positive,
        }
    }

    /// Returns the side that a difference favours, where positive numbers favour the positive side. The difference is
    /// of two probabilities, or of two expected values in units. Returns `None` within [`NO_DIFFERENCE`] of zero.
    #[inline]
    pub fn ahead(difference: f64) -> Option<Self> {
        if difference > NO_DIFFERENCE {
            Some(Self::Positive)
        } else if difference < -NO_DIFFERENCE {
            Some(Self::Negative)
        } else {
            None
        }
    }
}

/// The tolerance for comparing probabilities, or expected values in units: prices and probabilities are decimals, but
/// their quotients and products are binary numbers.
pub const NO_DIFFERENCE: f64 = 1e-9;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_billionth_is_no_difference_and_more_is() {
        let table = [
            (1.1e-9, Some(Side::Positive)),
            (1e-9, None),
            (0.0, None),
            (-1e-9, None),
            (-1.1e-9, Some(Side::Negative)),
            (f64::NAN, None),
        ];
        for (difference, side) in table {
            assert_eq!(Side::ahead(difference), side, "{difference}");
        }
    }
}
