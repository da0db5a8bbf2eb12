use actix_web::dev::RequestHead as LibraryHead;
use actix_web::http::Method;
use actix_web::http::header::HeaderValue;

use crate::connections::RequestHead;
use crate::encoding::Encoding;
use crate::format::Format;
use crate::params::API_KEY;

/// The name of a cached response: path, query, and the form that was negotiated. It has no byte of a header, so two requests
/// have one name exactly if the application gives them one response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CacheKey<'a> {
    /// Path and query.
    pub(super) target: &'a str,
    pub(super) form: NegotiatedForm,
}

/// The representation that a client prefers among all there are. A route without tables ignores the format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NegotiatedForm {
    format: Format,
    encoding: Encoding,
}

impl<'a> CacheKey<'a> {
    /// Returns the name of the response to a request as the library has parsed it; `None` of any but a `GET`, of one that no
    /// encoding suits, and of one that may have a key in its query, which is not to be stored.
    pub(super) fn of_request(head: &'a LibraryHead) -> Option<Self> {
        let target = head.uri.path_and_query()?.as_str();
        let may_have_key = target.contains(API_KEY) || target.contains('%');
        if head.method != Method::GET || may_have_key {
            return None;
        }
        let format = Format::preferred(head.headers.get_all("accept"));
        let encoding = Encoding::negotiated(&head.headers)?;
        Some(Self { target, form: NegotiatedForm { format, encoding } })
    }
}

/// A plain `GET` with the headers that a cached response depends on, each at most once.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct CacheableRequest<'a> {
    pub(super) target: &'a str,
    accept: Option<&'a [u8]>,
    accept_encoding: Option<&'a [u8]>,
    pub(super) if_none_match: Option<&'a [u8]>,
    pub(super) api_key: Option<&'a [u8]>,
    pub(super) authorization: Option<&'a [u8]>,
    pub(super) request_id: Option<&'a [u8]>,
    pub(super) traceparent: Option<&'a [u8]>,
    pub(super) forwarded_for: Option<&'a [u8]>,
}

impl<'a> CacheableRequest<'a> {
    /// Reads a request; `None` if it is for the library: no plain `GET`, one for a part of a file, or one with any of these
    /// headers twice.
    pub(super) fn read(head: &RequestHead<'_, 'a>) -> Option<Self> {
        if !head.is_plain_get() {
            return None;
        }
        let mut read = Self { target: head.target(), ..Self::default() };
        for (name, value) in head.headers() {
            let is = |known: &str| name.eq_ignore_ascii_case(known);
            let field = if is("accept") {
                &mut read.accept
            } else if is("accept-encoding") {
                &mut read.accept_encoding
            } else if is("if-none-match") {
                &mut read.if_none_match
            } else if is("x-api-key") {
                &mut read.api_key
            } else if is("authorization") {
                &mut read.authorization
            } else if is("x-request-id") {
                &mut read.request_id
            } else if is("traceparent") {
                &mut read.traceparent
            } else if is("x-forwarded-for") {
                &mut read.forwarded_for
            } else if is("range") {
                return None;
            } else {
                continue;
            };
            if field.replace(value).is_some() {
                return None;
            }
        }
        Some(read)
    }

    /// Returns the name of its response; `None` if no encoding suits it.
    pub(super) fn key(&self) -> Option<CacheKey<'a>> {
        let format = match self.accept {
            None | Some(b"*/*" | b"application/json") => Format::Json,
            Some(accept) => Format::preferred([&HeaderValue::from_bytes(accept).ok()?].into_iter()),
        };
        let encoding = Encoding::preferred(self.accept_encoding.into_iter())?;
        Some(CacheKey { target: self.target, form: NegotiatedForm { format, encoding } })
    }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    fn key(headers: &str) -> Option<(Format, Encoding)> {
        let text = format!("GET /a?b=c HTTP/1.1\r\nHost: x\r\n{headers}\r\n");
        let mut space = RequestHead::space();
        let head = RequestHead::parse(text.as_bytes(), &mut space).expect("HTTP").expect("a head");
        let key = CacheableRequest::read(&head)?.key()?;
        assert_eq!(key.target, "/a?b=c");
        Some((key.form.format, key.form.encoding))
    }

    #[test]
    fn a_request_is_named_by_what_it_negotiates_and_not_by_its_bytes() {
        use Encoding::{Brotli, Gzip, Identity};
        use Format::{Csv, Json};
        let table = [
            ("", Some((Json, Identity))),
            ("Accept: */*\r\nAccept-Encoding: gzip\r\n", Some((Json, Gzip))),
            ("ACCEPT: text/csv , */*;q=0.1\r\nAccept-Encoding: deflate, gzip;q=0.5, br\r\n", Some((Csv, Brotli))),
            ("Accept: text/html, application/xhtml+xml;q=0.9, */*;q=0.8\r\n", Some((Json, Identity))),
            ("Accept: not a type\r\n", Some((Json, Identity))),
            ("Accept-Encoding: identity;q=0\r\n", None),
            ("Accept: */*\r\nAccept: text/csv\r\n", None),
            ("Accept-Encoding: gzip\r\naccept-encoding: br\r\n", None),
            ("X-API-Key: a\r\nX-API-Key: b\r\n", None),
            ("Range: bytes=0-9\r\n", None),
        ];
        for (headers, expected) in table {
            assert_eq!(key(headers), expected, "{headers:?}");
        }
    }

    #[test]
    fn what_is_stored_is_found_by_the_same_request() {
        for (accept, encoding) in
            [("*/*", "gzip"), ("text/csv", "br, gzip"), ("text/csv;q=0.1, application/json", "identity")]
        {
            let stored = TestRequest::with_uri("/a?b=c")
                .insert_header(("Accept", accept))
                .insert_header(("Accept-Encoding", encoding))
                .to_http_request();
            let stored = CacheKey::of_request(stored.head()).map(|key| (key.form.format, key.form.encoding));
            assert_eq!(stored, key(&format!("Accept: {accept}\r\nAccept-Encoding: {encoding}\r\n")));
        }
    }

    #[test]
    fn neither_a_key_nor_an_escape_is_stored() {
        for target in ["/a?api_key=x", "/a?%61pi_key=x"] {
            assert_eq!(CacheKey::of_request(TestRequest::with_uri(target).to_http_request().head()), None, "{target}");
        }
        let post = TestRequest::post().uri("/a").to_http_request();
        assert_eq!(CacheKey::of_request(post.head()), None);
    }
}
