use std::fmt;

use sports_domain::{ModelId, ModelName, ModelSet};

/// A subject of a summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Summarised {
    /// One column of probabilities.
    Model(ModelName),
    /// The agreement of the six individual models.
    Ensemble,
}

impl Summarised {
    /// The name of the ensemble.
    const ENSEMBLE: &str = "ENSEMBLE";

    /// Returns every subject of a season with these models, in the order of a summary.
    pub fn all(models: &ModelSet) -> impl Iterator<Item = Self> + use<> {
        let models = models.clone();
        models.ids().map(move |model| Self::Model(models.name(model))).chain([Self::Ensemble])
    }

    /// Returns `ENSEMBLE`, or the model's name.
    pub fn name(&self) -> &str {
        match self {
            Self::Model(model) => model.as_str(),
            Self::Ensemble => Self::ENSEMBLE,
        }
    }

    /// Returns the place of the model; `None` for the ensemble and for a model that the set lacks.
    pub(crate) fn id(&self, models: &ModelSet) -> Option<ModelId> {
        match self {
            Self::Model(model) => models.id(model.as_str()),
            Self::Ensemble => None,
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
    use sports_domain::ModelColumn;

    use super::*;

    #[test]
    fn the_ensemble_is_named_behind_all_models() {
        let blend = Summarised::Model(ModelColumn::Blend.into());
        assert_eq!((blend.name(), Summarised::Ensemble.name()), ("BLEND", "ENSEMBLE"));
        let own = ["nn_v2", "ELO"].map(|name| name.parse().expect("a name"));
        let models = ModelSet::new(own).expect("two names");
        let names: Vec<_> = Summarised::all(&models).map(|of| of.to_string()).collect();
        assert_eq!(
            names,
            ["IMPLIED", "AI", "BLEND", "CATB", "RF", "LGB", "LOGR", "XGB", "XT", "nn_v2", "ELO", "ENSEMBLE"]
        );
    }
}
