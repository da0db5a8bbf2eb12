use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use sports_domain::Market;
use sports_http_transport::Audience;
use sports_usecases::today;
use utoipa::IntoParams;

use super::response::PublicPicksResponse;
use crate::answers::{SlateAnswers, SlateQuestion, SlateVersion};
use crate::auth::CrossOriginCaller;
use crate::codes::{Code, PublicMarketCode, SportCode};
use crate::error::{ApiError, DependencyDown, ErrorBody, Unchanged};
use crate::examples::read_example;
use crate::moments::RequestMoments;
use crate::params::{ModelQuery, Params};
use crate::paths::{FromPath, Path, Segments};
use crate::routes::predictions::SlateQuery;

/// A league, and a market by its public name.
#[derive(Debug, Clone, Copy, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct PublicMarketPath {
    /// The league's code, in any letter case.
    #[param(example = "mlb")]
    sport: SportCode,
    /// The market's public name, in any letter case.
    #[param(example = "moneyline")]
    market: PublicMarketCode,
}

impl FromPath for PublicMarketPath {
    fn read(segments: &Segments<'_>) -> Result<Self, ApiError> {
        Ok(Self { sport: Code(segments.parsed("sport")?), market: Code(segments.parsed("market")?) })
    }
}

/// List free picks
///
/// The side that one model favours in each game of the current slate, as text, with the market's line beside it. A game
/// without a probability of that model has no pick and is left out. Own models of the publisher are included if they are
/// public. Readable from any page of the web. Model outputs are research
/// signals, not a validated betting selector, and no edge is guaranteed.
// In the example IMPLIED is 120/220 over the sum of 120/220 and 100/205.
#[utoipa::path(
    get, path = "/api/v1/public/ml-picks/{sport}/{market}",
    tag = "public",
    params(PublicMarketPath, SlateQuery, ModelQuery),
    responses(
        (status = 200, description = "The games", body = PublicPicksResponse, headers(
            ("Access-Control-Allow-Origin" = String, description = "Always `*`"),
        ), example = json!(read_example(include_str!("example.json")))),
        Unchanged,
        (status = 404, description = "No predictions are published for that league and market", body = ErrorBody),
        DependencyDown,
    ),
)]
pub(super) async fn list_public_picks(
    _caller: CrossOriginCaller,
    path: Path<PublicMarketPath>,
    params: Params<(SlateQuery, ModelQuery)>,
    request: HttpRequest,
    moments: RequestMoments,
    answers: Data<SlateAnswers>,
) -> Result<HttpResponse, ApiError> {
    let (Path(path), Params((slate, ModelQuery { model }))) = (path, params);
    let reach = slate.reach();
    let market = Market::new(path.sport.0, path.market.0.0);
    let at = moments.now(market.sport)?;
    let named = today::predictions(at.moment(), market, reach).await?;
    let model = named.models().public_model(model)?;
    let version = SlateVersion {
        artifact: named.entry().artifact.clone(),
        floor: named.floor(),
        model: Some(model),
        models: named.shown_models(),
    };
    let page = async move { Ok(PublicPicksResponse::from_current(market, &named.read().await?, model)) };
    answers.give(&request, (Audience::Public, at.head()), (SlateQuestion::Picks(market, reach), version), page).await
}
