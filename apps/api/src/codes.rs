//! Values of the domain by their codes, in JSON and in the document.

use std::borrow::Cow;
use std::iter::once;
use std::str::FromStr;

use serde::{Serialize, Serializer};
use sports_accounts::{KeyScope, Plan, SubscriptionStatus, Tier, WebhookEvent};
use sports_calibration::{LuckMethod, MarketVerdict, SampleSize};
use sports_domain::paging::GameState;
use sports_domain::{ModelColumn, ModelName, ModelSet, ModelType, Side, Sport};
use sports_performance::Summarised;
use sports_publication::movement::LineMark;
use sports_publication::slate::freshness::{Degradation, Status};
use sports_publication::{ClockSource, CorrectionKind, CountedForecasts, ForecastSource, MoveKind, SlateActivity};
use sports_strategies::{Accounting, BetResult, ExclusionReason, PriceBasis, Signal, Stance, Strategy, StrategyId};
use sports_usecases::analytics::{Horizon, ModelKind, TakenRule};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

/// A value that is written as its code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Code<T>(pub T);

/// Values that each have a code.
pub trait Coded: Copy + 'static {
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

// Every set of codes: the description and name of its schema, the type of its values, one value for each code, and
// the function from a value to its code.

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $name:ident, $of:ty: $values:expr => $text:expr;)+) => {$(
        $(#[doc = $doc])+
        pub type $name = Code<$of>;

        impl Coded for $of {
            const SCHEMA: &'static str = stringify!($name);
            const DESCRIPTION: &'static str = concat!($($doc),+);

            fn values() -> impl Iterator<Item = Self> {
                $values.into_iter()
            }

            fn text(self) -> Cow<'static, str> {
                $text(self).into()
            }
        }
    )+};
}

codes! {
    /// The code of a league.
    SportCode, Sport: Self::ALL => Self::code;
    /// The code of a model type: the market of a game that a model forecasts.
    ModelTypeCode, ModelType: Self::ALL => Self::code;
    /// The public name of a market.
    PublicMarketCode, PublicMarket: Self::ALL => Self::name;
    /// The kind of a model: `standard` for one of the specification, `own` for one that the publisher declared.
    ModelKindCode, ModelKind: Self::ALL => Self::word;
    /// The status of today's data against the deadline of 10:15 Eastern.
    DataStatusCode, Status: Self::ALL => Self::word;
    /// The reason that a league's data is not fully up to date.
    DegradationCode, Degradation: Self::ALL => Self::word;
    /// The slate that a run found: games to serve (`active`), or a confirmed off-day (`none`).
    SlateActivityCode, SlateActivity: Self::ALL => Self::word;
    /// The kind of a correction: another score or none (`final_corrected`), another status without another score
    /// (`status_changed`), another start (`rescheduled`), or a forecast that no longer stands (`forecast_withdrawn`).
    CorrectionKindCode, CorrectionKind: Self::ALL => Self::word;
    /// The change of a game of a slate: listed for the first time or again (`new`), changed (`moved`), or no longer listed (`gone`).
    SlateChangeCode, MoveKind: Self::ALL => Self::word;
    /// The subject of a delivery to a webhook: a release of a league, a change of its data status, or a test.
    WebhookEventCode, WebhookEvent: Self::ALL => Self::word;
    /// The clock that timed a release: that of the publisher's machine (`system`), or a time set by hand (`set`).
    ClockSourceCode, ClockSource: [Self::System, Self::Set] => Self::word;
    /// The source of forecasts: recorded before their games (`live`) or reconstructed by a backtest (`walk_forward`).
    CalibrationSourceCode, ForecastSource: Self::ALL => Self::word;
    /// The forecasts that a figure counts: live ones, those of a backtest, or the live ones that this log published before the start
    /// (`recorded`).
    CountedForecastsCode, CountedForecasts: Self::ALL => Self::word;
    /// The size of a sample: `too_few` below 30 games, for which there are no p-values, `small` below 200, else
    /// `large`.
    CalibrationSampleCode, SampleSize: Self::ALL => Self::word;
    /// The comparison of the model's probabilities with the market's: which were closer to what happened, at 5
    /// percent after Holm's correction.
    CalibrationVerdictCode, MarketVerdict: Self::ALL => Self::word;
    /// The mark of a line of a game: the first one of this log (`first`), the last one with a price of a game that has not started
    /// (`latest`) or has (`close`), or the one line that is both.
    LineMarkCode, LineMark: Self::ALL => Self::word;
    /// The state of a game: with a score (`final`, also on the line), graded by at least one model (`graded`), or without a score and
    /// not called off (`scheduled`).
    GameStateCode, GameState: Self::ALL => Self::word;
    /// The instant of the forecasts that are scored: a time before each start, the `first` forecast, or the `standing` one.
    CalibrationHorizonCode, Horizon: Self::ALL => Self::word;
    /// The forecast of a game that is measured at the close: the `first` one, or the `standing` one.
    TakenForecastCode, TakenRule: Self::ALL => Self::word;
    /// The rules by which bets are priced and counted: at recorded prices with pushes (`recorded_v2`), or the
    /// deprecated `legacy_v1`.
    AccountingCode, Accounting: Self::ALL => Self::code;
    /// The prices at which bets are settled: the recorded ones, the recorded moneylines, or -110 whatever is
    /// recorded.
    PriceBasisCode, PriceBasis: Self::ALL => Self::code;
    /// A strategy: stance and signal, then the side it bets. Each market has the sixteen strategies on its sides:
    /// `over` and `under`, or `home` and `away`.
    StrategyIdCode, StrategyId: strategies() => to_text;
    /// The signal of a strategy: the line move, the model's edge over the market, or both.
    StrategySignalCode, Signal: signals() => Self::word;
    /// The side of a bet: `over` or `under` in a total, else `home` or `away`.
    BetSideCode, MarketSide: Self::all() => Self::word;
    /// The picked side: `over` or `under` in a total, else `home` or `away`; `none` if the probability is exactly one half.
    PickSideCode, PickedSide: Self::all() => Self::word;
    /// The outcome of a bet; a `push` returns the stake.
    BetOutcomeCode, BetResult: Self::ALL => Self::word;
    /// The origin of a distribution of luck: every combination of wins by price (`exact`), or 10,000 bettors (`draws`).
    LuckMethodCode, LuckMethod: Self::ALL => Self::word;
    /// The reason that a finished game with a signal is no bet.
    ExclusionReasonCode, ExclusionReason: Self::ALL => Self::code;
    /// The level of access: `ai` with a subscription, else `free`.
    TierCode, Tier: Self::ALL => Self::code;
    /// The operations that a key may call: `read` for everything but changes of the account, or `full`.
    KeyScopeCode, KeyScope: Self::ALL => Self::code;
    /// The plan. A former plan is reported as the plan that is sold today.
    PlanCode, Plan: [Self::Ai] => Self::code;
    /// The status of a subscription.
    SubscriptionStatusCode, SubscriptionStatus: Self::ALL => Self::code;
}

