use std::convert::Infallible;
use std::mem;

use actix_http::Response;
use actix_web::body::{BodySize, BodyStream, BoxBody, MessageBody, to_bytes};
use actix_web::dev::{RequestHead, ServiceResponse};
use actix_web::http::header::{
    ACCEPT, ACCEPT_ENCODING, CONTENT_DISPOSITION, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, ETAG, EXPECT,
    HeaderName, HeaderValue, RANGE, TRANSFER_ENCODING, UPGRADE,
};
use actix_web::http::{Method, StatusCode};
use actix_web::{Error, HttpMessage, HttpRequest, HttpResponse};
use bytes::Bytes;
use chrono::{DateTime, NaiveDate, Utc};
use futures::stream;
use quick_cache::Equivalent;
use sports_domain::Sport;
use sports_telemetry::metrics::Route;

use super::repeatable::{Repeatable, league_of};
use crate::call_headers::CALL_HEADERS;
use crate::connection::Connection;
use crate::tail::Tail;

/// A response without the headers of one call.
pub(super) struct CachedResponse<R> {
    pub(super) properties: Properties<R>,
    headers: Vec<(HeaderName, HeaderValue)>,
    /// The headers and the blank line of its replies, as HTTP/1 has them.
    of_whole: Bytes,
    of_unchanged: Bytes,
    /// The body; `None` if only clients that have the response requested it.
    body: Option<Bytes>,
}

/// The properties of a response that do not depend on its body.
pub(super) struct Properties<R> {
    etag: String,
    /// The route of the operation.
    pub(super) route: Route,
    /// The league in the path.
    pub(super) league: Option<Sport>,
    pub(super) repeatable: Repeatable,
    /// The rule by which its callers are admitted.
    pub(super) rule: R,
}

/// The reply to one request for a cached response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reply {
    /// The response.
    Whole,
    /// 304: the client has it.
    Unchanged,
}

/// The largest body that is cached. Sending a larger one costs so much that a cached head gains nothing.
const LARGEST: u64 = 256 * 1024;

impl<R: Copy + 'static> CachedResponse<R> {
    /// Copies a response of the application that may be cached; returns both.
    pub(super) async fn of_response(response: ServiceResponse) -> Result<(Option<Self>, Response<BoxBody>), Error> {
        let Some(properties) = Properties::of(response.request(), response.response()) else {
            return Ok((None, response.into()));
        };
        let (response, body) = response.into_parts().1.into_parts();
        let body = to_bytes(body).await?;
        let headers = response.headers().iter().filter(|(name, _)| !CALL_HEADERS.contains(name));
        let headers = headers.map(|(name, value)| (name.clone(), value.clone())).collect();
        let whole = (response.status() == StatusCode::OK).then(|| body.clone());
        Ok((Some(Self::new(properties, headers, whole)), response.set_body(BoxBody::new(body)).into()))
    }

    fn new(properties: Properties<R>, headers: Vec<(HeaderName, HeaderValue)>, body: Option<Bytes>) -> Self {
        let [of_whole, of_unchanged] = [Reply::Whole, Reply::Unchanged].map(|reply| {
            let mut lines = Vec::new();
            for (name, value) in headers.iter().filter(|(name, _)| reply.has(name)) {
                lines.extend([name.as_str().as_bytes(), b": ", value.as_bytes(), b"\r\n"].concat());
            }
            if let (Reply::Whole, Some(body)) = (reply, &body) {
                lines.extend_from_slice(format!("content-length: {}\r\n", body.len()).as_bytes());
            }
            lines.extend_from_slice(Tail::BLANK_LINE);
            Bytes::from(lines)
        });
        Self { properties, headers, of_whole, of_unchanged, body }
    }

    /// Returns the reply to a request with this `If-None-Match`; `None` if the application has to evaluate it.
    pub(super) fn reply(&self, if_none_match: Option<&[u8]>) -> Option<Reply> {
        let whole = self.body.as_ref().map(|_| Reply::Whole);
        let Some(has) = if_none_match else { return whole };
        let is_one_tag = |tag: &[u8]| tag.len() > 2 && tag.starts_with(b"\"") && tag.ends_with(b"\"");
        let tag = has.strip_prefix(b"W/").unwrap_or(has);
        if tag == self.properties.etag.as_bytes() {
            return Some(Reply::Unchanged);
        }
        // Lists and stars are for the handler.
        whole.filter(|_| is_one_tag(tag) && !tag.contains(&b','))
    }

    /// Returns a reply without the headers of one call. Over HTTP/1 all but its status is left to the connection.
    pub(super) fn respond(&self, reply: Reply, connection: Option<&Connection>) -> Response<BoxBody> {
        let (lines, body) = match reply {
            Reply::Whole => (&self.of_whole, self.body.clone().unwrap_or_default()),
            Reply::Unchanged => (&self.of_unchanged, Bytes::new()),
        };
        let Some(connection) = connection.filter(|connection| !connection.is_multiplexed()) else {
            let mut response = Response::with_body(reply.status(), BoxBody::new(body));
            let headers = self.headers.iter().filter(|(name, _)| reply.has(name));
            headers.for_each(|(name, value)| response.headers_mut().append(name.clone(), value.clone()));
            return response;
        };
        *connection.tail() = Tail { lines: lines.clone(), body };
        // The library writes neither the length, which is in the tail, nor chunks.
        let nothing = BodyStream::new(stream::empty::<Result<Bytes, Infallible>>());
        let mut response = Response::with_body(reply.status(), BoxBody::new(nothing));
        response.head_mut().no_chunking(true);
        response
    }

    /// Returns true if it has a body for clients that do not have one.
    pub(super) const fn is_whole(&self) -> bool {
        self.body.is_some()
    }

    /// Returns its approximate size in memory, in bytes.
    pub(super) fn size(&self) -> usize {
        let values: usize = self.headers.iter().map(|(_, value)| value.len()).sum();
        let body = self.body.as_ref().map_or(0, Bytes::len);
        let lines = self.of_whole.len() + self.of_unchanged.len();
        size_of::<Self>() + self.properties.etag.capacity() + mem::size_of_val(&*self.headers) + values + lines + body
    }
}

