use std::fmt;

use sports_domain::ModelColumn;

/// A subject of a summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Summarised {
    /// One column of probabilities.
    Model(ModelColumn),
    /// The agreement of the six individual models.
    Ensemble,
}

impl Summarised {
    /// Returns every subject, in the order of a summary.
    pub fn all() -> impl Iterator<Item = Self> {
        ModelColumn::ALL.into_iter().map(Self::Model).chain([Self::Ensemble])
    }

    /// Returns `ENSEMBLE`, or the model column's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Model(model) => model.name(),
            Self::Ensemble => "ENSEMBLE",
        }
    }
}

impl fmt::Display for Summarised {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ensemble_is_named_beside_the_model_columns() {
        let blend = Summarised::Model(ModelColumn::Blend);
        assert_eq!((blend.name(), Summarised::Ensemble.name()), ("BLEND", "ENSEMBLE"));
        assert_eq!(
            Summarised::all().map(Summarised::name).collect::<Vec<_>>(),
            ["IMPLIED", "AI", "BLEND", "CATB", "RF", "LGB", "LOGR", "XGB", "XT", "ENSEMBLE"]
        );
        assert_eq!((blend.to_string(), Summarised::Ensemble.to_string()), ("BLEND".into(), "ENSEMBLE".into()));
    }
}
