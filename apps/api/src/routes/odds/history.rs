use actix_web::HttpResponse;
use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use serde::Serialize;
use sports_domain::Sport;
use sports_ports::PortError;
use sports_ports::tables::TableColumn;
use sports_publication::movement::{ClosingLine, GameHistory, HistoryLine};
use sports_publication::slate::OddsGame;
use sports_usecases::game_histories::{FoundGame, window};
use sports_usecases::season_walk::NeededParts;
use utoipa::ToSchema;

use super::history_failure;
use super::list::PostedLines;
use crate::answer::{Answer, Rows};
use crate::auth::{OfAllSeasons, RecordReader};
use crate::codes::{Code, LineMarkCode, SportCode};
use crate::error::{ApiError, NothingThere, Unchanged};
use crate::examples::read_example;
use crate::moments::RequestMoments;
use crate::params::{DaysQuery, FormatQuery, GameQuery, Params};
use crate::paths::{Path, SportPath};
use crate::state::State;
use crate::wire::{TableOf, Tabular, wire, with_fields};

/// The parameters of the operation.
type Query = (GameQuery, DaysQuery, FormatQuery);

/// List the lines of a game as they moved
///
/// Every published line of one game before its start, with the first line of this log and the last one marked. A line is listed
/// where one of its nine fields differs from the line before. The last line with a price is the `latest` until the game starts,
/// and its closing line from then on; a game that was called off has none. Odds that no longer quote the game are a line of nulls,
/// and only make the close older. Odds that were published at or after the start are counted in
/// `quoted_after_start` and not listed, since the odds of a running game can hold in-play prices. A game that moved is followed
/// to its present start; one whose start had passed before it moved closed at that start.
#[utoipa::path(
    get, path = "/api/v1/odds/{sport}/history",
    tag = "odds",
    params(SportPath),
    responses(
        (status = 200, description = "The lines, oldest first", body = OddsHistoryResponse,
            example = json!(read_example(include_str!("history/example.json")))),
        Unchanged,
        NothingThere,
    ),
)]
pub(super) async fn show_odds_history(
    _reader: RecordReader<OfAllSeasons>,
    path: Path<Sport>,
    params: Params<Query>,
    answer: Answer,
    moments: RequestMoments,
    state: State,
) -> Result<HttpResponse, ApiError> {
    let (Path(sport), Params((game, days, FormatQuery { format }))) = (path, params);
    let (name, days) = (game.name()?, days.days());
    let at = moments.now(sport)?;
    let unknown = "No odds of that game are on record";
    let found = state
        .published
        .histories
        .game(at.moment(), &name, NeededParts::Odds)
        .await
        .map_err(|error| history_failure(error, sport, &name, unknown))?;
    if !found.game().is_some_and(|game| game.was_quoted()) {
        return Err(ApiError::NotFound(unknown.to_owned()));
    }
    let newest = at.moment().catalog().map(|catalog| catalog.release_id.clone());
    let now = at.moment().now();
    let closes_at = found.game().map(|game| game.closes_at()).filter(|closes_at| *closes_at > now);
    let key = (sport, found.game_id().to_owned(), days, newest, closes_at);
    let answer = answer.in_format(format).at(&at).validated_by_body().kept_if_final(found.is_final());
    let making = async move { OddsHistoryResponse::of(sport, &found, days, now).map(Rows) };
    answer.changing_at(closes_at).respond(&key, making).await
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
    /// The last release that quoted the closing line; null without a closing line, as before the start.
    #[schema(required)]
    close: Option<OddsHistoryClose>,
    /// The number of releases at or after the start that quoted the game.
    #[schema(example = 1)]
    quoted_after_start: usize,
}

wire! {
    /// A line of the game and the release that began it.
    pub row OddsHistoryLine(line: &HistoryLine, has_closed: bool) {
        /// The number of the release's log entry.
        #[schema(example = 41)]
        generation: u64 = line.published.generation.get(),
        /// The time at which it was published.
        published_at: DateTime<Utc> = line.published.published_at,
        /// The time as of which its sources were read.
        source_as_of: DateTime<Utc> = line.published.source_as_of,
        /// The mark of the line: `first` on the first one of this log; on the last one with a price `latest` before the start and
        /// `close` from then on; `first_and_latest` or `first_and_close` on one that is both; null on the others.
        #[schema(required)]
        mark: Option<LineMarkCode> = line.mark(has_closed).map(Code),
        #[serde(flatten)]
        lines: PostedLines = PostedLines::new(&line.lines),
    }
}

