use actix_web::HttpMessage;
use actix_web::dev::ServiceRequest;
use actix_web::http::header::{ACCEPT_ENCODING, AcceptEncoding, Encoding, RANGE};
use actix_web::http::{Method, StatusCode};

use crate::error::ApiError;
use crate::limits::HEAD;

/// Why a request is refused for its head.
struct Refusal(ApiError);

/// Looks at a head before the compressor reads it. It would refuse a client that takes no encoding before the shell has
/// the request, so both refusals are kept for [`refusal`].
pub(crate) fn judge(request: &mut ServiceRequest) {
    let refusal = if size(request) > HEAD {
        ApiError::HeadTooLarge
    } else if takes_nothing(request) {
        ApiError::Refused(StatusCode::NOT_ACCEPTABLE)
    } else {
        return;
    };
    request.headers_mut().remove(ACCEPT_ENCODING);
    request.extensions_mut().insert(Refusal(refusal));
}

/// Why the request is refused for its head, if it is.
pub(super) fn refusal(request: &ServiceRequest) -> Option<ApiError> {
    request.extensions_mut().remove().map(|Refusal(error)| error)
}

fn size(request: &ServiceRequest) -> usize {
    let headers = request.headers().iter().map(|(name, value)| name.as_str().len() + value.len());
    request.uri().path_and_query().map_or(0, |asked| asked.as_str().len()) + headers.sum::<usize>()
}

/// Whether a client accepts neither the plain form of an answer nor any of the compressed ones.
fn takes_nothing(request: &ServiceRequest) -> bool {
    // Nothing is refused without a weight of zero.
    if !request.headers().get_all(ACCEPT_ENCODING).any(|value| value.as_bytes().contains(&b'0')) {
        return false;
    }
    let all = [Encoding::identity(), Encoding::brotli(), Encoding::gzip(), Encoding::deflate(), Encoding::zstd()];
    request.get_header::<AcceptEncoding>().is_some_and(|accepted| accepted.negotiate(all.iter()).is_none())
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
