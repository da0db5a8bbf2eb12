//! The ledger of a league: follows its log and keeps the facts of all entries in memory.

mod older;

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::Duration;

use sports_domain::Sport;
use sports_ports::PortError;
use sports_ports::publication::{LogEntry, PublicationLog};
use sports_ports::record::RecordFiles;
use sports_publication::Generation;
use tokio::sync::Mutex;

use crate::head::{Beyond, Head, Link, Newest, NotLinked, Read, read};
use crate::table::{Content, Lookup, NoPlace, NoRun, Place, RunEnd, Sought, Table};
use crate::{EntryFacts, PORT, unreadable_entry};
use older::Reading;

pub use older::{BeingRead, is_being_read};

/// The interval between two listings of a log, which find numbers far above the newest entry.
const LISTING_INTERVAL: Duration = Duration::from_secs(10);

/// The most numbers above the newest entry that are examined in one poll.
const EXAMINED: usize = 256;

/// The most numbers above the newest entry that are kept as such.
const KEPT_BEYOND: usize = 8;

/// The distance from a lost entry within which numbers are read again.
const AROUND_A_HOLE: u64 = 8;

/// The ledgers of all leagues of one store.
pub struct Ledgers(HashMap<Sport, Arc<Ledger>>);

/// The ledger of a league.
pub struct Ledger {
    log: Arc<dyn PublicationLog>,
    indexes: Option<Arc<dyn RecordFiles>>,
    sport: Sport,
    /// The time for which a request waits for facts of older entries; `None` as long as they are read.
    patience: Option<Duration>,
    state: RwLock<LedgerState>,
    /// Held during a poll.
    polling: Mutex<Polling>,
    reading: Reading,
}

#[derive(Default)]
struct LedgerState {
    table: Table,
    newest: Option<Newest>,
    beyond: Vec<Beyond>,
}

#[derive(Default)]
struct Polling {
    is_started: bool,
    listed_at: Option<Duration>,
}

/// Linked entries, oldest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    pub entries: Vec<EntryFacts>,
    pub end: RunEnd,
}

impl Ledgers {
    /// Creates the ledgers of a log, for a program that works for one person: its searches take their time.
    pub fn new(log: &Arc<dyn PublicationLog>) -> Self {
        Self::with(log, None, None)
    }

    /// Creates the ledgers of a log for a server. A search waits for facts of older entries as long as its `patience`, and
    /// facts are read from `indexes` where they have them.
    pub fn for_server(log: &Arc<dyn PublicationLog>, indexes: &Arc<dyn RecordFiles>, patience: Duration) -> Self {
        Self::with(log, Some(indexes), Some(patience))
    }

    fn with(log: &Arc<dyn PublicationLog>, indexes: Option<&Arc<dyn RecordFiles>>, patience: Option<Duration>) -> Self {
        let ledger = |sport| Ledger {
            log: Arc::clone(log),
            indexes: indexes.cloned(),
            sport,
            patience,
            state: RwLock::default(),
            polling: Mutex::default(),
            reading: Reading::default(),
        };
        Self(Sport::ALL.into_iter().map(|sport| (sport, Arc::new(ledger(sport)))).collect())
    }

    /// Returns the ledger of a league.
    pub fn of(&self, sport: Sport) -> &Arc<Ledger> {
        &self.0[&sport]
    }
}

impl Ledger {
    /// Returns the newest entry as of the last poll.
    pub fn newest(&self) -> Option<Newest> {
        self.state().newest.clone()
    }

    /// Returns the numbers above the newest entry that do not continue it, lowest first, at most eight of them.
    pub fn beyond(&self) -> Vec<Beyond> {
        self.state().beyond.clone()
    }

    /// Returns the lowest number of the log.
    pub fn lowest(&self) -> Option<Generation> {
        self.state().table.lowest()
    }

