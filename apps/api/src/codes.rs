//! Codes of the domain as they stand in JSON and in the document.

use serde::{Serialize, Serializer};
use sports_domain::{ModelType, Sport};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

/// A league by its code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SportCode(pub Sport);

/// A model type by its code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModelTypeCode(pub ModelType);

/// A model type by the name its market has in public.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PublicMarketCode(pub ModelType);

impl PublicMarketCode {
    const fn word(self) -> &'static str {
        match self.0 {
            ModelType::OverUnder => "over_under",
            ModelType::WonOnPoints => "moneyline",
            ModelType::WonOnSpread => "spread",
        }
    }
}

impl Serialize for SportCode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.code())
    }
}

impl Serialize for ModelTypeCode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.code())
    }
}

impl Serialize for PublicMarketCode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}

impl PartialSchema for SportCode {
    fn schema() -> RefOr<Schema> {
        one_of("The code of a league.", Sport::ALL.map(Sport::code))
    }
}

impl PartialSchema for ModelTypeCode {
    fn schema() -> RefOr<Schema> {
        one_of(
            "The code of a model type: which market of a game a model forecasts.",
            ModelType::ALL.map(ModelType::code),
        )
    }
}

impl PartialSchema for PublicMarketCode {
    fn schema() -> RefOr<Schema> {
        one_of("The public name of a market.", ModelType::ALL.map(|model_type| Self(model_type).word()))
    }
}

impl ToSchema for SportCode {}
impl ToSchema for PublicMarketCode {}
impl ToSchema for ModelTypeCode {}

fn one_of<const N: usize>(description: &str, codes: [&str; N]) -> RefOr<Schema> {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .description(Some(description))
        .enum_values(Some(codes))
        .examples([codes[0]])
        .into()
}
