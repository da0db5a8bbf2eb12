//! Values of the domain by their codes, in JSON and in the document.

use std::borrow::Cow;
use std::str::FromStr;

use serde::{Serialize, Serializer};
use sports_domain::{ModelColumn, ModelType, Sport};
use sports_freshness::{Degradation, Status};
use sports_strategies::Accounting;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

/// A value by its code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Code<T>(pub T);

/// A league by its code.
pub type SportCode = Code<Sport>;

/// A model type by its code.
pub type ModelTypeCode = Code<ModelType>;

/// A market by its public name.
pub type PublicMarketCode = Code<PublicMarket>;

/// A model column by its name.
pub type ModelColumnCode = Code<ModelColumn>;

/// A data status by its word.
pub type DataStatusCode = Code<Status>;

/// What degrades a league's data, by its word.
pub type DegradationCode = Code<Degradation>;

/// An accounting by its code.
pub type AccountingCode = Code<Accounting>;

/// Values that each have a code.
pub trait Coded: Copy + 'static {
    /// The name of the schema in the document.
    const SCHEMA: &'static str;

    /// What the schema says it is.
    const DESCRIPTION: &'static str;

    /// Every value there is, in the order of the document.
    const VALUES: &'static [Self];

    /// The value that the schema has for an example, if it has one.
    const EXAMPLE: Option<Self>;

    /// The code.
    fn text(self) -> &'static str;
}

impl<T: Coded> Serialize for Code<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.text())
    }
}

impl<T: Coded> PartialSchema for Code<T> {
    fn schema() -> RefOr<Schema> {
        let codes = T::VALUES.iter().map(|value| value.text());
        let schema = ObjectBuilder::new().schema_type(Type::String).description(Some(T::DESCRIPTION));
        schema.enum_values(Some(codes)).examples(T::EXAMPLE.map(T::text)).into()
    }
}

impl<T: Coded> ToSchema for Code<T> {
    fn name() -> Cow<'static, str> {
        T::SCHEMA.into()
    }
}

impl Coded for Sport {
    const SCHEMA: &'static str = "SportCode";
    const DESCRIPTION: &'static str = "The code of a league.";
    const VALUES: &'static [Self] = &Self::ALL;
    const EXAMPLE: Option<Self> = Some(Self::ALL[0]);

    fn text(self) -> &'static str {
        self.code()
    }
}

impl Coded for ModelType {
    const SCHEMA: &'static str = "ModelTypeCode";
    const DESCRIPTION: &'static str = "The code of a model type: which market of a game a model forecasts.";
    const VALUES: &'static [Self] = &Self::ALL;
    const EXAMPLE: Option<Self> = Some(Self::ALL[0]);

    fn text(self) -> &'static str {
        self.code()
    }
}

impl Coded for ModelColumn {
    const SCHEMA: &'static str = "ModelColumnCode";
    const DESCRIPTION: &'static str = "The name of a model, or of the market's own probability.";
    const VALUES: &'static [Self] = &Self::ALL;
    const EXAMPLE: Option<Self> = Some(Self::ALL[0]);

    fn text(self) -> &'static str {
        self.name()
    }
}

impl Coded for Status {
    const SCHEMA: &'static str = "DataStatusCode";
    const DESCRIPTION: &'static str = "The status of today's data against the deadline of 10:15 Eastern.";
    const VALUES: &'static [Self] = &Self::ALL;
    const EXAMPLE: Option<Self> = Some(Self::ALL[0]);

    fn text(self) -> &'static str {
        self.word()
    }
}

impl Coded for Degradation {
    const SCHEMA: &'static str = "DegradationCode";
    const DESCRIPTION: &'static str = "Why a league's data is not fully up to date.";
    const VALUES: &'static [Self] = &Self::ALL;
    const EXAMPLE: Option<Self> = Some(Self::ALL[0]);

    fn text(self) -> &'static str {
        self.word()
    }
}

impl Coded for Accounting {
    const SCHEMA: &'static str = "AccountingCode";
    const DESCRIPTION: &'static str = "How bets are priced and counted: at recorded prices with pushes (`recorded_v2`), or the deprecated `legacy_v1`.";
    const VALUES: &'static [Self] = &[Self::LegacyV1, Self::RecordedV2];
    // Which one is meant differs from place to place.
    const EXAMPLE: Option<Self> = None;

    fn text(self) -> &'static str {
        self.code()
    }
}

/// A market by the name it has in public.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PublicMarket(pub ModelType);

/// A word that is the public name of no market.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a market; known markets: {known}", known = PublicMarket::ALL.map(PublicMarket::text).join(", "))]
pub struct UnknownMarket(String);

impl PublicMarket {
    const ALL: [Self; 3] = [Self(ModelType::OverUnder), Self(ModelType::WonOnPoints), Self(ModelType::WonOnSpread)];
}

impl Coded for PublicMarket {
    const SCHEMA: &'static str = "PublicMarketCode";
    const DESCRIPTION: &'static str = "The public name of a market.";
    const VALUES: &'static [Self] = &Self::ALL;
    const EXAMPLE: Option<Self> = Some(Self::ALL[0]);

    fn text(self) -> &'static str {
        match self.0 {
            ModelType::OverUnder => "over_under",
            ModelType::WonOnPoints => "moneyline",
            ModelType::WonOnSpread => "spread",
        }
    }
}

impl FromStr for PublicMarket {
    type Err = UnknownMarket;

    /// Reads a word in any letter case.
    fn from_str(raw: &str) -> Result<Self, Self::Err> {
        let mut markets = Self::ALL.into_iter();
        markets.find(|market| market.text().eq_ignore_ascii_case(raw)).ok_or_else(|| UnknownMarket(raw.to_owned()))
    }
}
