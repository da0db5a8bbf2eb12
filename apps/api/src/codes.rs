//! Values of the domain by their codes, in JSON and in the document.

mod known;
mod models;
mod one_market;
mod public_market;
mod sides;

use std::borrow::Cow;

use serde::{Serialize, Serializer};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

pub use known::{
    AccountingCode, BetOutcomeCode, BetSideCode, CalibrationHorizonCode, CalibrationSampleCode, CalibrationSourceCode,
    CalibrationVerdictCode, ClockSourceCode, CorrectionKindCode, DataStatusCode, DegradationCode, ExclusionReasonCode,
    KeyScopeCode, LineMarkCode, ModelKindCode, ModelTypeCode, PickSideCode, PlanCode, PriceBasisCode, PublicMarketCode,
    SlateActivityCode, SportCode, StrategyIdCode, StrategySignalCode, SubscriptionStatusCode, TakenForecastCode,
    TierCode,
};
pub use models::{ModelNameCode, SummarisedModelCode};
pub use one_market::{
    MoneylineModelType, MoneylineModelTypeCode, SpreadModelType, SpreadModelTypeCode, TotalModelType,
    TotalModelTypeCode,
};
pub use public_market::PublicMarket;
pub use sides::{MarketSide, PickedSide};

/// A value that is written as its code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Code<T>(pub T);

/// Values that each have a code.
pub trait Coded: Copy {
    /// The name of the schema in the document.
    const SCHEMA: &'static str;

    /// The description of the schema.
    const DESCRIPTION: &'static str;

    /// Returns a value for each code, in the order of the document.
    fn values() -> impl Iterator<Item = Self>;

    /// Returns the code.
    fn text(self) -> Cow<'static, str>;

    /// Returns the schema: the codes, for a closed set.
    fn schema() -> Schema {
        let codes = Self::values().map(Self::text);
        let schema = ObjectBuilder::new().schema_type(Type::String).description(Some(Self::DESCRIPTION.trim_start()));
        schema.enum_values(Some(codes)).into()
    }
}

impl<T: Coded> Serialize for Code<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0.text())
    }
}

impl<T: Coded> PartialSchema for Code<T> {
    fn schema() -> RefOr<Schema> {
        T::schema().into()
    }
}

impl<T: Coded> ToSchema for Code<T> {
    fn name() -> Cow<'static, str> {
        T::SCHEMA.into()
    }
}