    /// Reads the newest entry of the log.
    ///
    /// # Errors
    ///
    /// [`PortError::Unavailable`] if the log cannot be read.
    pub async fn read_newest(&self) -> Result<Option<Newest>, PortError> {
        self.poll(None).await?;
        Ok(self.newest())
    }

    /// Takes the entries that continue the newest one. A ledger without an entry finds the newest one.
    ///
    /// Most polls read the next number alone. If it is in use, and at intervals by the `uptime`, the numbers above are listed.
    ///
    /// # Errors
    ///
    /// [`PortError::Unavailable`] if the log cannot be read.
    pub async fn poll(&self, uptime: Option<Duration>) -> Result<(), PortError> {
        let mut polling = self.polling.lock().await;
        let newest = self.newest();
        if let Some(newest) = newest.filter(|_| polling.is_started) {
            self.follow(&newest, uptime, &mut polling).await?;
        } else {
            let Head { mut numbers, newest, mut beyond } = Head::read(&*self.log, self.sport).await?;
            beyond.truncate(KEPT_BEYOND);
            let top = newest.as_ref().map(|newest| EntryFacts::from(&*newest.entry));
            numbers.retain(|number| top.is_some_and(|top| *number <= top.generation));
            let mut table = Table::of_numbers(numbers);
            if let Some(top) = top {
                table.read(Content::Entry(top));
            }
            if let Some(Link::Proven(before)) = newest.as_ref().map(|newest| &newest.link) {
                table.read(Content::Entry(EntryFacts::from(&**before)));
            }
            *self.state_mut() = LedgerState { table, newest, beyond };
            *polling = Polling { is_started: true, listed_at: uptime };
        }
        Ok(())
    }

    async fn follow(&self, newest: &Newest, uptime: Option<Duration>, polling: &mut Polling) -> Result<(), PortError> {
        let mut last = Arc::clone(&newest.entry);
        let next = last.catalog.generation.next();
        let is_listed = uptime.is_none()
            || polling.listed_at.zip(uptime).is_some_and(|(listed, uptime)| uptime < listed + LISTING_INTERVAL);
        let mut first = None;
        if is_listed {
            first = Some(read(&*self.log, self.sport, next).await?);
            if matches!(first, Some(Read::Free)) {
                self.state_mut().beyond.retain(|beyond| beyond.generation != next);
                return Ok(());
            }
        }
        let numbers = self.log.numbers_after(self.sport, last.catalog.generation).await?;
        polling.listed_at = uptime.or(polling.listed_at);
        let mut beyond: Vec<Beyond> = Vec::new();
        for generation in numbers.into_iter().take(EXAMINED) {
            let content = match first.take_if(|_| generation == next) {
                Some(content) => content,
                None => read(&*self.log, self.sport, generation).await?,
            };
            let reason = match content {
                Read::Free => continue,
                Read::Unreadable(error) => NotLinked::Unreadable(Arc::new(error)),
                Read::Entry(entry) => match link(&last, &beyond, &entry) {
                    None => NotLinked::Unlinked { published_at: entry.catalog.published_at },
                    Some(link) => {
                        last = Arc::new(*entry);
                        self.take(&last, link, &std::mem::take(&mut beyond));
                        continue;
                    }
                },
            };
            beyond.push(Beyond { generation, reason });
            // Nothing above can continue the record.
            if beyond.len() == KEPT_BEYOND {
                break;
            }
        }
        self.state_mut().beyond = beyond;
        Ok(())
    }

    /// Takes the next entry, above numbers that cannot be read.
    fn take(&self, entry: &Arc<LogEntry>, link: Link, damaged: &[Beyond]) {
        let mut state = self.state_mut();
        for damaged in damaged {
            state.table.add(damaged.generation, Content::Unreadable);
        }
        state.table.add(entry.catalog.generation, Content::Entry(EntryFacts::from(&**entry)));
        state.newest = Some(Newest { entry: Arc::clone(entry), link });
    }

