//! JSON bodies, and the library's own extractors in our error shape.

use actix_web::body::BoxBody;
use actix_web::dev::Payload;
use actix_web::http::header::CACHE_CONTROL;
use actix_web::{FromRequest, HttpRequest, HttpResponse, Responder, web};
use futures::future::{LocalBoxFuture, TryFutureExt};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::auth::Gated;
use crate::error::ApiError;

/// The most bytes a body may have.
pub const LIMIT: usize = 64 * 1024;

/// A request's JSON body, read once the key has been accepted.
#[derive(Debug)]
pub struct Body<T>(pub T);

impl<T: DeserializeOwned + 'static> FromRequest for Body<T> {
    type Error = actix_web::Error;
    type Future = Gated<LocalBoxFuture<'static, Result<Self, actix_web::Error>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let body = web::Json::<T>::from_request(request, payload).map_ok(|body| Self(body.into_inner()));
        Gated::behind_auth(request, Box::pin(body))
    }
}

/// A JSON answer that nobody on the way may keep: it is about one customer, or holds a secret.
#[derive(Debug)]
pub struct Unstored<T>(pub T);

impl<T: Serialize> Responder for Unstored<T> {
    type Body = BoxBody;

    fn respond_to(self, _: &HttpRequest) -> HttpResponse {
        HttpResponse::Ok().insert_header((CACHE_CONTROL, "no-store")).json(self.0)
    }
}

/// Makes the library's extractors fail in our shape.
pub(crate) fn configure(config: &mut web::ServiceConfig) {
    config
        .app_data(web::JsonConfig::default().limit(LIMIT).error_handler(|error, _| ApiError::from(error).into()))
        .app_data(web::PayloadConfig::default().limit(LIMIT))
        .app_data(web::QueryConfig::default().error_handler(|error, _| ApiError::from(error).into()))
        .app_data(web::PathConfig::default().error_handler(|error, _| ApiError::from(error).into()));
}
