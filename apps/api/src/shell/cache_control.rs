use actix_web::http::StatusCode;
use actix_web::http::header::{CACHE_CONTROL, HeaderMap, HeaderValue};

use crate::caching::Audience;

/// Inserts a `Cache-Control` header if the handler set none. A failure is never stored, because it may be over in a moment.
pub(super) fn insert_default(status: StatusCode, headers: &mut HeaderMap, audience: Audience) {
    if status.is_client_error() || status.is_server_error() {
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    } else if !headers.contains_key(CACHE_CONTROL) {
        headers.insert(CACHE_CONTROL, HeaderValue::from_static(audience.cache_control()));
    }
}
