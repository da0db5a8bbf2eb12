mod query;
mod response;

use actix_web::HttpResponse;
use actix_web::web::Data;
use sports_domain::{Season, Sport};
use sports_paging::HistoryRequest;
use sports_publication::Catalog;
use sports_usecases::game_histories::GameHistories;
use sports_usecases::record::{known_seasons, off_thread, season_of_odds};

use query::ClosingQuery;
use response::{ClosingList, ClosingResponse};

use crate::answers::RecordAnswer;
use crate::auth::Subscriber;
use crate::error::{ApiError, NothingThere, SnapshotChanged, Unchanged};
use crate::examples::read_example;
use crate::moments::RequestMoments;
use crate::params::Params;
use crate::paths::{Path, SportPath};

/// List openers and closing lines
///
/// One row for each game of a season that the releases here have quoted: its first lines, its last lines with a price before
/// the start, and the age of the latter. Both are those of the game's history. JSON comes in pages: without `season` the current
/// season, newest game first; with `season` that season, oldest game first, and every later page sends the first page's
/// `snapshot`. CSV, NDJSON and Parquet hold every row.
#[utoipa::path(
    get, path = "/api/v1/odds/{sport}/closing",
    tag = "odds",
    params(SportPath, ClosingQuery),
    responses(
        (status = 200, description = "The games", body = ClosingResponse,
            example = json!(read_example(include_str!("closing/example.json")))),
        Unchanged,
        SnapshotChanged,
        NothingThere,
    ),
)]
pub(super) async fn list_closing_odds(
    _caller: Subscriber,
    path: Path<Sport>,
    params: Params<ClosingQuery>,
    answer: RecordAnswer,
    moments: RequestMoments,
    histories: Data<GameHistories>,
) -> Result<HttpResponse, ApiError> {
    let (Path(sport), Params(query)) = (path, params);
    let request = query.request()?;
    let at = moments.now(sport)?;
    let nothing = || ApiError::NotFound(format!("No odds are published for {sport}"));
    let catalog = at.moment().catalog().ok_or_else(nothing)?;
    let season = season(&request, catalog)?;
    let movement = histories.odds(at.moment(), season).await?;
    // A season's worth of histories takes milliseconds.
    let list = off_thread("closing lines", move || ClosingList::of(&movement)).await?;
    let page = if !answer.is_table(query.format()) {
        list.page(&request, query.limit())?
    } else if query.is_page() {
        return Err(query::page_of_a_table());
    } else {
        list.whole()
    };
    let last_updated = catalog.published_at;
    let limit = query.limit().get();
    let identity = format!("{sport} {season} {request:?} {} {limit} {last_updated}", page.snapshot());
    let making = async move { Ok(page.response(sport, season, last_updated)) };
    answer.at(&at).give_as(query.format(), &identity, making).await
}

/// Returns the requested season, by default the current one.
fn season(request: &HistoryRequest, catalog: &Catalog) -> Result<Season, ApiError> {
    let current = season_of_odds(catalog);
    let HistoryRequest::OfSeason { season, .. } = request else { return Ok(current) };
    let is_known = known_seasons(catalog).contains(season);
    let unknown = || ApiError::NotFound(format!("Season {season} of {} is not on record", catalog.sport));
    if is_known { Ok(*season) } else { Err(unknown()) }
}
