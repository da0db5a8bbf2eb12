use std::collections::BTreeSet;
use std::fmt::Display;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sports_accounts::{MAX_WEBHOOKS, Webhook, WebhookEvent, WebhookId, WebhookSecret, WebhookUrl, expect_no_key};
use sports_domain::Sport;
use sports_ports::random_bytes;
use sports_ports::webhooks::WebhookCreation;
use utoipa::ToSchema;

use super::list::WebhookItem;
use crate::auth::AccountHolder;
use crate::codes::{SportCode, WebhookEventCode};
use crate::error::ApiError;
use crate::json::{Fields, JsonBody, Unstored};
use crate::params::Params;
use crate::state::State;

/// The request for a new webhook.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewWebhook {
    /// An address of HTTPS at a public host, without a user, a password and a fragment.
    #[schema(format = "uri", max_length = 2000, example = "https://example.com/hooks/sports")]
    url: String,
    /// The leagues; by default all.
    #[serde(default = "all_sports")]
    #[schema(value_type = Vec<SportCode>, required = false, example = json!(["nfl"]))]
    sports: Vec<String>,
    /// The events, of `release` and `status`; by default both.
    #[serde(default = "all_events")]
    #[schema(value_type = Vec<WebhookEventCode>, required = false, example = json!(["release", "status"]))]
    events: Vec<String>,
}

impl Fields for NewWebhook {
    const FIELDS: &'static str = "`url`, and optionally `sports` and `events`";
}

/// A new webhook.
#[derive(Serialize, ToSchema)]
#[schema(as = CreatedWebhook)]
pub struct CreatedWebhookResponse {
    /// The secret that signs each delivery. No other answer contains it.
    #[schema(example = "whsec_…")]
    secret: String,
    /// A reminder to store the secret now.
    #[schema(example = "Store this secret now: it is not shown again")]
    warning: &'static str,
    /// The webhook.
    #[serde(flatten)]
    webhook: WebhookItem,
}

/// Create a webhook
///
/// From now on, each release of the leagues and each change of their data status is sent to the address: a `POST` with a JSON
/// object of `type` (`release` or `status`), `timestamp` and `data`, whose fields are those of the event on the
/// [stream](#/record/stream_releases). Signature and headers are those of
/// [Standard Webhooks](https://www.standardwebhooks.com/): `webhook-id`, which is the same for each attempt,
/// `webhook-timestamp` and `webhook-signature`. The answer holds the secret, which is not shown again.
///
/// An answer with 2xx within 10 seconds accepts a delivery. Else it is sent again, up to ten times within a day. A webhook whose
/// deliveries fail for five days, or that answers 410, is disabled. Each event is delivered at least once, and events have no order:
/// compare `generation`. Redirects are not followed, and an address that is not public is refused at each attempt. You can have 10
/// webhooks. The call is not counted and is never refused for the month.
#[utoipa::path(
    post, path = "/api/v1/customers/me/webhooks",
    tag = "account",
    request_body(content = NewWebhook, example = json!({ "url": "https://example.com/hooks/sports", "sports": ["nfl"] })),
    responses(
        (status = 200, description = "The new webhook", body = CreatedWebhookResponse, example = json!({
            "secret": "whsec_…", "warning": "Store this secret now: it is not shown again",
            "id": "wh_3f1d0c9b8a7e6d5c4b3a291807f6e5d4", "url": "https://example.com/hooks/sports", "sports": ["nfl"],
            "events": ["release", "status"], "created_at": "2025-01-15T15:04:05Z", "is_enabled": true,
            "failing_since": null, "disabled_at": null, "disabled_reason": null
        })),
    ),
)]
pub(super) async fn create_webhook(
    caller: AccountHolder,
    _params: Params<()>,
    body: JsonBody<NewWebhook>,
    state: State,
) -> Result<Unstored<CreatedWebhookResponse>, ApiError> {
    let NewWebhook { url, sports, events } = body.0;
    // Lists show it.
    let url = expect_no_key(&url).map_err(|reason| ApiError::bad_field("url", reason))?;
    let url =
        WebhookUrl::parse(url, state.webhooks.may_be_http).map_err(|reason| ApiError::bad_field("url", reason))?;
    let sports = each("sports", &sports)?;
    let events = each("events", &events)?;
    if events.contains(&WebhookEvent::Test) {
        return Err(ApiError::bad_field("events", "`test` is sent on request: use `release` and `status`"));
    }
    let webhook = Webhook {
        id: WebhookId::from_random(random_bytes(&*state.random)?),
        customer: caller.0.holder.customer.id,
        url,
        secret: WebhookSecret::from_random(random_bytes(&*state.random)?),
        events,
        sports,
        created_at: state.clock.now(),
        failing: None,
        disabled: None,
    };
    match state.webhooks.records.create_webhook(&webhook).await? {
        WebhookCreation::Created => Ok(Unstored(CreatedWebhookResponse {
            secret: webhook.secret.reveal(),
            warning: "Store this secret now: it is not shown again",
            webhook: WebhookItem::new(&webhook),
        })),
        WebhookCreation::LimitReached => Err(ApiError::BadRequest(format!(
            "You have {MAX_WEBHOOKS} webhooks, the most there can be; remove one first"
        ))),
        // The account of a caller exists, unless it is deleted at this moment.
        WebhookCreation::NoSuchCustomer => Err(ApiError::KeyRefused),
    }
}

fn all_sports() -> Vec<String> {
    Sport::ALL.map(|sport| sport.code().to_owned()).into()
}

fn all_events() -> Vec<String> {
    WebhookEvent::SUBSCRIBED.map(|event| event.word().to_owned()).into()
}

/// Parses the values of a list.
fn each<T: FromStr<Err: Display> + Ord>(field: &str, given: &[String]) -> Result<BTreeSet<T>, ApiError> {
    if given.is_empty() {
        return Err(ApiError::bad_field(field, "the list is empty: leave the field out for all"));
    }
    given.iter().map(|text| text.parse().map_err(|reason| ApiError::bad_field(field, reason))).collect()
}
