use actix_web::HttpRequest;
use sports_http_transport::ProxyTrust;

use super::refresh::DatasetRefreshResponse;
use crate::auth::AccountHolder;
use crate::error::{ApiError, NothingThere};
use crate::json::Unstored;
use crate::params::Params;
use crate::state::State;

/// Show the links of your last refresh
///
/// The answer of the last refresh while its links live, for 15 minutes; 404 after that, and without a refresh. The call uses no
/// refresh, is not counted and is never refused for the month.
#[utoipa::path(
    get, path = "/api/v1/service-sports-data/refresh/last",
    tag = "datasets",
    responses(
        (status = 200, description = "The links", body = DatasetRefreshResponse, example = json!({
            "refreshes_remaining": 7, "next_reset_at": "2025-02-01T00:00:00Z", "downloads": [{
                "sport": "nfl", "filename": "nfl-odds.csv.gz", "url": "https://api.example.com/downloads/historical-odds/nfl/nfl-odds.csv.gz",
                "expires_at": "2025-01-15T15:19:05Z", "bytes": 48_213,
                "sha256": "ab530a13e45914982b79f9b7e3fba994cfd1f3fb22f71cea1afbf02b460c6d1d"
            }]
        })),
        NothingThere,
    ),
)]
pub(super) async fn show_last_refresh(
    caller: AccountHolder,
    _params: Params<()>,
    request: HttpRequest,
    state: State,
) -> Result<Unstored<DatasetRefreshResponse>, ApiError> {
    let last = state.datasets.last_refresh(caller.0.holder.customer.id).await?;
    let last = last.ok_or_else(|| ApiError::NotFound("No refresh of yours has links that still open".to_owned()))?;
    Ok(Unstored(DatasetRefreshResponse::new(last, &ProxyTrust::base_url(&request))))
}
