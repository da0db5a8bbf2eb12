use actix_web::HttpResponse;
use chrono::{DateTime, Utc};
use serde::Serialize;
use sports_domain::Market;
use sports_performance::{BINS, Grid, GridCell};
use sports_usecases::analytics::{MarketDensity, SeasonsGrid};
use utoipa::ToSchema;

use crate::answer::{Answer, Json};
use crate::auth::Subscriber;
use crate::codes::{Code, ModelNameCode, ModelTypeCode, SportCode};
use crate::error::{ApiError, NothingThere, Unchanged};
use crate::examples::read_example;
use crate::moments::RequestMoments;
use crate::params::{ModelQuery, MomentQuery, Params};
use crate::paths::{MarketPath, Path};
use crate::state::State;

/// The distribution of graded games over a model's probability and the market's, this season and before.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ResultDensity)]
pub struct ResultDensityResponse {
    /// The league.
    sport: SportCode,
    /// The model type.
    model_type: ModelTypeCode,
    /// The model on the axis `blend`.
    #[schema(example = "BLEND")]
    model: ModelNameCode,
    /// The width of a bin on both axes, as a probability.
    #[schema(example = 0.05)]
    bin_width: f64,
    /// The current season, or the newest while no season is current; its `seasons` names it.
    current: DensityGrid,
    /// The grid over up to ten seasons before the current one.
    previous: DensityGrid,
    /// The time at which the current season's archive was published.
    last_updated: DateTime<Utc>,
}

/// A grid: the probability of `model` along one axis, IMPLIED's along the other.
#[derive(Debug, Serialize, ToSchema)]
pub struct DensityGrid {
    /// The seasons counted, newest first.
    #[schema(example = json!(["2023-24"]))]
    seasons: Vec<String>,
    /// Games in all cells of the grid.
    #[schema(example = 285)]
    games: u32,
    /// The cells with a game in them, by `blend`, then `implied`.
    cells: Vec<DensityCellItem>,
}

/// The games of one cell. A bin includes its lower edge and not its upper edge; the last bin includes 1.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = DensityCell)]
pub struct DensityCellItem {
    /// The lower edge of the model's bin.
    #[schema(example = 0.55)]
    blend: f64,
    /// The lower edge of IMPLIED's bin.
    #[schema(example = 0.5)]
    implied: f64,
    /// Graded games on which the model took a side and both prices were recorded.
    #[schema(example = 24)]
    games: u32,
    /// Games of the cell on which the model's pick won.
    #[schema(example = 13)]
    wins: u32,
    /// Games of the cell in which the positive side (over, home) won.
    #[schema(example = 13)]
    positive: u32,
    /// `wins / games`, 0 to 1.
    #[schema(example = 0.541_667)]
    win_pct: f64,
}

impl From<(u8, u8, GridCell)> for DensityCellItem {
    fn from((blend, implied, cell): (u8, u8, GridCell)) -> Self {
        Self {
            blend: Grid::lower_edge(blend),
            implied: Grid::lower_edge(implied),
            games: cell.picks.games(),
            wins: cell.picks.wins,
            positive: cell.positive,
            // A cell has at least one game, so the share exists.
            win_pct: cell.picks.win_share().unwrap_or_default(),
        }
    }
}

impl From<SeasonsGrid> for DensityGrid {
    fn from(SeasonsGrid { seasons, grid }: SeasonsGrid) -> Self {
        Self {
            seasons: seasons.iter().map(ToString::to_string).collect(),
            games: grid.games(),
            cells: grid.cells().map(DensityCellItem::from).collect(),
        }
    }
}

impl From<MarketDensity> for ResultDensityResponse {
    fn from(MarketDensity { season, model, current, previous }: MarketDensity) -> Self {
        let market = season.archive.market;
        Self {
            sport: Code(market.sport),
            model_type: Code(market.model_type),
            model: Code(model),
            bin_width: 1.0 / f64::from(BINS),
            current: current.into(),
            previous: previous.into(),
            last_updated: season.published_at,
        }
    }
}

/// Show result-density grids
///
/// The distribution of graded games over a model's probability and the market's, in five-point bins, and the results:
/// the current season against up to ten before it.
#[utoipa::path(
    get, path = "/api/v1/results/{sport}/{model_type}/density",
    tag = "performance",
    params(MarketPath, ModelQuery, MomentQuery),
    responses(
        (status = 200, description = "The grids", body = ResultDensityResponse,
            headers(("X-Grading-Rules")), example = json!(read_example(include_str!("density_example.json")))),
        Unchanged,
        NothingThere,
    ),
)]
pub(super) async fn show_result_density(
    _caller: Subscriber,
    path: Path<Market>,
    params: Params<(ModelQuery, MomentQuery)>,
    answer: Answer,
    moments: RequestMoments,
    state: State,
) -> Result<HttpResponse, ApiError> {
    let (Path(market), Params((ModelQuery { model }, moment))) = (path, params);
    let at = moments.at(market.sport, &moment).await?;
    let question = at.query(state.published.analytics.density(at.moment(), market, model)).await?;
    answer.graded().at(&at).respond_to(question, |answer| Json(ResultDensityResponse::from(answer))).await
}
