//! The models' probabilities, with the lines that they refer to: those of the current slate, and those published before.

mod history;
mod known;
mod lines;
mod list;
mod moves;

use sports_usecases::today::TodayError;
use utoipa_actix_web::service_config::ServiceConfig;

use crate::error::ApiError;
use crate::operation::operation;

pub use lines::MarketLines;
pub use list::{
    ListedMarket, ModelProbabilities, MoneylinePredictionValues, PredictedGame, SlateQuery, SpreadPredictionValues,
    TotalPredictionValues, changes_of_market, models_used, own_in_use,
};

/// The operations of this area.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config
        .service(operation!(list::list_predictions))
        .service(operation!(history::show_forecast_history))
        .service(operation!(moves::list_prediction_moves))
        .service(operation!(known::fetch_known_season));
}

impl From<TodayError> for ApiError {
    fn from(error: TodayError) -> Self {
        match error {
            TodayError::Unreadable(error) => error.into(),
            TodayError::NoPredictions(market) => Self::NotFound(format!("No predictions are published for {market}")),
            TodayError::NoOdds(sport) => Self::NotFound(format!("No odds are published for {sport}")),
        }
    }
}