impl Reply {
    /// Returns true if the reply has this header of the response.
    fn has(self, name: &HeaderName) -> bool {
        self == Self::Whole || ![CONTENT_TYPE, CONTENT_ENCODING, CONTENT_DISPOSITION].contains(name)
    }

    pub(super) const fn status(self) -> StatusCode {
        match self {
            Self::Whole => StatusCode::OK,
            Self::Unchanged => StatusCode::NOT_MODIFIED,
        }
    }
}

impl<R: Copy + 'static> Properties<R> {
    /// Returns the properties of a response; `None` if it may not be cached or is too large.
    fn of(request: &HttpRequest, response: &HttpResponse<BoxBody>) -> Option<Self> {
        let fits = match response.status() {
            StatusCode::OK => matches!(response.body().size(), BodySize::Sized(size) if size <= LARGEST),
            status => status == StatusCode::NOT_MODIFIED,
        };
        let repeatable = request.extensions().get::<Repeatable>().filter(|_| fits)?.clone();
        Some(Self {
            etag: response.headers().get(ETAG)?.to_str().ok()?.to_owned(),
            route: request.app_data::<Route>()?.clone(),
            league: league_of(request),
            repeatable,
            rule: *request.app_data::<R>()?,
        })
    }
}

#[cfg(test)]
impl CachedResponse<()> {
    /// Creates a response with this body.
    pub(super) fn with_body(body: Vec<u8>, league: Option<Sport>) -> Self {
        let (etag, route, repeatable) = ("\"x\"".to_owned(), Route::new("/"), Repeatable::default());
        let properties = Properties { etag, route, league, repeatable, rule: () };
        Self::new(properties, Vec::new(), Some(body.into()))
    }

    /// Adds a condition to the response.
    pub(super) fn repeatable(mut self, repeatable: Repeatable) -> Self {
        self.properties.repeatable = repeatable;
        self
    }
}

/// The key of a cached response: path, query and negotiated variant. It contains no byte of a header, so two requests have
/// equal keys exactly if the application responds to them equally.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct CacheKey<'a> {
    /// Path and query.
    pub(super) target: &'a str,
    pub(super) variant: Variant,
}

/// A key that is stored.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct OwnedKey {
    pub(super) target: Box<str>,
    variant: Variant,
}

impl Equivalent<OwnedKey> for CacheKey<'_> {
    fn equivalent(&self, key: &OwnedKey) -> bool {
        self.target == &*key.target && self.variant == key.variant
    }
}

impl<'a> CacheKey<'a> {
    /// Returns the key of a request; `None` if the application has to respond: no `GET`, one with a body or for a range, or one
    /// that the application refuses.
    pub(super) fn of(head: &'a RequestHead, policy: &dyn CachePolicy) -> Option<Self> {
        let is_other =
            |name: &HeaderName| matches!(*name, RANGE | CONTENT_LENGTH | TRANSFER_ENCODING | UPGRADE | EXPECT);
        if head.method != Method::GET || head.headers.keys().any(is_other) {
            return None;
        }
        let variant = policy.variant(single(head, &ACCEPT)?, single(head, &ACCEPT_ENCODING)?)?;
        Some(Self { target: head.uri.path_and_query()?.as_str(), variant })
    }

    /// Returns the key under which the response is stored; `None` if the query may contain an API key.
    pub(super) fn to_stored(self) -> Option<OwnedKey> {
        (!may_have_key(self.target)).then(|| OwnedKey { target: self.target.into(), variant: self.variant })
    }
}

/// Returns the only value of a header, or `None` in it without a value; `None` if the header is repeated.
#[expect(clippy::option_option, reason = "a header may be absent, and a repeated one has no single value")]
pub(super) fn single<'h>(head: &'h RequestHead, name: &HeaderName) -> Option<Option<&'h [u8]>> {
    let mut values = head.headers.get_all(name).map(HeaderValue::as_bytes);
    let first = values.next();
    values.next().is_none().then_some(first)
}

