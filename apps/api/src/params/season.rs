use sports_domain::{Market, Season};

use crate::error::ApiError;

/// Parses the label of a `season` parameter, in the form of the market's league.
///
/// # Errors
///
/// [`ApiError::BadRequest`] for a label of another form.
pub fn season_of(market: Market, label: Option<&str>) -> Result<Option<Season>, ApiError> {
    let season = label.map(|label| Season::parse(market.sport, label)).transpose();
    season.map_err(|reason| ApiError::BadRequest(format!("`season`: {reason}")))
}
