use std::collections::BTreeSet;

use sports_domain::ModelName;

/// The models that an answer lists. A model that is left out changes no figure of the others.
#[derive(Debug, Clone, PartialEq, Eq, Default, Hash)]
pub enum ListedModels {
    /// Every model of the season.
    #[default]
    All,
    /// The models with these names, among which IMPLIED and ENSEMBLE can be.
    Named(BTreeSet<ModelName>),
}

impl ListedModels {
    /// Returns true if the subject with this name is listed.
    pub(super) fn include(&self, name: &str) -> bool {
        match self {
            Self::All => true,
            Self::Named(names) => names.contains(name),
        }
    }
}
