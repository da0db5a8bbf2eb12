//! The models that a league's publisher declared, and the rules for declaring them.
//!
//! A registry is a value: each generation of a league has its own, and a declaration makes the next.

mod declare;
mod default_model;
mod league;
mod reserved;

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use sports_domain::content::ObjectHash;
use sports_domain::{FormError, ModelColumn, ModelName, ModelType, Probability};

use self::reserved::check_spelling;
use crate::{Generation, Value};

pub use declare::{
    Change, Declaration, Declarations, DeclaredAs, Declaring, LeagueDeclaration, ModelDeclaration, ReleaseModels,
};
pub use default_model::ShownTo;
pub use league::{LeagueSettings, SlateDays, codes};
pub use reserved::{NotDeclarable, is_declarable, is_reserved};

/// A league's declared models, in the order of declaration, its headline model, and its settings.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(remote = "Self"))]
pub struct Registry {
    headline: ModelName,
    /// True if the publisher named BLEND as the headline model.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "crate::serialized::is_default"))]
    headline_declared: bool,
    not_models: BTreeSet<ModelName>,
    models: Vec<RegisteredModel>,
    before: Option<ObjectHash>,
    #[cfg_attr(feature = "serde", serde(flatten))]
    league: LeagueSettings,
}

/// The meaning of a column with a certain name in a market's files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NamedColumn {
    /// The probabilities of this model.
    Model(ModelName),
    /// A column of a model that was retired in this generation.
    Retired(Generation),
    /// An extra column that the publisher declared to be no model.
    NoModel,
    /// A column without a declaration.
    Undeclared,
}

impl Registry {
    /// The largest number of own models that are not retired.
    pub const MOST_IN_USE: usize = 32;
    /// The largest number of own models, retired ones included.
    pub const MOST_EVER: usize = 256;
    /// The largest number of names that are declared to be no models.
    pub const MOST_NOT_MODELS: usize = 64;
    /// The number of versions of a model that a registry keeps; earlier registries have the older ones.
    pub const MOST_VERSIONS: usize = 64;
    /// The default model of a league without forecasts.
    pub const DEFAULT_HEADLINE: ModelName = ModelName::of(ModelColumn::Blend);

    /// Restores a registry from its stored parts; BLEND is no declared headline. `before` is the object of the registry that it
    /// replaced.
    ///
    /// # Errors
    ///
    /// [`FormError`] for parts that no sequence of declarations makes.
    pub fn restored(
        headline: ModelName,
        not_models: BTreeSet<ModelName>,
        models: Vec<RegisteredModel>,
        before: Option<ObjectHash>,
    ) -> Result<Self, FormError> {
        let league = LeagueSettings::default();
        let registry = Self { headline, headline_declared: false, not_models, models, before, league };
        let names = || registry.models.iter().map(|model| model.name);
        let collides = |index: usize, name: &ModelName| {
            let earlier = names().take(index).any(|other| other.as_str().eq_ignore_ascii_case(name.as_str()));
            earlier || (name.column().is_none() && !is_declarable(*name))
        };
        let repeated = names().enumerate().find(|(index, name)| collides(*index, name)).map(|(_, name)| name);
        let both = || registry.not_models.iter().copied().find(|name| registry.get(name.as_str()).is_some());
        if let Some(name) = repeated.or_else(both) {
            return Err(FormError::new(format!("{name} cannot be the name of a model of this registry")));
        }
        let is_within = registry.in_use().count() <= Self::MOST_IN_USE
            && registry.own().count() <= Self::MOST_EVER
            && registry.not_models.len() <= Self::MOST_NOT_MODELS
            && registry.models.iter().all(|model| model.versions.len() <= Self::MOST_VERSIONS);
        match (is_within, registry.can_be_headline(headline)) {
            (false, _) => Err(FormError::fixed("the registry has more models than the limits allow")),
            (_, false) => Err(FormError::new(format!("the headline model {headline} is not declared or is retired"))),
            _ => Ok(registry),
        }
    }

    /// Returns the headline model that the publisher named; `None` leaves the default to
    /// [`Self::default_model`](Registry::default_model).
    pub fn declared_headline(&self) -> Option<ModelName> {
        let is_declared = self.headline_declared || self.headline != Self::DEFAULT_HEADLINE;
        is_declared.then_some(self.headline)
    }

    /// Returns the names that are declared to be no models.
    pub const fn not_models(&self) -> &BTreeSet<ModelName> {
        &self.not_models
    }

    /// Returns the object of the registry that this one replaced; `None` for the first.
    pub const fn before(&self) -> Option<ObjectHash> {
        self.before
    }

