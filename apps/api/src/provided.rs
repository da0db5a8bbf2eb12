//! Access to the program's parts for code outside of handlers.

use actix_web::HttpRequest;
use actix_web::web::Data;
use sports_ports::PortError;

use crate::error::ApiError;

/// Returns a part by its type; `part` names it in the log.
///
/// # Errors
///
/// [`ApiError::Unavailable`] if the program was started without the part.
pub(crate) fn provided<'a, T: ?Sized + 'static>(
    request: &'a HttpRequest,
    part: &'static str,
) -> Result<&'a Data<T>, ApiError> {
    request
        .app_data::<Data<T>>()
        .ok_or_else(|| PortError::unavailable(part, "the program was started without one").into())
}
