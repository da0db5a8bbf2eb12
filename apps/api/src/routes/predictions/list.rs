use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use sports_domain::Market;
use sports_usecases::today;

use super::query::SlateQuery;
use super::response::PredictionsResponse;
use crate::answers::{SlateAnswers, SlateQuestion, SlateVersion};
use crate::auth::Subscriber;
use crate::error::{ApiError, NothingThere, Unchanged};
use crate::examples::read_example;
use crate::moments::RequestMoments;
use crate::params::{FormatQuery, ModelQuery, MomentQuery, Params};
use crate::paths::{MarketPath, Path};

/// The parameters of the operation.
type Query = (SlateQuery, (ModelQuery, (FormatQuery, MomentQuery)));

/// List predictions
///
/// The current slate of one market: each model's probability of the over or the home side, the current and the
/// opening lines, and the expected value of one unit on each side by one model. The line and value fields of a game
/// depend on the market, which `model_type` of the answer names. Expected values are informational: model outputs are
/// research signals, and no edge is guaranteed.
// In the example IMPLIED is 125/225 over the sum of 125/225 and 100/205, and the values are 0.58 · 0.8 − 0.42 and
// 0.42 · 1.05 − 0.58.
#[utoipa::path(
    get, path = "/api/v1/predictions/{sport}/{model_type}",
    tag = "predictions",
    params(MarketPath, SlateQuery, ModelQuery, FormatQuery, MomentQuery),
    responses(
        (status = 200, description = "The games", body = PredictionsResponse,
            example = json!(read_example(include_str!("example.json")))),
        Unchanged,
        NothingThere,
    ),
)]
pub(super) async fn list_predictions(
    _caller: Subscriber,
    path: Path<Market>,
    params: Params<Query>,
    request: HttpRequest,
    moments: RequestMoments,
    answers: Data<SlateAnswers>,
) -> Result<HttpResponse, ApiError> {
    let (Path(market), Params((slate, (ModelQuery { model }, (FormatQuery { format }, query))))) = (path, params);
    let reach = slate.reach();
    let at = moments.at(market.sport, &query).await?;
    let named = at.query(today::predictions(at.moment(), market, reach)).await?;
    let model = named.models().model(model).map_err(|error| at.failure(error))?;
    let version = SlateVersion {
        artifact: named.entry().artifact.clone(),
        floor: named.floor(),
        model: Some(model),
        models: named.shown_models(),
    };
    let question = SlateQuestion::Predictions(market, reach);
    let page = async move { Ok(PredictionsResponse::from_current(market, &named.read().await?, model)) };
    answers.give_as(&request, (format, at.head()), (question, version), page).await
}
