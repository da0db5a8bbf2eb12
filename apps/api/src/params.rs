//! Query parameters: each handler names those it takes, and nobody quietly gets another answer because
//! of a misspelt one.
//!
//! ```
//! use sports_api::error::ApiError;
//! use sports_api::params::{FromParams, ParamReader};
//!
//! struct Slate {
//!     upcoming_only: bool,
//! }
//!
//! impl FromParams for Slate {
//!     const TAKES: &[&str] = &["upcoming_only"];
//!
//!     fn read(params: &ParamReader<'_>) -> Result<Self, ApiError> {
//!         Ok(Self { upcoming_only: params.boolean("upcoming_only")?.unwrap_or(true) })
//!     }
//! }
//! ```

mod raw_query;
mod reader;
mod rules;
mod season;

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};

pub use raw_query::RawQuery;
pub use reader::ParamReader;
pub use rules::{API_KEY, KNOWN};
pub use season::season_of;

use crate::auth::Gated;
use crate::error::ApiError;

/// The query parameters of one request, checked once the key has been accepted.
#[derive(Debug, Clone, Copy)]
pub struct Params<T>(pub T);

/// Parameters that a handler takes.
pub trait FromParams: Sized {
    /// Their names. `api_key` is not among them: it goes with every route.
    const TAKES: &'static [&'static str];

    /// What becomes of parameters with other names.
    const OTHERS: Others = Others::Checked;

    /// Reads their values.
    ///
    /// # Errors
    ///
    /// [`ApiError::BadRequest`] for a value that is not allowed.
    fn read(params: &ParamReader<'_>) -> Result<Self, ApiError>;
}

/// What becomes of parameters that a handler does not take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Others {
    /// Those are refused that would be ignored by mistake.
    Checked,
    /// All are ignored: the paths of old clients, which send what they always sent.
    Ignored,
}

/// No parameters.
impl FromParams for () {
    const TAKES: &'static [&'static str] = &[];

    fn read(_: &ParamReader<'_>) -> Result<Self, ApiError> {
        Ok(())
    }
}

impl<T: FromParams + 'static> FromRequest for Params<T> {
    type Error = ApiError;
    type Future = Gated<Ready<Result<Self, ApiError>>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        Gated::behind_auth(request, ready(read(request.query_string()).map(Self)))
    }
}

fn read<T: FromParams>(query: &str) -> Result<T, ApiError> {
    let query = RawQuery::parse(query);
    rules::check(&query, T::TAKES, T::OTHERS)?;
    T::read(&ParamReader::new(&query))
}
