use actix_web::HttpResponse;
use actix_web::web::Data;
use sports_domain::Market;
use sports_usecases::analytics::{Analytics, ClvRules};

use super::query::ClvQuery;
use super::response::ClvResponse;
use crate::answers::GradedAnswer;
use crate::auth::Subscriber;
use crate::error::{ApiError, NothingThere, Unchanged};
use crate::examples::read_example;
use crate::moments::RequestMoments;
use crate::params::{ModelsQuery, MomentQuery, Params, SeasonQuery, date_span};
use crate::paths::{MarketPath, Path};

/// The parameters of the operation.
type Query = (SeasonQuery, (ClvQuery, (ModelsQuery, MomentQuery)));

/// Show picks against the closing line
///
/// For each model, in a season (the latest without `season`): the value that its picks had at the last prices before the
/// games started. Counted are live forecasts that releases of this log made, of games that have started and were not
/// called off, at the lines and prices served with the forecast. The close is the last line with a price that was published
/// before the start; the history of a game's odds marks it.
///
/// `clv_ev` is the expected value of the price taken by the closing no-vig probability. `clv_prob` is the difference of the
/// no-vig probabilities. `line_clv` is the points by which a total or a spread moved in favour of the pick. They measure
/// different things and are never added up. A pick without a close to compare with is counted under its first reason in
/// `excluded`.
///
/// A positive closing-line value promises no profit: the close is a price with the bookmaker's margin and errors of its
/// own, a price taken may not have been available, and other seasons may differ.
#[utoipa::path(
    get, path = "/api/v1/clv/{sport}/{model_type}",
    tag = "performance",
    params(MarketPath, SeasonQuery, ClvQuery, ModelsQuery, MomentQuery),
    responses(
        (status = 200, description = "The closing-line value of each model's picks", body = ClvResponse,
            headers(("X-Grading-Rules")), example = json!(read_example(include_str!("example.json")))),
        Unchanged,
        NothingThere,
    ),
)]
pub(super) async fn show_clv(
    _caller: Subscriber,
    path: Path<Market>,
    params: Params<Query>,
    answer: GradedAnswer,
    moments: RequestMoments,
    analytics: Data<Analytics>,
) -> Result<HttpResponse, ApiError> {
    let (Path(market), Params((SeasonQuery { season }, (query, (ModelsQuery { models }, moment))))) = (path, params);
    let rules =
        ClvRules { taken: query.taken, close_within: query.close_within, span: date_span(query.from, query.to)? };
    let at = moments.at(market.sport, &moment).await?;
    let question = at.query(analytics.clv(at.moment(), market, season, rules, models)).await?;
    answer.at(&at).give(question, ClvResponse::from).await
}
