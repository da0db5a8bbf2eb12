use actix_web::body::{BodySize, MessageBody};
use actix_web::dev::ServiceResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_DISPOSITION, CONTENT_ENCODING, CONTENT_TYPE, ETAG, HeaderName, HeaderValue};
use actix_web::{Error, HttpMessage, HttpRequest, HttpResponse};
use bytes::Bytes;
use sports_domain::Sport;

use super::Repeatable;
use crate::auth::{Entrance, QUOTA};
use crate::connections::AnswerBody;
use crate::metrics::Route;
use crate::request_id::RequestId;

/// One answer as it is sent, but for what is said to one caller.
pub(super) struct PreparedAnswer {
    etag: String,
    /// The head and the body; none where only clients asked that have it already.
    whole: Option<(Vec<u8>, Bytes)>,
    /// The head of the answer to a client that has it already.
    head_unchanged: Vec<u8>,
    route: Route,
    sport: Option<Sport>,
    entrance: Entrance,
}

/// What becomes of a request for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reply {
    /// It is sent.
    Whole,
    /// The client has it already.
    Unchanged,
}

/// Sending more than this costs so much that finding it costs nothing.
const LARGEST: u64 = 256 * 1024;

impl PreparedAnswer {
    /// Takes an answer that may be given again from the application's response, which is handed back.
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

    /// What a client gets that says what it has.
    pub(super) fn reply(&self, if_none_match: Option<&[u8]>) -> Option<Reply> {
        let whole = self.whole.as_ref().map(|_| Reply::Whole);
        let Some(has) = if_none_match else { return whole };
        let is_one_tag = |tag: &[u8]| tag.len() > 2 && tag.starts_with(b"\"") && tag.ends_with(b"\"");
        let tag = has.strip_prefix(b"W/").unwrap_or(has);
        if tag == self.etag.as_bytes() {
            return Some(Reply::Unchanged);
        }
        // Lists and stars are for the handler to read.
        whole.filter(|_| is_one_tag(tag) && !tag.contains(&b','))
    }

    /// The head of a reply, but for what it says to one caller, and the body.
    pub(super) fn parts(&self, reply: Reply) -> (&[u8], Bytes) {
        match (reply, &self.whole) {
            (Reply::Whole, Some((head, body))) => (head, body.clone()),
            _ => (&self.head_unchanged, Bytes::new()),
        }
    }

    /// How its caller is let in.
    pub(super) const fn entrance(&self) -> Entrance {
        self.entrance
    }

    /// The route that would have taken the request.
    pub(super) const fn route(&self) -> &Route {
        &self.route
    }

    /// The league that the path names.
    pub(super) const fn sport(&self) -> Option<Sport> {
        self.sport
    }

    /// Whether it can be given to clients that do not have it.
    pub(super) const fn is_whole(&self) -> bool {
        self.whole.is_some()
    }

    /// About what it weighs.
    pub(super) fn weight(&self) -> usize {
        let whole = self.whole.as_ref().map_or(0, |(head, body)| head.len() + body.len());
        size_of::<Self>() + whole + self.head_unchanged.len()
    }
}

impl Reply {
    /// Its status.
    pub(super) const fn status(self) -> StatusCode {
        match self {
            Self::Whole => StatusCode::OK,
            Self::Unchanged => StatusCode::NOT_MODIFIED,
        }
    }
}

/// What is known of an answer before its body is.
struct Parts {
    etag: String,
    route: Route,
    sport: Option<Sport>,
    entrance: Entrance,
}

impl Parts {
    /// None of an answer that cannot be given again, or is too large.
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

    fn with<B>(self, response: &HttpResponse<B>, body: Bytes) -> PreparedAnswer {
        let Self { etag, route, sport, entrance } = self;
        let headers = || response.headers().iter().filter(|(name, _)| !is_of_one_call(name));
        let whole = (response.status() == StatusCode::OK).then(|| {
            let mut head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n", body.len()).into_bytes();
            headers().for_each(|header| write(&mut head, header));
            (head, body)
        });
        let mut unchanged = b"HTTP/1.1 304 Not Modified\r\n".to_vec();
        headers().filter(|(name, _)| !is_about_body(name)).for_each(|header| write(&mut unchanged, header));
        PreparedAnswer { etag, whole, head_unchanged: unchanged, route, sport, entrance }
    }
}

fn write(head: &mut Vec<u8>, (name, value): (&HeaderName, &HeaderValue)) {
    for part in [name.as_str().as_bytes(), b": ", value.as_bytes(), b"\r\n"] {
        head.extend_from_slice(part);
    }
}

fn is_of_one_call(name: &HeaderName) -> bool {
    *name == RequestId::NAME || QUOTA.contains(name)
}

fn is_about_body(name: &HeaderName) -> bool {
    [CONTENT_TYPE, CONTENT_ENCODING, CONTENT_DISPOSITION].contains(name)
}

#[cfg(test)]
impl PreparedAnswer {
    /// One that says this.
    pub(super) fn saying(body: &'static str, sport: Option<Sport>) -> Self {
        Self {
            etag: format!("\"{body}\""),
            whole: Some((Vec::new(), Bytes::from_static(body.as_bytes()))),
            head_unchanged: Vec::new(),
            route: Route::new("/"),
            sport,
            entrance: Entrance::Address,
        }
    }
}
