//! The walk over the log entries of a season: one reader for the histories of its games, for closing lines, and for every
//! figure that compares published forecasts with later odds.
//!
//! The entries of a season are those from 120 days before its first game to four days after its last, and the one before. Each
//! is read once, and each distinct object that they name. After a publication the walk goes on from there.

mod entries;
mod reader;
mod slates;
mod stored_ids;

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
pub use entries::season_of_odds;
use reader::{Progress, SeasonReader, SeasonTimes};

/// The longest time for which a request waits for a walk.
const PATIENCE: Duration = Duration::from_secs(10);

/// The walks over the seasons of all leagues, each with what it read so far.
///
/// A season stays in memory while it is used, as far as the share of memory allows; at least the one that was used last does.
pub struct SeasonWalks {
    past: Arc<PastRecord>,
    reader: SeasonReader,
    slots: Mutex<HashMap<(Sport, Season), Arc<Slot>>>,
    /// The memory of all seasons, in bytes.
    share: u64,
    uses: AtomicU64,
}

#[derive(Default)]
struct Slot {
    /// The movement up to the entry with this digest.
    known: ArcSwapOption<(ObjectHash, Arc<SeasonMovement>)>,
    progress: Arc<tokio::sync::Mutex<Progress>>,
    last_use: AtomicU64,
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
    /// The walk takes longer than a request waits. It goes on.
    #[error("the record of {sport} {season} is being read")]
    Underway {
        /// The league.
        sport: Sport,
        /// The season.
        season: Season,
    },
}

impl SeasonWalks {
    /// Creates the walks over a record, with this memory for all seasons.
    #[must_use]
    pub fn new(
        log: Arc<dyn PublicationLog>,
        (slates, archives): (Slates, Archives),
        past: Arc<PastRecord>,
        share: u64,
    ) -> Self {
        let turns = Arc::clone(past.turns());
        let reader = SeasonReader { log, slates, archives, turns };
        Self { past, reader, slots: Mutex::default(), share, uses: AtomicU64::default() }
    }

    /// Returns the record that the walks read.
    pub(crate) const fn record(&self) -> &Arc<PastRecord> {
        &self.past
    }

    /// Returns the movement of a season up to a moment, with the rows of the moment's archives. Requests for one season share
    /// one walk, and the walk goes on if a request no longer waits for it. A season that the league does not have is without
    /// entries.
    ///
    /// # Errors
    ///
    /// [`WalkError`] if the walk takes longer than ten seconds, or the record cannot be read.
    pub async fn season(
        self: &Arc<Self>,
        moment: &LeagueMoment,
        season: Season,
    ) -> Result<Arc<SeasonMovement>, WalkError> {
        let nothing = || Ok(Arc::new(SeasonMovement::new(moment.sport(), season, true)));
        let (Some(catalog), Some(newest)) = (moment.catalog(), moment.newest()) else { return nothing() };
        let Some(times) = SeasonTimes::of(season, newest.catalog()) else { return nothing() };
        let movement = self.walked(newest, (season, times)).await?;
        if catalog.generation == newest.catalog().generation {
            return Ok(movement);
        }
        let mut then = movement.up_to(catalog.generation);
        then.set_rows(self.reader.rows(season, catalog).await.map_err(unreadable)?);
        Ok(Arc::new(then))
    }

    /// Returns the movement of a season up to the current generation.
    async fn walked(
        self: &Arc<Self>,
        current: &Arc<LeagueGeneration>,
        (season, times): (Season, SeasonTimes),
    ) -> Result<Arc<SeasonMovement>, WalkError> {
        let (deadline, sport) = (Instant::now() + PATIENCE, current.catalog().sport);
        let slot = self.slot(sport, season);
        if let Some(known) = slot.known(&current.entry) {
            return Ok(known);
        }
        let underway = |_| WalkError::Underway { sport, season };
        let progress = timeout_at(deadline, Arc::clone(&slot.progress).lock_owned()).await.map_err(underway)?;
        if let Some(known) = slot.known(&current.entry) {
            return Ok(known);
        }
        let (walks, current) = (Arc::clone(self), Arc::clone(current));
        let walk = tokio::spawn(async move {
            let newest = &current.entry;
            let read = match walks.top(&current, times).await? {
                Some(top) => walks.reader.read_on(Hold(progress), (season, times), (newest, top)).await,
                None => Ok(SeasonMovement::new(sport, season, true)),
            };
            Ok(walks.keep(&slot, newest, read.map_err(unreadable)?))
        });
        let walked = timeout_at(deadline, walk).await.map_err(underway)?;
        Ok(walked.unwrap_or_else(|ended| Err(PortError::unavailable("the walk over a season", ended)))?)
    }

    /// Returns the newest entry of a season; `None` if every entry is later.
    async fn top(
        &self,
        current: &LeagueGeneration,
        times: SeasonTimes,
    ) -> Result<Option<(Generation, ObjectHash)>, PortError> {
        let sport = current.catalog().sport;
        match times.through {
            None => Ok(Some((current.catalog().generation, current.entry.digest))),
            Some(through) => top(sport, &self.past.find(sport, current, Sought::At(through)).await?),
        }
    }

    fn slot(&self, sport: Sport, season: Season) -> Arc<Slot> {
        let slot = Arc::clone(lock(&self.slots).entry((sport, season)).or_default());
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
    let Some(times) = SeasonTimes::of(season, &newest.catalog) else { return nothing() };
    let head = (newest.catalog.generation, newest.digest);
    let top = match times.through {
        None => Some(head),
        Some(through) => {
            let found = Timeline::default().find(&**log, sport, head.0, Sought::At(through), false).await?;
            top(sport, &found)?
        }
    };
    let Some(top) = top else { return nothing() };
    let (log, slates, archives) = (Arc::clone(log), slates.clone(), archives.clone());
    let reader = SeasonReader { log, slates, archives, turns: Arc::new(NoQueue) };
    reader.read_on(Box::new(Progress::default()), (season, times), (newest, top)).await
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
