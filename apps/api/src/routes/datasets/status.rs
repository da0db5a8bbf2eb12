use chrono::{DateTime, Utc};
use sports_accounts::{Product, REFRESHES_A_MONTH};
use sports_usecases::datasets::DatasetStatus;

use crate::auth::AccountHolder;
use crate::codes::{Code, SportCode};
use crate::error::ApiError;
use crate::json::Unstored;
use crate::params::Params;
use crate::state::State;
use crate::wire::wire;

wire! {
    /// The datasets that a customer owns, and the refreshes that are left.
    #[schema(as = DatasetEntitlement)]
    pub struct DatasetStatusResponse(status: DatasetStatus) {
        let DatasetStatus { owned, allowance } = status;

        /// True if an entitlement is in force.
        has_service_sports_data: bool = !owned.is_empty(),
        /// The time at which the last entitlement expires; null if one never expires, or if no entitlement is in force.
        #[schema(required)]
        expires_at: Option<DateTime<Utc>> = owned.expires_at(),
        /// Products with an entitlement in force.
        #[schema(example = json!(["historical-odds"]))]
        owned_products: Vec<String> = owned.products().into_iter().map(Product::to_string).collect(),
        /// Leagues with an entitlement in force for at least one product.
        owned_sports: Vec<SportCode> = owned.sports().into_iter().map(Code).collect(),
        /// Refreshes taken this calendar month (UTC).
        #[schema(example = 1)]
        refreshes_used: u32 = allowance.used,
        /// Refreshes left this month.
        #[schema(example = 7)]
        refreshes_remaining: u32 = allowance.remaining(),
        /// Refreshes allowed in a calendar month (UTC).
        #[schema(example = 8)]
        refresh_limit: u32 = REFRESHES_A_MONTH,
        /// The time at which the allowance resets: the first instant of the next calendar month (UTC).
        next_reset_at: DateTime<Utc> = allowance.month.ends_at(),
    }
}

/// Show which datasets you own
///
/// Datasets are bought apart from the API plan. This call uses no refresh.
#[utoipa::path(
    get, path = "/api/v1/service-sports-data/status",
    tag = "datasets",
    responses(
        (status = 200, description = "Your datasets and the refreshes left", body = DatasetStatusResponse, example = json!({
            "has_service_sports_data": true, "expires_at": null, "owned_products": ["historical-odds"],
            "owned_sports": ["nfl"], "refreshes_used": 1, "refreshes_remaining": 7, "refresh_limit": 8,
            "next_reset_at": "2025-02-01T00:00:00Z"
        })),
    ),
)]
pub(super) async fn show_dataset_status(
    caller: AccountHolder,
    _params: Params<()>,
    state: State,
) -> Result<Unstored<DatasetStatusResponse>, ApiError> {
    Ok(Unstored(DatasetStatusResponse::new(state.datasets.status(caller.0.holder.customer.id).await?)))
}
