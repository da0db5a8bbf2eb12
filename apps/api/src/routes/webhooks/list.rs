use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use sports_accounts::Webhook;

use crate::auth::AccountHolder;
use crate::codes::{Code, SportCode, WebhookEventCode};
use crate::error::ApiError;
use crate::json::Unstored;
use crate::params::Params;
use crate::state::State;
use crate::wire::wire;

wire! {
    /// A webhook.
    #[schema(as = WebhookEntry)]
    pub struct WebhookItem(webhook: &Webhook) {
        /// The id of the webhook.
        #[schema(example = "wh_3f1d0c9b8a7e6d5c4b3a291807f6e5d4")]
        id: String = webhook.id.to_string(),
        /// The address that is told.
        #[schema(format = "uri", example = "https://example.com/hooks/sports")]
        url: String = webhook.url.to_string(),
        /// The leagues that it is told of.
        sports: Vec<SportCode> = webhook.sports.iter().copied().map(Code).collect(),
        /// The events that it is told of.
        events: Vec<WebhookEventCode> = webhook.events.iter().copied().map(Code).collect(),
        /// The time at which it was created, UTC.
        created_at: DateTime<Utc> = webhook.created_at,
        /// True if deliveries are made.
        is_enabled: bool = webhook.disabled.is_none(),
        /// The time of the first failure since the last delivery that was accepted, UTC; null without one.
        #[schema(required)]
        failing_since: Option<DateTime<Utc>> = webhook.failing.map(|failing| failing.since),
        /// The time at which it was disabled, UTC; null while it is enabled.
        #[schema(required)]
        disabled_at: Option<DateTime<Utc>> = webhook.disabled.as_ref().map(|(at, _)| *at),
        /// The reason for which it was disabled; null while it is enabled.
        #[schema(required)]
        disabled_reason: Option<String> = webhook.disabled.as_ref().map(|(_, reason)| reason.clone()),
    }
}

/// The webhook of the examples.
pub(super) fn an_example() -> Value {
    json!({
        "id": "wh_3f1d0c9b8a7e6d5c4b3a291807f6e5d4", "url": "https://example.com/hooks/sports", "sports": ["nfl"],
        "events": ["release", "status"], "created_at": "2025-01-15T15:04:05Z", "is_enabled": true,
        "failing_since": null, "disabled_at": null, "disabled_reason": null
    })
}

/// List your webhooks
///
/// Oldest first, without their secrets. The call is not counted and is never refused for the month.
#[utoipa::path(
    get, path = "/api/v1/customers/me/webhooks",
    tag = "account",
    responses(
        (status = 200, description = "Your webhooks", body = Vec<WebhookItem>, example = json!([an_example()])),
    ),
)]
pub(super) async fn list_webhooks(
    caller: AccountHolder,
    _params: Params<()>,
    state: State,
) -> Result<Unstored<Vec<WebhookItem>>, ApiError> {
    let webhooks = state.webhooks.records.webhooks_of(caller.0.holder.customer.id).await?;
    Ok(Unstored(webhooks.iter().map(WebhookItem::new).collect()))
}
