use sports_publication::Generation;
use utoipa::IntoParams;

use crate::error::ApiError;
use crate::format::Format;
use crate::params::{FromParams, ParamReader, format_of};

/// The parameters of a list of corrections.
#[derive(Debug, Clone, Copy, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct CorrectionsQuery {
    /// The first generation whose corrections are listed; without it the first one with a tree. Send a page's
    /// `next_generation` for the next page. To read on later, send the number in `X-Generation` plus one.
    #[param(value_type = Option<u64>, minimum = 1)]
    since_generation: Option<Generation>,
    /// The number of corrections of a page of JSON. A page ends with the end of a generation, and so may have more.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 1000, default = 100)]
    limit: Option<usize>,
    /// The form of the answer; without it the `Accept` header decides.
    format: Option<Format>,
}

const LIMIT: &str = "limit";
const DEFAULT_LIMIT: usize = 100;
const MOST: usize = 1000;

impl FromParams for CorrectionsQuery {
    const TAKES: &'static [&'static str] = &["since_generation", LIMIT, "format"];

    fn read(params: &ParamReader<'_>) -> Result<Self, ApiError> {
        let since_generation = params.generation("since_generation")?;
        let limit = params.whole_number(LIMIT, 1..=MOST)?;
        Ok(Self { since_generation, limit, format: format_of(params)? })
    }
}

impl CorrectionsQuery {
    /// Returns the `format` parameter.
    pub const fn format(&self) -> Option<Format> {
        self.format
    }

    /// Returns the first generation whose corrections are listed.
    pub fn since(&self) -> Generation {
        self.since_generation.unwrap_or(Generation::FIRST)
    }

    /// Returns the number of corrections of a page; a table holds all of them.
    pub fn limit(&self, is_table: bool) -> Result<usize, ApiError> {
        match (is_table, self.limit) {
            (true, Some(_)) => Err(ApiError::BadRequest(format!(
                "`{LIMIT}` is of JSON pages: CSV, NDJSON and Parquet hold every correction since that generation"
            ))),
            (true, None) => Ok(usize::MAX),
            (false, limit) => Ok(limit.unwrap_or(DEFAULT_LIMIT)),
        }
    }
}
