use serde::Serialize;
use sports_accounts::{Delivery, WebhookEvent};
use sports_ports::random_bytes;
use utoipa::ToSchema;

use super::delivering::message;
use super::{NamedWebhook, WebhookPath};
use crate::auth::AccountHolder;
use crate::error::{ApiError, NothingThere};
use crate::json::Unstored;
use crate::params::Params;
use crate::paths::Path;
use crate::state::State;

/// A delivery that was begun.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TestDelivery)]
pub struct TestDeliveryResponse {
    /// The `webhook-id` of the delivery, whose outcome is among the deliveries a moment later.
    #[schema(example = "msg_9c1185a5c5e9fc54612808977ee8f548")]
    id: String,
}

/// Send a test to a webhook
///
/// Queues a delivery of `type` `test`, which is made like every other: its outcome is in `deliveries` a moment later. A webhook that is
/// disabled has to be enabled first, and another test waits until the last one is over. The call is not counted and is never refused for the month.
#[utoipa::path(
    post, path = "/api/v1/customers/me/webhooks/{id}/test",
    tag = "account",
    params(WebhookPath),
    responses(
        (status = 200, description = "The delivery is queued", body = TestDeliveryResponse,
            example = json!({ "id": "msg_9c1185a5c5e9fc54612808977ee8f548" })),
        NothingThere,
    ),
)]
pub(super) async fn test_webhook(
    caller: AccountHolder,
    path: Path<NamedWebhook>,
    _params: Params<()>,
    state: State,
) -> Result<Unstored<TestDeliveryResponse>, ApiError> {
    let webhook = path.0.of(caller.0.holder.customer.id, &state).await?;
    if let Some((_, reason)) = &webhook.disabled {
        return Err(ApiError::BadRequest(format!("The webhook is disabled ({reason}): enable it first")));
    }
    let deliveries = state.webhooks.records.deliveries_of(webhook.id).await?;
    if deliveries.iter().any(|delivery| delivery.event == WebhookEvent::Test && delivery.next_at.is_some()) {
        return Err(ApiError::BadRequest(
            "A test of this webhook is underway: its outcome is in `deliveries`".to_owned(),
        ));
    }
    let now = state.clock.now();
    let id = format!("msg_{:032x}", u128::from_be_bytes(random_bytes(&*state.random)?));
    let event = WebhookEvent::Test;
    let text = message(event, now, &serde_json::json!({ "webhook": webhook.id.to_string() }));
    state.webhooks.queue.queue(&Delivery::new(id.clone(), webhook.id, event, text, now)).await?;
    Ok(Unstored(TestDeliveryResponse { id }))
}
