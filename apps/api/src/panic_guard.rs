//! Conversion of panics to errors.

use std::panic::AssertUnwindSafe;

use actix_web::Error;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use futures::FutureExt;

use crate::error::ApiError;

/// Calls the rest of the application, and converts a panic in it to an error.
///
/// No broken state remains: the request is dropped, and requests share only what is immutable, atomic or behind a lock that
/// detects panics.
pub(crate) async fn call<B: MessageBody + 'static>(
    next: Next<B>,
    request: ServiceRequest,
) -> Result<ServiceResponse<B>, Error> {
    let response = AssertUnwindSafe(async move { next.call(request).await });
    response.catch_unwind().await.unwrap_or_else(|_| Err(ApiError::Panicked.into()))
}
