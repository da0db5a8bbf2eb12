//! JSON bodies, and the configuration of the library's extractors.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use actix_web::body::BoxBody;
use actix_web::dev::Payload;
use actix_web::http::header::CACHE_CONTROL;
use actix_web::{FromRequest, HttpRequest, HttpResponse, Responder, ResponseError, web};
use futures::future::{LocalBoxFuture, TryFutureExt};
use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeOwned, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use sports_http_transport::{Refusal, RefusalResponse, Refusals, limits};
use sports_ports::Clock;
use utoipa::openapi::path::Operation;

use crate::arguments::Argument;
use crate::error::{ApiError, BodyRefused, ErrorBody};
use crate::openapi::add_responses;

/// A request's JSON body.
#[derive(Debug)]
pub struct JsonBody<T>(pub T);

/// The fields that a body can have. A type with this trait refuses unknown fields (`deny_unknown_fields`), so that no
/// client takes an ignored field for an accepted one.
pub trait Fields: DeserializeOwned {
    /// The fields as a phrase for messages: `` `name` ``.
    const FIELDS: &'static str;
}

impl<T: Fields + 'static> FromRequest for JsonBody<T> {
    type Error = actix_web::Error;
    type Future = LocalBoxFuture<'static, Result<Self, actix_web::Error>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        Box::pin(web::Json::<Object<T>>::from_request(request, payload).map_ok(|body| Self(body.into_inner().0)))
    }
}

impl<T> Argument for JsonBody<T> {
    fn describe(operation: &mut Operation) {
        add_responses::<BodyRefused>(operation);
    }
}

/// A JSON object that holds a `T`. By itself `serde` would also accept a list of the fields' values.
struct Object<T>(T);

impl<'de, T: Fields> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ObjectOf(PhantomData))
    }
}

struct ObjectOf<T>(PhantomData<T>);

impl<'de, T: Fields> Visitor<'de> for ObjectOf<T> {
    type Value = Object<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a JSON object with {}", T::FIELDS)
    }

    fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<Self::Value, A::Error> {
        T::deserialize(MapAccessDeserializer::new(fields)).map(Object)
    }
}

/// A JSON answer that no cache may store: it is about one customer, or contains a secret.
#[derive(Debug)]
pub struct Unstored<T>(pub T);

impl<T: Serialize> Responder for Unstored<T> {
    type Body = BoxBody;

    fn respond_to(self, _: &HttpRequest) -> HttpResponse {
        HttpResponse::Ok().insert_header((CACHE_CONTROL, "no-store")).json(self.0)
    }
}

/// Configures the library's extractors to fail with [`ApiError`].
pub(crate) fn configure(config: &mut web::ServiceConfig) {
    config
        .app_data(web::JsonConfig::default().limit(limits::BODY).error_handler(|error, _| ApiError::from(error).into()))
        .app_data(web::PayloadConfig::default().limit(limits::BODY))
        .app_data(web::QueryConfig::default().error_handler(|error, _| ApiError::from(error).into()))
        .app_data(web::PathConfig::default().error_handler(|error, _| ApiError::from(error).into()));
}

// Error bodies for input that the HTTP transport refuses.

/// The refusals of the transport, in the error shape of the API, with the time of a clock.
pub(crate) struct ErrorResponses(pub(crate) Arc<dyn Clock>);

impl Refusals for ErrorResponses {
    fn response(&self, refusal: Refusal) -> RefusalResponse {
        let (error, date) = (ApiError::from(refusal), self.0.now());
        let body = serde_json::to_string(&ErrorBody::from_error(&error, date)).unwrap_or_default();
        RefusalResponse { status: error.status_code(), body, date }
    }
}
