//! Telling a client that what it has is still what it would get.

use std::fmt;

use actix_web::HttpRequest;
use actix_web::http::header::{AcceptEncoding, ContentEncoding, EntityTag, Header, IfNoneMatch};
use sports_publication::ObjectHash;

/// Names one representation of one answer: what it says, in which form, under which content encoding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Validator(EntityTag);

/// The encodings the server compresses with, in the order its middleware prefers them.
const ENCODINGS: [ContentEncoding; 5] = [
    ContentEncoding::Identity,
    ContentEncoding::Brotli,
    ContentEncoding::Gzip,
    ContentEncoding::Deflate,
    ContentEncoding::Zstd,
];

impl Validator {
    /// The validator of an answer that is told apart by `parts`, for what this client accepts.
    #[must_use]
    pub fn of(request: &HttpRequest, parts: &[&str]) -> Self {
        let encoding = negotiated(request).as_str().as_bytes();
        // How rows are written can change with the program.
        let program = concat!(env!("CARGO_PKG_VERSION"), "/").as_bytes();
        let commit = option_env!("SPORTS_COMMIT").unwrap_or_default().as_bytes();
        let parts = parts.iter().map(|part| part.as_bytes()).chain([encoding, program, commit]);
        Self(EntityTag::new_strong(ObjectHash::of_parts(parts).short(32)))
    }

    /// The validator of an object that is sent as it is stored.
    #[must_use]
    pub fn of_object(object: &ObjectHash) -> Self {
        Self(EntityTag::new_strong(object.to_string()))
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

    /// As the `ETag` header has it.
    #[must_use]
    pub fn etag(&self) -> String {
        self.to_string()
    }
}

impl fmt::Display for Validator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The encoding the compressing middleware will choose.
fn negotiated(request: &HttpRequest) -> ContentEncoding {
    let accepted = AcceptEncoding::parse(request).ok();
    let chosen = accepted
        .and_then(|accepted| accepted.negotiate(ENCODINGS.map(actix_web::http::header::Encoding::Known).iter()));
    match chosen {
        Some(actix_web::http::header::Encoding::Known(encoding)) => encoding,
        _ => ContentEncoding::Identity,
    }
}
