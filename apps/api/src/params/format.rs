use utoipa::IntoParams;

use super::{FromParams, ParamReader};
use crate::error::ApiError;
use crate::format::Format;

/// The parameter that names the format of an answer.
pub const FORMAT: &str = "format";

/// Parses the `format` parameter.
///
/// # Errors
///
/// [`ApiError::BadRequest`] for an unknown format.
pub fn format_of(params: &ParamReader<'_>) -> Result<Option<Format>, ApiError> {
    params.read(FORMAT, Format::ALLOWED, Format::named)
}

/// The parameters of an operation that takes only `format`.
#[derive(Debug, Clone, Copy, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct FormatQuery {
    /// The form of the answer; without it the `Accept` header decides.
    pub format: Option<Format>,
}

impl FromParams for FormatQuery {
    const TAKES: &'static [&'static str] = &[FORMAT];

    fn read(params: &ParamReader<'_>) -> Result<Self, ApiError> {
        Ok(Self { format: format_of(params)? })
    }
}
