use actix_web::dev::ServiceRequest;
use actix_web::http::header::{ACCEPT_ENCODING, HeaderValue, RANGE};
use actix_web::http::{Method, StatusCode};

use crate::encoding::Encoding;
use crate::error::ApiError;
use crate::limits::HEAD;

/// Why the request is refused for its head, if it is: it is too large, or takes neither the plain form of an answer nor any
/// of the compressed ones.
pub(super) fn refusal(request: &ServiceRequest) -> Option<ApiError> {
    if size(request) > HEAD {
        return Some(ApiError::HeadTooLarge);
    }
    takes_nothing(request).then_some(ApiError::Refused(StatusCode::NOT_ACCEPTABLE))
}

fn takes_nothing(request: &ServiceRequest) -> bool {
    // Nothing is refused without a weight of zero.
    let may_refuse = |value: &HeaderValue| value.as_bytes().contains(&b'0');
    request.headers().get_all(ACCEPT_ENCODING).any(may_refuse) && Encoding::negotiated(request.headers()).is_none()
}

fn size(request: &ServiceRequest) -> usize {
    let headers = request.headers().iter().map(|(name, value)| name.as_str().len() + value.len());
    request.uri().path_and_query().map_or(0, |asked| asked.as_str().len()) + headers.sum::<usize>()
}

/// Lets the route of `GET` answer `HEAD`. The connection remembers what was asked and sends no body. Only `GET` has
/// ranges: `HEAD` is about the whole.
pub(super) fn as_get(request: &mut ServiceRequest) {
    if request.method() == Method::HEAD {
        let head = request.head_mut();
        head.method = Method::GET;
        head.headers_mut().remove(RANGE);
    }
}
