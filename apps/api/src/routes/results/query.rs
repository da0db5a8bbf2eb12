use sports_domain::Market;
use sports_paging::{HistoryRequest, Limit, Snapshot};
use utoipa::IntoParams;

use crate::error::ApiError;
use crate::format::Format;
use crate::params::{FromParams, ParamReader, season_of};

/// The parameters of a results page.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ResultsQuery {
    /// Rows a page holds at most.
    #[param(minimum = 1, maximum = 100_000, default = 100, example = 100, value_type = Option<u32>)]
    limit: Option<Limit>,
    /// A season's label, `YYYY` for mlb and `YYYY-YY` for the others. With it, that season oldest game
    /// first; without it, the current season newest game first.
    #[param(example = "2023-24")]
    season: Option<String>,
    /// The first row of the page. Beyond the first page of a `season` it needs that page's `snapshot`.
    #[param(minimum = 0, maximum = 2_147_483_647, default = 0, example = 0, value_type = Option<u32>)]
    offset: Option<usize>,
    /// The first page's `snapshot`, with its `season`. When the season changed since, the answer is 409:
    /// start again from the first page rather than combine two versions.
    #[param(example = "9f2c4e01d7ab3356")]
    snapshot: Option<String>,
    /// The form of the answer; without it the `Accept` header decides.
    format: Option<Format>,
}

/// The largest number of 32 bits, which every generated client can send.
const LARGEST_OFFSET: usize = 2_147_483_647;

impl FromParams for ResultsQuery {
    const TAKES: &'static [&'static str] = &["limit", "season", "offset", "snapshot", "format"];

    fn read(params: &ParamReader<'_>) -> Result<Self, ApiError> {
        let limit = params.whole_number("limit", 1..=Limit::LARGEST)?;
        Ok(Self {
            limit: limit.and_then(|rows| Limit::new(rows).ok()),
            season: params.text("season").map(str::to_owned),
            offset: params.whole_number("offset", 0..=LARGEST_OFFSET)?,
            snapshot: params.read("snapshot", "the `snapshot` of a first page", |text| {
                (!text.is_empty()).then(|| text.to_owned())
            })?,
            format: params.read("format", Format::ALLOWED, Format::named)?,
        })
    }
}

impl ResultsQuery {
    /// How many rows are asked for.
    pub fn limit(&self) -> Limit {
        self.limit.unwrap_or(Limit::DEFAULT)
    }

    /// The form asked for by name.
    pub const fn format(&self) -> Option<Format> {
        self.format
    }

    /// Which rows of a market are asked for.
    pub fn request(&self, market: Market) -> Result<HistoryRequest, ApiError> {
        let season = season_of(market, self.season.as_deref())?;
        HistoryRequest::new(season, self.offset.unwrap_or_default(), self.snapshot.clone().map(Snapshot::named))
            .map_err(|reason| ApiError::BadRequest(reason.to_string()))
    }
}
