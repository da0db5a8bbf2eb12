use sports_accounts::MAX_ACTIVE_KEYS;
use sports_usecases::accounts::AccountError;

use crate::error::ApiError;

impl From<AccountError> for ApiError {
    fn from(error: AccountError) -> Self {
        match error {
            AccountError::KeyLimit => Self::BadRequest(format!(
                "You have {MAX_ACTIVE_KEYS} active API keys, the most there can be; revoke one first"
            )),
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
            AccountError::Port(error) => error.into(),
            // Not possible here: the caller's account exists, no account is opened, no key is given an expiry, and
            // draws are unique.
            AccountError::EmailTaken(_)
            | AccountError::NoSuchCustomer(_)
            | AccountError::ExpiresInThePast
            | AccountError::Collision => Self::Internal(error.into()),
        }
    }
}