    /// Polls the log if its newest entry is not known to have this number or a later one.
    ///
    /// # Errors
    ///
    /// [`PortError::Unavailable`] if the log cannot be read.
    pub async fn follow_to(&self, generation: Generation) -> Result<(), PortError> {
        match self.newest() {
            Some(newest) if newest.entry.catalog.generation >= generation => Ok(()),
            _ => self.poll(None).await,
        }
    }

    /// Reads the content of an entry.
    ///
    /// # Errors
    ///
    /// [`PortError::Corrupt`] if it is missing or another one; [`PortError::Unavailable`] if the log cannot be read.
    pub async fn entry(&self, facts: &EntryFacts) -> Result<LogEntry, PortError> {
        let entry = self.log.entry(self.sport, facts.generation).await?.filter(|entry| entry.digest == facts.digest);
        entry.ok_or_else(|| unreadable_entry(self.sport, facts.generation))
    }

    /// Finds an entry. Waits for the facts of older entries where they decide the answer; if they take too long, the error is
    /// that they are [being read](BeingRead).
    ///
    /// # Errors
    ///
    /// [`PortError::Unavailable`] if the log cannot be read, or facts are being read.
    pub async fn find(self: &Arc<Self>, sought: Sought) -> Result<Result<Place, NoPlace>, PortError> {
        let found = self.awaited(|ledger| ledger.lookup(sought).known()).await?;
        let Err(NoPlace::Unreadable(number)) = found else { return Ok(found) };
        // A lost entry may be back.
        self.mend(number).await?;
        self.awaited(|ledger| ledger.lookup(sought).known()).await
    }

    /// Returns the entries from `top` down to the first one that is a floor. Waits for facts as [`Self::find`] does.
    ///
    /// # Errors
    ///
    /// [`PortError::Corrupt`] if an entry is missing or not linked; the errors of [`Self::find`].
    pub async fn run(
        self: &Arc<Self>,
        top: &EntryFacts,
        is_floor: impl Fn(&EntryFacts) -> bool + Send + Sync,
    ) -> Result<Run, PortError> {
        let sport = self.sport;
        self.follow_to(top.generation).await?;
        self.awaited(|ledger| {
            let state = ledger.state();
            if state.table.facts(top.generation).is_some_and(|facts| facts.digest != top.digest) {
                return Some(Err(hole(sport, top.generation)));
            }
            match state.table.run(top.generation, &is_floor) {
                Ok((entries, end)) => Some(Ok(Run { entries, end })),
                Err(NoRun::Hole(above)) => Some(Err(hole(sport, above))),
                Err(NoRun::Unread) => None,
            }
        })
        .await?
    }

    fn lookup(&self, sought: Sought) -> Lookup {
        let state = self.state();
        let lookup = state.table.find(sought);
        match (sought, lookup) {
            (Sought::Number(number), Lookup::None(NoPlace::AboveNewest(_))) => {
                match state.beyond.iter().find(|beyond| beyond.generation == number).map(|beyond| &beyond.reason) {
                    Some(NotLinked::Unlinked { .. }) => Lookup::None(NoPlace::NoMember),
                    Some(NotLinked::Unreadable(_)) => Lookup::None(NoPlace::Unreadable(number)),
                    None => lookup,
                }
            }
            _ => lookup,
        }
    }

    /// Reads numbers around a lost entry again.
    async fn mend(&self, number: Generation) -> Result<(), PortError> {
        let lost = self.state().table.hole(number, AROUND_A_HOLE);
        for generation in lost {
            if let Read::Entry(entry) = read(&*self.log, self.sport, generation).await? {
                self.state_mut().table.mend(EntryFacts::from(&*entry));
            }
        }
        Ok(())
    }

