//! A sportsbook's odds: those of the current slate, and their movement.

mod closing;
mod history;
mod list;
mod moves;

use sports_domain::{Club, Sport, TeamSlug};
use sports_usecases::game_histories::{GameName, HistoryError, SeveralGames};
use sports_usecases::season_walk::WalkError;
use utoipa_actix_web::service_config::ServiceConfig;

use crate::error::ApiError;
use crate::near::team_hint;
use crate::operation::operation;

pub use history::{GameStarts, HistoryGame};
pub use list::{PostedLines, as_wall_clock, changes_of_odds};

/// The operations of this area.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config
        .service(operation!(list::list_odds))
        .service(operation!(history::show_odds_history))
        .service(operation!(closing::list_closing_odds))
        .service(operation!(moves::list_odds_moves));
}

impl From<WalkError> for ApiError {
    fn from(error: WalkError) -> Self {
        match error {
            WalkError::Underway { .. } | WalkError::CorrectionsUnderway { .. } => Self::BeingRead,
            WalkError::Unreadable(error) => error.into(),
        }
    }
}

/// Converts the failure of a history of a game in a league; `unknown` is the sentence about a game without one.
pub fn history_failure(error: HistoryError, sport: Sport, name: &GameName, unknown: &str) -> ApiError {
    match error {
        HistoryError::Walk(error) => error.into(),
        HistoryError::UnknownGame => ApiError::NotFound(format!("{unknown}{}", game_hint(sport, name))),
        HistoryError::TeamsSwapped => ApiError::NotFound(format!("{unknown}{}", swapped_hint(name))),
        HistoryError::SeveralGames(several) => several.into(),
    }
}

/// Returns the end of a sentence about a game whose teams meet the other way round.
pub fn swapped_hint(name: &GameName) -> String {
    let GameName::Listed { away, .. } = name else { return String::new() };
    format!("; did you mean `home_team={away}`? The teams meet the other way round")
}

/// Returns what is probably wrong with the name of a game that a league does not have, as the end of a sentence.
pub fn game_hint(sport: Sport, name: &GameName) -> String {
    match name {
        GameName::Id(id) => {
            let other = id.split('-').next().and_then(|code| code.parse::<Sport>().ok());
            let other = other.filter(|other| *other != sport);
            other.map(|other| format!("; `game_id` is of a game of {other}")).unwrap_or_default()
        }
        GameName::MatchId(_) => String::new(),
        GameName::Listed { away, home, .. } => {
            let is_known = |team: &&TeamSlug| Club::called_today(sport, team).is_some();
            let unknown = [away, home].into_iter().filter(|team| !is_known(team));
            unknown.map(|team| team_hint(sport, None, team)).collect()
        }
    }
}

impl From<SeveralGames> for ApiError {
    fn from(several: SeveralGames) -> Self {
        let times = several.written();
        Self::BadRequest(format!("`time`: these teams meet more than once that day, at {times}; name one of the times"))
    }
}
