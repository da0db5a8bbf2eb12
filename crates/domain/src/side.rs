use crate::NO_DIFFERENCE;

/// A side of a market. Probabilities are always those of the positive side.
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
    /// The side that wins when this one loses.
    #[must_use]
    #[inline]
    pub const fn opposite(self) -> Self {
        match self {
            Self::Positive => Self::Negative,
            Self::Negative => Self::Positive,
        }
    }

    /// The side that is ahead by a difference, counted in the positive side's favour: of two probabilities, or of two
    /// expected values in units. `None` within [`NO_DIFFERENCE`] of zero.
    #[must_use]
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
