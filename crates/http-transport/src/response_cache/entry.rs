use actix_web::body::{BodySize, MessageBody};
use actix_web::dev::ServiceResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_DISPOSITION, CONTENT_ENCODING, CONTENT_TYPE, ETAG, HeaderName, HeaderValue};
use actix_web::{Error, HttpMessage, HttpRequest, HttpResponse};
use bytes::Bytes;
use sports_domain::Sport;
use sports_telemetry::RequestId;
use sports_telemetry::metrics::Route;

use super::repeatable::{Repeatable, Share, league_of};
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
