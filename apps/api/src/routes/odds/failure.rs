use sports_usecases::game_histories::{HistoryError, SeveralGames};
use sports_usecases::record::WalkError;

use crate::error::ApiError;

impl From<WalkError> for ApiError {
    fn from(error: WalkError) -> Self {
        match error {
            WalkError::Underway { .. } | WalkError::CorrectionsUnderway { .. } => Self::BeingRead,
            WalkError::Unreadable(error) => error.into(),
        }
    }
}

/// Converts the failure of a history; `unknown` makes that of a game without one.
pub fn history_failure(error: HistoryError, unknown: impl FnOnce() -> ApiError) -> ApiError {
    match error {
        HistoryError::Walk(error) => error.into(),
        HistoryError::UnknownGame => unknown(),
        HistoryError::SeveralGames(several) => several.into(),
    }
}

impl From<SeveralGames> for ApiError {
    fn from(several: SeveralGames) -> Self {
        let times = several.written();
        Self::BadRequest(format!("`time`: these teams meet more than once that day, at {times}; name one of the times"))
    }
}