    /// Returns every declared model in the order of declaration: own ones, and standard ones with a title or a version.
    pub fn models(&self) -> &[RegisteredModel] {
        &self.models
    }

    /// Returns a declared model by its exact name.
    pub fn get(&self, name: &str) -> Option<&RegisteredModel> {
        self.models.iter().find(|model| model.name.as_str() == name)
    }

    /// Returns the publisher's own models, retired ones included, in the order of declaration.
    pub fn own(&self) -> impl DoubleEndedIterator<Item = &RegisteredModel> + Clone {
        self.models.iter().filter(|model| model.is_own())
    }

    /// Returns the own models that are not public, retired ones included.
    pub fn hidden(&self) -> impl Iterator<Item = ModelName> {
        self.own().filter(|model| !model.public).map(|model| model.name)
    }

    /// Returns the same registry without the models that are not public. If the headline model is one of them, the default one is
    /// in its place.
    #[must_use]
    pub fn of_public_models(&self) -> Self {
        let is_shown = |name: ModelName| self.shows(name, ShownTo::Everyone);
        // Only a declared BLEND is marked as declared, and everybody sees it.
        let headline = if is_shown(self.headline) { self.headline } else { Self::DEFAULT_HEADLINE };
        let models = self.models.iter().filter(|model| is_shown(model.name)).cloned().collect();
        Self { headline, models, ..self.clone() }
    }

    /// Returns the own models that are not retired.
    pub fn in_use(&self) -> impl Iterator<Item = &RegisteredModel> + Clone {
        self.own().filter(|model| model.retired.is_none())
    }

    /// Returns the own models that the release of an entry declared.
    pub fn declared_in(&self, generation: Generation) -> impl Iterator<Item = ModelName> {
        self.own().filter(move |model| model.declared.generation == generation).map(|model| model.name)
    }

    /// Returns the own models that the release of an entry retired and that no later release took back.
    pub fn retired_in(&self, generation: Generation) -> impl Iterator<Item = ModelName> {
        let is_retired = move |model: &&RegisteredModel| model.retired.is_some_and(|at| at.generation == generation);
        self.own().filter(is_retired).map(|model| model.name)
    }

    /// Returns true if nothing was declared.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the meaning of a column in the files of a market, or in files of all markets.
    pub fn column(&self, name: &str, model_type: Option<ModelType>) -> NamedColumn {
        let own = self.own().find(|model| model.name.as_str() == name);
        match own.filter(|model| model_type.is_none_or(|of| model.model_types.contains(&of))) {
            Some(model) => {
                model.retired.map_or(NamedColumn::Model(model.name), |at| NamedColumn::Retired(at.generation))
            }
            None if own.is_some() || self.not_models.iter().any(|known| known.as_str() == name) => NamedColumn::NoModel,
            None => NamedColumn::Undeclared,
        }
    }

    /// Returns the own model whose name differs from `name` in letter case alone.
    pub fn in_other_case(&self, name: &str) -> Option<ModelName> {
        self.own().map(|model| model.name).find(|known| differs_in_case(*known, name))
    }

    /// Checks that a column can be declared beside the models, and beside other names.
    ///
    /// # Errors
    ///
    /// [`NotDeclarable`] for a reserved name, and for one that differs from another in letter case alone.
    pub fn check_name(
        &self,
        name: ModelName,
        beside: impl IntoIterator<Item = ModelName>,
    ) -> Result<(), NotDeclarable> {
        check_spelling(name)?;
        let other = self.in_other_case(name.as_str());
        let other = other.or_else(|| beside.into_iter().find(|known| differs_in_case(*known, name.as_str())));
        other.map_or(Ok(()), |other| Err(NotDeclarable::InOtherCase(other)))
    }

    /// Returns true if both registries give each column of a file the same meaning.
    pub fn reads_as(&self, other: &Self) -> bool {
        let meanings = |registry: &Self| {
            let own = registry.own().map(|model| (model.name, (model.model_types.clone(), model.retired.is_some())));
            own.collect::<BTreeMap<_, _>>()
        };
        meanings(self) == meanings(other)
    }

    fn can_be_headline(&self, name: ModelName) -> bool {
        match name.column() {
            Some(column) => column != ModelColumn::Implied,
            None => self.in_use().any(|model| model.name == name),
        }
    }
}

/// Returns true if two names are equal except for their letter case.
fn differs_in_case(known: ModelName, name: &str) -> bool {
    known.as_str() != name && known.as_str().eq_ignore_ascii_case(name)
}

