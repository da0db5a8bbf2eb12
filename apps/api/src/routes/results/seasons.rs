use actix_web::{HttpRequest, HttpResponse};
use sports_domain::paging::{GameFilter, SeasonChoice};
use sports_domain::{Market, Season};
use sports_http_transport::Audience;
use sports_usecases::results::{SeasonList, seasons};
use sports_usecases::season_tables::{TableSubject, chosen};

use crate::answer::{Answer, SelectedRows, Selection, SelectionTables};
use crate::auth::{OfLeague, RecordReader};
use crate::caching::Revalidated;
use crate::error::{ApiError, NothingThere, Unchanged};
use crate::moments::{AnswerMoment, RequestMoments};
use crate::params::{MomentQuery, Params};
use crate::paths::{MarketPath, Path};
use crate::wire::wire;

wire! {
    /// The seasons of a market.
    #[schema(as = ResultSeasons)]
    pub struct ResultSeasonsResponse(list: SeasonList) {
        let current_season = list.current.as_ref().map(Season::to_string);

        /// Every season's label, newest first; empty if nothing is published.
        #[schema(example = json!(["2023-24", "2022-23"]))]
        seasons: Vec<String> = list.seasons.iter().map(Season::to_string).collect(),
        /// The latest season with a game played against a posted line; between seasons, the season played last. Null
        /// until there is such a season; until then a request without a season is answered with the newest.
        #[schema(required, example = "2023-24")]
        current_season: Option<String> = current_season.clone(),
        /// True if the current season is in progress: its last decided game is at most 14 days old.
        live: bool = list.live,
        /// The current season's label while it is in progress, else null.
        #[schema(required)]
        live_season: Option<String> = current_season.filter(|_| list.live),
    }
}

/// List the seasons with results
///
/// The labels that `season` takes, newest first, and the label of the current season.
#[utoipa::path(
    get, path = "/api/v1/results/{sport}/{model_type}/seasons",
    tag = "results",
    params(MarketPath),
    responses(
        (status = 200, description = "The seasons; an empty list where nothing is published", body = ResultSeasonsResponse,
            example = json!({
                "seasons": ["2023-24", "2022-23"], "current_season": "2023-24", "live": false, "live_season": null
            })),
        Unchanged,
        NothingThere,
    ),
)]
pub(super) async fn list_result_seasons(
    _reader: RecordReader<OfLeague>,
    path: Path<Market>,
    params: Params<MomentQuery>,
    request: HttpRequest,
    moments: RequestMoments,
) -> Result<HttpResponse, ApiError> {
    let (Path(market), Params(query)) = (path, params);
    let at = moments.at(market.sport, &query).await?;
    let list = ResultSeasonsResponse::new(seasons(at.moment(), market));
    Ok(Revalidated(Audience::KeyHolder, list).respond_at(&at, &request))
}

/// Answers with a table of several seasons.
pub async fn give_seasons(
    subject: TableSubject,
    choice: &SeasonChoice,
    filter: GameFilter,
    tables: SelectionTables,
    answer: Answer,
    at: &AnswerMoment,
) -> Result<HttpResponse, ApiError> {
    let seasons = chosen(at.moment(), subject, choice, filter.dates).map_err(|error| at.failure(error))?;
    let last_date = seasons.iter().filter_map(|season| season.last_date).max();
    let filter = tables.started(&answer, subject, &seasons, at.filter(filter, last_date)).await?;
    let no_page = |_: &SelectedRows| Err(ApiError::bad_parameter("format", "csv, ndjson or parquet here"));
    let next = |request: &HttpRequest, _| request.path().to_owned();
    tables.respond(answer.at(at), Selection::whole(subject, seasons, filter), no_page, next).await
}
