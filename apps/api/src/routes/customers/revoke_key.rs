use std::fmt::Display;

use sports_accounts::KeySelector;
use sports_usecases::accounts::{AccountError, revoke_another_key};
use utoipa::IntoParams;

use super::rename_key::ApiKeyChangedResponse;
use crate::auth::AccountHolder;
use crate::error::{ApiError, NothingThere};
use crate::examples::SPARE_KEY;
use crate::json::Unstored;
use crate::params::Params;
use crate::paths::{FromPath, Path, Segments};
use crate::state::State;

/// The documented parameter of a path that names a key.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Path)]
struct KeyPath {
    /// The key to revoke, in full or masked as lists show it.
    #[expect(dead_code, reason = "for the document only")]
    #[param(example = json!(SPARE_KEY))]
    api_key: String,
}

/// The key that a path names; `None` if the segment is neither a key nor a masked key.
pub(super) struct NamedKey(Option<KeySelector>);

impl FromPath for NamedKey {
    fn read(segments: &Segments<'_>) -> Result<Self, ApiError> {
        Ok(Self(segments.text("api_key").trim().parse().ok()))
    }
}

/// Revoke an API key
///
/// The key is named in full or masked, as lists show it. It stops working at once and for good. The key that
/// authenticates this request cannot be revoked: use another one.
#[utoipa::path(
    delete, path = "/api/v1/customers/me/api-keys/{api_key}",
    tag = "account",
    params(KeyPath),
    responses(
        (status = 200, description = "The key is revoked", body = ApiKeyChangedResponse,
            example = json!({ "message": revoked(SPARE_KEY) })),
        NothingThere,
    ),
)]
pub(super) async fn revoke_api_key(
    caller: AccountHolder,
    path: Path<NamedKey>,
    _params: Params<()>,
    state: State,
) -> Result<Unstored<ApiKeyChangedResponse>, ApiError> {
    let holder = &caller.0.holder;
    let selector = path.0.0.ok_or(AccountError::NoSuchKey)?;
    let (customer, in_use, now) = (holder.customer.id, &holder.key.digest, state.clock.now());
    let ring = state.callers.key_changes.by(caller.0.actor(now));
    let key = revoke_another_key(&*ring, customer, &selector, in_use, now).await?;
    Ok(Unstored(ApiKeyChangedResponse { message: revoked(key.masked) }))
}

fn revoked(key: impl Display) -> String {
    format!("API key {key} revoked")
}
