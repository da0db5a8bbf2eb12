use chrono::{DateTime, Utc};
use serde::Serialize;
use sports_accounts::{Product, REFRESHES_A_MONTH};
use sports_usecases::datasets::DatasetStatus;
use utoipa::ToSchema;

use crate::auth::Subscriber;
use crate::codes::{Code, SportCode};
use crate::error::ApiError;
use crate::json::Unstored;
use crate::params::Params;
use crate::state::State;

/// The datasets that a customer owns, and the refreshes that are left.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = DatasetEntitlement)]
pub struct DatasetStatusResponse {
    /// True if an entitlement is in force.
    has_service_sports_data: bool,
    /// The time at which the last entitlement expires; null if one never expires, or if no entitlement is in force.
    #[schema(required)]
    expires_at: Option<DateTime<Utc>>,
    /// Products with an entitlement in force.
    #[schema(example = json!(["historical-odds"]))]
    owned_products: Vec<String>,
    /// Leagues with an entitlement in force for at least one product.
    owned_sports: Vec<SportCode>,
    /// Refreshes taken this calendar month (UTC).
    #[schema(example = 1)]
    refreshes_used: u32,
    /// Refreshes left this month.
    #[schema(example = 7)]
    refreshes_remaining: u32,
    /// Refreshes allowed in a calendar month (UTC).
    #[schema(example = 8)]
    refresh_limit: u32,
    /// The time at which the allowance resets: the first instant of the next calendar month (UTC).
    next_reset_at: DateTime<Utc>,
}

impl From<DatasetStatus> for DatasetStatusResponse {
    fn from(DatasetStatus { owned, allowance }: DatasetStatus) -> Self {
        Self {
            has_service_sports_data: !owned.is_empty(),
            expires_at: owned.expires_at(),
            owned_products: owned.products().into_iter().map(Product::to_string).collect(),
            owned_sports: owned.sports().into_iter().map(Code).collect(),
            refreshes_used: allowance.used,
            refreshes_remaining: allowance.remaining(),
            refresh_limit: REFRESHES_A_MONTH,
            next_reset_at: allowance.month.ends_at(),
        }
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
    caller: Subscriber,
    _params: Params<()>,
    state: State,
) -> Result<Unstored<DatasetStatusResponse>, ApiError> {
    Ok(Unstored(state.datasets.status(caller.0.holder.customer.id).await?.into()))
}
