//! Caches of clients: `Cache-Control`, and conditional requests with `ETag` and 304.

use std::fmt;

use actix_web::http::StatusCode;
use actix_web::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, ETAG, EntityTag, Header, HeaderMap, HeaderName, HeaderValue, IF_MATCH,
    IF_NONE_MATCH, IfMatch, IfNoneMatch, REFERRER_POLICY, VARY, X_CONTENT_TYPE_OPTIONS,
};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder};

use crate::encoding::Encoding;

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
    /// Returns the value of `Cache-Control`.
    pub const fn cache_control(self) -> &'static str {
        match self {
            Self::KeyHolder => "private, no-cache",
            Self::Public => "public, no-cache",
        }
    }

    /// Inserts a `Cache-Control` header if the handler set none. A failure is never stored, because it may be over in a moment.
    pub fn insert_default(self, status: StatusCode, headers: &mut HeaderMap) {
        if status.is_client_error() || status.is_server_error() {
            headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        } else if !headers.contains_key(CACHE_CONTROL) {
            headers.insert(CACHE_CONTROL, HeaderValue::from_static(self.cache_control()));
        }
    }
}

impl Etag {
    /// Returns a strong validator of this text, which may not have quotes.
    pub fn new(text: String, encoding: Encoding) -> Self {
        Self { tag: EntityTag::new_strong(text), encoding }
    }

    /// Returns the encoding of the representation.
    pub const fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Returns true if the client has this representation (`If-None-Match`).
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
    pub fn response(&self, request: &HttpRequest, audience: Audience) -> HttpResponseBuilder {
        self.response_varying(request, audience, "Accept-Encoding")
    }

    /// Returns the same for an answer whose form depends on the headers in `vary`.
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
    pub fn etag(&self) -> String {
        self.to_string()
    }
}

impl fmt::Display for Etag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.tag.fmt(f)
    }
}

// Headers that restrict browsers.

/// The headers of data: a browser that displays it guesses no type, runs and loads nothing and embeds it in no frame. It sends
/// the address, which can contain a key, to nobody.
const BROWSER_HEADERS: [(HeaderName, &str); 3] = [
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (REFERRER_POLICY, "no-referrer"),
    (CONTENT_SECURITY_POLICY, "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"),
];

/// Inserts the headers that restrict browsers. The policy of a page stays as its handler set it.
pub fn insert_browser_headers(headers: &mut HeaderMap) {
    for (name, value) in BROWSER_HEADERS {
        if name != CONTENT_SECURITY_POLICY || !headers.contains_key(CONTENT_SECURITY_POLICY) {
            headers.insert(name, HeaderValue::from_static(value));
        }
    }
}
