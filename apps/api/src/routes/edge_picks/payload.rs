use chrono::NaiveDate;
use serde::Serialize;
use utoipa::ToSchema;

use crate::routes::picks::{NOTE, RetiredPick};

/// Edge picks.
#[derive(Debug, Serialize, ToSchema)]
pub struct EdgePicks {
    /// The day that was asked for; absent where none was.
    #[schema(format = Date, example = "2025-01-15")]
    #[serde(skip_serializing_if = "Option::is_none")]
    date: Option<String>,
    /// Always empty.
    picks: Vec<RetiredPick>,
    /// Always 0.
    #[schema(example = 0)]
    total_picks: u32,
    /// Why there are none.
    #[schema(example = json!(NOTE))]
    note: &'static str,
}

impl EdgePicks {
    pub(super) fn for_date(date: Option<NaiveDate>) -> Self {
        Self { date: date.map(|date| date.to_string()), picks: Vec::new(), total_picks: 0, note: NOTE }
    }
}
