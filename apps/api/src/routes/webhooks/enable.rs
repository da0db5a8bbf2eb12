use super::list::WebhookItem;
use super::{NamedWebhook, WebhookPath, no_such_webhook};
use crate::auth::AccountHolder;
use crate::error::{ApiError, NothingThere};
use crate::json::Unstored;
use crate::params::Params;
use crate::paths::Path;
use crate::state::State;

/// Enable a webhook
///
/// A webhook that was disabled is told of what happens from now on; the deliveries that ended with it are not made. The call is not
/// counted and is never refused for the month.
#[utoipa::path(
    post, path = "/api/v1/customers/me/webhooks/{id}/enable",
    tag = "account",
    params(WebhookPath),
    responses(
        (status = 200, description = "The webhook is enabled", body = WebhookItem, example = json!({
            "id": "wh_3f1d0c9b8a7e6d5c4b3a291807f6e5d4", "url": "https://example.com/hooks/sports", "sports": ["nfl"],
            "events": ["release", "status"], "created_at": "2025-01-15T15:04:05Z", "is_enabled": true,
            "failing_since": null, "disabled_at": null, "disabled_reason": null
        })),
        NothingThere,
    ),
)]
pub(super) async fn enable_webhook(
    caller: AccountHolder,
    path: Path<NamedWebhook>,
    _params: Params<()>,
    state: State,
) -> Result<Unstored<WebhookItem>, ApiError> {
    let (customer, named) = (caller.0.holder.customer.id, path.0);
    if !state.webhooks.records.enable_webhook(customer, named.id()?).await? {
        return Err(no_such_webhook());
    }
    Ok(Unstored(WebhookItem::new(&named.of(customer, &state).await?)))
}
