//! The backtest of a rule of one's own.

mod body;
mod query;

use actix_web::{HttpRequest, HttpResponse};
use sports_domain::Market;
use sports_strategies::RuleError;
use sports_usecases::analytics::BacktestError;
use tokio::time::Instant;
use utoipa_actix_web::service_config::ServiceConfig;

use crate::answer::{Answer, Rows};
use crate::auth::Subscriber;
use crate::error::{ApiError, NothingThere, Unchanged};
use crate::examples::read_example;
use crate::moments::RequestMoments;
use crate::operation::operation;
use crate::params::{FormatQuery, MomentQuery, Params};
use crate::paths::{MarketPath, Path};
use crate::response_cache::Repeatable;
use crate::state::State;
use body::{BacktestAnswer, BacktestResponse};
use query::RuleQuery;

/// The operations of this area.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config.service(operation!(show_backtest));
}

/// The parameters of the operation.
type Query = (RuleQuery, FormatQuery, MomentQuery);

/// Test a rule of your own, and how much of it is luck
///
/// The bets that a rule would have made in the seasons of a market, their record and its course, and how likely it was by luck.
/// Bets are settled by `recorded_v2`: at recorded prices, with pushes returned; games without the needed prices or a verified final
/// are exclusions. `luck` compares the units with 10,000 bettors who make the same bets and win each with the market's no-vig
/// probability. `search` says what the best of `tried` such rules would have, and `neighbours` what one step of each threshold
/// changes.
///
/// With `hours_before`, rows, prices and forecasts are those that were known so many hours before each start, so no bet looks
/// ahead. A table (CSV, NDJSON, Parquet) has the bets. Two addresses with one meaning have one answer. A new rule is an expensive
/// computation: it waits in a queue, which refuses with 503 what it cannot hold.
#[utoipa::path(
    get, path = "/api/v1/backtest/{sport}/{model_type}",
    tag = "strategies",
    params(MarketPath),
    responses(
        (status = 200, description = "The backtest", body = BacktestResponse,
            headers(("X-Grading-Rules")), example = json!(read_example(include_str!("backtest/example.json")))),
        Unchanged,
        NothingThere,
    ),
)]
async fn show_backtest(
    _subscriber: Subscriber,
    request: HttpRequest,
    path: Path<Market>,
    params: Params<Query>,
    answer: Answer,
    moments: RequestMoments,
    state: State,
) -> Result<HttpResponse, ApiError> {
    let (Path(market), Params((rule, FormatQuery { format }, moment))) = (path, params);
    let at = moments.at(market.sport, &moment).await?;
    let analytics = &state.published.analytics;
    let (question, until) = at.query(analytics.backtest(at.moment(), market, &rule.pairs())).await?;
    let answer = answer.graded().at(&at).in_format(format);
    let response = Box::pin(answer.respond_to(question, |answer| Rows(BacktestAnswer(answer)))).await?;
    if let Some(until) = until.filter(|_| !at.head().is_requested()) {
        // A cosignature can come without a publication.
        Repeatable::mark_while(&request, move || Instant::now() < until);
    }
    Ok(response)
}

impl From<BacktestError> for ApiError {
    fn from(error: BacktestError) -> Self {
        match error {
            BacktestError::Rule(refused @ RuleError::Refused { .. }) => Self::BadRequest(refused.to_string()),
            BacktestError::Rule(unknown) => Self::NotFound(unknown.to_string()),
            BacktestError::Results(error) => error.into(),
            BacktestError::Seasons(error) => error.into(),
            BacktestError::Team(error) => error.into(),
        }
    }
}
