use serde::Serialize;
use sports_calibration::Interval;
use sports_domain::{ModelType, rounded};
use sports_strategies::{Accounting, BettingRecord, ExclusionReason, MIN_SAMPLE, PERCENT_PLACES};
use sports_usecases::analytics::StrategyRecord;
use utoipa::ToSchema;

use crate::codes::{Code, StrategyIdCode, StrategySignalCode};
use crate::tables::{TableOf, columns};

/// A strategy and its record.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = StrategyEntry)]
pub struct StrategyItem {
    /// The strategy's id: stance and signal, then the side it bets, such as `follow_line_home`.
    id: StrategyIdCode,
    /// The strategy's display name.
    #[schema(example = "Follow Line + Follow Edge, Home")]
    name: String,
    /// The signal that the strategy follows or fades; a `Hybrid` uses both.
    signal: StrategySignalCode,
    /// The strategy's rank by ROI, from 1; null if it is not ranked.
    #[schema(required, example = 1)]
    rank: Option<u32>,
    /// Bets that won.
    #[schema(example = 34)]
    wins: u32,
    /// Bets that lost.
    #[schema(example = 27)]
    losses: u32,
    /// `W-L`, or `W-L-P` under `recorded_v2`.
    #[schema(example = "34-27-2")]
    record: String,
    /// The percentage of decisive bets that were won; null without a decisive bet.
    #[schema(required, example = 55.74)]
    win_pct: Option<f64>,
    /// Profit as a percentage of the stakes; null without a bet.
    #[schema(required, example = 4.18)]
    roi: Option<f64>,
    /// The low end of the 95 % bootstrap interval of `roi` over dates, in the same unit. Under `recorded_v2` only;
    /// null with bets on fewer than two dates.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<f64>, example = -19.87)]
    roi_low: RoiEnd,
    /// The high end of the 95 % interval of `roi`. Under `recorded_v2` only; null with bets on fewer than two dates.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<f64>, example = 27.64)]
    roi_high: RoiEnd,
    /// Decisive bets.
    #[schema(example = 61)]
    n: u32,
    /// True if `n` reaches `min_sample`, so that the strategy is ranked.
    ranked: bool,
    /// Bets whose stake was returned. Under `recorded_v2` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = 2)]
    pushes: Option<u32>,
    /// Units staked, pushes included. Under `recorded_v2` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = 63)]
    stakes: Option<u32>,
    /// Net units. Under `recorded_v2` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = 2.634_21)]
    profit_units: Option<f64>,
    /// Finished games with a signal on which no bet was placed, by reason. Under `recorded_v2` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    exclusions: Option<StrategyExclusions>,
}

/// The end of an interval: null without an interval, absent under an accounting without intervals.
type RoiEnd = Option<Option<f64>>;

/// Finished games with a signal on which no bet was placed, by reason.
#[derive(Debug, Serialize, ToSchema)]
pub struct StrategyExclusions {
    /// Games without a recorded price on the side that would have been bet.
    #[schema(example = 0)]
    missing_price: u32,
    /// Games whose final is not verified, with or without a price.
    #[schema(example = 1)]
    unverified_finality: u32,
}

impl StrategyItem {
    /// Converts a record in the vocabulary of its market and accounting.
    pub fn from_record(model_type: ModelType, accounting: Accounting, strategy: &StrategyRecord) -> Self {
        let StrategyRecord { entry, roi } = strategy;
        let record = &entry.record;
        let roi_end = |end: fn(&Interval) -> f64| roi.as_ref().map(|roi| rounded(100.0 * end(roi), PERCENT_PLACES));
        let recorded = accounting == Accounting::RecordedV2;
        Self {
            id: Code(entry.rule.id(model_type)),
            name: entry.rule.name(model_type),
            signal: Code(entry.rule.signal()),
            rank: entry.rank,
            wins: record.wins(),
            losses: record.losses(),
            record: in_one_word(accounting, record),
            win_pct: record.win_pct(),
            roi: record.roi(),
            roi_low: recorded.then(|| roi_end(|roi| roi.low)),
            roi_high: recorded.then(|| roi_end(|roi| roi.high)),
            n: record.decisive(),
            ranked: record.decisive() >= MIN_SAMPLE,
            pushes: recorded.then(|| record.pushes()),
            stakes: recorded.then(|| record.stakes()),
            profit_units: recorded.then(|| record.profit_units()),
            exclusions: recorded.then(|| StrategyExclusions {
                missing_price: record.excluded(ExclusionReason::MissingPrice),
                unverified_finality: record.excluded(ExclusionReason::UnverifiedFinality),
            }),
        }
    }
}

impl StrategyItem {
    /// Returns the strategy's id.
    pub const fn id(&self) -> StrategyIdCode {
        self.id
    }

    /// Adds the columns of strategies to a table.
    pub fn columns<'a>(strategies: TableOf<'a, &'a Self>) -> TableOf<'a, &'a Self> {
        columns!(
            strategies,
            id,
            name,
            signal,
            rank,
            wins,
            losses,
            record,
            win_pct,
            roi,
            roi_low,
            roi_high,
            n,
            ranked,
            pushes,
            stakes,
            profit_units
        )
        .column("exclusions_missing_price", |item| item.exclusions.as_ref().map(|of| of.missing_price))
        .column("exclusions_unverified_finality", |item| item.exclusions.as_ref().map(|of| of.unverified_finality))
    }
}

fn in_one_word(accounting: Accounting, record: &BettingRecord) -> String {
    let (wins, losses, pushes) = (record.wins(), record.losses(), record.pushes());
    match accounting {
        Accounting::LegacyV1 => format!("{wins}-{losses}"),
        Accounting::RecordedV2 => format!("{wins}-{losses}-{pushes}"),
    }
}
