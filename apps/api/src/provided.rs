//! The pieces that the program hands to its handlers, for code outside of handlers.

use actix_web::HttpRequest;
use actix_web::web::Data;
use sports_ports::PortError;

use crate::error::ApiError;

/// A piece, by its type; `part` names it in the log.
///
/// # Errors
///
/// [`ApiError::Unavailable`] where the program was started without it.
pub(crate) fn provided<T: ?Sized + 'static>(request: &HttpRequest, part: &'static str) -> Result<Data<T>, ApiError> {
    let piece = request.app_data::<Data<T>>().cloned();
    piece.ok_or_else(|| PortError::unavailable(part, "the program was started without one").into())
}
