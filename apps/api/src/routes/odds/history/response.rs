use chrono::{DateTime, Utc};
use serde::Serialize;
use sports_domain::Sport;
use sports_movement::{ClosingLine, HistoryLine};
use sports_ports::PortError;
use sports_ports::tables::TableColumn;
use sports_usecases::game_histories::{FoundGame, window};
use utoipa::ToSchema;

use crate::codes::{Code, LineMarkCode, SportCode};
use crate::routes::odds::history_game::{GameStarts, HistoryGame};
use crate::routes::odds::posted_lines::PostedLines;
use crate::tables::{TableOf, Tabular, columns};

/// The lines of one game as they moved.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OddsHistory)]
pub struct OddsHistoryResponse {
    /// The league.
    sport: SportCode,
    /// The game.
    game: HistoryGame,
    #[serde(flatten)]
    starts: GameStarts,
    /// False if the game was quoted in the oldest release read and an older release exists: the first line may then not be the
    /// opener.
    complete: bool,
    /// The lines before the start, oldest first, each where it differs from the one before.
    lines: Vec<OddsHistoryLine>,
    /// The last release that quoted the closing line; null without a closing line.
    #[schema(required)]
    close: Option<OddsHistoryClose>,
    /// The number of releases at or after the start that quoted the game.
    #[schema(example = 1)]
    quoted_after_start: usize,
}

/// A line of the game and the release that began it.
#[derive(Debug, Serialize, ToSchema)]
pub struct OddsHistoryLine {
    /// The number of the release's log entry.
    #[schema(example = 41)]
    generation: u64,
    /// The time at which it was published.
    published_at: DateTime<Utc>,
    /// The time as of which its sources were read.
    source_as_of: DateTime<Utc>,
    /// The mark of the line: `open` on the first one, `close` on the last one with a price, `both` on one that is either; null
    /// on the others.
    #[schema(required)]
    mark: Option<LineMarkCode>,
    #[serde(flatten)]
    lines: PostedLines,
}

/// The last release that quoted the closing line.
#[derive(Debug, Serialize, ToSchema)]
pub struct OddsHistoryClose {
    /// The number of the release's log entry.
    #[schema(example = 41)]
    generation: u64,
    /// The time at which it was published.
    published_at: DateTime<Utc>,
    /// The seconds from its source time to the start.
    #[schema(example = 25200)]
    age_seconds: i64,
}

impl OddsHistoryResponse {
    /// Converts the history of a game in the last days before its start.
    pub fn of(sport: Sport, found: &FoundGame, days: u16) -> Result<Self, PortError> {
        let missing = || PortError::corrupt("the record of a season", "a game that was found is missing");
        let game = found.game().ok_or_else(missing)?;
        let window = window(found.season(), &game, days).ok_or_else(missing)?;
        let (history, complete) = game.lines_in(&window);
        Ok(Self {
            sport: Code(sport),
            game: HistoryGame::from(&game),
            starts: GameStarts::from(&game),
            complete,
            lines: history.lines.iter().map(OddsHistoryLine::from).collect(),
            close: history.close.as_ref().map(OddsHistoryClose::from),
            quoted_after_start: history.quoted_after_start,
        })
    }
}

impl From<&HistoryLine> for OddsHistoryLine {
    fn from(line: &HistoryLine) -> Self {
        Self {
            generation: line.published.generation.get(),
            published_at: line.published.published_at,
            source_as_of: line.published.source_as_of,
            mark: line.mark.map(Code),
            lines: PostedLines::from(&line.lines),
        }
    }
}

impl From<&ClosingLine> for OddsHistoryClose {
    fn from(close: &ClosingLine) -> Self {
        Self {
            generation: close.last_quoted.generation.get(),
            published_at: close.last_quoted.published_at,
            age_seconds: close.age.num_seconds(),
        }
    }
}

/// Rows are lines.
impl Tabular for OddsHistoryResponse {
    fn table(&self) -> Vec<TableColumn<'_>> {
        let lines = TableOf::rows(&self.lines);
        let lines = lines.constant("sport", self.sport).constant("game_id", self.game.game_id());
        columns!(lines, generation, published_at, source_as_of, mark)
            .part(|line| &line.lines, PostedLines::columns)
            .columns()
    }
}
