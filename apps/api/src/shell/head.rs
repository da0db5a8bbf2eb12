use actix_web::dev::ServiceRequest;
use actix_web::http::header::{ACCEPT_ENCODING, HeaderValue, RANGE};
use actix_web::http::{Method, StatusCode};

use crate::encoding::Encoding;
use crate::error::ApiError;

/// Returns why a request is refused for its head: it accepts neither the plain form of a response nor a compressed one.
pub(super) fn refusal(request: &ServiceRequest) -> Option<ApiError> {
    takes_nothing(request).then_some(ApiError::Refused(StatusCode::NOT_ACCEPTABLE))
}

fn takes_nothing(request: &ServiceRequest) -> bool {
    // Nothing is refused without a weight of zero.
    let may_refuse = |value: &HeaderValue| value.as_bytes().contains(&b'0');
    request.headers().get_all(ACCEPT_ENCODING).any(may_refuse) && Encoding::negotiated(request.headers()).is_none()
}

/// Routes a `HEAD` like a `GET`. The connection sends no body for it. It has no ranges: those are for `GET` alone.
pub(super) fn as_get(request: &mut ServiceRequest) {
    if request.method() == Method::HEAD {
        let head = request.head_mut();
        head.method = Method::GET;
        head.headers_mut().remove(RANGE);
    }
}
