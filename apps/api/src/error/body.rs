use chrono::{DateTime, Utc};
use serde::Serialize;
use sports_accounts::hide_keys;
use utoipa::ToSchema;

use actix_web::ResponseError;

use super::ApiError;

/// The body of every refusal and failure.
#[derive(Debug, Serialize, ToSchema)]
#[schema(title = "Error", example = json!(ErrorBody::example()))]
pub struct ErrorBody {
    /// `HTTP_` followed by the status code, such as `HTTP_404`.
    #[schema(pattern = "^HTTP_[45][0-9]{2}$")]
    pub error: String,
    /// The fault, and the remedy if there is one.
    pub detail: String,
    /// The time of the answer (UTC).
    pub timestamp: DateTime<Utc>,
}

impl ErrorBody {
    /// Builds the body for `error` at `now`. A refusal may repeat text of the request, but not a key in it.
    pub fn from_error(error: &ApiError, now: DateTime<Utc>) -> Self {
        Self {
            error: format!("HTTP_{}", error.status_code().as_u16()),
            detail: hide_keys(&error.to_string()).into_owned(),
            timestamp: now,
        }
    }

    fn example() -> Self {
        let error = ApiError::bad_parameter("limit", "a whole number from 1 to 100000");
        Self::from_error(&error, crate::examples::instant())
    }
}
