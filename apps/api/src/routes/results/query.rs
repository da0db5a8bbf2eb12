use chrono::NaiveDate;
use sports_domain::TeamSlug;
use sports_paging::{GameFilter, HistoryRequest, Limit, SeasonChoice, Snapshot};
use url::form_urlencoded;
use utoipa::IntoParams;

use crate::error::ApiError;
use crate::format::Format;
use crate::params::{
    FromParams, MomentQuery, ParamReader, RawQuery, RequestedSeasons, date_span, format_of, seasons_of,
};

/// The parameters of a results page.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ResultsQuery {
    /// The largest number of rows of a page. A table (CSV, NDJSON, Parquet) without `limit` holds all of them, as
    /// such a file cannot mark itself as a part.
    #[param(minimum = 1, maximum = 100_000, default = 100, value_type = Option<u32>)]
    limit: Option<Limit>,
    /// A season's label, `YYYY` for mlb and `YYYY-YY` for the others. With it: that season, oldest game first; without
    /// it: the current season, newest game first. For a table also several labels with commas between them, or `all`:
    /// one file, oldest game first, with every column that one of the seasons has. Such a file has at most 100,000 games,
    /// is always whole (without `limit`, `offset` and `snapshot`), and counts as one call. JSON has one season.
    #[param(value_type = Option<String>)]
    season: Option<RequestedSeasons>,
    /// The first row of the page. Beyond the first page of a `season`, that page's `snapshot` is
    /// required.
    #[param(minimum = 0, maximum = 2_147_483_647, default = 0, value_type = Option<u32>)]
    offset: Option<usize>,
    /// The first page's `snapshot`, with its `season`. If the season changed since, the answer is 409: start again
    /// from the first page rather than combine two versions.
    snapshot: Option<String>,
    /// Only games of this date and later: the Eastern date of their start, as in the rows.
    from: Option<NaiveDate>,
    /// Only games of this date and earlier.
    to: Option<NaiveDate>,
    /// Only games of this team, away or at home: its slug as in the rows, or any other name that identifies one club
    /// of the league.
    #[param(value_type = Option<String>)]
    team: Option<TeamSlug>,
    /// The form of the answer; without it the `Accept` header decides.
    format: Option<Format>,
}

/// The largest signed number of 32 bits, which every generated client can send.
const LARGEST_OFFSET: usize = 2_147_483_647;

impl FromParams for ResultsQuery {
    const TAKES: &'static [&'static str] = &["limit", "season", "offset", "snapshot", "from", "to", "team", "format"];

    fn read(params: &ParamReader<'_>) -> Result<Self, ApiError> {
        let limit = params.whole_number("limit", 1..=Limit::LARGEST)?;
        Ok(Self {
            limit: limit.and_then(|rows| Limit::new(rows).ok()),
            season: seasons_of(params)?,
            offset: params.whole_number("offset", 0..=LARGEST_OFFSET)?,
            snapshot: params.read("snapshot", "the `snapshot` of a first page", |text| {
                (!text.is_empty()).then(|| text.to_owned())
            })?,
            from: params.date("from")?,
            to: params.date("to")?,
            team: params.text("team").map(team).transpose()?,
            format: format_of(params)?,
        })
    }
}

/// Parses a team's slug, or a name from which one can be made.
fn team(text: &str) -> Result<TeamSlug, ApiError> {
    TeamSlug::normalise(text).map_err(|reason| ApiError::BadRequest(format!("`team`: {reason}")))
}

impl ResultsQuery {
    /// Returns the largest number of rows of a page in a format.
    pub fn limit(&self, format: Format) -> Limit {
        self.limit.unwrap_or(if format.is_table() { Limit::MOST } else { Limit::DEFAULT })
    }

    /// Returns the filter by dates and team.
    pub fn filter(&self) -> Result<GameFilter, ApiError> {
        Ok(GameFilter { dates: date_span(self.from, self.to)?, team: self.team.clone() })
    }

    /// Returns the query of the next page: every known parameter in `given`, with the position of that page, but without
    /// a key.
    pub fn next(&self, given: &RawQuery, offset: usize, format: Format, snapshot: &Snapshot) -> String {
        let (limit, offset) = (self.limit(format).get().to_string(), offset.to_string());
        let values = Self::TAKES.iter().filter_map(|name| {
            let value = match *name {
                "limit" => Some(limit.as_str()),
                "offset" => Some(offset.as_str()),
                "snapshot" => self.season.as_ref().map(|_| snapshot.as_str()),
                "format" => Some(format.name()),
                name => given.first(name),
            };
            Some((name, value?))
        });
        let moment = MomentQuery::TAKES.iter().filter_map(|name| Some((name, given.first(name)?)));
        let pairs = values.chain(moment);
        format!("?{}", form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish())
    }

    /// Returns the `format` parameter.
    pub const fn format(&self) -> Option<Format> {
        self.format
    }

    /// Returns the seasons of a request for several, which only a whole table can have.
    ///
    /// # Errors
    ///
    /// [`ApiError::BadRequest`] for JSON, and for a parameter that pages need.
    pub fn several(&self, format: Format) -> Result<Option<SeasonChoice>, ApiError> {
        let Some(RequestedSeasons::Several(choice)) = &self.season else { return Ok(None) };
        if !format.is_table() {
            let detail =
                "`season` must be one label in JSON; several seasons are one table: add format=csv, ndjson or parquet";
            return Err(ApiError::BadRequest(detail.to_owned()));
        }
        let paging =
            [("limit", self.limit.is_some()), ("offset", self.offset.is_some()), ("snapshot", self.snapshot.is_some())];
        match paging.into_iter().find(|(_, given)| *given) {
            None => Ok(Some(choice.clone())),
            Some((name, _)) => Err(ApiError::BadRequest(format!(
                "`{name}`: a table of several seasons is always whole; leave it out, or request one season"
            ))),
        }
    }

    /// Converts season, offset and snapshot to a request for one season.
    ///
    /// # Errors
    ///
    /// [`ApiError::BadRequest`] if they cannot be combined.
    pub fn request(&self) -> Result<HistoryRequest, ApiError> {
        let season = match &self.season {
            Some(RequestedSeasons::One(season)) => Some(*season),
            Some(RequestedSeasons::Several(_)) | None => None,
        };
        HistoryRequest::new(season, self.offset.unwrap_or_default(), self.snapshot.clone().map(Snapshot::named))
            .map_err(|reason| ApiError::BadRequest(reason.to_string()))
    }
}
