use actix_web::body::{BodySize, MessageBody};
use actix_web::dev::ServiceResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::{
    CONTENT_DISPOSITION, CONTENT_ENCODING, CONTENT_TYPE, DATE, ETAG, HeaderName, HeaderValue,
};
use actix_web::{Error, HttpMessage, HttpRequest, HttpResponse};
use bytes::Bytes;
use sports_domain::Sport;
use sports_telemetry::metrics::Route;

use super::Repeatable;
use crate::auth::{Entrance, QUOTA};
use crate::connections::AnswerBody;
use crate::shell::REQUEST_ID;

/// A response as it is sent, without the headers of one call.
pub(super) struct CachedResponse {
    etag: String,
    /// Head and body; `None` if only clients that have the response requested it.
    whole: Option<(Vec<u8>, Bytes)>,
    /// The head of a 304.
    head_unchanged: Vec<u8>,
    route: Route,
    sport: Option<Sport>,
    entrance: Entrance,
}

/// The reply to one request for a cached response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reply {
    /// The response.
    Whole,
    /// 304: the client has it.
    Unchanged,
}

/// The largest body that is cached: sending a larger one costs so much more than making it ready.
const LARGEST: u64 = 256 * 1024;

impl CachedResponse {
    /// Copies a response that may be cached from the application's, which is returned with it.
    pub(super) async fn of_response(
        response: ServiceResponse<AnswerBody>,
    ) -> Result<(Option<Self>, ServiceResponse<AnswerBody>), Error> {
        let (request, response) = response.into_parts();
        let Some(parts) = Parts::of(&request, &response) else {
            return Ok((None, ServiceResponse::new(request, response)));
        };
        let (response, body) = response.into_parts();
        let (body, whole) = body.whole().await?;
        let response = response.set_body(whole);
        Ok((Some(parts.with(&response, body)), ServiceResponse::new(request, response)))
    }

    /// Returns the reply to a request with this `If-None-Match`; `None` if the application has to read it.
    pub(super) fn reply(&self, if_none_match: Option<&[u8]>) -> Option<Reply> {
        let whole = self.whole.as_ref().map(|_| Reply::Whole);
        let Some(has) = if_none_match else { return whole };
        let is_one_tag = |tag: &[u8]| tag.len() > 2 && tag.starts_with(b"\"") && tag.ends_with(b"\"");
        let tag = has.strip_prefix(b"W/").unwrap_or(has);
        if tag == self.etag.as_bytes() {
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

    /// Returns the scope by which its callers are admitted.
    pub(super) const fn entrance(&self) -> Entrance {
        self.entrance
    }

    /// Returns the route of the operation.
    pub(super) const fn route(&self) -> &Route {
        &self.route
    }

    /// Returns the league that the path names.
    pub(super) const fn sport(&self) -> Option<Sport> {
        self.sport
    }

    /// Returns true if clients that do not have it can be sent it.
    pub(super) const fn is_whole(&self) -> bool {
        self.whole.is_some()
    }

    /// Returns its bytes in memory, about.
    pub(super) fn weight(&self) -> usize {
        let whole = self.whole.as_ref().map_or(0, |(head, body)| head.capacity() + body.len());
        size_of::<Self>() + self.etag.capacity() + whole + self.head_unchanged.capacity()
    }
}

impl Reply {
    /// Returns its status.
    pub(super) const fn status(self) -> StatusCode {
        match self {
            Self::Whole => StatusCode::OK,
            Self::Unchanged => StatusCode::NOT_MODIFIED,
        }
    }
}

/// The parts of a cached response that do not need its body.
struct Parts {
    etag: String,
    route: Route,
    sport: Option<Sport>,
    entrance: Entrance,
}

impl Parts {
    /// Returns those of a response; `None` if it may not be cached or is too large.
    fn of(request: &HttpRequest, response: &HttpResponse<AnswerBody>) -> Option<Self> {
        let fits = match response.status() {
            StatusCode::OK => matches!(response.body().size(), BodySize::Sized(size) if size <= LARGEST),
            status => status == StatusCode::NOT_MODIFIED,
        };
        let extensions = request.extensions();
        extensions.get::<Repeatable>().filter(|_| fits)?;
        Some(Self {
            etag: response.headers().get(ETAG)?.to_str().ok()?.to_owned(),
            route: request.app_data::<Route>()?.clone(),
            sport: crate::shell::sport_of(request),
            entrance: *extensions.get::<Entrance>()?,
        })
    }

    fn with<B>(self, response: &HttpResponse<B>, body: Bytes) -> CachedResponse {
        let Self { etag, route, sport, entrance } = self;
        let headers = || response.headers().iter().filter(|(name, _)| !is_of_one_call(name));
        let whole = (response.status() == StatusCode::OK).then(|| {
            let mut head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n", body.len()).into_bytes();
            headers().for_each(|header| write(&mut head, header));
            (head, body)
        });
        let mut unchanged = b"HTTP/1.1 304 Not Modified\r\n".to_vec();
        headers().filter(|(name, _)| !is_about_body(name)).for_each(|header| write(&mut unchanged, header));
        CachedResponse { etag, whole, head_unchanged: unchanged, route, sport, entrance }
    }
}

fn write(head: &mut Vec<u8>, (name, value): (&HeaderName, &HeaderValue)) {
    for part in [name.as_str().as_bytes(), b": ", value.as_bytes(), b"\r\n"] {
        head.extend_from_slice(part);
    }
}

fn is_of_one_call(name: &HeaderName) -> bool {
    [REQUEST_ID, DATE].contains(name) || QUOTA.contains(name)
}

fn is_about_body(name: &HeaderName) -> bool {
    [CONTENT_TYPE, CONTENT_ENCODING, CONTENT_DISPOSITION].contains(name)
}

#[cfg(test)]
impl CachedResponse {
    /// Returns one with this body.
    pub(super) fn with_body(body: Vec<u8>, sport: Option<Sport>) -> Self {
        Self {
            etag: "\"x\"".to_owned(),
            whole: Some((Vec::new(), body.into())),
            head_unchanged: Vec::new(),
            route: Route::new("/"),
            sport,
            entrance: Entrance::Address,
        }
    }
}