wire! {
    /// The last release that quoted the closing line.
    pub struct OddsHistoryClose(close: &ClosingLine) {
        /// The number of the release's log entry.
        #[schema(example = 41)]
        generation: u64 = close.last_quoted.generation.get(),
        /// The time at which it was published.
        published_at: DateTime<Utc> = close.last_quoted.published_at,
        /// The seconds from its source time to the start.
        #[schema(example = 25200)]
        age_seconds: i64 = close.age.num_seconds(),
    }
}

impl OddsHistoryResponse {
    /// Converts the history of a game in the last days before its start.
    pub fn of(sport: Sport, found: &FoundGame, days: u16, now: DateTime<Utc>) -> Result<Self, PortError> {
        let missing = || PortError::corrupt("the record of a season", "a game that was found is missing");
        let game = found.game().ok_or_else(missing)?;
        let window = window(found.season(), &game, days).ok_or_else(missing)?;
        let (history, complete) = game.lines_in(&window);
        let has_closed = game.has_closed(now);
        Ok(Self {
            sport: Code(sport),
            game: HistoryGame::new(&game),
            starts: GameStarts::new(&game),
            complete,
            lines: history.lines.iter().map(|line| OddsHistoryLine::new(line, has_closed)).collect(),
            close: history.close.as_ref().filter(|_| has_closed).map(OddsHistoryClose::new),
            quoted_after_start: history.quoted_after_start,
        })
    }
}

/// Rows are lines.
impl Tabular for OddsHistoryResponse {
    fn table(&self) -> Vec<TableColumn<'_>> {
        let lines = TableOf::rows(&self.lines).constant("sport", self.sport).constant("game_id", self.game.game_id());
        with_fields(lines).columns()
    }
}

wire! {
    /// The game of a history, under its present start, or of a move, under that of the generation.
    pub row HistoryGame(game: &GameHistory<'_>) {
        let key = game.key();

        /// The identity of the game in its league: assigned once, and kept when the start changes.
        #[schema(example = "nfl-2025-01-15-buffalo_bills-miami_dolphins")]
        game_id: String = game.game_id().to_owned(),
        /// The Eastern date of the start.
        date: NaiveDate = key.date,
        /// The Eastern time of the start, `HH:MM:SS`; null only where it is unknown.
        #[schema(required, value_type = Option<String>, example = "13:00:00")]
        time: Option<NaiveTime> = key.time,
        /// The visiting team's slug.
        #[schema(example = "buffalo_bills")]
        away_team: String = key.away.to_string(),
        /// The home team's slug.
        #[schema(example = "miami_dolphins")]
        home_team: String = key.home.to_string(),
        /// The publisher's id of the game; null if the publisher gives no id.
        #[schema(required, example = "nfl-2025-0115-buf-mia")]
        match_id: Option<String> = game.match_id().map(str::to_owned),
    }
}

impl HistoryGame {
    /// Converts a game of the odds.
    pub fn of_odds(game: &OddsGame) -> Self {
        Self {
            game_id: game.game_id.clone().unwrap_or_default(),
            date: game.key.date,
            time: game.key.time,
            away_team: game.key.away.to_string(),
            home_team: game.key.home.to_string(),
            match_id: game.match_id.clone(),
        }
    }

    /// Returns the identity of the game.
    pub fn game_id(&self) -> &str {
        &self.game_id
    }
}

wire! {
    /// The starts of a game.
    pub struct GameStarts(game: &GameHistory<'_>) {
        /// The start, UTC; null if its time is unknown.
        #[schema(required)]
        starts_at: Option<DateTime<Utc>> = game.starts_at(),
        /// The instants at which the game was to start before, the oldest announcement first.
        earlier_starts: Vec<DateTime<Utc>> = game.earlier_starts(),
    }
}
