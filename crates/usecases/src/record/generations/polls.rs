//! Polls of one league's log: the search for a first generation, and for newer ones.

use std::sync::Arc;
use std::time::Duration;

use sports_domain::Sport;
use sports_ports::PortError;
use sports_ports::publication::LogEntry;
use sports_publication::Generation;

use super::last_entry::LastEntry;
use super::{CurrentGenerations, FailingGeneration, LeagueGeneration, LeagueSlot, Polling};
use crate::record::{Chain, CheckedNumber, Link, StrayReason, run_ends};

/// The maximum number of log numbers read in one poll; the next poll resumes after them.
const AT_ONCE: usize = 256;

/// The interval between two listings of a log, which find entries out of the order of numbers.
const LISTING_INTERVAL: Duration = Duration::from_secs(10);

impl CurrentGenerations {
    /// Finds the newest loadable entry of the record, from the highest number down. If many strays lie above, finds an
    /// entry of the record without reading all of them.
    pub(super) async fn discover(&self, sport: Sport, polling: &mut Polling) -> Result<(), PortError> {
        let mut chain = Chain::listed(&*self.log, sport).await?;
        if chain.numbers().is_empty() {
            *polling = Polling { unreachable_since: polling.unreachable_since, ..Polling::default() };
            self.leagues[&sport].read.store(Some(Arc::new(LeagueSlot(None))));
            return Ok(());
        }
        match polling.resume_at.take() {
            Some(below) => chain.resume_below(below),
            None => polling.failing.clear(),
        }
        let highest = chain.next_number();
        // An entry below many strays is served first. Later polls examine the numbers above it.
        let skipped = chain.skip_strays(AT_ONCE).await?;
        if self.make_newest_current(&mut chain, polling).await? {
            return Ok(());
        }
        if skipped && let Some(highest) = highest {
            chain.resume_below(highest.next());
            if self.make_newest_current(&mut chain, polling).await? {
                return Ok(());
            }
        }
        // A log with numbers is not empty, so the league stays unread.
        polling.resume_at = chain.next_number().map(Generation::next);
        Ok(())
    }

    /// Makes the newest loadable entry of the record current, if it is among the next numbers of the log.
    async fn make_newest_current(&self, chain: &mut Chain<'_>, polling: &mut Polling) -> Result<bool, PortError> {
        let sport = chain.sport();
        for _ in 0..AT_ONCE {
            let failing = match chain.check_next().await? {
                None => return Ok(false),
                Some(CheckedNumber::PassedOver(generation, why)) => {
                    FailingGeneration::passed_over(sport, generation, why)
                }
                Some(CheckedNumber::Entry(entry, link)) => {
                    let generation = entry.catalog.generation;
                    match self.load(sport, Arc::unwrap_or_clone(entry)).await? {
                        Ok(league) => {
                            let rootless = matches!(link, Link::Rootless);
                            polling.rootless = rootless.then(|| FailingGeneration::unlinked(sport, generation));
                            self.make_current(sport, league);
                            return Ok(true);
                        }
                        Err(reason) => FailingGeneration::unloadable(sport, generation, reason),
                    }
                }
            };
            polling.record_failure(failing);
        }
        Ok(false)
    }

    /// Applies the entries that continue the current generation. Most polls read only the next number; if it is in use,
    /// and at intervals, the numbers above are listed and each is checked.
    pub(super) async fn follow(
        &self,
        sport: Sport,
        current: Arc<LeagueGeneration>,
        polling: &mut Polling,
    ) -> Result<(), PortError> {
        let (now, newest) = (self.clock.uptime(), current.catalog().generation);
        let skips_listing =
            polling.listed_at.is_some_and(|listed| now < listed + LISTING_INTERVAL) && polling.resume_at.is_none();
        if skips_listing && matches!(self.log.entry(sport, newest.next()).await, Ok(None)) {
            return Ok(());
        }
        let numbers = self.log.numbers_after(sport, newest).await?;
        polling.listed_at = Some(now);
        let mut last = LastEntry::from(&current.entry);
        if polling.resume_at.is_some() || numbers.len() > AT_ONCE {
            self.take_run_ends(sport, &numbers, &mut last, polling).await?;
        }
        let from = polling.resume_at.take().filter(|from| *from > last.generation);
        if from.is_none() {
            polling.failing.clear();
        }
        let from = from.unwrap_or(last.generation.next());
        let mut above = numbers.into_iter().filter(|number| *number >= from);
        for generation in above.by_ref().take(AT_ONCE) {
            self.examine(sport, generation, &mut last, polling).await?;
        }
        polling.resume_at = above.next();
        Ok(())
    }

    /// Applies the entry of a number if it continues the last entry; otherwise reports the number as failing.
    async fn examine(
        &self,
        sport: Sport,
        generation: Generation,
        last: &mut LastEntry,
        polling: &mut Polling,
    ) -> Result<(), PortError> {
        let entry = match self.log.entry(sport, generation).await {
            Ok(Some(entry)) => entry,
            Ok(None) => return Ok(()),
            Err(error @ PortError::Corrupt { .. }) => {
                last.unknown = Some(generation);
                polling.record_failure(FailingGeneration::passed_over(
                    sport,
                    generation,
                    StrayReason::Unreadable(error),
                ));
                return Ok(());
            }
            Err(error) => return Err(error),
        };
        if !last.is_continued_by(&entry) {
            polling.record_failure(FailingGeneration::unlinked(sport, generation));
            return Ok(());
        }
        *last = LastEntry::from(&entry);
        self.take_next(sport, entry, polling).await
    }

    /// Applies entries that continue the last entry, from the numbers where the newest entries are likely. Used if there
    /// are more numbers than one poll reads.
    async fn take_run_ends(
        &self,
        sport: Sport,
        numbers: &[Generation],
        last: &mut LastEntry,
        polling: &mut Polling,
    ) -> Result<(), PortError> {
        for generation in run_ends(numbers) {
            match self.log.entry(sport, generation).await {
                Ok(Some(entry)) if last.is_named_by(&entry) => {
                    *last = LastEntry::from(&entry);
                    self.take_next(sport, entry, polling).await?;
                }
                Ok(_) | Err(PortError::Corrupt { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Makes the next entry of the record current, if it can be loaded.
    async fn take_next(&self, sport: Sport, entry: LogEntry, polling: &mut Polling) -> Result<(), PortError> {
        let generation = entry.catalog.generation;
        match self.load(sport, entry).await? {
            Ok(league) => {
                self.make_current(sport, league);
                polling.rootless = None;
                polling.failing.clear();
            }
            Err(reason) => polling.record_failure(FailingGeneration::unloadable(sport, generation, reason)),
        }
        Ok(())
    }
}
