use std::collections::BTreeMap;

use chrono::NaiveDate;
use serde::Serialize;
use utoipa::ToSchema;

use crate::codes::SportCode;

/// The reason that there are no picks, the same in every answer of this family.
pub(in crate::routes) const NOTE: &str = "No validated betting selector is active, so there are no picks. Model \
                                          outputs are research signals, and no edge is guaranteed.";

/// A pick. It has no fields, as there are no picks.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RetiredPick)]
pub struct PickItem {}

/// One day's picks.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PicksOfDay)]
pub struct PicksOfDayResponse {
    /// The Eastern date of the picks.
    #[schema(format = Date, example = "2025-01-15")]
    date: String,
    /// Always empty.
    picks: Vec<PickItem>,
    /// The number of picks.
    summary: PicksSummary,
    /// The reason that the list is empty.
    #[schema(example = json!(NOTE))]
    note: &'static str,
}

/// The number of picks.
#[derive(Debug, Serialize, ToSchema)]
pub struct PicksSummary {
    /// Always 0.
    #[schema(example = 0)]
    total_picks: u32,
    /// Picks by league; always empty.
    by_sport: BTreeMap<SportCode, u32>,
}

impl PicksOfDayResponse {
    pub(super) fn for_date(date: NaiveDate) -> Self {
        let summary = PicksSummary { total_picks: 0, by_sport: BTreeMap::new() };
        Self { date: date.to_string(), picks: Vec::new(), summary, note: NOTE }
    }
}

/// A record of picks; all zero, since picks are retired.
#[derive(Debug, Clone, Copy, Default, Serialize, ToSchema)]
pub struct PicksRecord {
    /// Picks made.
    #[schema(example = 0)]
    picks: u32,
    /// Picks won.
    #[schema(example = 0)]
    wins: u32,
    /// Picks lost.
    #[schema(example = 0)]
    losses: u32,
    /// Picks that landed on the line.
    #[schema(example = 0)]
    pushes: u32,
    /// Wins among decided picks, in percent.
    #[schema(example = 0.0)]
    win_pct: f64,
    /// Net units.
    #[schema(example = 0.0)]
    units: f64,
    /// Units won per unit staked, in percent.
    #[schema(example = 0.0)]
    roi: f64,
}
