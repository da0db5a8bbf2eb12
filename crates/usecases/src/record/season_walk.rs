//! The walk over the log entries of a season: one reader for the histories of its games, for closing lines, and for every
//! figure that compares published forecasts with later odds.
//!
//! The entries of a season are those from 120 days before its first calendar year to four days after its last, and the one before.
//! Each is read once, and each distinct object that they name. After a publication the walk goes on from there.

mod archives;
mod entries;
mod past_rows;
mod reader;
mod slates;

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use arc_swap::ArcSwapOption;
use sports_content::ObjectHash;
use sports_domain::{Season, Sport};
use sports_movement::SeasonMovement;
use sports_ports::PortError;
use sports_ports::publication::{LogEntry, PublicationLog};
use sports_publication::Generation;
use tokio::sync::OwnedMutexGuard;
use tokio::time::{Instant, timeout_at};

use super::past::{NoQueue, PastRecord};
use super::timeline::{Dated, Sought, Timeline, Undated};
use super::{Archives, LeagueGeneration, Slates, unreadable};
use crate::moment::LeagueMoment;
pub use entries::{NeededParts, known_seasons, season_of_odds};
use reader::{Progress, SeasonReader, SeasonTimes};

/// The walks over the seasons of all leagues, each with what it read so far.
///
/// A season stays in memory while it is used, as far as the share of memory allows; at least the one that was used last does.
pub struct SeasonWalks {
    past: Arc<PastRecord>,
    reader: SeasonReader,
    slots: Mutex<HashMap<SlotPlace, Arc<Slot>>>,
    /// The memory of all seasons, in bytes.
    share: u64,
    /// The longest time for which a request waits for a walk.
    timeout: Duration,
    uses: AtomicU64,
}

/// The place of a walk: the league and the season; beside damage, also its end and the parts that it reads.
type SlotPlace = (Sport, Season, Option<Generation>, Option<NeededParts>);

#[derive(Default)]
struct Slot {
    /// The movement up to the entry with this digest.
    known: ArcSwapOption<(ObjectHash, Arc<SeasonMovement>)>,
    progress: Arc<tokio::sync::Mutex<Progress>>,
    last_use: AtomicU64,
}

/// The extent of a walk.
#[derive(Clone)]
struct Extent {
    current: Arc<LeagueGeneration>,
    /// The entry at its end; `None` for the current one.
    earlier: Option<Arc<LogEntry>>,
    /// The parts that it reads; `None` for all.
    only: Option<NeededParts>,
}

impl Extent {
    fn end(&self) -> &LogEntry {
        self.earlier.as_deref().unwrap_or(&self.current.entry)
    }

    fn place(&self, season: Season) -> SlotPlace {
        let end = self.earlier.as_ref().map(|entry| entry.catalog.generation);
        (self.current.catalog().sport, season, end, self.only)
    }
}

/// The hold of one walk on its progress.
struct Hold(OwnedMutexGuard<Progress>);

impl AsMut<Progress> for Hold {
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
    pub fn new(
        log: Arc<dyn PublicationLog>,
        (slates, archives): (Slates, Archives),
        past: Arc<PastRecord>,
        share: u64,
        timeout: Duration,
    ) -> Self {
        let turns = Arc::clone(past.turns());
        let reader = SeasonReader { log, slates, archives, turns };
        Self { past, reader, slots: Mutex::default(), share, timeout, uses: AtomicU64::default() }
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
        let whole = Extent { current: Arc::clone(newest), earlier: earlier.cloned(), only: None };
        let read = match self.whole(&whole, season).await {
            Err(error) if error.is_damage() => self.walked(&Extent { only: Some(needed), ..whole }, season).await,
            read => read,
        };
        read.map_err(|error| match error {
            WalkError::Unreadable(error) => unreadable(error).into(),
            underway => underway,
        })
    }

    /// Returns the movement of a season in all parts: that up to the current entry, cut at an earlier one. If the record is
    /// damaged between the two, a walk of its own ends at the earlier one.
    async fn whole(self: &Arc<Self>, extent: &Extent, season: Season) -> Result<Arc<SeasonMovement>, WalkError> {
        let Some(earlier) = &extent.earlier else { return self.walked(extent, season).await };
        if let Some(kept) = lock(&self.slots).get(&extent.place(season)).and_then(|slot| slot.known(earlier)) {
            return Ok(kept);
        }
        let movement = match self.walked(&Extent { earlier: None, ..extent.clone() }, season).await {
            Err(error) if error.is_damage() => return self.walked(extent, season).await,
            walked => walked?,
        };
        let mut then = movement.up_to(earlier.catalog.generation);
        if !then.entries().is_empty() {
            then.set_rows(self.reader.rows(season, &earlier.catalog).await?);
        }
        Ok(Arc::new(then))
    }

