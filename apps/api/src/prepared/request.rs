use actix_web::dev::RequestHead;
use actix_web::http::Method;
use actix_web::http::header::{ACCEPT, ACCEPT_ENCODING, HeaderName, HeaderValue};

/// A `GET` without a body and without anything unusual about it, as far as preparing answers goes.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct PlainRequest<'a> {
    /// The path and query.
    pub(super) target: &'a str,
    pub(super) accept: Option<&'a [u8]>,
    pub(super) accept_encoding: Option<&'a [u8]>,
    pub(super) if_none_match: Option<&'a [u8]>,
    pub(super) api_key: Option<&'a [u8]>,
    pub(super) authorization: Option<&'a [u8]>,
    pub(super) request_id: Option<&'a [u8]>,
    pub(super) traceparent: Option<&'a [u8]>,
    pub(super) forwarded_for: Option<&'a [u8]>,
}

/// What a client sent instead of a plain request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NotPlain {
    /// One request, complete and without a body, but not a plain one.
    Whole,
    /// Anything else: part of a request, several of them, or something that is none.
    Other,
}

/// How many headers a plain request has at most.
const HEADERS: usize = 32;

impl<'a> PlainRequest<'a> {
    /// Reads what a client sent, which is a plain request only if it is one from the first byte to the last.
    pub(super) fn parse(bytes: &'a [u8]) -> Result<Self, NotPlain> {
        let mut headers = [httparse::EMPTY_HEADER; HEADERS];
        let mut request = httparse::Request::new(&mut headers);
        let length = request.parse(bytes).map_err(|_| NotPlain::Other)?;
        let (Some("GET"), Some(1), Some(target)) = (request.method, request.version, request.path) else {
            return Err(NotPlain::Other);
        };
        if length != httparse::Status::Complete(bytes.len()) {
            return Err(NotPlain::Other);
        }
        let mut plain = Self { target, ..Self::default() };
        let (mut is_whole, mut is_plain) = (true, target.starts_with('/'));
        for httparse::Header { name, value } in request.headers.iter() {
            let value = *value;
            let is = |known: &str| name.eq_ignore_ascii_case(known);
            let place = if is("accept") {
                &mut plain.accept
            } else if is("accept-encoding") {
                &mut plain.accept_encoding
            } else if is("if-none-match") {
                &mut plain.if_none_match
            } else if is("x-api-key") {
                &mut plain.api_key
            } else if is("authorization") {
                &mut plain.authorization
            } else if is("x-request-id") {
                &mut plain.request_id
            } else if is("traceparent") {
                &mut plain.traceparent
            } else if is("x-forwarded-for") {
                &mut plain.forwarded_for
            } else {
                let is_usual_connection = is("connection") && value.eq_ignore_ascii_case(b"keep-alive");
                is_whole &= is_usual_connection || !BODY_OR_CONNECTION.iter().any(|known| is(known));
                // Only the whole of an answer is ready.
                is_plain &= !is("range");
                continue;
            };
            // Which of two counts is for the library to say.
            is_plain &= place.replace(value).is_none();
        }
        match (is_whole, is_plain) {
            (true, true) => Ok(plain),
            (true, false) => Err(NotPlain::Whole),
            (false, _) => Err(NotPlain::Other),
        }
    }

    /// As the library has read it, as far as its answer is chosen by it.
    pub(super) fn of_head(head: &'a RequestHead) -> Option<Self> {
        let header = |name: HeaderName| head.headers.get(name).map(HeaderValue::as_bytes);
        let target = head.uri.path_and_query()?.as_str();
        let (accept, accept_encoding) = (header(ACCEPT), header(ACCEPT_ENCODING));
        (head.method == Method::GET).then(|| Self { target, accept, accept_encoding, ..Self::default() })
    }
}

/// Headers that say what follows the head of a request, or what becomes of its connection.
const BODY_OR_CONNECTION: [&str; 6] =
    ["connection", "content-length", "transfer-encoding", "upgrade", "expect", "proxy-connection"];

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<PlainRequest<'_>, NotPlain> {
        PlainRequest::parse(text.as_bytes())
    }

    #[test]
    fn a_plain_request_is_read_with_the_headers_that_matter() {
        let text = "GET /a?b=c HTTP/1.1\r\nHost: x\r\nX-API-KEY: k\r\naccept-Encoding: gzip, br\r\nConnection: Keep-Alive\r\n\r\n";
        let plain = parsed(text).expect("plain");
        assert_eq!(plain.target, "/a?b=c");
        assert_eq!(plain.api_key, Some(&b"k"[..]));
        assert_eq!(plain.accept_encoding, Some(&b"gzip, br"[..]));
        assert_eq!((plain.accept, plain.if_none_match), (None, None));
    }

    #[test]
    fn what_is_no_plain_request_is_left_to_the_library() {
        let table = [
            ("GET /a HTTP/1.1\r\nhost: x\r\n\r\n", None),
            ("GET /a HTTP/1.1\r\nX-API-Key: a\r\nX-API-Key: b\r\n\r\n", Some(NotPlain::Whole)),
            ("GET /a HTTP/1.1\r\nif-none-match: a\r\nIf-None-Match: b\r\n\r\n", Some(NotPlain::Whole)),
            ("GET http://x/a HTTP/1.1\r\nhost: x\r\n\r\n", Some(NotPlain::Whole)),
            ("GET /a HTTP/1.1\r\nRange: bytes=0-9\r\n\r\n", Some(NotPlain::Whole)),
            ("GET /a HTTP/1.1\r\nhost: x\r\n\r\nG", Some(NotPlain::Other)),
            ("GET /a HTTP/1.1\r\nhost: x\r\n\r\nGET /b HTTP/1.1\r\nhost: x\r\n\r\n", Some(NotPlain::Other)),
            ("GET /a HTTP/1.1\r\nhost: x\r\n", Some(NotPlain::Other)),
            ("GET /a HTTP/1.0\r\nhost: x\r\n\r\n", Some(NotPlain::Other)),
            ("HEAD /a HTTP/1.1\r\nhost: x\r\n\r\n", Some(NotPlain::Other)),
            ("POST /a HTTP/1.1\r\nhost: x\r\n\r\n", Some(NotPlain::Other)),
            ("GET /a HTTP/1.1\r\nContent-Length: 0\r\n\r\n", Some(NotPlain::Other)),
            ("GET /a HTTP/1.1\r\ncontent-length: 3\r\n\r\nabc", Some(NotPlain::Other)),
            ("GET /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", Some(NotPlain::Other)),
            ("GET /a HTTP/1.1\r\nConnection: close\r\n\r\n", Some(NotPlain::Other)),
            ("GET /a HTTP/1.1\r\nConnection: keep-alive, upgrade\r\n\r\n", Some(NotPlain::Other)),
            ("GET /a HTTP/1.1\r\nUpgrade: websocket\r\n\r\n", Some(NotPlain::Other)),
            ("GET /a HTTP/1.1\r\nExpect: 100-continue\r\n\r\n", Some(NotPlain::Other)),
            ("GET  /a HTTP/1.1\r\n\r\n", Some(NotPlain::Other)),
            ("\0\0\0", Some(NotPlain::Other)),
        ];
        for (text, expected) in table {
            assert_eq!(parsed(text).err(), expected, "{text:?}");
        }
    }
}
