use actix_web::body::{BodySize, MessageBody};
use actix_web::dev::{RequestHead as LibraryHead, ServiceResponse};
use actix_web::http::header::{
    ACCEPT, ACCEPT_ENCODING, CONTENT_DISPOSITION, CONTENT_ENCODING, CONTENT_TYPE, ETAG, HeaderName, HeaderValue,
};
use actix_web::http::{Method, StatusCode};
use actix_web::{Error, HttpMessage, HttpRequest, HttpResponse};
use bytes::Bytes;
use chrono::{DateTime, NaiveDate, Utc};
use sports_domain::Sport;
use sports_telemetry::RequestId;
use sports_telemetry::metrics::Route;

use super::repeatable::{Repeatable, Share, league_of};
use crate::head::{RequestHead, single};
use crate::response_body::ResponseBody;

/// A response as it is sent, without the headers of one call.
pub(super) struct CachedResponse<R> {
    pub(super) properties: Properties<R>,
    /// Head and body; `None` if only clients that have the response requested it.
    whole: Option<(Vec<u8>, Bytes)>,
    /// The head of a 304.
    head_unchanged: Vec<u8>,
}

/// The properties of a response that do not depend on its body.
pub(super) struct Properties<R> {
    etag: String,
    /// The route of the operation.
    pub(super) route: Route,
    /// The league in the path.
    pub(super) league: Option<Sport>,
    repeatable: Repeatable,
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
    pub(super) async fn of_response(
        response: ServiceResponse<ResponseBody>,
    ) -> Result<(Option<Self>, ServiceResponse<ResponseBody>), Error> {
        let (request, response) = response.into_parts();
        let Some(properties) = Properties::of(&request, &response) else {
            return Ok((None, ServiceResponse::new(request, response)));
        };
        let (response, body) = response.into_parts();
        let (body, whole) = body.whole().await?;
        let response = response.set_body(whole);
        Ok((Some(Self::new(properties, &response, body)), ServiceResponse::new(request, response)))
    }

    fn new<B>(properties: Properties<R>, response: &HttpResponse<B>, body: Bytes) -> Self {
        let headers = || response.headers().iter().filter(|(name, _)| !is_of_one_call(name));
        let whole = (response.status() == StatusCode::OK).then(|| {
            let mut head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n", body.len()).into_bytes();
            headers().for_each(|header| write(&mut head, header));
            (head, body)
        });
        let mut head_unchanged = b"HTTP/1.1 304 Not Modified\r\n".to_vec();
        headers().filter(|(name, _)| !is_about_body(name)).for_each(|header| write(&mut head_unchanged, header));
        Self { properties, whole, head_unchanged }
    }

    /// Returns the reply to a request with this `If-None-Match`; `None` if the application has to evaluate it.
    pub(super) fn reply(&self, if_none_match: Option<&[u8]>) -> Option<Reply> {
        let whole = self.whole.as_ref().map(|_| Reply::Whole);
        let Some(has) = if_none_match else { return whole };
        let is_one_tag = |tag: &[u8]| tag.len() > 2 && tag.starts_with(b"\"") && tag.ends_with(b"\"");
        let tag = has.strip_prefix(b"W/").unwrap_or(has);
        if tag == self.properties.etag.as_bytes() {
            return Some(Reply::Unchanged);
        }
        // Lists and stars are for the handler.
        whole.filter(|_| is_one_tag(tag) && !tag.contains(&b','))
    }

    /// Returns the head of a reply, without the headers of one call, and its body.
    pub(super) fn parts(&self, reply: Reply) -> (&[u8], Bytes) {
        match (reply, &self.whole) {
            (Reply::Whole, Some((head, body))) => (head, body.clone()),
            _ => (&self.head_unchanged, Bytes::new()),
        }
    }

    /// Returns true while the condition of its handler holds.
    pub(super) fn is_repeatable(&self) -> bool {
        self.properties.repeatable.holds()
    }

    /// Returns the share of the cache that it belongs to.
    pub(super) const fn share(&self) -> Share {
        self.properties.repeatable.share()
    }

    /// Returns true if it has a body for clients that do not have one.
    pub(super) const fn is_whole(&self) -> bool {
        self.whole.is_some()
    }

    /// Returns its approximate size in memory, in bytes.
    pub(super) fn size(&self) -> usize {
        let whole = self.whole.as_ref().map_or(0, |(head, body)| head.capacity() + body.len());
        size_of::<Self>() + self.properties.etag.capacity() + whole + self.head_unchanged.capacity()
    }
}

impl Reply {
    pub(super) const fn status(self) -> StatusCode {
        match self {
            Self::Whole => StatusCode::OK,
            Self::Unchanged => StatusCode::NOT_MODIFIED,
        }
    }
}

impl<R: Copy + 'static> Properties<R> {
    /// Returns the properties of a response; `None` if it may not be cached or is too large.
    fn of(request: &HttpRequest, response: &HttpResponse<ResponseBody>) -> Option<Self> {
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

fn write(head: &mut Vec<u8>, (name, value): (&HeaderName, &HeaderValue)) {
    for part in [name.as_str().as_bytes(), b": ", value.as_bytes(), b"\r\n"] {
        head.extend_from_slice(part);
    }
}

/// The prefix of the headers about a customer's quota.
const QUOTA: &str = "x-ratelimit-";

/// Returns true for a header that differs from call to call.
fn is_of_one_call(name: &HeaderName) -> bool {
    let name = name.as_str();
    name == RequestId::HEADER || name == "date" || name.starts_with(QUOTA)
}

/// Returns true for a header that a 304 does not have.
fn is_about_body(name: &HeaderName) -> bool {
    [CONTENT_TYPE, CONTENT_ENCODING, CONTENT_DISPOSITION].contains(name)
}

#[cfg(test)]
impl CachedResponse<()> {
    /// Creates a response with this body.
    pub(super) fn with_body(body: Vec<u8>, league: Option<Sport>) -> Self {
        let (etag, route, repeatable) = ("\"x\"".to_owned(), Route::new("/"), Repeatable::always());
        let properties = Properties { etag, route, league, repeatable, rule: () };
        Self { properties, whole: Some((Vec::new(), body.into())), head_unchanged: Vec::new() }
    }

    /// Adds a condition to the response.
    pub(super) fn repeatable(mut self, repeatable: Repeatable) -> Self {
        self.properties.repeatable = repeatable;
        self
    }
}

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

/// The application's knowledge of its representations and its content.
pub trait CachePolicy {
    /// Returns the representation that the values of `Accept` and `Accept-Encoding` select; `None` if the application refuses
    /// the request.
    fn variant(&self, accept: Option<&[u8]>, accept_encoding: Option<&[u8]>) -> Option<Variant>;

    /// Returns the revision of the content of a league at an instant; of all content without a league.
    fn revision(&self, league: Option<Sport>, now: DateTime<Utc>) -> Revision;
}

/// A representation of a response: format and encoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Variant(pub [u8; 2]);

/// The state of content. It differs after each publish and on each day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Revision {
    /// The day of the service.
    pub day: NaiveDate,
    pub changes: u64,
}

#[cfg(test)]
pub(super) mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    /// A policy whose variants are the lengths of the headers. It refuses the encoding `refused`.
    pub(crate) struct Lengths;

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