    /// Walks over a season.
    async fn walked(self: &Arc<Self>, extent: &Extent, season: Season) -> Result<Arc<SeasonMovement>, WalkError> {
        let (deadline, sport) = (Instant::now() + self.timeout, extent.current.catalog().sport);
        let nothing = move || SeasonMovement::new(sport, season, true);
        let times = SeasonTimes::of(season);
        let slot = self.slot(extent.place(season));
        if let Some(known) = slot.known(extent.end()) {
            return Ok(known);
        }
        let underway = |_| WalkError::Underway { sport, season };
        let progress = timeout_at(deadline, Arc::clone(&slot.progress).lock_owned()).await.map_err(underway)?;
        if let Some(known) = slot.known(extent.end()) {
            return Ok(known);
        }
        let (walks, extent) = (Arc::clone(self), extent.clone());
        let walk = tokio::spawn(async move {
            let read = match walks.top(&extent, times).await? {
                Some(top) => {
                    let end = (extent.end(), top);
                    walks.reader.read_on(Hold(progress), (season, times), end, extent.only).await?
                }
                None => nothing(),
            };
            Ok(walks.keep(&slot, extent.end(), read))
        });
        let walked = timeout_at(deadline, walk).await.map_err(underway)?;
        Ok(walked.unwrap_or_else(|ended| Err(PortError::unavailable("the walk over a season", ended)))?)
    }

    /// Returns the newest entry of a season; `None` if every entry is later.
    async fn top(&self, extent: &Extent, times: SeasonTimes) -> Result<Option<(Generation, ObjectHash)>, PortError> {
        let (sport, end) = (extent.current.catalog().sport, extent.end());
        if end.catalog.published_at <= times.through {
            return Ok(Some((end.catalog.generation, end.digest)));
        }
        top(sport, &self.past.find(sport, &extent.current, Sought::At(times.through)).await?)
    }

    fn slot(&self, place: SlotPlace) -> Arc<Slot> {
        let slot = Arc::clone(lock(&self.slots).entry(place).or_default());
        slot.last_use.store(self.uses.fetch_add(1, Relaxed), Relaxed);
        slot
    }

    /// Shares what a walk up to an entry has read, and removes seasons that were used least recently from memory.
    fn keep(&self, slot: &Slot, newest: &LogEntry, movement: SeasonMovement) -> Arc<SeasonMovement> {
        let movement = Arc::new(movement);
        slot.known.store(Some(Arc::new((newest.digest, Arc::clone(&movement)))));
        self.evict();
        movement
    }

    fn evict(&self) {
        let mut slots = lock(&self.slots);
        let bytes = |slot: &Slot| slot.known.load().as_ref().map_or(0, |known| known.1.bytes() as u64);
        let mut total: u64 = slots.values().map(|slot| bytes(slot)).sum();
        while total > self.share && slots.len() > 1 {
            let oldest = slots.iter().min_by_key(|(_, slot)| slot.last_use.load(Relaxed)).map(|(place, _)| *place);
            let Some(dropped) = oldest.and_then(|place| slots.remove(&place)) else { return };
            total = total.saturating_sub(bytes(&dropped));
        }
    }
}

impl Slot {
    fn known(&self, newest: &LogEntry) -> Option<Arc<SeasonMovement>> {
        let known = self.known.load_full()?;
        (known.0 == newest.digest).then(|| Arc::clone(&known.1))
    }
}

/// Reads the movement of a season up to the newest entry of a league, without a server; `None` for a league without releases.
///
/// # Errors
///
/// [`PortError`] if the record cannot be read.
pub async fn walk_season(
    log: &Arc<dyn PublicationLog>,
    slates: &Slates,
    archives: &Archives,
    newest: &LogEntry,
    season: Season,
) -> Result<SeasonMovement, PortError> {
    let sport = newest.catalog.sport;
    let nothing = || Ok(SeasonMovement::new(sport, season, true));
    let times = SeasonTimes::of(season);
    let head = (newest.catalog.generation, newest.digest);
    let top = if newest.catalog.published_at <= times.through {
        Some(head)
    } else {
        top(sport, &Timeline::default().find(&**log, sport, head.0, Sought::At(times.through), false).await?)?
    };
    let Some(top) = top else { return nothing() };
    let (log, slates, archives) = (Arc::clone(log), slates.clone(), archives.clone());
    let reader = SeasonReader { log, slates, archives, turns: Arc::new(NoQueue) };
    reader.read_on(Box::new(Progress::default()), (season, times), (newest, top), None).await
}

/// Returns the place of the entry that was found; `None` if every entry is later.
fn top(sport: Sport, found: &Result<Dated, Undated>) -> Result<Option<(Generation, ObjectHash)>, PortError> {
    match found {
        Ok(dated) => Ok(Some((dated.generation, dated.digest))),
        Err(Undated::BeforeFirst(_) | Undated::Empty) => Ok(None),
        Err(Undated::Unreadable(number) | Undated::AboveNewest(number)) => {
            let reason = format!("entry {number} of {sport} cannot be read");
            Err(PortError::corrupt("the publication log", reason))
        }
        Err(Undated::NoMember) => Err(PortError::corrupt("the publication log", "an instant has no number")),
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
