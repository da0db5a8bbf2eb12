use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use sports_content::ObjectHash;
use sports_domain::{ModelName, ModelType};

use crate::Generation;

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
