//! Query parameters: each handler names the parameters it takes. Behind a key any other is refused, so that every
//! part of an address has an effect on its answer.
//!
//! ```
//! use sports_api::params::Given;
//! use sports_api::query_params;
//!
//! query_params! {
//!     /// The parameters of a slate.
//!     pub struct Slate {
//!         /// True if started games are left out.
//!         upcoming_only: Option<bool> = Given::boolean,
//!     }
//! }
//! ```

mod changes;
mod forecasts;
mod game;
mod given;
mod model;
mod moment;
mod rules;

use actix_web::HttpRequest;
use actix_web::web::Query;
use chrono::NaiveDate;
use sports_domain::DateSpan;
use utoipa::openapi::RefOr;
use utoipa::openapi::path::{Operation, Parameter};

use crate::arguments::{Argument, from_request};
use crate::error::{ApiError, RequestRefused};
use crate::format::Format;
use crate::openapi::{add_responses, formats};
use crate::paths::Segments;
use crate::state::State;

pub use changes::{AfterGeneration, ChangedQuery, page_rows, rows_of_page};
pub use forecasts::ForecastsQuery;
pub use game::{DaysQuery, GameQuery, SeasonQuery};
pub use given::{Given, RequestedSeasons};
pub use model::{ModelQuery, ModelsQuery};
pub use moment::{MomentQuery, SentInstant};
pub use rules::{API_KEY, UnknownParams};

/// The query parameters of one request, checked.
#[derive(Debug, Clone, Copy)]
pub struct Params<T>(pub T);

/// A set of parameters that a handler takes: one that [`query_params!`](crate::query_params) defines, or several.
pub trait FromParams: Sized {
    /// The rule for parameters with other names; `None` if it follows from the operation's access.
    const UNKNOWN: Option<UnknownParams> = None;

    /// Returns the names of the parameters. `api_key` is not among them: every route takes it.
    fn names() -> Vec<&'static str>;

    /// Returns the description of the parameters, in the same order.
    fn described() -> Vec<Parameter>;

    /// Reads the values.
    ///
    /// # Errors
    ///
    /// [`ApiError::BadRequest`] for a value that is not allowed.
    fn read(query: &RawQuery, path: Segments<'_>) -> Result<Self, ApiError>;
}

/// Defines a set of parameters: the documentation, the name and the type of each, and the function that reads its value. The
/// values are read in this order, but those marked `first` before the others, and a function may use those read before its own.
#[macro_export]
macro_rules! query_params {
    (
        $(#[$attribute:meta])*
        $visibility:vis struct $set:ident {
            $($(#[$described:meta])* $seen:vis $name:ident: $type:ty = $read:expr $(; $first:ident)?,)+
        }
        $(others = $unknown:expr;)?
    ) => {
        $(#[$attribute])*
        #[derive(::utoipa::IntoParams)]
        #[into_params(parameter_in = Query)]
        $visibility struct $set {
            $($(#[$described])* $seen $name: $type,)+
        }

        impl $set {
            /// The names of the parameters.
            pub const NAMES: &'static [&'static str] = &[$(stringify!($name)),+];
        }

        impl $crate::params::FromParams for $set {
            $(const UNKNOWN: Option<$crate::params::UnknownParams> = Some($unknown);)?

            fn names() -> Vec<&'static str> {
                Self::NAMES.to_vec()
            }

            fn described() -> Vec<::utoipa::openapi::path::Parameter> {
                <Self as ::utoipa::IntoParams>::into_params(|| None)
            }

            fn read(
                query: &$crate::params::RawQuery,
                path: $crate::paths::Segments<'_>,
            ) -> Result<Self, $crate::error::ApiError> {
                $($crate::query_params!(@read [$($first)?] [first] $name: $type = $read, query, path);)+
                $($crate::query_params!(@read [$($first)?] [] $name: $type = $read, query, path);)+
                Ok(Self { $($name),+ })
            }
        }
    };
    (@read [] [first] $($other:tt)*) => {};
    (@read [first] [] $($other:tt)*) => {};
    (@read [$($mark:ident)?] [$($now:ident)?] $name:ident: $type:ty = $read:expr, $query:ident, $path:ident) => {
        let $name: $type = $crate::params::Given::of(stringify!($name), $query, $path).read_by($read)?;
    };
}

/// Takes sets of parameters together, the first one first; `()` is an operation without parameters.
macro_rules! several {
    ($($set:ident)*) => {
        impl<$($set: FromParams),*> FromParams for ($($set,)*) {
            fn names() -> Vec<&'static str> {
                let sets: &[Vec<_>] = &[$($set::names()),*];
                sets.concat()
            }

            fn described() -> Vec<Parameter> {
                let sets: &[Vec<_>] = &[$($set::described()),*];
                sets.concat()
            }

            fn read(_query: &RawQuery, _path: Segments<'_>) -> Result<Self, ApiError> {
                Ok(($($set::read(_query, _path)?,)*))
            }
        }
    };
}

several! {}
several! { A B }
several! { A B C }
several! { A B C D }
several! { A B C D E }

from_request! { <T: FromParams> Params<T>, request => read(request).map(Self) }

impl<T: FromParams> Argument for Params<T> {
    fn describe(operation: &mut Operation) {
        let described = T::described();
        if !described.is_empty() {
            operation.parameters.get_or_insert_default().extend(described.into_iter().map(RefOr::T));
        }
        add_responses::<RequestRefused>(operation);
        if T::names().contains(&FORMAT) {
            formats::add_tables(operation);
        }
    }
}

fn read<T: FromParams>(request: &HttpRequest) -> Result<T, ApiError> {
    let query = RawQuery::parse(request.query_string());
    let known = &State::of(request)?.interface.params;
    rules::check(&query, &T::names(), T::UNKNOWN.unwrap_or_else(|| rule_of(request)), known)?;
    T::read(&query, Segments::of(request))
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

/// Builds the span of dates from `from` to `to`.
///
/// # Errors
///
/// [`ApiError::BadRequest`] if the first is after the last.
pub fn date_span(from: Option<NaiveDate>, to: Option<NaiveDate>) -> Result<DateSpan, ApiError> {
    DateSpan::new(from, to).map_err(|backward| ApiError::bad_parameter("from", &format!("`to` or earlier: {backward}")))
}

/// The parameter that names the format of an answer.
const FORMAT: &str = "format";

query_params! {
    /// The parameters of an operation that takes only `format`.
    #[derive(Debug, Clone, Copy)]
    pub struct FormatQuery {
        /// The form of the answer; without it the `Accept` header decides.
        pub format: Option<Format> = Given::format,
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
