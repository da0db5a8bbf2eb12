use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use serde::Serialize;
use sports_movement::GameHistory;
use utoipa::ToSchema;

use crate::tables::{TableOf, columns};

/// The game of a history, under its present start.
#[derive(Debug, Serialize, ToSchema)]
pub struct HistoryGame {
    /// The identity of the game in its league: assigned once, and kept when the start changes.
    #[schema(example = "nfl-2025-01-15-buffalo_bills-miami_dolphins")]
    game_id: String,
    /// The Eastern date of the start.
    date: NaiveDate,
    /// The Eastern time of the start, `HH:MM:SS`; null only where it is unknown.
    #[schema(required, value_type = Option<String>, example = "13:00:00")]
    time: Option<NaiveTime>,
    /// The visiting team's slug.
    #[schema(example = "buffalo_bills")]
    away_team: String,
    /// The home team's slug.
    #[schema(example = "miami_dolphins")]
    home_team: String,
    /// The publisher's id of the game; null if the publisher gives no id.
    #[schema(required, example = "nfl-2025-0115-buf-mia")]
    match_id: Option<String>,
}

impl From<&GameHistory<'_>> for HistoryGame {
    fn from(game: &GameHistory<'_>) -> Self {
        let key = game.key();
        Self {
            game_id: game.game_id().to_owned(),
            date: key.date,
            time: key.time,
            away_team: key.away.to_string(),
            home_team: key.home.to_string(),
            match_id: game.match_id().map(str::to_owned),
        }
    }
}

impl HistoryGame {
    /// Returns the identity of the game.
    pub fn game_id(&self) -> &str {
        &self.game_id
    }

    /// Adds the columns of a game.
    pub fn columns<'a>(games: TableOf<'a, &'a Self>) -> TableOf<'a, &'a Self> {
        columns!(games, game_id, date, time, away_team, home_team, match_id)
    }
}

/// The starts of a game.
#[derive(Debug, Serialize, ToSchema)]
pub struct GameStarts {
    /// The start, UTC; null if its time is unknown.
    #[schema(required)]
    starts_at: Option<DateTime<Utc>>,
    /// The instants at which the game was to start before, the oldest announcement first.
    earlier_starts: Vec<DateTime<Utc>>,
}

impl From<&GameHistory<'_>> for GameStarts {
    fn from(game: &GameHistory<'_>) -> Self {
        Self { starts_at: game.starts_at(), earlier_starts: game.earlier_starts() }
    }
}
