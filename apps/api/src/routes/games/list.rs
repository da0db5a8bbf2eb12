use actix_web::{HttpRequest, HttpResponse};
use sports_domain::Sport;
use sports_usecases::games::Games;
use sports_usecases::season_tables::{TableSubject, snapshot_started_by};

use super::GamesResponse;
use crate::answer::{Answer, SelectedRows, Selection, SelectionTables};
use crate::auth::{OfSeason, RecordReader};
use crate::error::{ApiError, NothingThere, SnapshotChanged, Unchanged};
use crate::examples::read_example;
use crate::moments::{AnswerMoment, RequestMoments};
use crate::params::{MomentQuery, Params, RawQuery};
use crate::paths::{Path, SportPath};
use crate::routes::results::ResultsQuery;
use crate::routes::results::seasons::give_seasons;
use crate::state::State;

/// List games with all three markets
///
/// One row a game, with the rows that the game has in the results of the three markets: `moneyline_BLEND` is `BLEND` of
/// `won_on_points`, `spread_home_point_spread` is `home_point_spread` of `won_on_spread`, `total_over_line` is `over_line`
/// of `over_under`, and likewise lines, finals, grades and every model. The columns that identify a game (`date`,
/// `time_est`, `season`, `game_type`, `away_team`, `home_team`, `game_number`, `game_id`, `match_id`) come once. Each row has
/// every column; those of a market that does not have the game are null. Seasons, pages, snapshots, filters and formats are
/// those of the results: `season=all` is one table of at most 100,000 games.
#[utoipa::path(
    get, path = "/api/v1/games/{sport}",
    tag = "results",
    params(SportPath),
    responses(
        (status = 200, description = "One page of a season",
            body = GamesResponse,
            headers(
                ("X-Grading-Rules"),
                ("X-Results-Season" = String, description = "The season the rows are of; with commas between several"),
                ("X-Results-Total" = u64, description = "Games of the seasons, or of the selected games"),
                ("X-Results-Snapshot" = String, description = "The page's snapshot"),
                ("X-Results-Next-Offset" = u64, description = "The `offset` of the next page; absent on the last"),
                ("Link" = String, description = "On a table with a next page: its address, without the key"),
            ),
            example = json!(read_example(include_str!("example.json"))),
        ),
        Unchanged,
        SnapshotChanged,
        NothingThere,
    ),
)]
pub(super) async fn list_games(
    _reader: RecordReader<OfSeason>,
    path: Path<Sport>,
    params: Params<(ResultsQuery, MomentQuery)>,
    moments: RequestMoments,
    state: State,
    answer: Answer,
    tables: SelectionTables,
) -> Result<HttpResponse, ApiError> {
    let (Path(sport), Params((query, moment))) = (path, params);
    let (answer, subject) = (answer.in_format(query.format()), TableSubject::League(sport));
    let several = query.several(answer.format())?;
    let at = moments.at(sport, &moment).await?;
    match several {
        Some(choice) => Box::pin(give_seasons(subject, &choice, query.filter()?, tables, answer, &at)).await,
        None => give_page(subject, &query, tables, answer, &state.published.games, at).await,
    }
}

/// Answers with a page of one season.
async fn give_page(
    subject: TableSubject,
    query: &ResultsQuery,
    tables: SelectionTables,
    answer: Answer,
    games: &Games,
    at: AnswerMoment,
) -> Result<HttpResponse, ApiError> {
    let (request, filter, limit) = (query.request()?, query.filter()?, query.limit(answer.format()));
    let (moment, mut page) = at.query(games.season(at.moment().clone(), &request)).await?;
    let at = at.followed_by(moment);
    let (order, offset, seasons) = (page.order, page.offset, vec![page.season.clone()]);
    let filter = tables.started(&answer, subject, &seasons, at.filter(filter, page.season.last_date)).await?;
    if let Some(instant) = filter.started_by {
        page.snapshot = snapshot_started_by(&page.snapshot, instant);
    }
    page.expect_snapshot(subject.sport(), &request).map_err(|error| at.failure(error))?;
    let (format, selection) = (answer.format(), Selection { subject, seasons, filter, order, offset, limit });
    let around = |rows: &SelectedRows| GamesResponse::new(subject.sport(), &page, rows).json();
    let next = |request: &HttpRequest, offset| {
        query.next(&RawQuery::parse(request.query_string()), offset, format, &page.snapshot)
    };
    tables.respond(answer.at(&at), selection, around, next).await
}
