use sports_publication::Generation;

use super::Given;
use super::given::digits;
use crate::error::ApiError;
use crate::query_params;

/// The generation after which changes are listed; `None` for 0, before the first one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct AfterGeneration(pub Option<Generation>);

impl AfterGeneration {
    /// Reads a number, which every generated client can send.
    ///
    /// # Errors
    ///
    /// [`ApiError::BadRequest`] for another text.
    pub fn read(given: Given<'_>) -> Result<Option<Self>, ApiError> {
        given.parse("a whole number, 0 or more", |text| {
            let number = u64::try_from(digits(text)?.parse::<i64>().ok()?).ok()?;
            Some(Self(Generation::new(number)))
        })
    }
}

query_params! {
    /// The generation since which changes are listed.
    #[derive(Debug, Clone, Copy)]
    pub struct ChangedQuery {
        /// Only games that changed after this generation, the `X-Generation` of an earlier answer: new ones, and those with another
        /// start, `match_id`, line, price or probability. JSON names the games that are no longer listed in `gone`.
        #[param(value_type = Option<u64>, minimum = 0)]
        pub changed_after: Option<AfterGeneration> = AfterGeneration::read,
    }
}

/// The rows of a page of JSON, unless `limit` has another number, and the most.
const DEFAULT_ROWS: usize = 100;
const MOST_ROWS: usize = 1000;

/// Reads the number of rows of a page of JSON that ends with the end of a generation.
///
/// # Errors
///
/// [`ApiError::BadRequest`] for a number out of range.
pub fn rows_of_page(given: Given<'_>) -> Result<Option<usize>, ApiError> {
    given.whole_number(1..=MOST_ROWS)
}

/// Returns the number of rows of a page of JSON; a table has all of them.
///
/// # Errors
///
/// [`ApiError::BadRequest`] for a page of a table.
pub fn page_rows(is_table: bool, limit: Option<usize>) -> Result<Option<usize>, ApiError> {
    match (is_table, limit) {
        (true, Some(_)) => Err(ApiError::BadRequest("`limit` applies to JSON; tables return every row".to_owned())),
        (true, None) => Ok(None),
        (false, limit) => Ok(Some(limit.unwrap_or(DEFAULT_ROWS))),
    }
}
