use std::fmt::Display;

use serde::{Deserialize, Serialize};
use sports_usecases::accounts::{AccountError, rename_key};
use utoipa::ToSchema;

use super::create_key::name;
use crate::auth::AccountHolder;
use crate::error::{ApiError, NothingThere};
use crate::examples::SPARE_KEY;
use crate::json::{Fields, JsonBody, Unstored};
use crate::params::Params;
use crate::state::State;

/// A new name for a key.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ApiKeyRenaming {
    /// The key to rename, in full or masked as lists show it.
    #[schema(example = json!(SPARE_KEY))]
    api_key_to_rename: String,
    /// 1 to 64 visible characters, none of which changes the direction of text; leading and trailing spaces do not count.
    #[schema(example = "server", min_length = 1, max_length = 64)]
    new_name: String,
}

impl Fields for ApiKeyRenaming {
    const FIELDS: &'static str = "`api_key_to_rename` and `new_name`";
}

/// The confirmation of a change of a key.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ApiKeyChanged)]
pub struct ApiKeyChangedResponse {
    /// The change in a sentence.
    #[schema(example = json!(renamed(SPARE_KEY)))]
    pub(super) message: String,
}

/// Rename an API key
///
/// The key is named in full or masked, as lists show it. If several active keys have the same mask, name it in full.
#[utoipa::path(
    patch, path = "/api/v1/customers/me/api-keys/rename",
    tag = "account",
    request_body(content = ApiKeyRenaming, example = json!({
        "api_key_to_rename": SPARE_KEY, "new_name": "server"
    })),
    responses(
        (status = 200, description = "The key has the new name", body = ApiKeyChangedResponse,
            example = json!({ "message": renamed(SPARE_KEY) })),
        NothingThere,
    ),
)]
pub(super) async fn rename_api_key(
    caller: AccountHolder,
    _params: Params<()>,
    body: JsonBody<ApiKeyRenaming>,
    state: State,
) -> Result<Unstored<ApiKeyChangedResponse>, ApiError> {
    let new_name = name("new_name", &body.0.new_name)?;
    let selector = body.0.api_key_to_rename.trim().parse().map_err(|_| AccountError::NoSuchKey)?;
    let (customer, now) = (caller.0.holder.customer.id, state.clock.now());
    let ring = state.callers.key_changes.by(caller.0.actor(now));
    let key = rename_key(&*ring, customer, &selector, &new_name, now).await?;
    Ok(Unstored(ApiKeyChangedResponse { message: renamed(key.masked) }))
}

fn renamed(key: impl Display) -> String {
    format!("API key {key} renamed")
}
