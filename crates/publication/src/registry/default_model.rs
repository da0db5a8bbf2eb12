//! The default model of a market: the model of an answer to a request that names none.

use std::collections::BTreeSet;

use sports_domain::{ModelColumn, ModelName};

use super::{RegisteredModel, Registry};

/// The readers of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ShownTo {
    /// Callers with a key, who see every model.
    Subscribers,
    /// Everybody: own models are shown if they are public.
    Everyone,
}

impl ShownTo {
    /// Returns the readers of whom both are true.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        if self == Self::Everyone { self } else { other }
    }
}

/// The standard models behind BLEND and the own models, in the order in which they become the default.
const OTHERS: [ModelColumn; 7] = [
    ModelColumn::Catb,
    ModelColumn::Rf,
    ModelColumn::Lgb,
    ModelColumn::Logr,
    ModelColumn::Xgb,
    ModelColumn::Xt,
    ModelColumn::Ai,
];

impl Registry {
    /// Returns the declared headline model if these readers see it. It is the default of every market, whatever has values.
    pub fn headline_for(&self, shown_to: ShownTo) -> Option<ModelName> {
        self.declared_headline().filter(|headline| self.shows(*headline, shown_to))
    }

    /// Returns the default model of a market without a declared headline: the first model in order that is among those with
    /// a probability, which are those of the market's newest season with forecasts and of its slate. `None` if these readers
    /// see no model among them.
    ///
    /// The order is BLEND, the own models as declared, CATB, RF, LGB, LOGR, XGB, XT, AI; retired models are last, since they
    /// have no forecast of a game to come.
    pub fn default_model(&self, shown_to: ShownTo, valued: &BTreeSet<ModelName>) -> Option<ModelName> {
        if valued.contains(&Self::DEFAULT_HEADLINE) {
            return Some(Self::DEFAULT_HEADLINE);
        }
        let retired = self.own().filter(|model| model.retired.is_some());
        let name = |model: &RegisteredModel| model.name;
        let own = self.in_use().map(name).chain(OTHERS.map(ModelName::of)).chain(retired.map(name));
        own.filter(|model| self.shows(*model, shown_to)).find(|model| valued.contains(model))
    }

    /// Returns true if these readers see a model.
    pub fn shows(&self, name: ModelName, shown_to: ShownTo) -> bool {
        shown_to == ShownTo::Subscribers
            || name.column().is_some()
            || self.get(name.as_str()).is_some_and(|model| model.public)
    }
}
