//! Conditional requests: `ETag` and 304.

use std::fmt;

use actix_web::body::BoxBody;
use actix_web::http::header::{
    CACHE_CONTROL, ETAG, EntityTag, Header, IF_MATCH, IF_NONE_MATCH, IfMatch, IfNoneMatch, VARY,
};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder, Responder};
use serde::Serialize;
use sports_content::{ObjectHash, Validator};

use crate::build::{COMMIT, VERSION};
use crate::encoding::Encoding;
use crate::error::ApiError;

/// The validator of one representation of an answer: its content, form and content encoding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Etag {
    tag: EntityTag,
    encoding: Encoding,
}

/// The caches that may store an answer. Each must revalidate it before use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    /// The cache of the client alone, which presented a key.
    KeyHolder,
    /// Any cache.
    Public,
}

impl Audience {
    pub(crate) const fn cache_control(self) -> &'static str {
        match self {
            Self::KeyHolder => "private, no-cache",
            Self::Public => "public, no-cache",
        }
    }
}

impl Etag {
    /// Returns the validator of an answer that `parts` identify, in the encoding that this client prefers.
    #[must_use]
    pub fn for_request(request: &HttpRequest, parts: &[&str]) -> Self {
        // A client that accepts no encoding was refused before.
        Self::named(parts, Encoding::negotiated(request.headers()).unwrap_or(Encoding::Identity))
    }

    /// Returns the validator of an answer that `parts` identify and that is never compressed.
    #[must_use]
    pub fn plain(parts: &[&str]) -> Self {
        Self::named(parts, Encoding::Identity)
    }

    fn named(parts: &[&str], encoding: Encoding) -> Self {
        // Another version of the program may write rows differently.
        let program = VERSION.as_bytes();
        let commit = COMMIT.as_bytes();
        let parts = parts.iter().map(|part| part.as_bytes()).chain([encoding.name().as_bytes(), program, commit]);
        Self { tag: EntityTag::new_strong(Validator::from_parts(parts).to_string()), encoding }
    }

    /// Returns the validator of a stored object that is sent unchanged.
    #[must_use]
    pub fn for_object(object: &ObjectHash) -> Self {
        Self { tag: EntityTag::new_strong(Validator::from_object(object).to_string()), encoding: Encoding::Identity }
    }

    /// Returns the encoding of the representation.
    #[must_use]
    pub const fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Returns true if the client has this representation (`If-None-Match`).
    #[must_use]
    pub fn is_current(&self, request: &HttpRequest) -> bool {
        if !request.headers().contains_key(IF_NONE_MATCH) {
            return false;
        }
        match IfNoneMatch::parse(request) {
            Ok(IfNoneMatch::Any) => true,
            Ok(IfNoneMatch::Items(tags)) => tags.iter().any(|tag| tag.weak_eq(&self.tag)),
            Err(_) => false,
        }
    }

    /// Returns true if the client accepts this representation (`If-Match`).
    #[must_use]
    pub fn is_acceptable(&self, request: &HttpRequest) -> bool {
        if !request.headers().contains_key(IF_MATCH) {
            return true;
        }
        match IfMatch::parse(request) {
            Ok(IfMatch::Any) => true,
            Ok(IfMatch::Items(tags)) => tags.iter().any(|tag| tag.strong_eq(&self.tag)),
            Err(_) => false,
        }
    }

    /// Returns the beginning of a response with the headers for caches: 304 if the client has the representation, else 200.
    #[must_use]
    pub fn response(&self, request: &HttpRequest, audience: Audience) -> HttpResponseBuilder {
        self.response_varying(request, audience, "Accept-Encoding")
    }

    /// Returns the same for an answer whose form depends on the headers in `vary`.
    #[must_use]
    pub fn response_varying(
        &self,
        request: &HttpRequest,
        audience: Audience,
        vary: &'static str,
    ) -> HttpResponseBuilder {
        let mut response = if self.is_current(request) { HttpResponse::NotModified() } else { HttpResponse::Ok() };
        response
            .insert_header((ETAG, self.etag()))
            .insert_header((CACHE_CONTROL, audience.cache_control()))
            .insert_header((VARY, vary));
        response
    }

    /// Returns the value of the `ETag` header.
    #[must_use]
    pub fn etag(&self) -> String {
        self.to_string()
    }
}

impl fmt::Display for Etag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.tag.fmt(f)
    }
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
        let validator = Etag::plain(&[&request.match_pattern().unwrap_or_default(), &text]);
        let mut response = validator.response(request, audience);
        if validator.is_current(request) {
            return response.finish();
        }
        response.content_type("application/json").body(text)
    }
}