    fn state(&self) -> RwLockReadGuard<'_, LedgerState> {
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn state_mut(&self) -> RwLockWriteGuard<'_, LedgerState> {
        self.state.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the link of an entry to the newest one below numbers that cannot be read; `None` if nothing links them.
fn link(last: &Arc<LogEntry>, beyond: &[Beyond], entry: &LogEntry) -> Option<Link> {
    let (before, facts) = (EntryFacts::from(&**last), EntryFacts::from(entry));
    if facts.continues(&before) {
        return Some(Link::Proven(Arc::clone(last)));
    }
    let is_damaged = |beyond: &Beyond| matches!(beyond.reason, NotLinked::Unreadable(_));
    let is_right_above = facts.generation.get() == before.generation.get() + beyond.len() as u64 + 1;
    let is_later = before.published_at < facts.published_at;
    let is_unknown = !beyond.is_empty() && beyond.iter().all(is_damaged) && is_right_above && is_later;
    is_unknown.then_some(Link::Unknown)
}

fn hole(sport: Sport, above: Generation) -> PortError {
    PortError::corrupt(PORT, format!("the entry that entry {above} of {sport} continues cannot be read"))
}

#[cfg(test)]
mod tests {
    use async_trait::async_trait;
    use chrono::TimeDelta;
    use sports_ports::publication::Appended;
    use sports_publication::Catalog;
    use sports_testkit::publication::StoreFake;
    use sports_testkit::publication::contract::{SPORT, a_catalog};
    use tokio::sync::Semaphore;
    use tokio::time::Instant;

    use super::*;
    use crate::index;

    fn number(number: u64) -> Generation {
        Generation::new(number).expect("not zero")
    }

    /// Appends an entry for each minute.
    async fn log_of(entries: u64) -> Arc<StoreFake> {
        let store = Arc::new(StoreFake::default());
        let (first, mut previous) = (a_catalog(1, "an entry"), None);
        for count in 1..=entries {
            let published_at = first.published_at + TimeDelta::minutes(count.cast_signed());
            let catalog = Catalog { generation: number(count), previous, published_at, tree: None, ..first.clone() };
            let Ok(Appended::Committed { digest }) = store.append(&catalog).await else { panic!("{count}") };
            previous = Some(digest);
        }
        store
    }

    fn ledgers(store: &Arc<StoreFake>) -> Ledgers {
        let log: Arc<dyn PublicationLog> = Arc::clone(store) as _;
        Ledgers::for_server(&log, &(Arc::clone(store) as _), Duration::from_mins(1))
    }

    async fn found(ledger: &Arc<Ledger>, count: u64) -> u64 {
        let at = a_catalog(1, "an entry").published_at + TimeDelta::minutes(count.cast_signed());
        ledger.find(Sought::At(at)).await.expect("reads").expect("an entry").facts.generation.get()
    }

    #[tokio::test]
    async fn a_long_log_is_read_by_its_indexes() {
        let store = log_of(3000).await;
        assert_eq!(index::write_indexes(&*store, &*store, SPORT, number(3000)).await.expect("stored"), 11);
        assert_eq!(index::write_indexes(&*store, &*store, SPORT, number(3000)).await.expect("stored"), 0);
        let (before, ledgers) = (store.entries_read(), ledgers(&store));
        let ledger = ledgers.of(SPORT);
        for count in [1, 2, 256, 257, 1500, 2816, 2817, 3000] {
            assert_eq!(found(ledger, count).await, count);
        }
        assert_eq!(store.entries_read() - before, 3000 - 11 * 256, "those above the last index");
    }

