use std::fmt;
use std::panic::AssertUnwindSafe;

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::StatusCode;
use actix_web::http::header::HeaderMap;
use actix_web::middleware::Next;
use actix_web::{Error, HttpResponse, ResponseError};
use bytes::Bytes;
use futures::FutureExt;

/// Calls the rest of the application, and converts a panic in it to an error.
///
/// No broken state remains: the request is dropped, and requests share only what is immutable, atomic or behind a lock that
/// detects panics.
///
/// # Errors
///
/// The error of the application, or `panicked` after a panic.
pub async fn catch_panic<B: MessageBody + 'static>(
    next: Next<B>,
    request: ServiceRequest,
    panicked: impl Into<Error>,
) -> Result<ServiceResponse<B>, Error> {
    let response = AssertUnwindSafe(async move { next.call(request).await });
    response.catch_unwind().await.unwrap_or_else(|_| Err(panicked.into()))
}

/// The response to a request that a panic dropped. The library requires an error in its place.
#[derive(Debug)]
pub struct LostRequestResponse {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Bytes,
}

impl fmt::Display for LostRequestResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "answered {}", self.status)
    }
}

impl ResponseError for LostRequestResponse {
    fn status_code(&self) -> StatusCode {
        self.status
    }

    fn error_response(&self) -> HttpResponse<BoxBody> {
        let mut response = HttpResponse::with_body(self.status, BoxBody::new(self.body.clone()));
        *response.headers_mut() = self.headers.clone();
        response
    }
}
