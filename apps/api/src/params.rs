//! Query parameters: each handler names the parameters it takes. Behind a key any other is refused, so that every
//! part of an address has an effect on its answer.
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

mod both;
mod date_span;
mod format;
mod game;
mod known;
mod model;
mod moment;
mod raw_query;
mod reader;
mod rules;
mod season;

use actix_web::HttpRequest;
use actix_web::web::Data;
use utoipa::openapi::path::Operation;

pub use date_span::date_span;
pub use format::{FORMAT, FormatQuery, format_of};
pub use game::{DaysQuery, GameQuery};
pub use known::KnownParams;
pub(crate) use known::documented;
pub use model::{ModelQuery, ModelsQuery};
pub use moment::MomentQuery;
pub use raw_query::RawQuery;
pub use reader::{ParamReader, SEASON};
pub use rules::{API_KEY, UnknownParams};
pub use season::{RequestedSeasons, SeasonQuery, seasons_of};

use crate::arguments::{Argument, from_request};
use crate::error::{ApiError, RequestRefused};
use crate::openapi::{add_responses, tables};
use crate::provided::provided;

/// The query parameters of one request, checked.
#[derive(Debug, Clone, Copy)]
pub struct Params<T>(pub T);

/// Parameters that a handler takes.
pub trait FromParams: Sized {
    /// The names of the parameters. `api_key` is not among them: every route takes it.
    const TAKES: &'static [&'static str];

    /// The rule for parameters with other names; `None` if it follows from the operation's access.
    const UNKNOWN: Option<UnknownParams> = None;

    /// Reads the values.
    ///
    /// # Errors
    ///
    /// [`ApiError::BadRequest`] for a value that is not allowed.
    fn read(params: &ParamReader<'_>) -> Result<Self, ApiError>;
}

/// An operation without parameters.
impl FromParams for () {
    const TAKES: &'static [&'static str] = &[];

    fn read(_: &ParamReader<'_>) -> Result<Self, ApiError> {
        Ok(())
    }
}

from_request! { <T: FromParams> Params<T>, request => read(request).map(Self) }

impl<T: FromParams> Argument for Params<T> {
    fn describe(operation: &mut Operation) {
        // The taken parameters are the documented ones: a debug build with another operation does not start.
        debug_assert!(known::documented(operation).eq(T::TAKES.iter().copied()), "{:?}", operation.operation_id);
        add_responses::<RequestRefused>(operation);
        if T::TAKES.contains(&FORMAT) {
            tables::add_to(operation);
        }
    }
}

fn read<T: FromParams>(request: &HttpRequest) -> Result<T, ApiError> {
    let query = RawQuery::parse(request.query_string());
    let known: &Data<KnownParams> = provided(request, "known parameters")?;
    rules::check(&query, T::TAKES, T::UNKNOWN.unwrap_or_else(|| rule_of(request)), known)?;
    T::read(&ParamReader::new(&query, request))
}

/// Refuses the parameters of a request that are not taken, by the rule of its operation. A parameter that is taken
/// may be repeated.
///
/// # Errors
///
/// [`ApiError::BadRequest`] for a refused parameter.
pub fn check_names(request: &HttpRequest, query: &RawQuery, takes: &[&str]) -> Result<(), ApiError> {
    let known: &Data<KnownParams> = provided(request, "known parameters")?;
    rules::expect_few(query, rule_of(request))?;
    query.names().try_for_each(|name| rules::check_name(name, takes, rule_of(request), known))
}

/// Returns the rule that the operation was registered with.
fn rule_of(request: &HttpRequest) -> UnknownParams {
    request.app_data().copied().unwrap_or(UnknownParams::Refused)
}
