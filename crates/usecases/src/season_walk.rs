//! The walk over the log entries of a season: one reader for the histories of its games, for closing lines, and for every
//! figure that compares published forecasts with later odds.
//!
//! The entries of a season are those from 120 days before its first calendar year to four days after its last, and the one before.
//! Each is read once, and each distinct object that they name. After a publication the walk goes on from there.

mod reader;
mod slates;

use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwapOption;
use chrono::{DateTime, Utc};
use sports_domain::content::ObjectHash;
use sports_domain::{Season, Sport};
use sports_ledger::{EntryFacts, Ledger, Ledgers, NoPlace, Sought, unreadable_entry};
use sports_ports::PortError;
use sports_ports::publication::LogEntry;
use sports_publication::Generation;
use sports_publication::movement::SeasonMovement;
use tokio::sync::OwnedMutexGuard;

use reader::{Progress, SeasonEnd, SeasonReader, SeasonTimes};

use crate::moment::LeagueMoment;
use crate::projections::{Projection, Projections, Underway, alone, fed};
use crate::record::{Archives, Inline, LeagueGeneration, PastRecord, Slates, unreadable};

pub use slates::{NeededParts, known_seasons, season_of_odds};

/// The movements of the seasons of all leagues, each as far as it was read.
pub struct SeasonWalks {
    past: Arc<PastRecord>,
    reader: SeasonReader,
    movements: Projections<SlotPlace, Slot>,
}

/// The place of a movement: the league and the season; beside damage, also its end and the parts that it has.
type SlotPlace = (Sport, Season, Option<Generation>, Option<NeededParts>);

#[derive(Default)]
struct Slot {
    /// The movement up to the entry with this digest.
    known: ArcSwapOption<(ObjectHash, Arc<SeasonMovement>)>,
    progress: Arc<tokio::sync::Mutex<Progress>>,
}

impl Projection for Slot {
    fn bytes(&self) -> u64 {
        self.known.load().as_ref().map_or(0, |known| known.1.bytes() as u64)
    }
}

/// The entries that a walk reads.
#[derive(Clone)]
struct WalkRange {
    current: Arc<LeagueGeneration>,
    /// The entry at its end; `None` for the current one.
    earlier: Option<Arc<LogEntry>>,
    /// The parts that it reads; `None` for all.
    only: Option<NeededParts>,
}

impl WalkRange {
    fn end(&self) -> &LogEntry {
        self.earlier.as_deref().unwrap_or(&self.current.entry)
    }

    fn place(&self, season: Season) -> SlotPlace {
        let end = self.earlier.as_ref().map(|entry| entry.catalog.generation);
        (self.current.catalog().sport, season, end, self.only)
    }
}

/// The exclusive use of a walk's progress.
struct ProgressGuard(OwnedMutexGuard<Progress>);

impl AsMut<Progress> for ProgressGuard {
    fn as_mut(&mut self) -> &mut Progress {
        &mut self.0
    }
}

/// An error in reading a season.
#[derive(Debug, thiserror::Error)]
pub enum WalkError {
    /// Part of the record cannot be read.
    #[error(transparent)]
    Unreadable(#[from] PortError),
    /// The walk over the leaves of a league takes longer than a request waits. It goes on.
    #[error("the leaves of {sport} are being read")]
    CorrectionsUnderway { sport: Sport },
    /// The walk takes longer than a request waits. It goes on.
    #[error("the record of {sport} {season} is being read")]
    Underway { sport: Sport, season: Season },
}

impl WalkError {
    /// Returns true if part of the record is missing or altered.
    const fn is_damage(&self) -> bool {
        matches!(self, Self::Unreadable(PortError::Corrupt { .. }))
    }
}

impl SeasonWalks {
    /// Creates the walks over a record, with this memory for all seasons. A request has an error if its walk takes longer
    /// than `timeout`.
    pub fn new(slates: Slates, archives: Archives, past: Arc<PastRecord>, share: u64, timeout: Duration) -> Self {
        let queue = Arc::clone(past.queue());
        let reader = SeasonReader { slates, archives, queue };
        Self { past, reader, movements: Projections::new(share, timeout) }
    }

    /// Returns the archives that the walks read.
    pub(crate) const fn archives(&self) -> &Archives {
        &self.reader.archives
    }

    /// Returns the record that the walks read.
    pub(crate) const fn record(&self) -> &Arc<PastRecord> {
        &self.past
    }

    /// Returns the movement of a season up to a moment, with the rows of the moment's archives. Requests for one season share
    /// one walk, and the walk goes on if a request no longer waits for it. A season that the league does not have is without
    /// entries.
    ///
    /// Where the record is damaged, the movement is complete in the `needed` parts alone.
    ///
    /// # Errors
    ///
    /// [`WalkError`] if the walk takes longer than the request waits, or the needed parts cannot be read.
    pub async fn season(
        self: &Arc<Self>,
        moment: &LeagueMoment,
        season: Season,
        needed: NeededParts,
    ) -> Result<Arc<SeasonMovement>, WalkError> {
        let Some(newest) = moment.newest() else {
            return Ok(Arc::new(SeasonMovement::new(moment.sport(), season, true)));
        };
        let earlier = moment.past_entry().filter(|entry| entry.catalog.generation != newest.catalog().generation);
        let whole = WalkRange { current: Arc::clone(newest), earlier: earlier.cloned(), only: None };
        let read = match self.whole(&whole, season).await {
            Err(error) if error.is_damage() => self.walked(&WalkRange { only: Some(needed), ..whole }, season).await,
            read => read,
        };
        read.map_err(|error| match error {
            WalkError::Unreadable(error) => unreadable(error).into(),
            underway => underway,
        })
    }

