use actix_web::dev::ServiceRequest;
use actix_web::http::header::{ACCEPT_ENCODING, HeaderValue, RANGE};
use actix_web::http::{Method, StatusCode};

use crate::encoding::Encoding;
use crate::error::ApiError;

/// Returns the refusal of a request that accepts neither the plain form of a response nor a compressed one.
pub(super) fn refusal(request: &ServiceRequest) -> Option<ApiError> {
    accepts_no_encoding(request).then_some(ApiError::Refused(StatusCode::NOT_ACCEPTABLE))
}

fn accepts_no_encoding(request: &ServiceRequest) -> bool {
    // Only a weight of zero excludes an encoding.
    let may_refuse = |value: &HeaderValue| value.as_bytes().contains(&b'0');
    request.headers().get_all(ACCEPT_ENCODING).any(may_refuse) && Encoding::negotiated(request.headers()).is_none()
}

/// Turns a `HEAD` into a `GET` for routing. The connection sends no body for it. Ranges apply to `GET` alone, so it has none.
pub(super) fn route_as_get(request: &mut ServiceRequest) {
    if request.method() == Method::HEAD {
        let head = request.head_mut();
        head.method = Method::GET;
        head.headers_mut().remove(RANGE);
    }
}