impl Default for Registry {
    /// Returns the registry of a league without declarations.
    fn default() -> Self {
        let headline = Self::DEFAULT_HEADLINE;
        Self {
            headline,
            headline_declared: false,
            not_models: BTreeSet::new(),
            models: Vec::new(),
            before: None,
            league: LeagueSettings::default(),
        }
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Registry {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        Self::serialize(self, to)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Registry {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let Self { headline, headline_declared, not_models, models, before, league } = Self::deserialize(from)?;
        let headline_declared = headline_declared && headline == Self::DEFAULT_HEADLINE;
        let registry = Self::restored(headline, not_models, models, before);
        let restored = registry.and_then(|registry| registry.with_league(league)).map_err(serde::de::Error::custom)?;
        Ok(Self { headline_declared, ..restored })
    }
}

/// Returns the probability in an extra column, read as in a publisher's file.
pub fn probability_in(value: &Value<String>) -> Option<Probability> {
    let number = match value.borrowed() {
        Value::Integer(number) => f64::from(i32::try_from(number).ok()?),
        Value::Number(number) => number,
        Value::Text(text) => text.parse().ok()?,
        _ => return None,
    };
    Probability::new(number).ok()
}

/// The log entry and the time of a declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Moment {
    pub generation: Generation,
    /// The publication instant of the entry.
    pub at: DateTime<Utc>,
}

/// A version of a model, as its publisher names it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ModelVersion {
    /// The version in the publisher's words.
    pub version: String,
    /// A hash of the publisher's choice.
    pub sha256: Option<ObjectHash>,
    /// The entry that declared it.
    #[cfg_attr(feature = "serde", serde(flatten, with = "crate::serialized::Since"))]
    pub since: Moment,
}

/// A declared model: one of the publisher's own, or a standard model with a title or a version.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RegisteredModel {
    /// Its name, which never changes.
    pub name: ModelName,
    /// A title for readers.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub title: Option<String>,
    /// A description of several sentences.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub description: Option<String>,
    /// The address of a page about it; never fetched.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub url: Option<String>,
    /// True if the public feed shows it.
    pub public: bool,
    /// The markets that it forecasts.
    pub model_types: BTreeSet<ModelType>,
    /// Its first declaration.
    #[cfg_attr(feature = "serde", serde(flatten, with = "crate::serialized::Declared"))]
    pub declared: Moment,
    /// Its retirement, if it is retired.
    #[cfg_attr(feature = "serde", serde(flatten, with = "crate::serialized::retired"))]
    pub retired: Option<Moment>,
    /// Its newest versions, oldest first.
    pub versions: Vec<ModelVersion>,
}

impl RegisteredModel {
    /// Creates a model that has nothing but a name and forecasts all markets.
    pub fn new(name: ModelName, declared: Moment) -> Self {
        Self {
            name,
            title: None,
            description: None,
            url: None,
            public: false,
            model_types: ModelType::ALL.into(),
            declared,
            retired: None,
            versions: Vec::new(),
        }
    }

    /// Returns true for a publisher's own model.
    pub fn is_own(&self) -> bool {
        self.name.column().is_none()
    }

    /// Returns the title, or the name of a model without a title.
    pub fn shown_title(&self) -> &str {
        self.title.as_deref().unwrap_or(self.name.as_str())
    }
}

/// A version of a model that a release declared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VersionChange {
    pub model: ModelName,
    /// The version; `None` for a model without one.
    pub version: Option<String>,
    /// The hash; `None` for a version without one.
    pub sha256: Option<ObjectHash>,
}

impl Registry {
    /// Returns the models whose version or hash differs from that in an earlier registry, by name.
    pub fn new_versions(&self, before: &Self) -> Vec<VersionChange> {
        let mut changes: Vec<_> = self.models.iter().map(current).collect();
        let known: Vec<_> = before.models.iter().map(current).collect();
        let is_known = |change: &VersionChange| known.iter().any(|known| known.model == change.model);
        changes.retain(|change| !known.contains(change) && (is_known(change) || change.version.is_some()));
        changes.sort_by_key(|change| change.model);
        changes
    }
}

fn current(model: &RegisteredModel) -> VersionChange {
    let newest = model.versions.last();
    VersionChange {
        model: model.name,
        version: newest.map(|newest| newest.version.clone()),
        sha256: newest.and_then(|newest| newest.sha256),
    }
}

/// The registry of a league's newest entry, under which a release is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegistryOnRecord {
    pub registry: Registry,
    /// Its object; `None` before the first declaration.
    pub object: Option<ObjectHash>,
    /// The number of the next entry.
    pub next: Generation,
}

impl Default for RegistryOnRecord {
    /// Returns the state of a league without a log.
    fn default() -> Self {
        Self { registry: Registry::default(), object: None, next: Generation::FIRST }
    }
}
