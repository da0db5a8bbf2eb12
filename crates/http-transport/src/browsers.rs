//! Headers that restrict browsers.

use actix_web::http::header::{
    CONTENT_SECURITY_POLICY, HeaderMap, HeaderName, HeaderValue, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};

/// The headers of data: a browser that displays it guesses no type, runs and loads nothing and embeds it in no frame. It sends
/// the address, which can contain a key, to nobody.
pub(crate) const BROWSER_HEADERS: [(HeaderName, &str); 3] = [
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
