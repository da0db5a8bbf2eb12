use sports_usecases::today::TodayError;

use crate::error::ApiError;

impl From<TodayError> for ApiError {
    fn from(error: TodayError) -> Self {
        match error {
            TodayError::Unreadable(error) => error.into(),
            TodayError::NoPredictions(market) => Self::NotFound(format!("No predictions are published for {market}")),
            TodayError::NoOdds(sport) => Self::NotFound(format!("No odds are published for {sport}")),
        }
    }
}
