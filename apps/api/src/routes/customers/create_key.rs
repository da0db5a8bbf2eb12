use actix_web::web::Data;
use serde::{Deserialize, Serialize};
use sports_accounts::KeyName;
use sports_ports::accounts::KeyRing;
use sports_ports::{Clock, Random, random_bytes};
use sports_usecases::accounts::issue_key;
use utoipa::ToSchema;

use crate::auth::Subscriber;
use crate::error::ApiError;
use crate::json::{Fields, JsonBody, Unstored};
use crate::params::Params;

/// The request for a new key.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewApiKey {
    /// 1 to 64 visible characters, none of which changes the direction of text; leading and trailing spaces do not count.
    #[schema(example = "notebook", min_length = 1, max_length = 64)]
    name: String,
}

impl Fields for NewApiKey {
    const FIELDS: &'static str = "`name`";
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
/// The answer holds the whole key, which is not shown again: only its hash is kept. You can have 25 active keys.
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
    caller: Subscriber,
    _params: Params<()>,
    body: JsonBody<NewApiKey>,
    ring: Data<dyn KeyRing>,
    random: Data<dyn Random>,
    clock: Data<dyn Clock>,
) -> Result<Unstored<CreatedApiKeyResponse>, ApiError> {
    let name = name("name", &body.0.name)?;
    let drawn = random_bytes(random.get_ref())?;
    let customer = caller.0.holder.customer.id;
    let (key, _) = issue_key(ring.get_ref(), customer, (name, None), clock.now(), drawn).await?;
    Ok(Unstored(CreatedApiKeyResponse {
        api_key: key.reveal().to_owned(),
        message: "API key created",
        warning: "Store this key now: it is not shown again",
    }))
}

/// Parses a key's name from the field of a body.
///
/// # Errors
///
/// [`ApiError::BadRequest`] with the field and the reason.
pub(super) fn name(field: &str, text: &str) -> Result<KeyName, ApiError> {
    KeyName::new(text).map_err(|reason| ApiError::BadRequest(format!("`{field}`: expected {reason}")))
}
