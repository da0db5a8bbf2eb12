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
pub(crate) fn provided<'a, T: ?Sized + 'static>(
    request: &'a HttpRequest,
    part: &'static str,
) -> Result<&'a Data<T>, ApiError> {
    request
        .app_data::<Data<T>>()
        .ok_or_else(|| PortError::unavailable(part, "the program was started without one").into())
}
