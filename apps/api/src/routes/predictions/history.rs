use std::sync::Arc;

use actix_web::HttpResponse;
use chrono::{DateTime, Utc};
use serde::Serialize;
use sports_domain::{Market, ModelName, ModelType};
use sports_ports::PortError;
use sports_ports::tables::TableColumn;
use sports_publication::movement::{ForecastItem, SeasonMovement};
use sports_usecases::game_histories::{FoundGame, GameHistories, window};
use sports_usecases::season_walk::NeededParts;
use utoipa::ToSchema;

use super::lines::MarketLines;
use super::list::ModelProbabilities;
use crate::answer::{Answer, Rows};
use crate::auth::{OfAllSeasons, RecordReader};
use crate::codes::{Code, ModelTypeCode, SportCode};
use crate::error::{ApiError, NothingThere, Unchanged};
use crate::examples::read_example;
use crate::moments::RequestMoments;
use crate::params::{DaysQuery, FormatQuery, GameQuery, Params};
use crate::paths::{MarketPath, Path};
use crate::routes::odds::{GameStarts, HistoryGame, history_failure};
use crate::state::State;
use crate::wire::{Subject, TableOf, Tabular, wire, with_fields_about};

/// The parameters of the operation.
type Query = (GameQuery, DaysQuery, FormatQuery);

/// List the forecasts of a game as they changed
///
/// Every published forecast of one game in one market before its start, with the lines that were served with it. A forecast is
/// listed where its probabilities or lines differ from the one before. A withdrawn forecast, or a game that a later file left
/// out, is an item without probabilities. `standing` marks the forecast that counts in the results: the one that the row of the
/// archive holds.
#[utoipa::path(
    get, path = "/api/v1/predictions/{sport}/{model_type}/history",
    tag = "predictions",
    params(MarketPath),
    responses(
        (status = 200, description = "The forecasts, oldest first", body = ForecastHistoryResponse,
            example = json!(read_example(include_str!("history/example.json")))),
        Unchanged,
        NothingThere,
    ),
)]
pub(super) async fn show_forecast_history(
    _reader: RecordReader<OfAllSeasons>,
    path: Path<Market>,
    params: Params<Query>,
    answer: Answer,
    moments: RequestMoments,
    state: State,
) -> Result<HttpResponse, ApiError> {
    let (Path(market), Params((game, days, FormatQuery { format }))) = (path, params);
    let (name, days) = (game.name()?, days.days());
    let at = moments.now(market.sport)?;
    let unknown = "No forecast of that game is on record";
    let needed = NeededParts::Predictions(market.model_type);
    let found = state
        .published
        .histories
        .game(at.moment(), &name, needed)
        .await
        .map_err(|error| history_failure(error, market.sport, &name, unknown))?;
    if !found.game().is_some_and(|game| game.was_predicted(market.model_type)) {
        return Err(ApiError::NotFound(unknown.to_owned()));
    }
    let models = at.query(at.moment().models()).await?;
    let own: Vec<_> = models.registry().own().map(|model| model.name).collect();
    let newest = at.moment().catalog().map(|catalog| catalog.release_id.clone());
    let key = (market, found.game_id().to_owned(), days, newest, own.clone());
    let answer = answer.in_format(format).at(&at).validated_by_body().kept_if_final(found.is_final());
    let listed = Listed { days, histories: Arc::clone(&state.published.histories), own };
    let making = async move { ForecastHistoryResponse::of(market, &found, listed).await.map(Rows) };
    answer.respond(&key, making).await
}

/// The forecasts of one game in one market as they changed.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ForecastHistory)]
pub struct ForecastHistoryResponse {
    /// The league.
    sport: SportCode,
    /// The model type.
    model_type: ModelTypeCode,
    /// The game.
    game: HistoryGame,
    #[serde(flatten)]
    starts: GameStarts,
    /// False if the game had a forecast in the oldest release read and an older release exists: the first item may then not be
    /// the first forecast.
    complete: bool,
    /// The forecasts before the start, oldest first.
    forecasts: Vec<ForecastHistoryItem>,
    /// The own models of the league, each a column of the table.
    #[serde(skip)]
    own: Vec<ModelName>,
}

wire! {
    /// A published forecast and the lines that were served with it.
    pub row ForecastHistoryItem(model_type: ModelType, item: &ForecastItem<'_>, season: &SeasonMovement, own: &[ModelName]) {
        let (published, game) = (item.published, item.slate_game());
        let given = game.as_ref().filter(|_| !item.is_empty());
        let release = season.entry(published.generation).map(|entry| entry.release_id.to_string());

        /// The number of the release's log entry.
        #[schema(example = 41)]
        generation: u64 = published.generation.get(),
        /// The time at which it was published.
        published_at: DateTime<Utc> = published.published_at,
        /// The id of the release.
        #[schema(example = "2024-01-06.20240106T150000003Z.e6ad50336857")]
        release_id: String = release.unwrap_or_default(),
        /// The time as of which its sources were read.
        source_as_of: DateTime<Utc> = published.source_as_of,
        /// The probability of the positive side (over, home) by each model; empty if the forecast was withdrawn or the game left
        /// out.
        probabilities: ModelProbabilities = given
            .map_or_else(ModelProbabilities::none, |game| ModelProbabilities::from_game(model_type, game, own)),
        /// The lines of the market that were served with the forecast; null values if the game was left out.
        lines: MarketLines =
            MarketLines::from_lines(model_type, &game.as_ref().map(|game| game.lines).unwrap_or_default()),
        /// True for the forecast that the row of the archive holds.
        standing: bool = item.standing,
        /// The index of the forecast's leaf in the league's tree; null for a forecast that was withdrawn or imported, or is from
        /// before the tree.
        #[schema(required)]
        record_index: Option<u64> = None,
    }
}

/// The extent of a history, the own models that it lists, and the record with the places of forecasts.
pub struct Listed {
    pub days: u16,
    pub histories: Arc<GameHistories>,
    pub own: Vec<ModelName>,
}

impl ForecastHistoryResponse {
    /// Converts the forecasts of a game in the last days before its start.
    pub async fn of(market: Market, found: &FoundGame, listed: Listed) -> Result<Self, PortError> {
        let Listed { days, histories, own } = listed;
        let missing = || PortError::corrupt("the record of a season", "a game that was found is missing");
        let game = found.game().ok_or_else(missing)?;
        let window = window(found.season(), &game, days).ok_or_else(missing)?;
        let (items, complete) = game.forecasts_in(market.model_type, &window);
        let places = histories.places((market.sport, market.model_type), &items).await?;
        let item = |(item, record_index): (&ForecastItem<'_>, Option<u64>)| ForecastHistoryItem {
            record_index,
            ..ForecastHistoryItem::new(market.model_type, item, found.season(), &own)
        };
        Ok(Self {
            sport: Code(market.sport),
            model_type: Code(market.model_type),
            game: HistoryGame::new(&game),
            starts: GameStarts::new(&game),
            complete,
            forecasts: items.iter().zip(places).map(item).collect(),
            own,
        })
    }
}

/// Rows are forecasts; every model that a game could have is a column.
impl Tabular for ForecastHistoryResponse {
    fn table(&self) -> Vec<TableColumn<'_>> {
        let items = TableOf::rows(&self.forecasts)
            .constant("sport", self.sport)
            .constant("model_type", self.model_type)
            .constant("game_id", self.game.game_id());
        with_fields_about(items, Subject { model_type: Some(self.model_type.0), own: &self.own }).columns()
    }
}
