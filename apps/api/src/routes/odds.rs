//! A sportsbook's odds: those of the current slate, and their movement.

mod closing;
mod history;
mod list;

use sports_usecases::game_histories::{HistoryError, SeveralGames};
use sports_usecases::season_walk::WalkError;
use utoipa_actix_web::service_config::ServiceConfig;

use crate::error::ApiError;
use crate::operation::operation;

pub use history::{GameStarts, HistoryGame};

/// The operations of this area.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config
        .service(operation!(list::list_odds))
        .service(operation!(history::show_odds_history))
        .service(operation!(closing::list_closing_odds));
}

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
