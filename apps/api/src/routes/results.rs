//! Graded history: rows of games, seasons, and figures computed from them.

mod density;
pub(super) mod list;
mod page;
mod rolling;
pub(super) mod seasons;
mod team_form;

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use actix_web::body::{BodySize, MessageBody};
use bytes::Bytes;
use chrono::{DateTime, NaiveDate, Utc};
use serde::Serialize;
use sports_domain::paging::{GameFilter, GameState, HistoryRequest, Limit, NoSuchTeam, SeasonChoice, Snapshot};
use sports_domain::{Season, TeamSlug};
use sports_ports::PortError;
use sports_usecases::record::NotReadYet;
use sports_usecases::results::{ResultsError, ResultsPage};
use sports_usecases::season_tables::{MOST_GAMES, SeasonTableError};
use url::form_urlencoded;
use utoipa::ToSchema;
use utoipa_actix_web::service_config::ServiceConfig;

use crate::codes::{Code, GameStateCode, ModelTypeCode, SportCode};
use crate::error::ApiError;
use crate::format::Format;
use crate::near::team_hint;
use crate::operation::operation;
use crate::params::{Given, MomentQuery, RawQuery, RequestedSeasons, date_span};
use crate::query_params;
use list::{PageCut, PageKind, ResultItem, SeasonPage};

/// The operations of this area.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config
        .service(operation!(list::list_results))
        .service(operation!(seasons::list_result_seasons))
        .service(operation!(rolling::show_rolling_curves))
        .service(operation!(density::show_result_density))
        .service(operation!(team_form::show_team_form));
}

/// A page as a body of three pieces: the text before the rows, a slice of the season's buffer, and the text after
/// them. The pieces are sent without copying.
pub struct PageBody {
    parts: std::array::IntoIter<Bytes, 3>,
    size: u64,
}

impl PageBody {
    /// Returns a body that sends three pieces one after the other.
    pub fn from_parts(parts: [Bytes; 3]) -> Self {
        let size = parts.iter().map(|part| part.len() as u64).sum();
        Self { parts: parts.into_iter(), size }
    }
}

impl MessageBody for PageBody {
    type Error = Infallible;

    fn size(&self) -> BodySize {
        BodySize::Sized(self.size)
    }

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Bytes, Self::Error>>> {
        // An empty piece would end a chunked body early.
        Poll::Ready(self.parts.find(|part| !part.is_empty()).map(Ok))
    }
}

/// One page of a season.
pub type ResultsResponse = SeasonPage<Results>;

/// The kind of a page of results.
pub enum Results {}

impl PageKind for Results {
    const NAME: &'static str = "ResultsPage";
    const DESCRIPTION: &'static str = "One page of a season.";
    const ROWS: &'static str = "results";
    type Head = Head;
    type Totals = Totals;
    type Item = ResultItem;
}

/// The fields of a page before its rows.
#[derive(Serialize, ToSchema)]
pub struct Head {
    /// The league.
    sport: SportCode,
    /// The model type.
    model_type: ModelTypeCode,
    /// The label of the season.
    #[schema(example = "2023-24")]
    season: String,
}

/// The fields of a page behind its rows that are about its season.
#[derive(Serialize, ToSchema)]
pub struct Totals {
    /// The time at which the season was last published.
    last_updated: DateTime<Utc>,
    /// The number of rows of the season, graded or not, or of the selected games.
    total: usize,
}

impl From<&ResultsPage> for ResultsResponse {
    fn from(page: &ResultsPage) -> Self {
        let market = page.season.market;
        let head = Head {
            sport: Code(market.sport),
            model_type: Code(market.model_type),
            season: page.season.season.to_string(),
        };
        let cut = PageCut {
            returned: page.rows.len(),
            offset: page.offset,
            next_offset: page.next_offset,
            snapshot: page.snapshot.to_string(),
            source_start: page.source_start,
            source_end: page.source_end,
        };
        Self { head, totals: Totals { last_updated: page.last_updated, total: page.total }, cut }
    }
}

query_params! {
    /// The parameters of a results page.
    #[derive(Debug)]
    pub struct ResultsQuery {
        /// The largest number of rows of a page. A table (CSV, NDJSON, Parquet) without `limit` holds all of them, as
        /// such a file cannot mark itself as a part.
        #[param(minimum = 1, maximum = 100_000, default = 100, value_type = Option<u32>)]
        limit: Option<Limit> = Given::limit,
        /// A season's label, `YYYY` for mlb and `YYYY-YY` for the others. With it: that season, oldest game first; without
        /// it: the current season, newest game first. For a table also several labels with commas between them, or `all`:
        /// one file, oldest game first, with every column that one of the seasons has. Such a file has at most 100,000 games,
        /// is always whole (without `limit`, `offset` and `snapshot`), and counts as one call. JSON has one season.
        #[param(value_type = Option<String>)]
        season: Option<RequestedSeasons> = Given::seasons,
        /// The first row of the page. Beyond the first page of a `season`, that page's `snapshot` is
        /// required.
        #[param(minimum = 0, maximum = 2_147_483_647, default = 0, value_type = Option<u32>)]
        offset: Option<usize> = Given::offset,
        /// The first page's `snapshot`, with its `season`. If the season changed since, the answer is 409: start again
        /// from the first page rather than combine two versions.
        snapshot: Option<String> = Given::snapshot,
        /// Only games of this date and later: the Eastern date of their start, as in the rows.
        from: Option<NaiveDate> = Given::date,
        /// Only games of this date and earlier.
        to: Option<NaiveDate> = Given::date,
        /// Only games of this team, away or at home: its slug as in the rows, or any other name that identifies one club
        /// of the league.
        #[param(value_type = Option<String>)]
        team: Option<TeamSlug> = Given::team,
        /// Only games in this state: with a score (`final`, also games that landed on the line), graded by at least one model
        /// (`graded`), or without a score and not called off (`scheduled`). `state=final&limit=20` is the last 20 finals of the
        /// current season.
        #[param(inline, value_type = Option<GameStateCode>)]
        state: Option<GameState> = |given| given.parse("final, graded or scheduled", GameState::named),
        /// The form of the answer; without it the `Accept` header decides.
        format: Option<Format> = Given::format,
    }
}

