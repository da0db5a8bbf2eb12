use std::mem::MaybeUninit;

use actix_http::h1::{Codec, MessageType};
use bytes::BytesMut;
use httparse::{Header, Status};
use tokio_util::codec::Decoder;

use crate::limits::{HEAD, HEADERS};
use crate::refusal::Refusal;

/// Space for the headers of one request.
pub type HeaderSpace<'b> = [MaybeUninit<Header<'b>>; HEADERS];

/// The head of a request: its first line and its headers.
#[derive(Debug)]
pub struct RequestHead<'h, 'b> {
    request: httparse::Request<'h, 'b>,
    length: usize,
}

impl<'h, 'b> RequestHead<'h, 'b> {
    /// Returns space for [`parse`](Self::parse).
    pub const fn space() -> HeaderSpace<'b> {
        [const { MaybeUninit::uninit() }; HEADERS]
    }

    /// Parses the head that `bytes` begin with; `None` if it is not complete.
    ///
    /// # Errors
    ///
    /// [`Refusal::HeadTooLarge`] above [`HEAD`] bytes or [`HEADERS`] headers, [`Refusal::Malformed`] if it is not HTTP/1.
    pub fn parse(bytes: &'b [u8], space: &'h mut HeaderSpace<'b>) -> Result<Option<Self>, Refusal> {
        let mut request = httparse::Request::new(&mut []);
        match request.parse_with_uninit_headers(bytes, space) {
            Ok(Status::Complete(length)) if length <= HEAD => Ok(Some(Self { request, length })),
            Ok(Status::Partial) if bytes.len() <= HEAD => Ok(None),
            Ok(_) | Err(httparse::Error::TooManyHeaders) => Err(Refusal::HeadTooLarge),
            Err(_) => Err(Refusal::Malformed),
        }
    }

    /// Returns the number of bytes, the blank line included.
    pub(crate) const fn length(&self) -> usize {
        self.length
    }

    /// Returns path and query as sent.
    pub fn target(&self) -> &'b str {
        self.request.path.unwrap_or_default()
    }

    /// Returns the headers in order: name and value.
    pub(crate) fn headers(&self) -> impl Iterator<Item = (&'b str, &'b [u8])> {
        self.request.headers.iter().map(|header| (header.name, header.value))
    }

    /// Returns the value of a header; `None` without it.
    ///
    /// # Errors
    ///
    /// [`RepeatedHeader`] if the request has it twice.
    pub fn header(&self, name: &str) -> Result<Option<&'b [u8]>, RepeatedHeader> {
        single(self.headers().filter(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value))
    }

    /// Returns true for a `GET` of HTTP/1.1 with one host, without a body, and without a wish about its connection other than to
    /// keep it open.
    pub(crate) fn is_plain_get(&self) -> bool {
        let is_get = (self.request.method, self.request.version) == (Some("GET"), Some(1));
        let mut hosts = 0;
        let is_plain = self.headers().all(|(name, value)| {
            hosts += usize::from(name.eq_ignore_ascii_case("host"));
            let is_kept = name.eq_ignore_ascii_case("connection") && value.eq_ignore_ascii_case(b"keep-alive");
            is_kept || !is_named(name, &CONNECTION) && !is_named(name, &BODY)
        });
        is_get && is_plain && hosts == 1 && self.target().starts_with('/')
    }

    /// Returns the library's own decoder, ready for the body that follows; `None` if none does, or if the library will refuse
    /// the head.
    pub(crate) fn body_decoder(&self, head: &[u8]) -> Option<Codec> {
        let may_have_body =
            self.request.method == Some("CONNECT") || self.headers().any(|(name, _)| is_named(name, &BODY));
        let mut codec = Codec::default();
        let is_head = may_have_body && matches!(codec.decode(&mut BytesMut::from(head)), Ok(Some(_)));
        (is_head && !matches!(codec.message_type(), MessageType::None)).then_some(codec)
    }
}

/// A header that a request has twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a header is repeated")]
pub struct RepeatedHeader;