/// Returns true if the path, or the name of a parameter, has an escape or names an API key.
fn may_have_key(target: &str) -> bool {
    let names = target.split(['?', '&']).filter_map(|part| part.split('=').next());
    names.into_iter().any(|name| name.contains("api_key") || name.contains('%'))
}

/// The application's knowledge of its representations and its content.
pub trait CachePolicy {
    /// Returns the representation that the values of `Accept` and `Accept-Encoding` select; `None` if the application refuses
    /// the request.
    fn variant(&self, accept: Option<&[u8]>, accept_encoding: Option<&[u8]>) -> Option<Variant>;

    /// Returns the revision of the content of a league at an instant; of all content without a league.
    fn revision(&self, league: Option<Sport>, now: DateTime<Utc>) -> Revision;
}

/// A representation of a response: format and encoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Variant(pub [u8; 2]);

/// The state of content. It differs after each publish and on each day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Revision {
    /// The day of the service.
    pub day: NaiveDate,
    pub changes: u64,
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::VARY;
    use actix_web::test::TestRequest;
    use tokio::time::Instant;

    use super::*;

    /// A policy whose variants are the lengths of the headers. It refuses the encoding `refused`.
    struct Lengths;

    impl CachePolicy for Lengths {
        fn variant(&self, accept: Option<&[u8]>, accept_encoding: Option<&[u8]>) -> Option<Variant> {
            let length = |value: Option<&[u8]>| u8::try_from(value.map_or(0, <[u8]>::len)).ok();
            let variant = Variant([length(accept)?, length(accept_encoding)?]);
            (accept_encoding != Some(b"refused")).then_some(variant)
        }

        fn revision(&self, _: Option<Sport>, now: DateTime<Utc>) -> Revision {
            Revision { day: now.date_naive(), changes: 0 }
        }
    }

    #[test]
    fn a_request_with_a_body_a_range_or_a_repeated_header_has_no_key() {
        type Row<'a> = (&'a [(&'a str, &'a str)], Option<[u8; 2]>);
        let table: [Row<'_>; 11] = [
            (&[], Some([0, 0])),
            (&[("Accept", "*/*"), ("Accept-Encoding", "gzip")], Some([3, 4])),
            (&[("Accept", "text/csv"), ("Connection", "close")], Some([8, 0])),
            (&[("Accept-Encoding", "refused")], None),
            (&[("Accept", "*/*"), ("Accept", "text/csv")], None),
            (&[("Accept-Encoding", "gzip"), ("accept-encoding", "br")], None),
            (&[("Range", "bytes=0-9")], None),
            (&[("Content-Length", "0")], None),
            (&[("Transfer-Encoding", "chunked")], None),
            (&[("Upgrade", "websocket")], None),
            (&[("Expect", "100-continue")], None),
        ];
        for (headers, expected) in table {
            let request = headers
                .iter()
                .fold(TestRequest::with_uri("/a?b=c"), |request, (name, value)| request.append_header((*name, *value)));
            let request = request.to_http_request();
            let key = CacheKey::of(request.head(), &Lengths);
            assert_eq!(key.map(|key| key.variant), expected.map(Variant), "{headers:?}");
            assert!(key.is_none_or(|key| key.target == "/a?b=c"));
        }
        let post = TestRequest::post().uri("/a").to_http_request();
        assert_eq!(CacheKey::of(post.head(), &Lengths), None);
    }

    #[test]
    fn over_http_1_all_headers_are_in_the_tail_and_a_304_has_none_about_a_body() {
        let headers = [(VARY, "accept"), (CONTENT_TYPE, "text/csv"), (ETAG, "\"x\""), (VARY, "origin")];
        let headers = headers.map(|(name, value)| (name, HeaderValue::from_static(value))).into();
        let CachedResponse { properties, .. } = CachedResponse::with_body(Vec::new(), None);
        let response = CachedResponse::new(properties, headers, Some(Bytes::from_static(b"a,b")));
        let whole =
            "vary: accept\r\ncontent-type: text/csv\r\netag: \"x\"\r\nvary: origin\r\ncontent-length: 3\r\n\r\n";
        let unchanged = "vary: accept\r\netag: \"x\"\r\nvary: origin\r\n\r\n";
        let connection = Connection::new(Connection::TIMEOUTS, Instant::now());
        for (reply, lines, body) in [(Reply::Whole, whole, "a,b"), (Reply::Unchanged, unchanged, "")] {
            let head = response.respond(reply, Some(&connection));
            assert_eq!((head.status(), head.headers().len()), (reply.status(), 0));
            let Tail { lines: of_tail, body: body_of_tail } = &*connection.tail();
            assert_eq!((&**of_tail, &**body_of_tail), (lines.as_bytes(), body.as_bytes()));
        }
    }

    #[test]
    fn nothing_that_may_have_a_key_is_stored() {
        let is_stored = |target: &str| CacheKey { target, variant: Variant([0, 0]) }.to_stored().is_some();
        for target in ["/a?api_key=x", "/a?%61pi_key=x", "/a?b=c&api%5Fkey=x", "/a?b=c?&api_key", "/%61"] {
            assert!(!is_stored(target), "{target}");
        }
        assert!(is_stored("/a?time=19%3A30&name=api_key"), "no parameter is a key");
    }
}