impl ResultsQuery {
    /// Returns the largest number of rows of a page in a format.
    pub fn limit(&self, format: Format) -> Limit {
        self.limit.unwrap_or(if format.is_table() { Limit::MOST } else { Limit::DEFAULT })
    }

    /// Returns the filter by dates, team and state.
    pub fn filter(&self) -> Result<GameFilter, ApiError> {
        let dates = date_span(self.from, self.to)?;
        Ok(GameFilter { dates, team: self.team.clone(), state: self.state, started_by: None })
    }

    /// Returns the query of the next page: every known parameter in `given`, with the position of that page, but without
    /// a key.
    pub fn next(&self, given: &RawQuery, offset: usize, format: Format, snapshot: &Snapshot) -> String {
        let (limit, offset) = (self.limit(format).get().to_string(), offset.to_string());
        let values = Self::NAMES.iter().filter_map(|name| {
            let value = match *name {
                "limit" => Some(limit.as_str()),
                "offset" => Some(offset.as_str()),
                "snapshot" => self.season.as_ref().map(|_| snapshot.as_str()),
                "format" => Some(format.name()),
                name => given.first(name),
            };
            Some((name, value?))
        });
        let moment = MomentQuery::NAMES.iter().filter_map(|name| Some((name, given.first(name)?)));
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

impl From<NotReadYet> for ApiError {
    fn from(error: NotReadYet) -> Self {
        Self::Unavailable(PortError::unavailable("the publication log", error))
    }
}

impl From<ResultsError> for ApiError {
    fn from(error: ResultsError) -> Self {
        match error {
            ResultsError::NotReadYet(error) => error.into(),
            ResultsError::NoSuchModel(error) => error.into(),
            ResultsError::Unwalked(error) => error.into(),
            ResultsError::Unreadable(error) => error.into(),
            ResultsError::NothingPublished(market) => Self::NotFound(format!("No results are published for {market}")),
            ResultsError::NoSuchSeason { market, season } => Self::NotFound(format!(
                "No results are published for {market} in season {season}; \
                 /api/v1/results/{}/{}/seasons lists those there are",
                market.sport, market.model_type
            )),
            ResultsError::OutsideSeason { market, season, seasons } => {
                let labels: Vec<_> = seasons.iter().map(ToString::to_string).collect();
                let others = match &*labels {
                    [] => "no season has".to_owned(),
                    [only] => format!("`season={only}` has"),
                    labels => format!("seasons with such dates: {}", labels.join(", ")),
                };
                Self::BadRequest(format!("`from`, `to`: season {season} of {market} has no such dates; {others}"))
            }
            ResultsError::SnapshotChanged { market, season } => Self::Conflict(format!(
                "Season {season} of {market} was published anew since this snapshot; \
                 start again from the first page, without `snapshot` and `offset`"
            )),
            ResultsError::AnotherMoment { season } => Self::Conflict(format!(
                "This is not the snapshot of season {season} as of {{as_of}}: start again from the first page"
            )),
            ResultsError::NoSuchSnapshot { market, season } => Self::Conflict(format!(
                "This is no snapshot of season {season} of {market}; \
                 start again from the first page, without `snapshot` and `offset`"
            )),
        }
    }
}

impl From<SeasonTableError> for ApiError {
    fn from(error: SeasonTableError) -> Self {
        match error {
            SeasonTableError::NothingPublished(subject) => {
                Self::NotFound(format!("No results are published for {subject}"))
            }
            SeasonTableError::NoSuchSeason { subject, season, known } => Self::NotFound(format!(
                "No results are published for {subject} in season {season}; there are {}",
                labels(&known)
            )),
            SeasonTableError::OutsideSeasons { subject, seasons } => {
                let others = match &*seasons {
                    [] => "no season has".to_owned(),
                    seasons => format!("seasons with such dates: {}", labels(seasons)),
                };
                Self::BadRequest(format!("`from`, `to`: no requested season of {subject} has such dates; {others}"))
            }
            SeasonTableError::TooManyGames { subject, seasons, games, fitting } => Self::BadRequest(format!(
                "`season`: {seasons} seasons of {subject} have {games} games together, and a table has at most {MOST_GAMES}; \
                 request fewer at once, such as season={}",
                labels(&fitting).replace(' ', "")
            )),
        }
    }
}

fn labels(seasons: &[Season]) -> String {
    seasons.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

impl From<NoSuchTeam> for ApiError {
    fn from(error: NoSuchTeam) -> Self {
        match error {
            NoSuchTeam::Unknown { market, season, team } => {
                let hint = team_hint(market.sport, Some(season), &team);
                Self::NotFound(format!(
                    "No game of season {season} of {market} has a team `{team}`; \
                     rows have the names of teams in `away_team` and `home_team`{hint}"
                ))
            }
            ambiguous @ NoSuchTeam::Ambiguous { .. } => Self::BadRequest(format!("`team`: {ambiguous}")),
        }
    }
}
