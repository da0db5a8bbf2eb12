//! Validators of answers.

mod file;

use actix_web::body::BoxBody;
use actix_web::{HttpRequest, HttpResponse, Responder};
use serde::Serialize;
use sports_domain::content::Validator;
use sports_http_transport::{Audience, Encoding, Etag};

use crate::build::{COMMIT, VERSION};
use crate::error::ApiError;

pub(crate) use file::File;

/// Returns the encoding that this client prefers.
pub(crate) fn accepted_encoding(request: &HttpRequest) -> Encoding {
    // A client that accepts no encoding was refused before.
    Encoding::negotiated(request.headers()).unwrap_or(Encoding::Identity)
}

/// Returns the validator of an answer that `parts` identify and that is never compressed.
pub(crate) fn plain_etag(parts: &[&str]) -> Etag {
    etag(parts, Encoding::Identity)
}

/// Returns the validator of an answer that `parts` identify, in an encoding.
pub(crate) fn etag(parts: &[&str], encoding: Encoding) -> Etag {
    // Another version of the program may write rows differently.
    let all = parts.iter().copied().chain([encoding.name(), VERSION, COMMIT]).map(str::as_bytes);
    Etag::new(Validator::from_parts(all).to_string(), encoding)
}

/// A small answer with a validator made of its own text. It is cheaper to write than to cache, and fits into one packet.
#[derive(Debug)]
pub struct Revalidated<T>(pub Audience, pub T);

impl<T: Serialize> Responder for Revalidated<T> {
    type Body = BoxBody;

    fn respond_to(self, request: &HttpRequest) -> HttpResponse {
        let Self(audience, answer) = self;
        let text = match serde_json::to_string(&answer) {
            Ok(text) => text,
            Err(error) => return HttpResponse::from_error(ApiError::Internal(error.into())),
        };
        let validator = plain_etag(&[&request.match_pattern().unwrap_or_default(), &text]);
        let mut response = validator.response(request, audience);
        if validator.is_current(request) {
            return response.finish();
        }
        response.content_type("application/json").body(text)
    }
}
