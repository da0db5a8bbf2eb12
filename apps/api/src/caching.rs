//! Telling a client that what it has is still what it would get.

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

/// A validator as the `ETag` header has it. It names one representation of an answer: what it says, in which form, under
/// which content encoding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Etag {
    tag: EntityTag,
    encoding: Encoding,
}

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

impl Etag {
    /// That of an answer that is identified by `parts`, for what this client accepts.
    #[must_use]
    pub fn for_request(request: &HttpRequest, parts: &[&str]) -> Self {
        // Who takes nothing at all was refused before.
        Self::named(parts, Encoding::negotiated(request.headers()).unwrap_or(Encoding::Identity))
    }

    /// That of an answer that is identified by `parts` and is never compressed.
    #[must_use]
    pub fn plain(parts: &[&str]) -> Self {
        Self::named(parts, Encoding::Identity)
    }

    fn named(parts: &[&str], encoding: Encoding) -> Self {
        // How rows are written can change with the program.
        let program = VERSION.as_bytes();
        let commit = COMMIT.as_bytes();
        let parts = parts.iter().map(|part| part.as_bytes()).chain([encoding.name().as_bytes(), program, commit]);
        Self { tag: EntityTag::new_strong(Validator::from_parts(parts).to_string()), encoding }
    }

    /// That of an object that is sent as it is stored.
    #[must_use]
    pub fn for_object(object: &ObjectHash) -> Self {
        Self { tag: EntityTag::new_strong(Validator::from_object(object).to_string()), encoding: Encoding::Identity }
    }

    /// The encoding of the representation that it names, which this client prefers.
    #[must_use]
    pub const fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Whether the client has this very answer.
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

    /// Whether a client that wants a certain version, by `If-Match`, wants this one.
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

    /// The beginning of the answer: 304 where the client has it, else 200, with what caches need to know.
    #[must_use]
    pub fn response(&self, request: &HttpRequest, audience: Audience) -> HttpResponseBuilder {
        self.response_varying(request, audience, "Accept-Encoding")
    }

    /// The same for an answer whose form depends on the headers named in `vary`.
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

    /// As the `ETag` header has it.
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

/// A small answer, identified by its own text: it is cheaper to write than to keep, and fits into one packet as it is.
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
