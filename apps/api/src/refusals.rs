//! Error bodies for input that the HTTP transport refuses.

use std::sync::Arc;

use actix_web::ResponseError;
use sports_http_transport::{Refusal, RefusalResponse, Refusals};
use sports_ports::Clock;

use crate::error::{ApiError, ErrorBody};

/// The refusals of the transport, in the error shape of the API, with the time of a clock.
pub(crate) struct ErrorResponses(pub(crate) Arc<dyn Clock>);

impl Refusals for ErrorResponses {
    fn response(&self, refusal: Refusal) -> RefusalResponse {
        let (error, date) = (ApiError::from(refusal), self.0.now());
        let body = serde_json::to_string(&ErrorBody::from_error(&error, date)).unwrap_or_default();
        RefusalResponse { status: error.status_code(), body, date }
    }
}
