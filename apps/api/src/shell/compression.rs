use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_ENCODING, HeaderMap, HeaderValue};

use crate::caching::Audience;

/// Keeps the compressor away from what no caller has paid for: it would work anew for each request, as hard as the
/// request says. Public answers go out as they are, or in a form that was compressed once and kept; so do failures.
/// The mark is taken away again behind the compressor.
pub(super) fn decide(status: StatusCode, headers: &mut HeaderMap, audience: Audience) {
    let is_failure = status.is_client_error() || status.is_server_error();
    if (is_failure || audience == Audience::Public) && !headers.contains_key(CONTENT_ENCODING) {
        headers.insert(CONTENT_ENCODING, HeaderValue::from_static("identity"));
    }
}
