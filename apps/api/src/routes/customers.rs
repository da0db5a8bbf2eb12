//! A customer's own account: profile, usage and keys.

mod create_key;
mod list_keys;
mod rename_key;
mod revoke_key;
mod show;
mod usage;

use sports_accounts::MAX_ACTIVE_KEYS;
use sports_usecases::accounts::AccountError;
use utoipa_actix_web::service_config::ServiceConfig;

use crate::error::ApiError;
use crate::operation::operation;

/// The operations of this area.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config
        .service(operation!(show::show_customer))
        .service(operation!(usage::show_usage))
        .service(operation!(list_keys::list_api_keys))
        .service(operation!(create_key::create_api_key))
        .service(operation!(rename_key::rename_api_key))
        .service(operation!(revoke_key::revoke_api_key));
}

impl From<AccountError> for ApiError {
    fn from(error: AccountError) -> Self {
        match error {
            AccountError::KeyLimit => Self::BadRequest(format!(
                "You have {MAX_ACTIVE_KEYS} active API keys, the most there can be; revoke one first"
            )),
            AccountError::TooManyNewKeys { limit, seconds } => Self::too_many_new_keys(limit, seconds),
            AccountError::NoSuchKey => Self::NotFound("You have no such active API key".to_owned()),
            AccountError::AmbiguousKey => {
                Self::BadRequest("Several of your active API keys look like this; give the full key".to_owned())
            }
            AccountError::KeyInUse => {
                Self::BadRequest("Cannot revoke the API key used to authenticate this request".to_owned())
            }
            AccountError::WiderThanCreator => Self::Forbidden(
                "`allowed_networks`: a new key cannot be used from networks that the key of this request is not allowed from"
                    .to_owned(),
            ),
            AccountError::ActorRevoked => Self::KeyRefused,
            AccountError::ExpiresInThePast => Self::BadRequest("`expires_at`: the instant is in the past".to_owned()),
            AccountError::Port(error) => error.into(),
            // Not possible here: the caller's account exists, no account is opened, and draws are unique.
            AccountError::EmailTaken(_) | AccountError::NoSuchCustomer(_) | AccountError::Collision => Self::Internal(error.into()),
        }
    }
}
