use actix_web::HttpResponse;
use chrono::{DateTime, Utc};
use sports_domain::Market;
use sports_performance::{BINS, Grid, GridCell};
use sports_usecases::analytics::{MarketDensity, SeasonsGrid};

use crate::answer::{Answer, Json};
use crate::auth::{OfAllSeasons, RecordReader};
use crate::codes::{Code, ModelNameCode, ModelTypeCode, SportCode};
use crate::error::{ApiError, NothingThere, Unchanged};
use crate::examples::read_example;
use crate::moments::RequestMoments;
use crate::params::{ModelQuery, MomentQuery, Params};
use crate::paths::{MarketPath, Path};
use crate::state::State;
use crate::wire::wire;

wire! {
    /// The distribution of graded games over a model's probability and the market's, this season and before.
    #[schema(as = ResultDensity)]
    pub struct ResultDensityResponse(density: MarketDensity) {
        let MarketDensity { season, model, current, previous, missing } = density;
        let market = season.archive.market;

        /// The league.
        sport: SportCode = Code(market.sport),
        /// The model type.
        model_type: ModelTypeCode = Code(market.model_type),
        /// The model on the axis `blend`.
        #[schema(example = "BLEND")]
        model: ModelNameCode = Code(model),
        /// The width of a bin on both axes, as a probability.
        #[schema(example = 0.05)]
        bin_width: f64 = 1.0 / f64::from(BINS),
        /// The current season, or the newest while no season is current; its `seasons` names it.
        current: DensityGrid = DensityGrid::new(current),
        /// The grid over up to ten seasons before the current one.
        previous: DensityGrid = DensityGrid::new(previous),
        /// The time at which the current season's archive was published.
        last_updated: DateTime<Utc> = season.published_at,
        /// The note of an answer in which the model has no value although others have, which it names; absent otherwise.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false, example = "ELO has no value here; models with one: BLEND, XGB")]
        message: Option<String> = missing.as_ref().map(ToString::to_string),
    }
}

wire! {
    /// A grid: the probability of `model` along one axis, IMPLIED's along the other.
    pub struct DensityGrid(source: SeasonsGrid) {
        let SeasonsGrid { seasons, grid } = source;

        /// The seasons counted, newest first.
        #[schema(example = json!(["2023-24"]))]
        seasons: Vec<String> = seasons.iter().map(ToString::to_string).collect(),
        /// Games in all cells of the grid.
        #[schema(example = 285)]
        games: u32 = grid.games(),
        /// The cells with a game in them, by `blend`, then `implied`.
        cells: Vec<DensityCellItem> = grid.cells().map(DensityCellItem::new).collect(),
    }
}

wire! {
    /// The games of one cell. A bin includes its lower edge and not its upper edge; the last bin includes 1.
    #[schema(as = DensityCell)]
    pub struct DensityCellItem(source: (u8, u8, GridCell)) {
        let (blend, implied, cell) = source;

        /// The lower edge of the model's bin.
        #[schema(example = 0.55)]
        blend: f64 = Grid::lower_edge(blend),
        /// The lower edge of IMPLIED's bin.
        #[schema(example = 0.5)]
        implied: f64 = Grid::lower_edge(implied),
        /// Graded games on which the model took a side and both prices were recorded.
        #[schema(example = 24)]
        games: u32 = cell.picks.games(),
        /// Games of the cell on which the model's pick won.
        #[schema(example = 13)]
        wins: u32 = cell.picks.wins,
        /// Games of the cell in which the positive side (over, home) won.
        #[schema(example = 13)]
        positive: u32 = cell.positive,
        /// `wins / games`, 0 to 1.
        #[schema(example = 0.541_667)]
        // A cell has at least one game, so the share exists.
        win_pct: f64 = cell.picks.win_share().unwrap_or_default(),
    }
}

/// Show result-density grids
///
/// The distribution of graded games over a model's probability and the market's, in five-point bins, and the results:
/// the current season against up to ten before it.
#[utoipa::path(
    get, path = "/api/v1/results/{sport}/{model_type}/density",
    tag = "performance",
    params(MarketPath),
    responses(
        (status = 200, description = "The grids", body = ResultDensityResponse,
            headers(("X-Grading-Rules")), example = json!(read_example(include_str!("density_example.json")))),
        Unchanged,
        NothingThere,
    ),
)]
pub(super) async fn show_result_density(
    _reader: RecordReader<OfAllSeasons>,
    path: Path<Market>,
    params: Params<(ModelQuery, MomentQuery)>,
    answer: Answer,
    moments: RequestMoments,
    state: State,
) -> Result<HttpResponse, ApiError> {
    let (Path(market), Params((ModelQuery { model }, moment))) = (path, params);
    let at = moments.at(market.sport, &moment).await?;
    let question = at.query(state.published.analytics.density(at.moment(), market, model)).await?;
    answer.graded().at(&at).respond_to(question, |answer| Json(ResultDensityResponse::new(answer))).await
}
