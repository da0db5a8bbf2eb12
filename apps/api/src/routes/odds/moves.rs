use actix_web::HttpResponse;
use chrono::NaiveDateTime;
use sports_domain::{Sport, eastern_reading};
use sports_ports::tables::TableColumn;
use sports_publication::slate::OddsGame;
use sports_publication::{MoveKind, Odds, SlateMove};
use sports_usecases::slate_moves::{EntryMoves, MovesPage};
use sports_usecases::today;

use super::history::HistoryGame;
use super::list::{PostedLines, as_wall_clock_or_null};
use crate::answer::{Answer, Rows};
use crate::auth::Subscriber;
use crate::codes::{Code, SportCode};
use crate::error::{ApiError, NothingThere, Unchanged};
use crate::examples::read_example;
use crate::moments::RequestMoments;
use crate::params::{FormatQuery, MomentQuery, Params};
use crate::paths::{Path, SportPath};
use crate::routes::moves::{MovesQuery, SlateMoveHead, next, rows};
use crate::state::State;
use crate::wire::{TableOf, Tabular, wire, with_fields};

/// List the moves of the odds
///
/// One row for each game and generation in which its odds changed: a line, a price, the start or `match_id`. A row has all values
/// after the change; those of a game that is `gone` are null. **The odds at a generation with the moves after it applied are the
/// odds now**, but for `last_updated`: another reading of the same lines is no move. A game that has started does not move; it
/// goes when a later slate does not have it. JSON comes in pages, oldest move first; CSV, NDJSON and Parquet hold every move.
#[utoipa::path(
    get, path = "/api/v1/odds/{sport}/moves",
    tag = "odds",
    params(SportPath),
    responses(
        (status = 200, description = "The moves", body = OddsMovesResponse,
            example = json!(read_example(include_str!("moves/example.json")))),
        Unchanged,
        NothingThere,
    ),
)]
pub(super) async fn list_odds_moves(
    _caller: Subscriber,
    path: Path<Sport>,
    params: Params<(MovesQuery, FormatQuery, MomentQuery)>,
    answer: Answer,
    moments: RequestMoments,
    state: State,
) -> Result<HttpResponse, ApiError> {
    let (Path(sport), Params((query, FormatQuery { format }, moment))) = (path, params);
    let answer = answer.in_format(format);
    let range = query.range(sport, &moment, answer.format().is_table(), &moments, &*state.clock).await?;
    today::odds(range.at.moment()).map_err(|error| range.at.failure(error))?;
    let page = range.page::<Odds>(&moments, ()).await?;
    let answer = answer.at(&range.at).kept_if_final(range.is_final(&page));
    let key = (sport, range.key(&page));
    answer.respond(&key, async move { Ok(Rows(OddsMovesResponse::new(sport, &page))) }).await
}

wire! {
    /// Moves of a league's odds.
    #[schema(as = OddsMovesPage)]
    pub struct OddsMovesResponse(sport: Sport, page: &MovesPage<OddsGame>) {
        /// The league.
        sport: SportCode = Code(sport),
        /// The moves, by generation; those of one generation by start, games that are gone last.
        moves: Vec<OddsMoveItem> = rows(page, OddsMoveItem::new),
        /// The `after_generation` of the next page, in the place of `from`; null on the last page, after which it is the number in
        /// `X-Generation`.
        #[schema(required)]
        next: Option<u64> = next(page),
    }
}

wire! {
    /// A move of one game's odds. Prices are American odds.
    #[schema(as = OddsMove)]
    pub row OddsMoveItem(entry: &EntryMoves<OddsGame>, moved: &SlateMove<OddsGame>) {
        let game = &moved.game;
        let source_read = entry.odds_as_of.filter(|_| moved.kind != MoveKind::Gone).map(eastern_reading);

        #[serde(flatten)]
        head: SlateMoveHead = SlateMoveHead::of(entry, moved),
        #[serde(flatten)]
        game: HistoryGame = HistoryGame::of_odds(game),
        #[serde(flatten)]
        lines: PostedLines = PostedLines::new(&game.lines),
        /// The Eastern time at which the sportsbook's prices of this game were last read, `YYYY-MM-DD HH:MM:SS`; the source time of
        /// the odds if the publisher gives none; null for a game that is gone.
        #[serde(serialize_with = "as_wall_clock_or_null")]
        #[schema(required, value_type = Option<String>, example = "2025-01-15 09:45:00")]
        last_updated: Option<NaiveDateTime> = game.last_updated.or(source_read),
    }
}

/// Rows are moves.
impl Tabular for OddsMovesResponse {
    fn table(&self) -> Vec<TableColumn<'_>> {
        with_fields(TableOf::rows(&self.moves).constant("sport", self.sport)).columns()
    }
}
