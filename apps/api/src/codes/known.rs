//! Every set of codes: what the schema says it is, its name, the type of its values, one value for each code, and how a
//! value becomes its code.

use std::borrow::Cow;

use sports_accounts::{Plan, SubscriptionStatus, Tier};
use sports_calibration::{MarketVerdict, SampleSize};
use sports_domain::{ModelColumn, ModelType, Sport};
use sports_freshness::{Degradation, Status};
use sports_performance::Summarised;
use sports_publication::{ClockSource, ForecastSource, SlateActivity};
use sports_strategies::{Accounting, BetResult, ExclusionReason, PriceBasis, Rule, RuleId, Signal, Stance};

use super::{Code, Coded, MarketSide, PickedSide, PublicMarket};

macro_rules! codes {
    ($($(#[doc = $words:literal])+ $name:ident, $of:ty: $values:expr => $text:expr;)+) => {$(
        $(#[doc = $words])+
        pub type $name = Code<$of>;

        impl Coded for $of {
            const SCHEMA: &'static str = stringify!($name);
            const DESCRIPTION: &'static str = concat!($($words),+);

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
    /// The code of a model type: which market of a game a model forecasts.
    ModelTypeCode, ModelType: Self::ALL => Self::code;
    /// The public name of a market.
    PublicMarketCode, PublicMarket: Self::ALL => Self::name;
    /// The name of a model, or of the market's own probability.
    ModelColumnCode, ModelColumn: Self::ALL => Self::name;
    /// Whose picks are counted: a model's, those of the market's own probability, or those on which five or more of the six
    /// individual models agree (`ENSEMBLE`).
    SummarisedModelCode, Summarised: Self::all() => Self::name;
    /// The status of today's data against the deadline of 10:15 Eastern.
    DataStatusCode, Status: Self::ALL => Self::word;
    /// Why a league's data is not fully up to date.
    DegradationCode, Degradation: Self::ALL => Self::word;
    /// What a run found: games to serve (`active`), or a confirmed off-day (`none`).
    SlateActivityCode, SlateActivity: Self::ALL => Self::word;
    /// Whose clock timed a release: that of the publisher's machine (`system`), or a time set by hand (`set`).
    ClockSourceCode, ClockSource: [Self::System, Self::Set] => Self::word;
    /// Whether forecasts were recorded before their games (`live`) or reconstructed by a backtest (`walk_forward`).
    CalibrationSourceCode, ForecastSource: Self::ALL => Self::word;
    /// How much so many games can say: `too_few` below 30, for which there are no p-values, `small` below 200, else `large`.
    CalibrationSampleCode, SampleSize: Self::ALL => Self::word;
    /// Whether the model's probabilities or the market's were closer to what happened, at 5 percent after Holm's correction.
    CalibrationVerdictCode, MarketVerdict: Self::ALL => Self::word;
    /// How bets are priced and counted: at recorded prices with pushes (`recorded_v2`), or the deprecated `legacy_v1`.
    AccountingCode, Accounting: Self::ALL => Self::code;
    /// The prices bets are settled at: those on record, the moneylines on record, or -110 whatever is on record.
    PriceBasisCode, PriceBasis: Self::ALL => Self::code;
    /// A strategy: stance and signal, then the side it bets. Each market has the sixteen whose side it has: `over` and
    /// `under`, or `home` and `away`.
    StrategyIdCode, RuleId: strategies() => written;
    /// What a strategy follows or fades: the line move, the model's edge over the market, or both.
    StrategySignalCode, Signal: signals() => Self::word;
    /// The side of a bet: `over` or `under` in a total, else `home` or `away`.
    BetSideCode, MarketSide: Self::all() => Self::word;
    /// The picked side: `over` or `under` in a total, else `home` or `away`; `none` where BLEND is exactly one half.
    PickSideCode, PickedSide: Self::all() => Self::word;
    /// How a bet ended; a `push` returns the stake.
    BetOutcomeCode, BetResult: Self::ALL => Self::word;
    /// Why a finished game with a signal is no bet.
    ExclusionReasonCode, ExclusionReason: Self::ALL => Self::code;
    /// The level of access: `ai` with a subscription, else `free`.
    TierCode, Tier: Self::ALL => Self::code;
    /// The plan. A former plan is reported as the one sold today.
    PlanCode, Plan: [Self::Ai] => Self::code;
    /// Whether a subscription is in force.
    SubscriptionStatusCode, SubscriptionStatus: Self::ALL => Self::code;
}

/// Those of totals, then those of the other markets.
fn strategies() -> impl Iterator<Item = RuleId> {
    let markets = [ModelType::OverUnder, ModelType::WonOnPoints].into_iter();
    markets.flat_map(|model_type| Rule::all().map(|rule| rule.id(model_type)))
}

fn written(strategy: RuleId) -> String {
    strategy.to_string()
}

/// One signal of each kind: the stance on it is in the strategy's id.
const fn signals() -> [Signal; 3] {
    let stance = Stance::Follow;
    [Signal::Line(stance), Signal::Edge(stance), Signal::Hybrid { line: stance, edge: stance }]
}