    /// Returns the movement of a season in all parts: that up to the current entry, cut at an earlier one. If the record is
    /// damaged between the two, a walk of its own ends at the earlier one.
    async fn whole(self: &Arc<Self>, range: &WalkRange, season: Season) -> Result<Arc<SeasonMovement>, WalkError> {
        let Some(earlier) = &range.earlier else { return self.walked(range, season).await };
        if let Some(kept) = self.movements.peek(range.place(season)).and_then(|slot| slot.known(earlier)) {
            return Ok(kept);
        }
        let movement = match self.walked(&WalkRange { earlier: None, ..range.clone() }, season).await {
            Err(error) if error.is_damage() => return self.walked(range, season).await,
            walked => walked?,
        };
        let mut then = movement.up_to(earlier.catalog.generation);
        if !then.entries().is_empty() {
            then.set_rows(self.reader.rows(season, &earlier.catalog).await?);
        }
        Ok(Arc::new(then))
    }

    /// Walks over a season.
    async fn walked(self: &Arc<Self>, range: &WalkRange, season: Season) -> Result<Arc<SeasonMovement>, WalkError> {
        let (deadline, sport) = (self.movements.deadline(), range.current.catalog().sport);
        let slot = self.movements.get(range.place(season));
        if let Some(known) = slot.known(range.end()) {
            return Ok(known);
        }
        let underway = |Underway| WalkError::Underway { sport, season };
        let progress = alone(&slot.progress, deadline).await.map_err(underway)?;
        if let Some(known) = slot.known(range.end()) {
            return Ok(known);
        }
        let (walks, range) = (Arc::clone(self), range.clone());
        let walk = async move {
            let ledger = walks.past.generations().ledgers().of(sport);
            let (times, newest) = (SeasonTimes::of(season), range.end());
            let read = match top(ledger, newest, times).await? {
                Some(top) => {
                    let end = SeasonEnd { newest, top, only: range.only };
                    walks.reader.read_on(ProgressGuard(progress), ledger, season, times, end).await?
                }
                None => SeasonMovement::new(sport, season, true),
            };
            Ok(walks.keep(&slot, newest, read))
        };
        Ok(fed(deadline, walk).await.map_err(underway)??)
    }

    /// Shares what a walk up to an entry has read.
    fn keep(&self, slot: &Slot, newest: &LogEntry, movement: SeasonMovement) -> Arc<SeasonMovement> {
        let movement = Arc::new(movement);
        slot.known.store(Some(Arc::new((newest.digest, Arc::clone(&movement)))));
        self.movements.evict();
        movement
    }
}

impl Slot {
    fn known(&self, newest: &LogEntry) -> Option<Arc<SeasonMovement>> {
        let known = self.known.load_full()?;
        (known.0 == newest.digest).then(|| Arc::clone(&known.1))
    }
}

/// Returns the instants from which and up to which entries can be about a season.
pub(crate) fn times_of(season: Season) -> (DateTime<Utc>, DateTime<Utc>) {
    let SeasonTimes { from, through } = SeasonTimes::of(season);
    (from, through)
}

/// Reads the movement of a season up to the newest entry of a league, without a server; `None` for a league without releases.
///
/// # Errors
///
/// [`PortError`] if the record cannot be read.
pub async fn walk_season(
    ledgers: &Ledgers,
    slates: &Slates,
    archives: &Archives,
    newest: &LogEntry,
    season: Season,
) -> Result<SeasonMovement, PortError> {
    let sport = newest.catalog.sport;
    let (ledger, times) = (ledgers.of(sport), SeasonTimes::of(season));
    ledger.follow_to(newest.catalog.generation).await?;
    let Some(top) = top(ledger, newest, times).await? else { return Ok(SeasonMovement::new(sport, season, true)) };
    let reader = SeasonReader { slates: slates.clone(), archives: archives.clone(), queue: Arc::new(Inline) };
    let end = SeasonEnd { newest, top, only: None };
    reader.read_on(Box::new(Progress::default()), ledger, season, times, end).await
}

/// Returns the newest entry of a season up to an entry; `None` if every entry is later.
async fn top(ledger: &Arc<Ledger>, end: &LogEntry, times: SeasonTimes) -> Result<Option<EntryFacts>, PortError> {
    if end.catalog.published_at <= times.through {
        return Ok(Some(EntryFacts::from(end)));
    }
    let unreadable = |number| Err(unreadable_entry(end.catalog.sport, number));
    match ledger.find(Sought::At(times.through)).await? {
        Ok(place) => Ok(Some(place.facts)),
        Err(NoPlace::BeforeFirst(_) | NoPlace::Empty) => Ok(None),
        Err(NoPlace::Unreadable(number) | NoPlace::AboveNewest(number)) => unreadable(number),
        Err(NoPlace::NoMember) => unreadable(end.catalog.generation),
    }
}