/// Returns the only value of a header; `None` without a value.
pub(crate) fn single<'b>(mut values: impl Iterator<Item = &'b [u8]>) -> Result<Option<&'b [u8]>, RepeatedHeader> {
    let first = values.next();
    if values.next().is_some() { Err(RepeatedHeader) } else { Ok(first) }
}

/// Headers that announce a body, or a tunnel.
const BODY: [&str; 4] = ["content-length", "transfer-encoding", "upgrade", "expect"];

/// Headers about the connection.
const CONNECTION: [&str; 2] = ["connection", "proxy-connection"];

fn is_named(name: &str, known: &[&str]) -> bool {
    known.iter().any(|known| name.eq_ignore_ascii_case(known))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_plain_get(text: &str) -> bool {
        let mut space = RequestHead::space();
        RequestHead::parse(text.as_bytes(), &mut space).expect("HTTP").expect("a whole head").is_plain_get()
    }

    #[test]
    fn a_plain_get_has_no_header_about_a_body_or_its_connection() {
        let table = [
            ("GET /a HTTP/1.1\r\nhost: x\r\n\r\n", true),
            ("GET /a HTTP/1.1\r\nhost: x\r\nConnection: Keep-Alive\r\n\r\n", true),
            ("GET /a HTTP/1.1\r\n\r\n", false),
            ("GET /a HTTP/1.1\r\nhost: x\r\nHOST: x\r\n\r\n", false),
            ("GET http://x/a HTTP/1.1\r\nhost: x\r\n\r\n", false),
            ("GET /a HTTP/1.0\r\nhost: x\r\n\r\n", false),
            ("HEAD /a HTTP/1.1\r\nhost: x\r\n\r\n", false),
            ("GET /a HTTP/1.1\r\nhost: x\r\nContent-Length: 0\r\n\r\n", false),
            ("GET /a HTTP/1.1\r\nhost: x\r\nTransfer-Encoding: chunked\r\n\r\n", false),
            ("GET /a HTTP/1.1\r\nhost: x\r\nConnection: close\r\n\r\n", false),
            ("GET /a HTTP/1.1\r\nhost: x\r\nConnection: keep-alive, upgrade\r\n\r\n", false),
            ("GET /a HTTP/1.1\r\nhost: x\r\nUpgrade: websocket\r\n\r\n", false),
            ("GET /a HTTP/1.1\r\nhost: x\r\nExpect: 100-continue\r\n\r\n", false),
        ];
        for (text, expected) in table {
            assert_eq!(is_plain_get(text), expected, "{text:?}");
        }
    }

    #[test]
    fn a_head_has_at_most_64_headers_and_16_kib() {
        let with = |headers: usize, bytes: usize| {
            let mut text = "GET / HTTP/1.1\r\n".to_owned() + &"a:\r\n".repeat(headers - 1);
            let filling = "x".repeat(bytes.saturating_sub(text.len() + 6));
            text = [text.as_str(), "b:", &filling, "\r\n\r\n"].concat();
            let mut space = RequestHead::space();
            RequestHead::parse(text.as_bytes(), &mut space).map(|head| head.map(|head| head.length()))
        };
        assert!(matches!(with(64, 0), Ok(Some(_))));
        assert!(matches!(with(65, 0), Err(Refusal::HeadTooLarge)));
        assert!(matches!(with(2, HEAD), Ok(Some(HEAD))));
        assert!(matches!(with(2, HEAD + 1), Err(Refusal::HeadTooLarge)));
    }

    #[test]
    fn an_incomplete_head_is_no_error_and_garbage_is() {
        let parse = |bytes: &[u8]| {
            let mut space = RequestHead::space();
            RequestHead::parse(bytes, &mut space).map(|head| head.is_some())
        };
        assert!(matches!(parse(b"GET / HTTP/1.1\r\nhost: x\r\n"), Ok(false)));
        assert!(matches!(parse(&vec![b'a'; HEAD]), Ok(false)));
        assert!(matches!(parse(&vec![b'a'; HEAD + 1]), Err(Refusal::HeadTooLarge)));
        assert!(matches!(parse(b"\0\0\0"), Err(Refusal::Malformed)));
    }
}
