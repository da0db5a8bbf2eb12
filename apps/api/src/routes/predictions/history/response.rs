use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde::Serialize;
use sports_domain::{Market, ModelColumn, ModelName, ModelType};
use sports_movement::{ForecastItem, SeasonMovement};
use sports_ports::PortError;
use sports_ports::tables::TableColumn;
use sports_usecases::game_histories::{FoundGame, GameHistories, window};
use utoipa::ToSchema;

use crate::codes::{Code, ModelTypeCode, SportCode};
use crate::routes::odds::{GameStarts, HistoryGame};
use crate::routes::predictions::lines::MarketLines;
use crate::routes::predictions::models::ModelProbabilities;
use crate::tables::{TableOf, Tabular, columns};

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

/// A published forecast and the lines that were served with it.
#[derive(Debug, Serialize, ToSchema)]
pub struct ForecastHistoryItem {
    /// The number of the release's log entry.
    #[schema(example = 41)]
    generation: u64,
    /// The time at which it was published.
    published_at: DateTime<Utc>,
    /// The id of the release.
    #[schema(example = "2024-01-06.20240106T150000003Z.e6ad50336857")]
    release_id: String,
    /// The time as of which its sources were read.
    source_as_of: DateTime<Utc>,
    /// The probability of the positive side (over, home) by each model; empty if the forecast was withdrawn or the game left
    /// out.
    probabilities: ModelProbabilities,
    /// The lines of the market that were served with the forecast; null values if the game was left out.
    lines: MarketLines,
    /// True for the forecast that the row of the archive holds.
    standing: bool,
    /// The index of the forecast's leaf in the league's tree; null for a forecast that was withdrawn or imported, or is from
    /// before the tree.
    #[schema(required)]
    record_index: Option<u64>,
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
            ..ForecastHistoryItem::of(market.model_type, item, found.season(), &own)
        };
        Ok(Self {
            sport: Code(market.sport),
            model_type: Code(market.model_type),
            game: HistoryGame::from(&game),
            starts: GameStarts::from(&game),
            complete,
            forecasts: items.iter().zip(places).map(item).collect(),
            own,
        })
    }
}

impl ForecastHistoryItem {
    fn of(model_type: ModelType, item: &ForecastItem<'_>, season: &SeasonMovement, own: &[ModelName]) -> Self {
        let (published, game) = (item.published, item.slate_game());
        let given = game.as_ref().filter(|_| !item.is_empty());
        let release = season.entry(published.generation).map(|entry| entry.release_id.to_string());
        Self {
            generation: published.generation.get(),
            published_at: published.published_at,
            release_id: release.unwrap_or_default(),
            source_as_of: published.source_as_of,
            probabilities: given
                .map_or_else(ModelProbabilities::none, |game| ModelProbabilities::from_game(model_type, game, own)),
            lines: MarketLines::from_lines(model_type, &game.as_ref().map(|game| game.lines).unwrap_or_default()),
            standing: item.standing,
            record_index: None,
        }
    }
}

/// Rows are forecasts; every model that a game could have is a column.
impl Tabular for ForecastHistoryResponse {
    fn table(&self) -> Vec<TableColumn<'_>> {
        let items = TableOf::rows(&self.forecasts)
            .constant("sport", self.sport)
            .constant("model_type", self.model_type)
            .constant("game_id", self.game.game_id());
        let items = columns!(items, generation, published_at, release_id, source_as_of);
        let standard = ModelColumn::ALL.into_iter().map(|model| (model.name(), ModelName::of(model)));
        let models = standard.chain(self.own.iter().map(|model| (model.as_str(), *model)));
        let items =
            models.fold(items, |items, (name, model)| items.column(name, move |item| item.probabilities.figure(model)));
        let items = items.part(|item| &item.lines, |lines| MarketLines::columns(lines, self.model_type.0));
        columns!(items, standing, record_index).columns()
    }
}
