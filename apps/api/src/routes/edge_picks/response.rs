use chrono::NaiveDate;
use serde::Serialize;
use utoipa::ToSchema;

use crate::routes::picks::{NOTE, PickItem};

/// An empty list of edge picks.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = EdgePicks)]
pub struct EdgePicksResponse {
    /// The day that the request names; absent if it names no day.
    #[schema(format = Date, nullable = false, example = "2025-01-15")]
    #[serde(skip_serializing_if = "Option::is_none")]
    date: Option<String>,
    /// Always empty.
    picks: Vec<PickItem>,
    /// Always 0.
    #[schema(example = 0)]
    total_picks: u32,
    /// The reason that the list is empty.
    #[schema(example = json!(NOTE))]
    note: &'static str,
}

impl EdgePicksResponse {
    pub(super) fn for_date(date: Option<NaiveDate>) -> Self {
        Self { date: date.map(|date| date.to_string()), picks: Vec::new(), total_picks: 0, note: NOTE }
    }
}
