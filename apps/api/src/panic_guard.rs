//! A panic becomes an error.

use std::panic::AssertUnwindSafe;

use actix_web::Error;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use futures::FutureExt;

use crate::error::ApiError;

/// Calls the rest of the application; a panic in it becomes an error.
///
/// Nothing it left half-done is seen again: the request is gone with it, and what requests share is
/// immutable, atomic or behind a lock that notices.
pub(crate) async fn call<B: MessageBody + 'static>(
    next: Next<B>,
    request: ServiceRequest,
) -> Result<ServiceResponse<B>, Error> {
    let answer = AssertUnwindSafe(async move { next.call(request).await });
    answer.catch_unwind().await.unwrap_or_else(|_| Err(ApiError::Panicked.into()))
}
