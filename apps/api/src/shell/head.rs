use actix_web::dev::ServiceRequest;
use actix_web::http::Method;
use actix_web::http::header::RANGE;

/// Lets the route of `GET` answer `HEAD`. The connection remembers what was asked and sends no body. Only `GET` has
/// ranges: `HEAD` tells of the whole.
pub(super) fn as_get(request: &mut ServiceRequest) {
    if request.method() == Method::HEAD {
        let head = request.head_mut();
        head.method = Method::GET;
        head.headers_mut().remove(RANGE);
    }
}
