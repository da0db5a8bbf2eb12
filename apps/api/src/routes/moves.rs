//! The moves of a slate: the range that a request names, and the parts of rows that all lists of moves have.

use chrono::{DateTime, Utc};
use sports_domain::Sport;
use sports_domain::content::ObjectHash;
use sports_ports::Clock;
use sports_publication::{Generation, MoveKind, SlateMove};
use sports_usecases::moment::{LeagueMoment, RequestedMoment};
use sports_usecases::slate_moves::{EntryMoves, MovesPage, MovesStart, PageSize, ServedSlate, slate_moves};
use sports_usecases::today;
use sports_usecases::today::NamedOdds;

use crate::codes::{Code, SlateChangeCode};
use crate::error::ApiError;
use crate::moments::{AnswerMoment, RequestMoments, unreadable_past};
use crate::params::{AfterGeneration, ChangedQuery, MomentQuery, SentInstant, page_rows, rows_of_page};
use crate::query_params;
use crate::wire::wire;

query_params! {
    /// The parameters of a list of moves.
    #[derive(Debug, Clone)]
    pub struct MovesQuery {
        /// The generation after which moves are listed: the `X-Generation` of the slate that you have, or the `next` of the page
        /// before; without it and `from` the list begins with the first generation. Excludes `from`.
        #[param(value_type = Option<u64>, minimum = 0)]
        after_generation: Option<AfterGeneration> = AfterGeneration::read,
        /// The instant after which moves are listed, RFC 3339 with an offset: those from the slate of this instant.
        #[param(value_type = Option<DateTime<Utc>>)]
        from: Option<SentInstant> = SentInstant::read,
        /// The instant through which moves are listed, RFC 3339 with an offset: those to the slate of this instant. Excludes
        /// `as_of` and `generation`.
        #[param(value_type = Option<DateTime<Utc>>)]
        to: Option<SentInstant> = SentInstant::read,
        /// The number of moves of a page of JSON. A page ends with the end of a generation, and so may have more, and it ends after
        /// 256 generations.
        #[param(value_type = Option<u32>, minimum = 1, maximum = 1000, default = 100)]
        limit: Option<usize> = rows_of_page,
    }
}

/// The most entries that a page of JSON is read from.
const PAGE_ENTRIES: usize = 256;

/// The most rows and entries of a table.
const TABLE: PageSize = PageSize { rows: 100_000, entries: 1024 };

/// The moves that a request names.
pub struct MovesRange {
    pub at: AnswerMoment,
    start: MovesStart,
    size: PageSize,
    is_table: bool,
    /// True if later entries change nothing in it.
    is_closed: bool,
}

impl MovesQuery {
    /// Finds the range in the record of a league.
    ///
    /// # Errors
    ///
    /// [`ApiError`] for parameters that exclude each other, and for a range that the record does not have.
    pub async fn range(
        &self,
        sport: Sport,
        moment: &MomentQuery,
        is_table: bool,
        moments: &RequestMoments,
        clock: &dyn Clock,
    ) -> Result<MovesRange, ApiError> {
        let refused = |detail: &str| Err(ApiError::BadRequest(detail.to_owned()));
        let start = match (self.after_generation, &self.from) {
            (Some(_), Some(_)) => return refused("`after_generation` and `from` exclude each other"),
            (Some(AfterGeneration(after)), None) => after.map_or(MovesStart::Nothing, MovesStart::After),
            (None, Some(from)) => MovesStart::From(from.instant),
            (None, None) => MovesStart::Nothing,
        };
        let size = page_rows(is_table, self.limit)?.map_or(TABLE, |rows| PageSize { rows, entries: PAGE_ENTRIES });
        let at = match &self.to {
            Some(_) if moment.requested().is_some() => {
                return refused("`to` excludes `as_of` and `generation`: each of them ends the list");
            }
            Some(to) if self.from.as_ref().is_some_and(|from| from.instant > to.instant) => {
                return refused("`from` is after `to`");
            }
            Some(to) if to.instant < clock.now() => {
                let moment = moments.earlier(sport, RequestedMoment::At(to.instant), Some(&to.text)).await?;
                AnswerMoment::present(moment)
            }
            _ => moments.at_after(sport, moment, "after_generation", self.after_generation).await?,
        };
        let is_closed = at.moment().requested().is_some_and(|beside| beside.after.is_some());
        Ok(MovesRange { at, start, size, is_table, is_closed })
    }
}

