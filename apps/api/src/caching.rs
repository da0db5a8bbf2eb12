//! Telling a client that what it has is still what it would get.

use std::fmt;

use actix_web::body::BoxBody;
use actix_web::http::header::{
    AcceptEncoding, CACHE_CONTROL, ContentEncoding, ETAG, EntityTag, Header, IF_MATCH, IfMatch, IfNoneMatch, VARY,
};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder, Responder};
use serde::Serialize;
use sports_content::{ObjectHash, Validator};

use crate::build::{COMMIT, VERSION};
use crate::error::ApiError;

/// A validator as the `ETag` header has it. It names one representation of an answer: what it says, in which form, under
/// which content encoding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Etag(EntityTag);

/// Which caches may keep a copy of an answer. Each must revalidate it before use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    /// The client alone: it showed a key.
    KeyHolder,
    /// Any cache on the way.
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

/// The encodings the server compresses with, in the order its middleware prefers them.
const ENCODINGS: [ContentEncoding; 5] = [
    ContentEncoding::Identity,
    ContentEncoding::Brotli,
    ContentEncoding::Gzip,
    ContentEncoding::Deflate,
    ContentEncoding::Zstd,
];

impl Etag {
    /// That of an answer that is identified by `parts`, for what this client accepts.
    #[must_use]
    pub fn for_request(request: &HttpRequest, parts: &[&str]) -> Self {
        let encoding = negotiated(request).as_str().as_bytes();
        // How rows are written can change with the program.
        let program = VERSION.as_bytes();
        let commit = COMMIT.as_bytes();
        let parts = parts.iter().map(|part| part.as_bytes()).chain([encoding, program, commit]);
        Self(EntityTag::new_strong(Validator::from_parts(parts).to_string()))
    }

    /// That of an object that is sent as it is stored.
    #[must_use]
    pub fn for_object(object: &ObjectHash) -> Self {
        Self(EntityTag::new_strong(Validator::from_object(object).to_string()))
    }

    /// Whether the client has this very answer.
    #[must_use]
    pub fn is_current(&self, request: &HttpRequest) -> bool {
        match IfNoneMatch::parse(request) {
            Ok(IfNoneMatch::Any) => request.headers().contains_key(actix_web::http::header::IF_NONE_MATCH),
            Ok(IfNoneMatch::Items(tags)) => tags.iter().any(|tag| tag.weak_eq(&self.0)),
            Err(_) => false,
        }
    }

    /// Whether a client that wants a certain version, by `If-Match`, wants this one.
    #[must_use]
    pub fn is_acceptable(&self, request: &HttpRequest) -> bool {
        if !request.headers().contains_key(IF_MATCH) {
            return true;
        }
        match IfMatch::parse(request) {
            Ok(IfMatch::Any) => true,
            Ok(IfMatch::Items(tags)) => tags.iter().any(|tag| tag.strong_eq(&self.0)),
            Err(_) => false,
        }
    }

    /// The beginning of the answer: 304 where the client has it, else 200, with what caches need to know.
    #[must_use]
    pub fn response(&self, request: &HttpRequest, audience: Audience) -> HttpResponseBuilder {
        let mut response = if self.is_current(request) { HttpResponse::NotModified() } else { HttpResponse::Ok() };
        response
            .insert_header((ETAG, self.etag()))
            .insert_header((CACHE_CONTROL, audience.cache_control()))
            .insert_header((VARY, "Accept-Encoding"));
        response
    }

    /// As the `ETag` header has it.
    #[must_use]
    pub fn etag(&self) -> String {
        self.to_string()
    }
}

impl fmt::Display for Etag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A small answer, identified by its own text: it is cheaper to write than to keep.
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
        let validator = Etag::for_request(request, &[&request.match_pattern().unwrap_or_default(), &text]);
        let mut response = validator.response(request, audience);
        if validator.is_current(request) {
            return response.finish();
        }
        response.content_type("application/json").body(text)
    }
}

/// The encoding the compressing middleware will choose.
pub(crate) fn negotiated(request: &HttpRequest) -> ContentEncoding {
    let accepted = AcceptEncoding::parse(request).ok();
    let chosen = accepted
        .and_then(|accepted| accepted.negotiate(ENCODINGS.map(actix_web::http::header::Encoding::Known).iter()));
    match chosen {
        Some(actix_web::http::header::Encoding::Known(encoding)) => encoding,
        _ => ContentEncoding::Identity,
    }
}
