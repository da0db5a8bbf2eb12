use serde::Serialize;
use sports_domain::ModelType;
use sports_strategies::{Accounting, BettingRecord, ExclusionReason, LeaderboardEntry, MIN_SAMPLE};
use utoipa::ToSchema;

/// A strategy and its record.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = StrategyEntry)]
pub struct StrategyItem {
    /// The strategy's id: stance and signal, then the side it bets, such as `follow_line_home`.
    #[schema(example = "follow_line_follow_edge_home")]
    id: String,
    /// The strategy's name for people.
    #[schema(example = "Follow Line + Follow Edge, Home")]
    name: String,
    /// The signal the strategy follows or fades: `Line`, `Δ Edge` or `Hybrid`.
    #[schema(example = "Hybrid")]
    signal: &'static str,
    /// The strategy's rank by ROI, from 1; null when it is not ranked.
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
    /// The percentage of decisive bets that were won; null without one.
    #[schema(required, example = 55.74)]
    win_pct: Option<f64>,
    /// Profit as a percentage of what was staked; null without a bet.
    #[schema(required, example = 4.18)]
    roi: Option<f64>,
    /// Decisive bets.
    #[schema(example = 61)]
    n: u32,
    /// Whether `n` reaches `min_sample`, so that the strategy is ranked.
    ranked: bool,
    /// Bets whose stake came back. Under `recorded_v2` only.
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
    exclusions: Option<Exclusions>,
}

/// Finished games with a signal on which no bet was placed, by reason.
#[derive(Debug, Serialize, ToSchema)]
pub struct Exclusions {
    /// No price was recorded on the side that would have been bet.
    #[schema(example = 0)]
    missing_price: u32,
    /// The final is not verified; with or without a price.
    #[schema(example = 1)]
    unverified_finality: u32,
}

impl StrategyItem {
    /// An entry in the words of its market and accounting.
    pub fn from_entry(model_type: ModelType, accounting: Accounting, entry: &LeaderboardEntry) -> Self {
        let record = &entry.record;
        let recorded = accounting == Accounting::RecordedV2;
        Self {
            id: entry.rule.id(model_type).to_string(),
            name: entry.rule.name(model_type),
            signal: entry.rule.signal().word(),
            rank: entry.rank,
            wins: record.wins(),
            losses: record.losses(),
            record: in_one_word(accounting, record),
            win_pct: record.win_pct(),
            roi: record.roi(),
            n: record.decisive(),
            ranked: record.decisive() >= MIN_SAMPLE,
            pushes: recorded.then(|| record.pushes()),
            stakes: recorded.then(|| record.stakes()),
            profit_units: recorded.then(|| record.profit_units()),
            exclusions: recorded.then(|| Exclusions {
                missing_price: record.excluded(ExclusionReason::MissingPrice),
                unverified_finality: record.excluded(ExclusionReason::UnverifiedFinality),
            }),
        }
    }
}

fn in_one_word(accounting: Accounting, record: &BettingRecord) -> String {
    let (wins, losses, pushes) = (record.wins(), record.losses(), record.pushes());
    match accounting {
        Accounting::LegacyV1 => format!("{wins}-{losses}"),
        Accounting::RecordedV2 => format!("{wins}-{losses}-{pushes}"),
    }
}