/// Returns the strategies of totals, then those of the other markets.
fn strategies() -> impl Iterator<Item = StrategyId> {
    let markets = [ModelType::OverUnder, ModelType::WonOnPoints].into_iter();
    markets.flat_map(|model_type| Strategy::all().map(|rule| rule.id(model_type)))
}

fn to_text(strategy: StrategyId) -> String {
    strategy.to_string()
}

/// Returns one signal of each kind: the stance on it is in the strategy's id.
const fn signals() -> [Signal; 3] {
    let stance = Stance::Follow;
    [Signal::Line(stance), Signal::Edge(stance), Signal::Hybrid { line: stance, edge: stance }]
}

// Names of models in answers: an open set, since publishers declare models of their own.

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

// Model types of answers about one market alone: constants in the document, by which clients distinguish such
// answers.

macro_rules! only {
    ($(#[$doc:meta])+ $code:ident, $only:ident, $model_type:expr) => {
        $(#[$doc])+
        pub type $code = Code<$only>;

        $(#[$doc])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct $only;

        impl $only {
            /// The model type.
            pub const MODEL_TYPE: ModelType = $model_type;
        }

        impl Coded for $only {
            const SCHEMA: &'static str = stringify!($code);
            const DESCRIPTION: &'static str = "The model type.";

            fn values() -> impl Iterator<Item = Self> {
                once(Self)
            }

            fn text(self) -> Cow<'static, str> {
                Self::MODEL_TYPE.code().into()
            }
        }
    };
}

only! {
    /// The model type of totals.
    TotalModelTypeCode, TotalModelType, ModelType::OverUnder
}

only! {
    /// The model type of moneylines.
    MoneylineModelTypeCode, MoneylineModelType, ModelType::WonOnPoints
}

only! {
    /// The model type of spreads.
    SpreadModelTypeCode, SpreadModelType, ModelType::WonOnSpread
}

/// A market by its public name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PublicMarket(pub ModelType);

/// The error for a text that is not the public name of a market.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a market; known markets: {known}", known = PublicMarket::ALL.map(PublicMarket::name).join(", "))]
pub struct UnknownMarket(String);

impl PublicMarket {
    /// Every market.
    pub const ALL: [Self; 3] = [Self(ModelType::OverUnder), Self(ModelType::WonOnPoints), Self(ModelType::WonOnSpread)];

    /// Returns the market's public name.
    pub const fn name(self) -> &'static str {
        match self.0 {
            ModelType::OverUnder => "over_under",
            ModelType::WonOnPoints => "moneyline",
            ModelType::WonOnSpread => "spread",
        }
    }
}

impl FromStr for PublicMarket {
    type Err = UnknownMarket;

    /// Parses a name in any letter case.
    fn from_str(raw: &str) -> Result<Self, Self::Err> {
        let mut markets = Self::ALL.into_iter();
        markets.find(|market| market.name().eq_ignore_ascii_case(raw)).ok_or_else(|| UnknownMarket(raw.to_owned()))
    }
}

/// A side of one market, which has its own word for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MarketSide {
    pub model_type: ModelType,
    pub side: Side,
}

impl MarketSide {
    /// Returns one value for each word.
    fn all() -> impl Iterator<Item = Self> {
        let markets = [ModelType::OverUnder, ModelType::WonOnPoints].into_iter();
        markets.flat_map(|model_type| [Side::Positive, Side::Negative].map(|side| Self { model_type, side }))
    }

    /// Returns the side's word: `over`, `under`, `home` or `away`.
    pub const fn word(self) -> &'static str {
        self.model_type.side_word(self.side)
    }
}

/// The side of a pick; `None` without a pick.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PickedSide(pub Option<MarketSide>);

impl PickedSide {
    /// Returns one value for each word.
    fn all() -> impl Iterator<Item = Self> {
        MarketSide::all().map(Some).chain([None]).map(Self)
    }

    /// Returns the side's word, or `none`.
    pub fn word(self) -> &'static str {
        self.0.map_or("none", MarketSide::word)
    }
}
