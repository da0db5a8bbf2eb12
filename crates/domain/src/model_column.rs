use std::borrow::Borrow;
use std::fmt;
use std::str::FromStr;

use crate::FormError;

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

/// The name of a model: 1 to 32 letters, digits, `_`, `.` or `-`, of which the first is a letter.
///
/// The bytes are kept inline, so that a name is copied without memory of its own. Names are ordered by their bytes, and
/// compared with their letter case.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ModelName([u8; ModelName::MOST]);

const NOT_A_MODEL_NAME: FormError =
    FormError::fixed("a name of 1 to 32 letters, digits, `_`, `.` or `-` that begins with a letter");

impl ModelName {
    /// The length of the longest name, in bytes.
    pub const MOST: usize = 32;

    /// The names as a regular expression.
    pub const PATTERN: &str = "^[A-Za-z][A-Za-z0-9_.-]{0,31}$";

    /// Returns the name of a column of the specification.
    pub const fn of(column: ModelColumn) -> Self {
        Self::padded(column.name().as_bytes())
    }

    /// Copies a valid name; the rest is zeros, which no name contains.
    const fn padded(name: &[u8]) -> Self {
        let mut bytes = [0; Self::MOST];
        let (start, _) = bytes.split_at_mut(name.len());
        start.copy_from_slice(name);
        Self(bytes)
    }

    /// Returns the name as text.
    pub fn as_str(&self) -> &str {
        let length = self.0.iter().position(|byte| *byte == 0).unwrap_or(Self::MOST);
        std::str::from_utf8(&self.0[..length]).unwrap_or_default()
    }

    /// Returns the column of the specification that has this name, if any.
    pub fn column(&self) -> Option<ModelColumn> {
        self.as_str().parse().ok()
    }
}

impl From<ModelColumn> for ModelName {
    fn from(column: ModelColumn) -> Self {
        Self::of(column)
    }
}

impl Borrow<str> for ModelName {
    fn borrow(&self) -> &str {
        self.as_str()
    }
}

impl fmt::Display for ModelName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for ModelName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for ModelName {
    type Err = FormError;

    /// Parses a name, which is not trimmed.
    fn from_str(raw: &str) -> Result<Self, Self::Err> {
        let is_inside = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte);
        let [first, rest @ ..] = raw.as_bytes() else { return Err(NOT_A_MODEL_NAME) };
        let is_name = first.is_ascii_alphabetic() && rest.iter().all(|byte| is_inside(*byte));
        if is_name && raw.len() <= Self::MOST { Ok(Self::padded(raw.as_bytes())) } else { Err(NOT_A_MODEL_NAME) }
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

    #[test]
    fn a_name_is_parsed_and_written_unchanged() {
        for name in ["ELO", "nn_v2", "PoissonGLM", "a", "x.y-z_0", &"m".repeat(32)] {
            let parsed: ModelName = name.parse().expect("a name");
            assert_eq!((parsed.as_str(), parsed.to_string().as_str()), (name, name));
        }
        for column in ModelColumn::ALL {
            assert_eq!(ModelName::of(column).column(), Some(column));
        }
    }

    #[test]
    fn text_outside_the_pattern_is_no_name() {
        for text in ["", "2nd", "_x", "x y", " x", "Größe", "x\0", &"m".repeat(33)] {
            assert_eq!(text.parse::<ModelName>(), Err(NOT_A_MODEL_NAME), "{text:?}");
        }
    }

    #[test]
    fn names_are_in_the_order_of_their_text() {
        let names: Vec<ModelName> = ["A", "AA", "B", "a", "a-", "a.b"].map(|name| name.parse().expect("a name")).into();
        assert!(names.is_sorted());
    }
}
