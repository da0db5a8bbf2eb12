use chrono::{DateTime, Utc};
use sports_accounts::{Attempt, Delivery};

use super::{NamedWebhook, WebhookPath};
use crate::auth::AccountHolder;
use crate::codes::{Code, WebhookEventCode};
use crate::error::{ApiError, NothingThere};
use crate::json::Unstored;
use crate::params::Params;
use crate::paths::Path;
use crate::state::State;
use crate::wire::wire;

wire! {
    /// A delivery to a webhook.
    #[schema(as = WebhookDelivery)]
    pub struct DeliveryItem(delivery: &Delivery) {
        let last = delivery.last.as_ref();

        /// The `webhook-id`, which is the same for each attempt.
        #[schema(example = "msg_9c1185a5c5e9fc54612808977ee8f548")]
        id: String = delivery.id.clone(),
        /// The subject.
        event: WebhookEventCode = Code(delivery.event),
        /// The time at which it was queued, UTC.
        created_at: DateTime<Utc> = delivery.created_at,
        /// The number of attempts so far.
        #[schema(example = 1)]
        attempts: u32 = delivery.attempts,
        /// True if the receiver accepted it.
        is_delivered: bool = last.is_some_and(Attempt::is_success),
        /// The time of the next attempt, UTC; null once it is delivered or given up.
        #[schema(required)]
        next_attempt_at: Option<DateTime<Utc>> = delivery.next_at,
        /// The time of the last attempt, UTC; null before the first.
        #[schema(required)]
        last_attempt_at: Option<DateTime<Utc>> = last.map(|last| last.at),
        /// The status of the last answer; null without one.
        #[schema(required, example = 200)]
        last_status: Option<u16> = last.and_then(|last| last.status),
        /// The reason for which the last attempt had no answer; null if it had one.
        #[schema(required)]
        last_error: Option<String> = last.and_then(|last| last.error.clone()),
    }
}

/// List the deliveries to a webhook
///
/// The last 100, newest first. The call is not counted and is never refused for the month.
#[utoipa::path(
    get, path = "/api/v1/customers/me/webhooks/{id}/deliveries",
    tag = "account",
    params(WebhookPath),
    responses(
        (status = 200, description = "The deliveries", body = Vec<DeliveryItem>, example = json!([{
            "id": "msg_9c1185a5c5e9fc54612808977ee8f548", "event": "release", "created_at": "2025-01-15T17:01:12.412Z",
            "attempts": 1, "is_delivered": true, "next_attempt_at": null, "last_attempt_at": "2025-01-15T17:01:13.020Z",
            "last_status": 200, "last_error": null
        }])),
        NothingThere,
    ),
)]
pub(super) async fn list_webhook_deliveries(
    caller: AccountHolder,
    path: Path<NamedWebhook>,
    _params: Params<()>,
    state: State,
) -> Result<Unstored<Vec<DeliveryItem>>, ApiError> {
    let webhook = path.0.of(caller.0.holder.customer.id, &state).await?;
    let deliveries = state.webhooks.records.deliveries_of(webhook.id).await?;
    Ok(Unstored(deliveries.iter().map(DeliveryItem::new).collect()))
}
