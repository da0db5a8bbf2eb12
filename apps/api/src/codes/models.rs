//! Names of models in answers: an open set, since publishers declare models of their own.

use std::borrow::Cow;

use sports_domain::{ModelColumn, ModelName, ModelSet};
use sports_performance::Summarised;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};

use super::{Code, Coded};

/// The name of a model: one of the specification, the market's own probability (`IMPLIED`), or a model that the
/// publisher declared.
pub type ModelNameCode = Code<ModelName>;

/// The subject of a summary: a model, or the picks on which five or more of the six individual models agree (`ENSEMBLE`).
pub type SummarisedModelCode = Code<Summarised>;

impl Coded for ModelName {
    const SCHEMA: &'static str = "ModelColumnCode";
    const DESCRIPTION: &'static str = "The name of a model, of the market's own probability (`IMPLIED`), or of a model \
                                       that the publisher declared.";

    fn values() -> impl Iterator<Item = Self> {
        ModelColumn::ALL.into_iter().map(Self::of)
    }

    fn text(self) -> Cow<'static, str> {
        self.column().map_or_else(|| self.to_string().into(), |column| column.name().into())
    }

    fn schema() -> Schema {
        open_set::<Self>()
    }
}

impl Coded for Summarised {
    const SCHEMA: &'static str = "SummarisedModelCode";
    const DESCRIPTION: &'static str = "The origin of the counted picks: a model, the market's own probability, the \
                                       picks on which five or more of the six individual models agree (`ENSEMBLE`), or \
                                       a model that the publisher declared.";

    fn values() -> impl Iterator<Item = Self> {
        Self::all(&ModelSet::default()).collect::<Vec<_>>().into_iter()
    }

    fn text(self) -> Cow<'static, str> {
        self.name().to_string().into()
    }

    fn schema() -> Schema {
        open_set::<Self>()
    }
}

/// Returns the schema of an open set of names. An `anyOf` of the known names and others would be more precise, but the
/// Rust clients that are generated from it read neither.
fn open_set<T: Coded>() -> Schema {
    let names = ObjectBuilder::new().schema_type(Type::String).pattern(Some(ModelName::PATTERN));
    let known: Vec<_> = T::values().map(T::text).collect();
    let description = format!("{} The names that every league has: {}.", T::DESCRIPTION, known.join(", "));
    names.description(Some(description)).into()
}