    #[tokio::test]
    async fn an_index_that_the_log_does_not_continue_is_not_believed() {
        let store = log_of(600).await;
        let other = log_of(255).await;
        let mut entries = Vec::new();
        for count in 1..=255 {
            let entry = other.entry(SPORT, number(count)).await.expect("reads").expect("an entry");
            entries.push(EntryFacts::from(&entry));
        }
        let last = entries[254];
        let forged = EntryFacts {
            generation: number(256),
            previous: Some(last.digest),
            published_at: last.published_at + TimeDelta::seconds(1),
            digest: sports_domain::content::ObjectHash::from_bytes(b"forged"),
            ..last
        };
        let bytes = index::encode(SPORT, &[&entries[..], &[forged]].concat());
        let _ = store.put_record_file(&index::file(SPORT, number(256)), bytes).await.expect("stored");
        let ledgers = ledgers(&store);
        let ledger = ledgers.of(SPORT);
        let place = ledger.find(Sought::Number(number(256))).await.expect("reads").expect("an entry");
        let entry = store.entry(SPORT, number(256)).await.expect("reads").expect("an entry");
        assert_eq!(place.facts, EntryFacts::from(&entry));
    }

    #[tokio::test]
    async fn an_index_over_damage_is_not_written() {
        let store = log_of(520).await;
        store.spoil_entry(SPORT, number(7));
        assert_eq!(index::write_indexes(&*store, &*store, SPORT, number(520)).await.expect("stored"), 1);
        let ledgers = ledgers(&store);
        assert_eq!((found(ledgers.of(SPORT), 6).await, found(ledgers.of(SPORT), 8).await), (6, 8));
        let lost = ledgers.of(SPORT).find(Sought::Number(number(7))).await.expect("reads");
        assert_eq!(lost, Err(NoPlace::Unreadable(number(7))));
    }

    /// A log whose entries arrive once it is open; the newest two are there at once.
    struct Gated(Arc<StoreFake>, Semaphore);

    #[async_trait]
    impl PublicationLog for Gated {
        async fn numbers(&self, sport: Sport) -> Result<Vec<Generation>, PortError> {
            self.0.numbers(sport).await
        }

        async fn numbers_after(&self, sport: Sport, generation: Generation) -> Result<Vec<Generation>, PortError> {
            self.0.numbers_after(sport, generation).await
        }

        async fn entry(&self, sport: Sport, generation: Generation) -> Result<Option<LogEntry>, PortError> {
            if generation < number(39) {
                let _open = self.1.acquire().await.expect("never closed");
            }
            self.0.entry(sport, generation).await
        }

        async fn append(&self, catalog: &Catalog) -> Result<Appended, PortError> {
            self.0.append(catalog).await
        }

        async fn honours_put_if_absent(&self) -> Result<bool, PortError> {
            self.0.honours_put_if_absent().await
        }

        async fn ping(&self) -> Result<(), PortError> {
            self.0.ping().await
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_search_waits_for_older_facts_as_long_as_its_patience() {
        let store = log_of(40).await;
        let gated = Arc::new(Gated(Arc::clone(&store), Semaphore::new(0)));
        let log: Arc<dyn PublicationLog> = Arc::clone(&gated) as _;
        let ledgers = Ledgers::for_server(&log, &(store as _), Duration::from_secs(2));
        let ledger = ledgers.of(SPORT);
        assert_eq!(found(ledger, 40).await, 40, "the newest entries need no others");
        for _ in 0..2 {
            let begun = Instant::now();
            let refused = ledger.find(Sought::Number(number(5))).await.expect_err("not there yet");
            assert!(is_being_read(&refused), "{refused:?}");
            assert_eq!(begun.elapsed(), Duration::from_secs(2));
        }
        gated.1.add_permits(1);
        assert_eq!(found(ledger, 5).await, 5);
    }

    #[tokio::test]
    async fn entries_of_a_store_that_was_away_are_read_once_it_is_back() {
        let store = log_of(40).await;
        let ledgers = ledgers(&store);
        let ledger = ledgers.of(SPORT);
        ledger.poll(None).await.expect("reads");
        store.set_unavailable(true);
        assert!(matches!(ledger.find(Sought::Number(number(3))).await, Err(PortError::Unavailable { .. })));
        store.set_unavailable(false);
        assert_eq!(found(ledger, 3).await, 3);
    }
}
