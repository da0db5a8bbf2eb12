use actix_web::http::StatusCode;
use actix_web::http::header::{CACHE_CONTROL, HeaderMap, HeaderValue};

use crate::caching::Audience;

/// Says who may keep an answer, where its handler did not. A failure is never kept: it may be over the next moment.
pub(super) fn say(status: StatusCode, headers: &mut HeaderMap, audience: Audience) {
    if status.is_client_error() || status.is_server_error() {
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    } else if !headers.contains_key(CACHE_CONTROL) {
        headers.insert(CACHE_CONTROL, HeaderValue::from_static(audience.cache_control()));
    }
}
