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

mod game;
mod model;
mod moment;
mod reader;
mod rules;

use std::marker::PhantomData;

use actix_web::HttpRequest;
use actix_web::web::Query;
use chrono::NaiveDate;
use sports_domain::DateSpan;
use utoipa::IntoParams;
use utoipa::openapi::path::Operation;

use crate::arguments::{Argument, from_request};
use crate::error::{ApiError, RequestRefused};
use crate::format::Format;
use crate::openapi::{add_responses, document_known, formats};
use crate::state::State;

pub use game::{DaysQuery, GameQuery, RequestedSeasons, SeasonQuery, seasons_of};
pub use model::{ModelQuery, ModelsQuery};
pub use moment::MomentQuery;
pub use reader::{ParamReader, SEASON};
pub use rules::{API_KEY, UnknownParams};

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
        debug_assert!(document_known(operation).eq(T::TAKES.iter().copied()), "{:?}", operation.operation_id);
        add_responses::<RequestRefused>(operation);
        if T::TAKES.contains(&FORMAT) {
            formats::add_tables(operation);
        }
    }
}

fn read<T: FromParams>(request: &HttpRequest) -> Result<T, ApiError> {
    let query = RawQuery::parse(request.query_string());
    let known = &State::of(request)?.interface.params;
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
    let known = &State::of(request)?.interface.params;
    rules::expect_few(query, rule_of(request))?;
    query.names().try_for_each(|name| rules::check_name(name, takes, rule_of(request), known))
}

/// Returns the rule that the operation was registered with.
fn rule_of(request: &HttpRequest) -> UnknownParams {
    request.app_data().copied().unwrap_or(UnknownParams::Refused)
}

/// The most parameters of an operation that takes two sets of them.
const MOST: usize = 16;

/// The names of two sets of parameters, in one list.
struct Names<A, B>(PhantomData<(A, B)>);

impl<A: FromParams, B: FromParams> Names<A, B> {
    const ALL: [&'static str; MOST] = {
        let (mut all, mut count) = ([""; MOST], 0);
        while count < A::TAKES.len() {
            all[count] = A::TAKES[count];
            count += 1;
        }
        while count < A::TAKES.len() + B::TAKES.len() {
            all[count] = B::TAKES[count - A::TAKES.len()];
            count += 1;
        }
        all
    };
}

/// Two sets of parameters, the first one first.
impl<A: FromParams, B: FromParams> FromParams for (A, B) {
    const TAKES: &'static [&'static str] = Names::<A, B>::ALL.split_at(A::TAKES.len() + B::TAKES.len()).0;

    fn read(params: &ParamReader<'_>) -> Result<Self, ApiError> {
        Ok((A::read(params)?, B::read(params)?))
    }
}

/// Builds the span of dates from `from` to `to`.
///
/// # Errors
///
/// [`ApiError::BadRequest`] if the first is after the last.
pub fn date_span(from: Option<NaiveDate>, to: Option<NaiveDate>) -> Result<DateSpan, ApiError> {
    DateSpan::new(from, to).map_err(|backward| ApiError::bad_parameter("from", &format!("`to` or earlier: {backward}")))
}

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

/// A query string as names and values, decoded, in its order.
#[derive(Debug, Default)]
pub struct RawQuery(Vec<(String, String)>);

impl RawQuery {
    /// Parses a query string. Any text is valid.
    pub fn parse(query: &str) -> Self {
        if query.is_empty() {
            return Self::default();
        }
        // Form decoding does not fail: text that cannot be decoded is kept unchanged.
        Self(Query::from_query(query).map(Query::into_inner).unwrap_or_default())
    }

    /// Returns the first value of `name`.
    pub fn first(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(given, _)| given == name).map(|(_, value)| value.as_str())
    }

    /// Returns the value of `name`, if it is given once.
    pub fn only(&self, name: &str) -> Option<&str> {
        let mut values = self.0.iter().filter(|(given, _)| given == name);
        values.next().filter(|_| values.next().is_none()).map(|(_, value)| value.as_str())
    }

    /// Returns the names and values in their order.
    pub fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str())
    }
}