impl MovesRange {
    /// Reads the moves of a part of the slate.
    ///
    /// # Errors
    ///
    /// [`ApiError`] if an entry cannot be read, and for a table of too many moves.
    pub async fn page<S: ServedSlate>(
        &self,
        moments: &RequestMoments,
        of: S::Of,
    ) -> Result<MovesPage<S::Game>, ApiError> {
        let page = Box::pin(slate_moves::<S>(moments.all(), of, self.at.moment(), self.start, self.size)).await;
        let page = page.map_err(unreadable_past)?;
        if self.is_table && page.has_more {
            let PageSize { rows, entries } = TABLE;
            return Err(ApiError::BadRequest(format!(
                "A table has at most {rows} moves of {entries} generations: send a nearer `to` or `generation`, or read pages of JSON"
            )));
        }
        Ok(page)
    }

    /// Returns everything that the moves of a page depend on.
    pub fn key<G>(&self, page: &MovesPage<G>) -> (MovesStart, Option<ObjectHash>, bool) {
        (self.start, page.through.map(|entry| entry.digest), page.has_more)
    }

    /// Returns true if no later entry changes the moves of a page.
    pub const fn is_final<G>(&self, page: &MovesPage<G>) -> bool {
        self.is_closed || page.has_more
    }
}

/// A part of the slate since which an answer lists changes; `None` if that slate has no such part.
pub struct Earlier<T>(pub Option<T>);

/// Finds the slate of `changed_after`; `None` without the parameter.
///
/// # Errors
///
/// [`ApiError`] if the record has no such generation, or it cannot be read.
pub async fn earlier_slate(
    moments: &RequestMoments,
    sport: Sport,
    query: ChangedQuery,
) -> Result<Option<Earlier<LeagueMoment>>, ApiError> {
    let Some(AfterGeneration(after)) = query.changed_after else { return Ok(None) };
    let Some(after) = after else { return Ok(Some(Earlier(None))) };
    moments.earlier(sport, RequestedMoment::Generation(after), None).await.map(|moment| Some(Earlier(Some(moment))))
}

impl Earlier<LeagueMoment> {
    /// Finds the odds.
    pub fn odds(&self) -> Earlier<NamedOdds> {
        Earlier(self.0.as_ref().and_then(|moment| today::odds(moment).ok()))
    }
}

/// Returns the `next` of a page.
pub fn next<G>(page: &MovesPage<G>) -> Option<u64> {
    page.through.filter(|_| page.has_more).map(|entry| entry.generation.get())
}

/// Converts the moves of a page, oldest first.
pub fn rows<G, R>(page: &MovesPage<G>, row: impl Fn(&EntryMoves<G>, &SlateMove<G>) -> R) -> Vec<R> {
    page.entries.iter().flat_map(|entry| entry.moves.iter().map(|moved| row(entry, moved))).collect()
}

wire! {
    /// The time and the kind of a move.
    pub row SlateMoveHead(generation: Generation, published_at: DateTime<Utc>, kind: MoveKind) {
        /// The generation that made the move.
        #[schema(example = 42)]
        generation: u64 = generation.get(),
        /// The time at which it was published.
        published_at: DateTime<Utc> = published_at,
        /// The kind of the move.
        #[schema(example = "moved")]
        change: SlateChangeCode = Code(kind),
    }
}

impl SlateMoveHead {
    /// Converts the head of a move of an entry.
    pub fn of<G>(entry: &EntryMoves<G>, moved: &SlateMove<G>) -> Self {
        Self::new(entry.generation, entry.published_at, moved.kind)
    }
}
