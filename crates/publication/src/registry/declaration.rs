use std::collections::{BTreeMap, BTreeSet};

use sports_content::ObjectHash;
use sports_domain::ModelType;

use super::Registry;

/// The change of a field by a declaration.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Change<T> {
    /// The field is absent: its value stays.
    #[default]
    Keep,
    /// The field is null: its value is removed.
    Remove,
    /// The field has a new value.
    Set(T),
}

impl<T: Clone> Change<T> {
    /// Applies the change to a value.
    pub(super) fn apply(&self, value: &mut Option<T>) {
        match self {
            Self::Keep => {}
            Self::Remove => *value = None,
            Self::Set(new) => *value = Some(new.clone()),
        }
    }

    /// Returns the value after the change, `default` for a removed one.
    pub(super) fn after(&self, value: T, default: T) -> T {
        match self {
            Self::Keep => value,
            Self::Remove => default,
            Self::Set(new) => new.clone(),
        }
    }
}

/// The fields of one model under `models` in `release.json`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ModelDeclaration {
    pub title: Change<String>,
    pub description: Change<String>,
    /// The address of a page about the model.
    pub url: Change<String>,
    /// The version. It is never removed, since versions are history.
    pub version: Change<String>,
    /// The hash of the version; only beside `version`.
    pub sha256: Change<ObjectHash>,
    /// The markets that the model forecasts.
    pub model_types: Change<BTreeSet<ModelType>>,
    /// True if the public feed shows the model.
    pub public: Change<bool>,
    /// True retires the model, false takes it back.
    pub retired: Change<bool>,
}

/// The content of a declaration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeclaredAs {
    /// The column is a model.
    Model(Box<ModelDeclaration>),
    /// The column is an extra column, and no model.
    NoModel,
}

/// One entry under `models` in `release.json`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declaration {
    /// The value as the publisher wrote it, for problems.
    pub written: String,
    pub content: DeclaredAs,
}

/// The declarations of one release.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Declarations {
    /// The declarations by name, as written.
    pub models: BTreeMap<String, Declaration>,
    /// The headline model.
    pub headline: Change<String>,
}

impl Declarations {
    /// Returns true if the release declares nothing.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// The models of a release: its declarations, and the registry under which its files were read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReleaseModels {
    pub declarations: Declarations,
    /// The registry under which the columns of the files were read: that on record with these declarations.
    pub read_under: Registry,
}
