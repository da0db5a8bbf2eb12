use actix_web::HttpResponse;
use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use serde::Serialize;
use sports_domain::Sport;
use sports_movement::{ClosingLine, GameHistory, HistoryLine};
use sports_ports::PortError;
use sports_ports::tables::TableColumn;
use sports_usecases::game_histories::{FoundGame, window};
use sports_usecases::season_walk::NeededParts;
use utoipa::ToSchema;

use super::history_failure;
use super::list::PostedLines;
use crate::answer::{Answer, Rows};
use crate::auth::Subscriber;
use crate::codes::{Code, LineMarkCode, SportCode};
use crate::error::{ApiError, NothingThere, Unchanged};
use crate::examples::read_example;
use crate::moments::RequestMoments;
use crate::params::{DaysQuery, FormatQuery, GameQuery, Params};
use crate::paths::{Path, SportPath};
use crate::state::State;
use crate::tables::{TableOf, Tabular, columns};

/// The parameters of the operation.
type Query = (GameQuery, (DaysQuery, FormatQuery));

/// List the lines of a game as they moved
///
/// Every published line of one game before its start, with the opener and the closing line marked. A line is listed where one
/// of its nine fields differs from the line before. The closing line is the last one with a price; odds that no longer quote
/// the game are a line of nulls, and only make the close older. Odds that were published at or after the start are counted in
/// `quoted_after_start` and not listed, since the odds of a running game can hold in-play prices. A game that moved is followed
/// to its present start; one whose start had passed before it moved closed at that start.
#[utoipa::path(
    get, path = "/api/v1/odds/{sport}/history",
    tag = "odds",
    params(SportPath, GameQuery, DaysQuery, FormatQuery),
    responses(
        (status = 200, description = "The lines, oldest first", body = OddsHistoryResponse,
            example = json!(read_example(include_str!("history/example.json")))),
        Unchanged,
        NothingThere,
    ),
)]
pub(super) async fn show_odds_history(
    _caller: Subscriber,
    path: Path<Sport>,
    params: Params<Query>,
    answer: Answer,
    moments: RequestMoments,
    state: State,
) -> Result<HttpResponse, ApiError> {
    let (Path(sport), Params((game, (days, FormatQuery { format })))) = (path, params);
    let (name, days) = (game.name()?, days.days());
    let at = moments.now(sport)?;
    let unknown = || ApiError::NotFound("No odds of that game are on record".to_owned());
    let found = state
        .published
        .histories
        .game(at.moment(), &name, NeededParts::Odds)
        .await
        .map_err(|error| history_failure(error, unknown))?;
    if !found.game().is_some_and(|game| game.was_quoted()) {
        return Err(unknown());
    }
    let newest = at.moment().catalog().map(|catalog| catalog.release_id.clone());
    let key = (sport, found.game_id().to_owned(), days, newest);
    let answer = answer.in_format(format).at(&at).validated_by_body().kept_if_final(found.is_final());
    let making = async move { OddsHistoryResponse::of(sport, &found, days).map(Rows) };
    answer.respond(&key, making).await
}

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
