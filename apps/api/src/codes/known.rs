//! Every set of codes: the description and name of its schema, the type of its values, one value for each code, and
//! the function from a value to its code.

use std::borrow::Cow;

use sports_accounts::{KeyScope, Plan, SubscriptionStatus, Tier};
use sports_calibration::{MarketVerdict, SampleSize};
use sports_domain::{ModelType, Sport};
use sports_movement::LineMark;
use sports_publication::{ClockSource, CorrectionKind, ForecastSource, SlateActivity};
use sports_slate::freshness::{Degradation, Status};
use sports_strategies::{Accounting, BetResult, ExclusionReason, PriceBasis, Rule, RuleId, Signal, Stance};
use sports_usecases::analytics::{Horizon, ModelKind, TakenRule};

use super::{Code, Coded, MarketSide, PickedSide, PublicMarket};

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
    /// The clock that timed a release: that of the publisher's machine (`system`), or a time set by hand (`set`).
    ClockSourceCode, ClockSource: [Self::System, Self::Set] => Self::word;
    /// The source of forecasts: recorded before their games (`live`) or reconstructed by a backtest (`walk_forward`).
    CalibrationSourceCode, ForecastSource: Self::ALL => Self::word;
    /// The size of a sample: `too_few` below 30 games, for which there are no p-values, `small` below 200, else
    /// `large`.
    CalibrationSampleCode, SampleSize: Self::ALL => Self::word;
    /// The comparison of the model's probabilities with the market's: which were closer to what happened, at 5
    /// percent after Holm's correction.
    CalibrationVerdictCode, MarketVerdict: Self::ALL => Self::word;
    /// The mark of a line of a game: the first one (`open`), the last one with a price before the start (`close`), or the one
    /// line that is either (`both`).
    LineMarkCode, LineMark: Self::ALL => Self::word;
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
    StrategyIdCode, RuleId: strategies() => written;
    /// The signal of a strategy: the line move, the model's edge over the market, or both.
    StrategySignalCode, Signal: signals() => Self::word;
    /// The side of a bet: `over` or `under` in a total, else `home` or `away`.
    BetSideCode, MarketSide: Self::all() => Self::word;
    /// The picked side: `over` or `under` in a total, else `home` or `away`; `none` if BLEND is exactly one half.
    PickSideCode, PickedSide: Self::all() => Self::word;
    /// The outcome of a bet; a `push` returns the stake.
    BetOutcomeCode, BetResult: Self::ALL => Self::word;
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
fn strategies() -> impl Iterator<Item = RuleId> {
    let markets = [ModelType::OverUnder, ModelType::WonOnPoints].into_iter();
    markets.flat_map(|model_type| Rule::all().map(|rule| rule.id(model_type)))
}

fn written(strategy: RuleId) -> String {
    strategy.to_string()
}

/// Returns one signal of each kind: the stance on it is in the strategy's id.
const fn signals() -> [Signal; 3] {
    let stance = Stance::Follow;
    [Signal::Line(stance), Signal::Edge(stance), Signal::Hybrid { line: stance, edge: stance }]
}
