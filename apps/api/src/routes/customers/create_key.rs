use chrono::DateTime;
use serde::{Deserialize, Serialize};
use sports_accounts::{KeyName, KeyScope, Networks, expect_no_key};
use sports_ports::random_bytes;
use sports_usecases::accounts::{NewKey, issue_key};
use utoipa::ToSchema;

use crate::auth::AccountHolder;
use crate::codes::KeyScopeCode;
use crate::error::ApiError;
use crate::json::{Fields, JsonBody, Unstored};
use crate::params::Params;
use crate::state::State;

/// The request for a new key.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewApiKey {
    /// 1 to 64 visible characters, none of which changes the direction of text; leading and trailing spaces do not count.
    #[schema(example = "notebook", min_length = 1, max_length = 64)]
    name: String,
    /// `read` for a key that reads published data and nothing of the account; by default `full`.
    #[serde(default = "full")]
    #[schema(value_type = KeyScopeCode, required = false, example = "read")]
    scope: String,
    /// The addresses and networks that the key works from; by default those of the key of this request. A list must lie
    /// within them.
    #[serde(default)]
    #[schema(example = json!(["192.0.2.0/24", "2001:db8::/32"]))]
    allowed_networks: Vec<String>,
    /// The instant from which the key does not work, with its offset from UTC; by default that of the key of this request, which no
    /// new key outlives.
    #[serde(default)]
    #[schema(value_type = Option<chrono::DateTime<chrono::Utc>>, example = "2027-01-01T00:00:00Z")]
    expires_at: Option<String>,
}

impl Fields for NewApiKey {
    const FIELDS: &'static str = "`name`, and optionally `scope`, `allowed_networks` and `expires_at`";
}

/// A new key.
#[derive(Serialize, ToSchema)]
#[schema(as = CreatedApiKey)]
pub struct CreatedApiKeyResponse {
    /// The whole key. No other answer contains it.
    #[schema(example = "sk_service_…")]
    api_key: String,
    /// A confirmation that the key was created.
    #[schema(example = "API key created")]
    message: &'static str,
    /// A reminder to store the key now.
    #[schema(example = "Store this key now: it is not shown again")]
    warning: &'static str,
}

/// Create an API key
///
/// The answer holds the whole key, which is not shown again: only its hash is kept. You can have 25 active keys. The new key
/// reaches no further than the key of this request: it expires with that key, and works from no other networks. At most 10 keys
/// can be created within a minute by default. The call is not counted and is never refused for the month.
#[utoipa::path(
    post, path = "/api/v1/customers/me/api-keys",
    tag = "account",
    request_body(content = NewApiKey, example = json!({ "name": "notebook" })),
    responses(
        (status = 200, description = "The new key", body = CreatedApiKeyResponse, example = json!({
            "api_key": "sk_service_…", "message": "API key created",
            "warning": "Store this key now: it is not shown again"
        })),
    ),
)]
pub(super) async fn create_api_key(
    caller: AccountHolder,
    _params: Params<()>,
    body: JsonBody<NewApiKey>,
    state: State,
) -> Result<Unstored<CreatedApiKeyResponse>, ApiError> {
    let NewApiKey { name: text, scope, allowed_networks, expires_at } = body.0;
    let scope = scope.parse().map_err(|reason| ApiError::bad_field("scope", reason))?;
    let allowed_networks =
        Networks::each_of(&allowed_networks).map_err(|reason| ApiError::bad_field("allowed_networks", reason))?;
    let instant = |text: &String| DateTime::parse_from_rfc3339(text).map(|instant| instant.to_utc());
    let expires_at = expires_at.as_ref().map(instant).transpose();
    let expires_at = expires_at.map_err(|_| {
        ApiError::bad_field("expires_at", "expected an instant with its offset, such as 2027-01-01T00:00:00Z")
    })?;
    let per_minute = Some(state.callers.limits.key_creations_per_minute);
    let new = NewKey { scope, allowed_networks, expires_at, per_minute, ..NewKey::named(name("name", &text)?) };
    let (drawn, now, holder) = (random_bytes(&*state.random)?, state.clock.now(), &caller.0.holder);
    let ring = state.callers.key_changes.by(caller.0.actor(now));
    let (key, _) = issue_key(&*ring, holder.customer.id, new.within(&holder.key)?, now, drawn).await?;
    Ok(Unstored(CreatedApiKeyResponse {
        api_key: key.reveal().to_owned(),
        message: "API key created",
        warning: "Store this key now: it is not shown again",
    }))
}

fn full() -> String {
    KeyScope::Full.code().to_owned()
}

/// Parses a key's name from the field of a body.
///
/// # Errors
///
/// [`ApiError::BadRequest`] with the field and the reason.
pub(super) fn name(field: &str, text: &str) -> Result<KeyName, ApiError> {
    let text = expect_no_key(text).map_err(|reason| ApiError::bad_field(field, reason))?;
    KeyName::new(text).map_err(|reason| ApiError::bad_field(field, format_args!("expected {reason}")))
}
