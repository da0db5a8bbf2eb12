use sports_domain::Season;
use sports_paging::{HistoryRequest, Limit, Snapshot};
use utoipa::IntoParams;

use crate::error::ApiError;
use crate::format::Format;
use crate::params::{FromParams, ParamReader, format_of};

/// The parameters of a list of closing lines.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ClosingQuery {
    /// The largest number of games of a page of JSON.
    #[param(minimum = 1, maximum = 100_000, default = 100, value_type = Option<u32>)]
    limit: Option<Limit>,
    /// A season's label, `YYYY` for mlb and `YYYY-YY` for the others. With it: that season, oldest game first; without
    /// it: the current season, newest game first.
    #[param(value_type = Option<String>)]
    season: Option<Season>,
    /// The first game of the page. Beyond the first page of a `season`, that page's `snapshot` is required.
    #[param(minimum = 0, maximum = 2_147_483_647, default = 0, value_type = Option<u32>)]
    offset: Option<usize>,
    /// The first page's `snapshot`, with its `season`. If a line changed since, the answer is 409: start again from the first
    /// page rather than combine two versions.
    snapshot: Option<String>,
    /// The form of the answer; without it the `Accept` header decides.
    format: Option<Format>,
}

/// The largest signed number of 32 bits, which every generated client can send.
const LARGEST_OFFSET: usize = 2_147_483_647;

impl FromParams for ClosingQuery {
    const TAKES: &'static [&'static str] = &["limit", "season", "offset", "snapshot", "format"];

    fn read(params: &ParamReader<'_>) -> Result<Self, ApiError> {
        let limit = params.whole_number("limit", 1..=Limit::LARGEST)?;
        Ok(Self {
            limit: limit.and_then(|rows| Limit::new(rows).ok()),
            season: params.season()?,
            offset: params.whole_number("offset", 0..=LARGEST_OFFSET)?,
            snapshot: params.read("snapshot", "the `snapshot` of a first page", |text| {
                (!text.is_empty()).then(|| text.to_owned())
            })?,
            format: format_of(params)?,
        })
    }
}

impl ClosingQuery {
    /// Returns the `format` parameter.
    pub const fn format(&self) -> Option<Format> {
        self.format
    }

    /// Returns the largest number of games of a page.
    pub fn limit(&self) -> Limit {
        self.limit.unwrap_or(Limit::DEFAULT)
    }

    /// Returns true if the request is for a page of games.
    pub const fn is_page(&self) -> bool {
        self.limit.is_some() || self.offset.is_some() || self.snapshot.is_some()
    }

    /// Converts season, offset and snapshot to a request.
    pub fn request(&self) -> Result<HistoryRequest, ApiError> {
        HistoryRequest::new(self.season, self.offset.unwrap_or_default(), self.snapshot.clone().map(Snapshot::named))
            .map_err(|reason| ApiError::BadRequest(reason.to_string()))
    }
}

/// Returns the refusal of a page of a table.
pub fn page_of_a_table() -> ApiError {
    let detail =
        "`limit`, `offset` and `snapshot` are of JSON pages: CSV, NDJSON and Parquet hold every game of the season";
    ApiError::BadRequest(detail.to_owned())
}
