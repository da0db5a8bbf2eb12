use actix_web::HttpRequest;
use sports_http_transport::ProxyTrust;

use super::refresh::DatasetRefreshResponse;
use crate::auth::AccountHolder;
use crate::error::{ApiError, NothingThere};
use crate::examples::read_example;
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
        (status = 200, description = "The links", body = DatasetRefreshResponse,
            example = json!(read_example(include_str!("refresh_example.json")))),
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
