//! Codes of the domain as they stand in JSON and in the document.

use std::str::FromStr;

use serde::{Serialize, Serializer};
use sports_domain::{ModelColumn, ModelType, Sport};
use sports_freshness::{Degradation, Status};
use sports_strategies::Accounting;
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

/// A word that is the public name of no market.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a market; known markets: {known}", known = PublicMarketCode::WORDS.join(", "))]
pub struct UnknownMarket(String);

/// A model column by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModelColumnCode(pub ModelColumn);

/// A data status by its word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DataStatusCode(pub Status);

/// What degrades a league's data, by its word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DegradationCode(pub Degradation);

/// How bets are priced and counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AccountingCode {
    /// Recorded moneylines, −110 assumed for spreads and totals; a push is no bet. Deprecated.
    LegacyV1,
    /// Recorded prices; a push is a stake that comes back; what cannot be priced or verified is excluded.
    RecordedV2,
}

impl From<Accounting> for AccountingCode {
    fn from(accounting: Accounting) -> Self {
        match accounting {
            Accounting::LegacyV1 => Self::LegacyV1,
            Accounting::RecordedV2 => Self::RecordedV2,
        }
    }
}

impl PublicMarketCode {
    const WORDS: [&str; 3] = ["over_under", "moneyline", "spread"];

    const fn word(self) -> &'static str {
        match self.0 {
            ModelType::OverUnder => Self::WORDS[0],
            ModelType::WonOnPoints => Self::WORDS[1],
            ModelType::WonOnSpread => Self::WORDS[2],
        }
    }
}

impl FromStr for PublicMarketCode {
    type Err = UnknownMarket;

    /// Reads a word in any letter case.
    fn from_str(raw: &str) -> Result<Self, Self::Err> {
        let mut markets = ModelType::ALL.map(Self).into_iter();
        markets.find(|market| market.word().eq_ignore_ascii_case(raw)).ok_or_else(|| UnknownMarket(raw.to_owned()))
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

impl Serialize for ModelColumnCode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.name())
    }
}

impl Serialize for DataStatusCode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.word())
    }
}

impl Serialize for DegradationCode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.word())
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
        one_of("The public name of a market.", Self::WORDS)
    }
}

impl PartialSchema for ModelColumnCode {
    fn schema() -> RefOr<Schema> {
        one_of("The name of a model, or of the market's own probability.", ModelColumn::ALL.map(ModelColumn::name))
    }
}

impl PartialSchema for DataStatusCode {
    fn schema() -> RefOr<Schema> {
        one_of("How daily data stands.", Status::ALL.map(Status::word))
    }
}

impl PartialSchema for DegradationCode {
    fn schema() -> RefOr<Schema> {
        one_of("What keeps daily data from being as it should.", Degradation::ALL.map(Degradation::word))
    }
}

impl ToSchema for SportCode {}
impl ToSchema for ModelTypeCode {}
impl ToSchema for PublicMarketCode {}
impl ToSchema for ModelColumnCode {}
impl ToSchema for DataStatusCode {}
impl ToSchema for DegradationCode {}

fn one_of<const N: usize>(description: &str, codes: [&str; N]) -> RefOr<Schema> {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .description(Some(description))
        .enum_values(Some(codes))
        .examples([codes[0]])
        .into()
}
