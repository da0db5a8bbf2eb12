use actix_web::HttpResponse;
use serde::Serialize;
use sports_domain::{Market, ModelName, ModelType, Sport};
use sports_ports::tables::TableColumn;
use sports_publication::{PredictedGame as ListedGame, Predictions, SlateMove};
use sports_usecases::slate_moves::{EntryMoves, MovesPage};
use sports_usecases::today::SlateScope;
use utoipa::ToSchema;

use super::list::{
    ListedMarket, MoneylinePredictionValues, PredictedGame, SpreadPredictionValues, TotalPredictionValues, own_in_use,
};
use crate::answer::{Answer, Rows};
use crate::auth::Subscriber;
use crate::codes::{
    Code, ModelNameCode, MoneylineModelType, MoneylineModelTypeCode, SportCode, SpreadModelType, SpreadModelTypeCode,
    TotalModelType, TotalModelTypeCode,
};
use crate::error::{ApiError, NothingThere, Unchanged};
use crate::examples::read_example;
use crate::moments::RequestMoments;
use crate::params::{FormatQuery, ModelQuery, MomentQuery, Params};
use crate::paths::{MarketPath, Path};
use crate::routes::moves::{MovesQuery, SlateMoveHead, next, rows};
use crate::state::State;
use crate::wire::{Subject, TableOf, Tabular, wire, with_fields_about};

/// The parameters of the operation.
type Query = (MovesQuery, ModelQuery, FormatQuery, MomentQuery);

/// List the moves of predictions
///
/// One row for each game and generation in which its predictions changed in one market: a probability, a line, a price, an opener,
/// the start or `match_id`. A row has all values after the change; a game that is `gone` has no probability, and its other values
/// are null. **The slate at a generation with the moves after it applied is the slate now**, both with `upcoming_only=false`, and
/// with expected values by one `model`. A game that has started does not move; it goes when a later slate does not have it. JSON
/// comes in pages, oldest move first; CSV, NDJSON and Parquet hold every move.
#[utoipa::path(
    get, path = "/api/v1/predictions/{sport}/{model_type}/moves",
    tag = "predictions",
    params(MarketPath),
    responses(
        (status = 200, description = "The moves", body = PredictionMovesResponse,
            example = json!(read_example(include_str!("moves/example.json")))),
        Unchanged,
        NothingThere,
    ),
)]
pub(super) async fn list_prediction_moves(
    _caller: Subscriber,
    path: Path<Market>,
    params: Params<Query>,
    answer: Answer,
    moments: RequestMoments,
    state: State,
) -> Result<HttpResponse, ApiError> {
    let (Path(market), Params((query, ModelQuery { model: asked }, FormatQuery { format }, moment))) = (path, params);
    let answer = answer.in_format(format);
    let range = query.range(market.sport, &moment, answer.format().is_table(), &moments, &*state.clock).await?;
    let ListedMarket { named, model } = ListedMarket::find(&range.at, market, SlateScope::Whole, asked).await?;
    let page = range.page::<Predictions>(&moments, market.model_type).await?;
    // The default model can change.
    let answer = answer.at(&range.at).kept_if_final(asked.is_some() && range.is_final(&page));
    let key = (market, range.key(&page), model, named.shown_models());
    let models = MovedModels {
        model,
        own: named.models().registry().own().map(|own| own.name).collect(),
        in_use: own_in_use(&named, market.model_type),
    };
    answer.respond(&key, async move { Ok(Rows(PredictionMovesResponse::new(market, &page, models))) }).await
}

/// The models of a list of moves.
pub struct MovedModels {
    /// The model of the expected values.
    pub model: ModelName,
    /// The own models of the league, in order of declaration.
    pub own: Vec<ModelName>,
    /// The own models in use, each a column of the table.
    pub in_use: Vec<ModelName>,
}

/// Moves of one market's predictions. `model_type` names the market, on which the fields of the moves depend.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
#[schema(as = PredictionMovesPage)]
pub enum PredictionMovesResponse {
    /// Moves of the total market.
    OverUnder(TotalMoves),
    /// Moves of the moneyline market.
    WonOnPoints(MoneylineMoves),
    /// Moves of the spread market.
    WonOnSpread(SpreadMoves),
}

impl PredictionMovesResponse {
    fn new(Market { sport, model_type }: Market, page: &MovesPage<ListedGame>, models: MovedModels) -> Self {
        match model_type {
            ModelType::OverUnder => Self::OverUnder(TotalMoves::new(sport, page, models)),
            ModelType::WonOnPoints => Self::WonOnPoints(MoneylineMoves::new(sport, page, models)),
            ModelType::WonOnSpread => Self::WonOnSpread(SpreadMoves::new(sport, page, models)),
        }
    }
}

/// Defines the page and the row of one market.
macro_rules! moves {
    ($(#[$doc:meta])+ $page:ident, $code:ident, $only:ident, $row:ident, $values:ident) => {
        $(#[$doc])+
        #[derive(Debug, Serialize, ToSchema)]
        pub struct $page {
            /// The league.
            sport: SportCode,
            /// The model type.
            model_type: $code,
            /// The model of the expected values.
            #[schema(example = "BLEND")]
            model: ModelNameCode,
            /// The moves, by generation; those of one generation by start, games that are gone last.
            moves: Vec<$row>,
            /// The `after_generation` of the next page, in the place of `from`; null on the last page, after which it is the number
            /// in `X-Generation`.
            #[schema(required)]
            next: Option<u64>,
            /// The own models in use, each a column of the table.
            #[serde(skip)]
            own: Vec<ModelName>,
        }

        impl $page {
            fn new(sport: Sport, page: &MovesPage<ListedGame>, MovedModels { model, own, in_use }: MovedModels) -> Self {
                Self {
                    sport: Code(sport),
                    model_type: Code($only),
                    model: Code(model),
                    moves: rows(page, |entry, moved| $row::new(entry, moved, model, &own)),
                    next: next(page),
                    own: in_use,
                }
            }

            fn table(&self) -> Vec<TableColumn<'_>> {
                let moves = TableOf::rows(&self.moves).constant("sport", self.sport).constant("model_type", self.model_type);
                with_fields_about(moves, Subject { model_type: None, own: &self.own }).columns()
            }
        }

        wire! {
            /// A move of one game's predictions.
            pub row $row(entry: &EntryMoves<ListedGame>, moved: &SlateMove<ListedGame>, model: ModelName, own: &[ModelName]) {
                #[serde(flatten)]
                head: SlateMoveHead = SlateMoveHead::of(entry, moved),
                #[serde(flatten)]
                game: PredictedGame = PredictedGame::new(&moved.game.game),
                #[serde(flatten)]
                values: $values = $values::new(&moved.game.game, model, own),
            }
        }
    };
}

moves! {
    /// Moves of the total market.
    TotalMoves, TotalModelTypeCode, TotalModelType, TotalMove, TotalPredictionValues
}

moves! {
    /// Moves of the moneyline market.
    MoneylineMoves, MoneylineModelTypeCode, MoneylineModelType, MoneylineMove, MoneylinePredictionValues
}

moves! {
    /// Moves of the spread market.
    SpreadMoves, SpreadModelTypeCode, SpreadModelType, SpreadMove, SpreadPredictionValues
}

/// Rows are moves; every model that a game could have is a column.
impl Tabular for PredictionMovesResponse {
    fn table(&self) -> Vec<TableColumn<'_>> {
        match self {
            Self::OverUnder(page) => page.table(),
            Self::WonOnPoints(page) => page.table(),
            Self::WonOnSpread(page) => page.table(),
        }
    }
}
