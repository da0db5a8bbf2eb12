use actix_web::dev::ServiceRequest;
use actix_web::http::Method;

/// Lets the route of `GET` answer `HEAD`. The connection remembers what was asked and sends no body.
pub(super) fn as_get(request: &mut ServiceRequest) {
    if request.method() == Method::HEAD {
        request.head_mut().method = Method::GET;
    }
}
