use actix_web::HttpResponse;
use sports_domain::Market;
use sports_publication::movement::{BeforeStart, NotBeforeStart};

use crate::answer::{Answer, Table};
use crate::auth::{OfSeason, RecordReader};
use crate::error::{ApiError, NothingThere, Unchanged};
use crate::format::TableForm;
use crate::moments::RequestMoments;
use crate::params::{Given, Params, SeasonQuery};
use crate::paths::{MarketPath, Path};
use crate::query_params;
use crate::state::State;

/// Fetch a season as it was known before play
///
/// One table for a backtest without look-ahead: a row for each recorded game that the predictions had `hours_before` its
/// start, in a season (the latest without `season`). A row is what the predictions and the odds as of `known_at` answer:
/// key, `match_id`, lines, openers and probabilities of then, and the odds of then in the columns `odds_…`. The start is the
/// game's last one. Games whose time before the start has not come yet have no row.
///
/// Games of this log that the predictions did not have yet have no row and are counted in `X-Games-Unknown`. Imported
/// forecasts have no history here: they have no row and are not counted.
///
/// With `finals=true` there are labels as well: `away_score`, `home_score`, and `push` and the outcome column, both judged
/// by the line of the row. They were not known then, so no model may read them. Without `finals` a final changes nothing.
///
/// The answer is a Parquet file, or CSV or NDJSON by `format`; it has no form as JSON. Ranges are of the same bytes.
#[utoipa::path(
    get, path = "/api/v1/predictions/{sport}/{model_type}/season",
    tag = "predictions",
    params(MarketPath),
    responses(
        (status = 200, description = "The table",
            content_type = "text/csv", body = String,
            headers(
                ("X-Games-Unknown" = u32, description = "Games of this log that were not known yet"),
                ("X-Grading-Rules"),
            )),
        Unchanged,
        NothingThere,
    ),
)]
pub(super) async fn fetch_known_season(
    _reader: RecordReader<OfSeason>,
    path: Path<Market>,
    params: Params<(SeasonQuery, KnownQuery)>,
    answer: Answer,
    moments: RequestMoments,
    state: State,
) -> Result<HttpResponse, ApiError> {
    let (Path(market), Params((SeasonQuery { season }, query))) = (path, params);
    let at = moments.now(market.sport)?;
    let (question, unknown) = at
        .query(state.published.analytics.known_season(at.moment(), market, season, query.hours_before, query.finals))
        .await?;
    let answer = answer.graded().in_format(Some(query.format.into())).at(&at);
    answer.with_header("X-Games-Unknown", &unknown).respond_to(question, Table).await
}

query_params! {
    /// The time before the start, the labels and the form of a season as it was known.
    #[derive(Debug)]
    pub struct KnownQuery {
        /// The hours before the start of each game at which it is given.
        #[param(value_type = Option<f64>, minimum = 0.25, maximum = 168.0, default = 6.0)]
        pub hours_before: BeforeStart = hours_before,
        /// True to add the finals, and the push and the outcome by the line of the row. They are labels: they were not available before the start.
        #[param(value_type = Option<bool>, default = false)]
        pub finals: bool = |given| Ok(given.boolean()?.unwrap_or(false)),
        /// The form of the table.
        #[param(value_type = Option<TableForm>, default = json!("parquet"))]
        pub format: TableForm = form,
    }
}

fn hours_before(given: Given<'_>) -> Result<BeforeStart, ApiError> {
    Ok(given.parse(&NotBeforeStart.to_string(), |text| text.parse().ok())?.unwrap_or_default())
}

fn form(given: Given<'_>) -> Result<TableForm, ApiError> {
    Ok(given.parse("parquet, csv or ndjson", TableForm::named)?.unwrap_or(TableForm::Parquet))
}
