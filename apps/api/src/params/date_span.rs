use chrono::NaiveDate;
use sports_domain::DateSpan;

use crate::error::ApiError;

/// Builds the span of dates from `from` to `to`.
///
/// # Errors
///
/// [`ApiError::BadRequest`] if the first is after the last.
pub fn date_span(from: Option<NaiveDate>, to: Option<NaiveDate>) -> Result<DateSpan, ApiError> {
    DateSpan::new(from, to).map_err(|backward| ApiError::bad_parameter("from", &format!("`to` or earlier: {backward}")))
}
