mod response;

use actix_web::HttpResponse;
use actix_web::web::Data;
use sports_domain::Sport;
use sports_usecases::game_histories::GameHistories;
use sports_usecases::record::NeededParts;

use response::OddsHistoryResponse;

use super::failure::history_failure;
use crate::answers::RecordAnswer;
use crate::auth::Subscriber;
use crate::error::{ApiError, NothingThere, Unchanged};
use crate::examples::read_example;
use crate::moments::RequestMoments;
use crate::params::{DaysQuery, FormatQuery, GameQuery, Params};
use crate::paths::{Path, SportPath};

/// The parameters of the operation.
type Query = (GameQuery, (DaysQuery, FormatQuery));

/// List the lines of a game as they moved
///
/// Every published line of one game before its start, with the opener and the closing line marked. A line is listed where one
/// of its nine fields differs from the line before. The closing line is the last one with a price; odds that no longer quote
/// the game are a line of nulls, and only make the close older. Odds that were published at or after the start are counted in
/// `quoted_after_start` and not listed, since the odds of a running game can hold in-play prices. A game that moved is followed
/// to its present start; one whose start had passed before it moved closed at that start.
#[utoipa::path(
    get, path = "/api/v1/odds/{sport}/history",
    tag = "odds",
    params(SportPath, GameQuery, DaysQuery, FormatQuery),
    responses(
        (status = 200, description = "The lines, oldest first", body = OddsHistoryResponse,
            example = json!(read_example(include_str!("history/example.json")))),
        Unchanged,
        NothingThere,
    ),
)]
pub(super) async fn show_odds_history(
    _caller: Subscriber,
    path: Path<Sport>,
    params: Params<Query>,
    answer: RecordAnswer,
    moments: RequestMoments,
    histories: Data<GameHistories>,
) -> Result<HttpResponse, ApiError> {
    let (Path(sport), Params((game, (days, FormatQuery { format })))) = (path, params);
    let (name, days) = (game.name()?, days.days());
    let at = moments.now(sport)?;
    let unknown = || ApiError::NotFound("No odds of that game are on record".to_owned());
    let found =
        histories.game(at.moment(), &name, NeededParts::Odds).await.map_err(|error| history_failure(error, unknown))?;
    if !found.game().is_some_and(|game| game.was_quoted()) {
        return Err(unknown());
    }
    let newest = at.moment().catalog().map(|catalog| &catalog.release_id);
    let identity = format!("{sport} {} {days} {newest:?}", found.game_id());
    let answer = answer.at(&at).kept_if_final(found.is_final());
    let making = async move { OddsHistoryResponse::of(sport, &found, days) };
    answer.give_as(format, &identity, making).await
}
