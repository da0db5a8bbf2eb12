use super::list::{WebhookItem, an_example};
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
        (status = 200, description = "The webhook is enabled", body = WebhookItem, example = json!(an_example())),
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
