use serde::Serialize;
use utoipa::ToSchema;

use super::{NamedWebhook, WebhookPath, no_such_webhook};
use crate::auth::AccountHolder;
use crate::error::{ApiError, NothingThere};
use crate::json::Unstored;
use crate::params::Params;
use crate::paths::Path;
use crate::state::State;

/// The confirmation of a change of a webhook.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = WebhookChanged)]
pub struct WebhookChangedResponse {
    /// The change in a sentence.
    #[schema(example = "Webhook removed")]
    message: &'static str,
}

/// Remove a webhook
///
/// Nothing more is delivered to it, and its deliveries are forgotten. The call is not counted and is never refused for the month.
#[utoipa::path(
    delete, path = "/api/v1/customers/me/webhooks/{id}",
    tag = "account",
    params(WebhookPath),
    responses(
        (status = 200, description = "The webhook is removed", body = WebhookChangedResponse,
            example = json!({ "message": "Webhook removed" })),
        NothingThere,
    ),
)]
pub(super) async fn remove_webhook(
    caller: AccountHolder,
    path: Path<NamedWebhook>,
    _params: Params<()>,
    state: State,
) -> Result<Unstored<WebhookChangedResponse>, ApiError> {
    let customer = caller.0.holder.customer.id;
    if !state.webhooks.records.remove_webhook(customer, path.0.id()?).await? {
        return Err(no_such_webhook());
    }
    Ok(Unstored(WebhookChangedResponse { message: "Webhook removed" }))
}
