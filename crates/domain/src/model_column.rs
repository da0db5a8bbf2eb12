use std::fmt;
use std::str::FromStr;

/// A column of model probabilities, all of the positive side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ModelColumn {
    /// The market's no-vig probability, always computed from both prices.
    Implied,
    /// The AI model.
    Ai,
    /// The ensemble blend.
    Blend,
    /// Gradient-boosted trees.
    Catb,
    /// Random forest.
    Rf,
    /// Light gradient boosting.
    Lgb,
    /// Logistic regression.
    Logr,
    /// Extreme gradient boosting.
    Xgb,
    /// Extra trees.
    Xt,
}

/// A name that is not a model column's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a model column; known columns: {known}", known = ModelColumn::ALL.map(ModelColumn::name).join(", "))]
pub struct UnknownModelColumn(pub String);

impl ModelColumn {
    /// Every column, in the service's order.
    pub const ALL: [Self; 9] =
        [Self::Implied, Self::Ai, Self::Blend, Self::Catb, Self::Rf, Self::Lgb, Self::Logr, Self::Xgb, Self::Xt];

    /// The columns that a publisher provides: all but IMPLIED.
    pub const FORECASTS: [Self; 8] =
        [Self::Ai, Self::Blend, Self::Catb, Self::Rf, Self::Lgb, Self::Logr, Self::Xgb, Self::Xt];

    /// The six individual models of the ensemble.
    pub const INDIVIDUAL: [Self; 6] = [Self::Catb, Self::Rf, Self::Lgb, Self::Logr, Self::Xgb, Self::Xt];

    /// Returns the column's name, such as `BLEND`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Implied => "IMPLIED",
            Self::Ai => "AI",
            Self::Blend => "BLEND",
            Self::Catb => "CATB",
            Self::Rf => "RF",
            Self::Lgb => "LGB",
            Self::Logr => "LOGR",
            Self::Xgb => "XGB",
            Self::Xt => "XT",
        }
    }

    /// Returns the column's index in [`Self::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for ModelColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for ModelColumn {
    type Err = UnknownModelColumn;

    /// Parses a column's name, in capitals as published.
    fn from_str(raw: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|column| column.name() == raw).ok_or_else(|| UnknownModelColumn(raw.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_in_the_order_of_the_specification() {
        let names = ["IMPLIED", "AI", "BLEND", "CATB", "RF", "LGB", "LOGR", "XGB", "XT"];
        assert_eq!(ModelColumn::ALL.map(ModelColumn::name), names);
        assert_eq!(ModelColumn::ALL.map(|column| column.to_string()), names);
        for (index, name) in names.into_iter().enumerate() {
            assert_eq!(name.parse().map(ModelColumn::index), Ok(index));
        }
    }

    #[test]
    fn forecasts_are_every_column_but_implied() {
        assert_eq!(ModelColumn::ALL[1..], ModelColumn::FORECASTS);
        assert_eq!(ModelColumn::FORECASTS[2..], ModelColumn::INDIVIDUAL);
    }
}
