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

impl From<HistoryError> for ApiError {
    fn from(error: HistoryError) -> Self {
        match error {
            HistoryError::Walk(error) => error.into(),
            HistoryError::UnknownGame => Self::NotFound("That game is not on record".to_owned()),
            HistoryError::SeveralGames(several) => several.into(),
        }
    }
}

impl From<SeveralGames> for ApiError {
    fn from(several: SeveralGames) -> Self {
        let times = several.written();
        Self::BadRequest(format!("`time`: these teams meet more than once that day, at {times}; name one of the times"))
    }
}
