//! The moves of a league's slate, entry by entry.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use futures::{StreamExt, stream};
use sports_domain::ModelType;
use sports_ledger::EntryFacts;
use sports_ports::PortError;
use sports_publication::{Generation, MovingSlate, Odds, Predictions, SlateMove};

use crate::moment::{LeagueMoment, Moments};
use crate::today::served_predictions;

/// The number of entries that are read concurrently. Each read is queued by itself.
const AT_ONCE: usize = 4;

/// A slate as it is served at a moment.
pub trait ServedSlate: MovingSlate + Send + Sync + 'static {
    /// The part of the league's slate.
    type Of: Copy + Send + Sync;

    /// Reads the slate; `None` before it was published.
    fn served(of: Self::Of, moment: &LeagueMoment)
    -> impl Future<Output = Result<Option<Arc<Self>>, PortError>> + Send;
}

impl ServedSlate for Odds {
    type Of = ();

    async fn served((): (), moment: &LeagueMoment) -> Result<Option<Arc<Self>>, PortError> {
        moment.odds().await
    }
}

impl ServedSlate for Predictions {
    type Of = ModelType;

    async fn served(of: ModelType, moment: &LeagueMoment) -> Result<Option<Arc<Self>>, PortError> {
        served_predictions(moment, of).await
    }
}

/// The slate from which moves are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MovesStart {
    /// The slate before the first entry.
    Nothing,
    /// The slate of an entry.
    After(Generation),
    /// The slate of an instant.
    From(DateTime<Utc>),
}

impl MovesStart {
    /// Returns true if the slate has everything of an entry.
    fn has(self, entry: &EntryFacts) -> bool {
        match self {
            Self::Nothing => false,
            Self::After(generation) => entry.generation <= generation,
            Self::From(instant) => entry.published_at <= instant,
        }
    }
}

/// The size of a page: it ends with the entry that reaches one of these numbers.
#[derive(Debug, Clone, Copy)]
pub struct PageSize {
    pub rows: usize,
    pub entries: usize,
}

/// The moves of some entries, oldest first.
#[derive(Debug, Clone)]
pub struct MovesPage<G> {
    /// The entries with moves.
    pub entries: Vec<EntryMoves<G>>,
    /// The last entry that was read; `None` for a league without releases.
    pub through: Option<EntryFacts>,
    /// True if later entries were not read.
    pub has_more: bool,
}

/// The moves of an entry.
#[derive(Debug, Clone)]
pub struct EntryMoves<G> {
    pub generation: Generation,
    pub published_at: DateTime<Utc>,
    /// The source time of the entry's odds.
    pub odds_as_of: Option<DateTime<Utc>>,
    pub moves: Vec<SlateMove<G>>,
}

/// Lists the moves of a slate up to a moment. Applied to the slate at the start in their order, they give the one of the moment.
///
/// # Errors
///
/// [`PortError`] if an entry or its slate cannot be read, or the log is being read.
pub async fn slate_moves<S: ServedSlate>(
    moments: &Moments,
    of: S::Of,
    top: &LeagueMoment,
    start: MovesStart,
    size: PageSize,
) -> Result<MovesPage<S::Game>, PortError> {
    let mut page = MovesPage { entries: Vec::new(), through: top.entry().map(EntryFacts::from), has_more: false };
    let Some(newest) = page.through else { return Ok(page) };
    let ledger = moments.generations().ledgers().of(top.sport());
    let mut entries = ledger.run(&newest, move |entry| start.has(entry)).await?.entries;
    let floor = entries.first().copied().filter(|first| start.has(first));
    entries.drain(..usize::from(floor.is_some()));
    if entries.is_empty() {
        return Ok(page);
    }
    let mut before = match &floor {
        Some(floor) => S::served(of, &moments.of_entry(top, floor).await?).await?,
        None => None,
    };
    let (count, mut rows) = (entries.len(), 0);
    let reads: Vec<_> =
        entries.into_iter().take(size.entries).map(|entry| read::<S>(moments, of, top, entry)).collect();
    let mut reads = stream::iter(reads).buffered(AT_ONCE).enumerate();
    while let Some((place, read)) = reads.next().await {
        let ReadEntry { entry, odds_as_of, slate } = read?;
        let moves = slate.as_ref().map(|slate| slate.moves_since(before.as_deref())).unwrap_or_default();
        rows += moves.len();
        if !moves.is_empty() {
            let EntryFacts { generation, published_at, .. } = entry;
            page.entries.push(EntryMoves { generation, published_at, odds_as_of, moves });
        }
        before = slate.or(before);
        (page.through, page.has_more) = (Some(entry), place + 1 < count);
        if rows >= size.rows {
            break;
        }
    }
    Ok(page)
}

/// An entry and its slate.
struct ReadEntry<S> {
    entry: EntryFacts,
    odds_as_of: Option<DateTime<Utc>>,
    slate: Option<Arc<S>>,
}

async fn read<S: ServedSlate>(
    moments: &Moments,
    of: S::Of,
    top: &LeagueMoment,
    entry: EntryFacts,
) -> Result<ReadEntry<S>, PortError> {
    let moment = moments.of_entry(top, &entry).await?;
    let odds_as_of = moment.catalog().and_then(|catalog| Some(catalog.odds.as_ref()?.source_as_of));
    Ok(ReadEntry { entry, odds_as_of, slate: S::served(of, &moment).await? })
}
