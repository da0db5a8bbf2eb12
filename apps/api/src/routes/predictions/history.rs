mod response;

use actix_web::HttpResponse;
use actix_web::web::Data;
use sports_domain::Market;
use sports_usecases::game_histories::GameHistories;
use sports_usecases::record::NeededParts;

use response::{ForecastHistoryResponse, Listed};

use crate::answers::RecordAnswer;
use crate::auth::Subscriber;
use crate::error::{ApiError, NothingThere, Unchanged};
use crate::examples::read_example;
use crate::moments::RequestMoments;
use crate::params::{DaysQuery, FormatQuery, GameQuery, Params};
use crate::paths::{MarketPath, Path};
use crate::routes::odds::history_failure;

/// The parameters of the operation.
type Query = (GameQuery, (DaysQuery, FormatQuery));

/// List the forecasts of a game as they changed
///
/// Every published forecast of one game in one market before its start, with the lines that were served with it. A forecast is
/// listed where its probabilities or lines differ from the one before. A withdrawn forecast, or a game that a later file left
/// out, is an item without probabilities. `standing` marks the forecast that counts in the results: the one that the row of the
/// archive holds.
#[utoipa::path(
    get, path = "/api/v1/predictions/{sport}/{model_type}/history",
    tag = "predictions",
    params(MarketPath, GameQuery, DaysQuery, FormatQuery),
    responses(
        (status = 200, description = "The forecasts, oldest first", body = ForecastHistoryResponse,
            example = json!(read_example(include_str!("history/example.json")))),
        Unchanged,
        NothingThere,
    ),
)]
pub(super) async fn show_forecast_history(
    _caller: Subscriber,
    path: Path<Market>,
    params: Params<Query>,
    answer: RecordAnswer,
    moments: RequestMoments,
    histories: Data<GameHistories>,
) -> Result<HttpResponse, ApiError> {
    let (Path(market), Params((game, (days, FormatQuery { format })))) = (path, params);
    let (name, days) = (game.name()?, days.days());
    let at = moments.now(market.sport)?;
    let unknown = || ApiError::NotFound("No forecast of that game is on record".to_owned());
    let needed = NeededParts::Predictions(market.model_type);
    let found = histories.game(at.moment(), &name, needed).await.map_err(|error| history_failure(error, unknown))?;
    if !found.game().is_some_and(|game| game.was_predicted(market.model_type)) {
        return Err(unknown());
    }
    let models = at.query(at.moment().models()).await?;
    let own = models.registry().own().map(|model| model.name).collect();
    let newest = at.moment().catalog().map(|catalog| &catalog.release_id);
    let identity = format!("{market} {} {days} {newest:?}", found.game_id());
    let answer = answer.at(&at).kept_if_final(found.is_final());
    let listed = Listed { days, histories: histories.into_inner(), own };
    let making = async move { ForecastHistoryResponse::of(market, &found, listed).await };
    answer.give_as(format, &identity, making).await
}
