use actix_web::dev::RequestHead as LibraryHead;
use actix_web::http::Method;
use actix_web::http::header::{ACCEPT, ACCEPT_ENCODING, HeaderName, HeaderValue};

use super::policy::{CachePolicy, Variant};
use crate::head::{RequestHead, single};

/// The key of a cached response: path, query and negotiated variant. It contains no byte of a header, so two requests have
/// equal keys exactly if the application responds to them equally.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CacheKey<'a> {
    /// Path and query.
    pub(super) target: &'a str,
    pub(super) variant: Variant,
}

impl<'a> CacheKey<'a> {
    /// Returns the key of a request before the library receives it; `None` if the library has to receive it: no plain `GET`,
    /// one for a range, or one that the application refuses.
    pub(super) fn of_head(head: &RequestHead<'_, 'a>, policy: &dyn CachePolicy) -> Option<Self> {
        if !head.is_plain_get() || head.header("range") != Ok(None) {
            return None;
        }
        let variant = policy.variant(head.header("accept").ok()?, head.header("accept-encoding").ok()?)?;
        Some(Self { target: head.target(), variant })
    }

    /// Returns the key of a request as the library has parsed it; `None` if [`of_head`](Self::of_head) finds no key, or if the
    /// query may contain an API key, which is not to be stored.
    pub(super) fn of_request(head: &'a LibraryHead, policy: &dyn CachePolicy) -> Option<Self> {
        let target = head.uri.path_and_query()?.as_str();
        if head.method != Method::GET || may_have_key(target) {
            return None;
        }
        let header = |name: HeaderName| single(head.headers.get_all(name).map(HeaderValue::as_bytes)).ok();
        let variant = policy.variant(header(ACCEPT)?, header(ACCEPT_ENCODING)?)?;
        Some(Self { target, variant })
    }
}

/// Returns true if the path, or the name of a parameter, has an escape or names an API key.
fn may_have_key(target: &str) -> bool {
    let names = target.split(['?', '&']).filter_map(|part| part.split('=').next());
    names.into_iter().any(|name| name.contains("api_key") || name.contains('%'))
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::super::policy::tests::Lengths;
    use super::*;

    fn of_head(headers: &str) -> Option<Variant> {
        let text = format!("GET /a?b=c HTTP/1.1\r\nHost: x\r\n{headers}\r\n");
        let mut space = RequestHead::space();
        let head = RequestHead::parse(text.as_bytes(), &mut space).expect("HTTP").expect("a head");
        let key = CacheKey::of_head(&head, &Lengths)?;
        assert_eq!(key.target, "/a?b=c");
        Some(key.variant)
    }

    #[test]
    fn a_request_with_a_range_or_a_repeated_header_has_no_key() {
        let table = [
            ("", Some([0, 0])),
            ("Accept: */*\r\nAccept-Encoding: gzip\r\n", Some([3, 4])),
            ("ACCEPT: text/csv\r\n", Some([8, 0])),
            ("Accept-Encoding: refused\r\n", None),
            ("Accept: */*\r\nAccept: text/csv\r\n", None),
            ("Accept-Encoding: gzip\r\naccept-encoding: br\r\n", None),
            ("Range: bytes=0-9\r\n", None),
        ];
        for (headers, expected) in table {
            assert_eq!(of_head(headers), expected.map(Variant), "{headers:?}");
        }
    }

    #[test]
    fn a_stored_response_is_found_by_the_same_request() {
        for (accept, encoding) in [("*/*", "gzip"), ("text/csv", "br, gzip"), ("text/csv;q=0.1", "identity")] {
            let request = TestRequest::with_uri("/a?b=c")
                .insert_header(("Accept", accept))
                .insert_header(("Accept-Encoding", encoding))
                .to_http_request();
            let stored = CacheKey::of_request(request.head(), &Lengths).map(|key| key.variant);
            assert_eq!(stored, of_head(&format!("Accept: {accept}\r\nAccept-Encoding: {encoding}\r\n")));
            assert!(stored.is_some());
        }
    }

    #[test]
    fn nothing_that_may_have_a_key_is_stored() {
        for target in ["/a?api_key=x", "/a?%61pi_key=x", "/a?b=c&api%5Fkey=x", "/a?b=c?&api_key", "/%61"] {
            let request = TestRequest::with_uri(target).to_http_request();
            assert_eq!(CacheKey::of_request(request.head(), &Lengths), None, "{target}");
        }
        let escaped = TestRequest::with_uri("/a?time=19%3A30&name=api_key").to_http_request();
        let key = CacheKey::of_request(escaped.head(), &Lengths).expect("no parameter is a key");
        assert_eq!(key.target, "/a?time=19%3A30&name=api_key");
        let post = TestRequest::post().uri("/a").to_http_request();
        assert_eq!(CacheKey::of_request(post.head(), &Lengths), None);
    }
}
