//! Headers that say what browsers may do with an answer.

use actix_web::http::header::{
    CONTENT_SECURITY_POLICY, HeaderMap, HeaderName, HeaderValue, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};

/// For data: a browser that is shown it guesses no type, runs nothing, loads nothing and puts it in no frame. The address
/// that it came from, which can hold a key, is sent nowhere.
pub(crate) const FOR_DATA: [(HeaderName, &str); 3] = [
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (REFERRER_POLICY, "no-referrer"),
    (CONTENT_SECURITY_POLICY, "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"),
];

/// Writes these headers. The policy of a page stays as its handler wrote it.
pub(crate) fn say(headers: &mut HeaderMap) {
    for (name, value) in FOR_DATA {
        if name != CONTENT_SECURITY_POLICY || !headers.contains_key(CONTENT_SECURITY_POLICY) {
            headers.insert(name, HeaderValue::from_static(value));
        }
    }
}
