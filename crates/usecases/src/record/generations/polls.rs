//! Polls of one league's log: the newest entry of its ledger that can be loaded becomes current.

use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use sports_domain::Sport;
use sports_ledger::{EntryFacts, Link, Newest};
use sports_ports::publication::LogEntry;
use sports_ports::{PortError, in_one_line};
use sports_publication::Generation;

use super::{CurrentGenerations, FailingGeneration, Polling};

/// The most entries of which one poll tries to make one current.
const AT_ONCE: usize = 256;

impl CurrentGenerations {
    /// Follows the log of a league, and makes its newest loadable entry current.
    pub(super) async fn advance(&self, sport: Sport, polling: &mut Polling) -> Result<(), PortError> {
        let ledger = self.ledgers.of(sport);
        ledger.poll(Some(self.clock.uptime())).await?;
        let beyond = ledger.beyond();
        polling.failing = beyond.iter().map(|beyond| FailingGeneration::beyond(sport, beyond)).collect();
        match ledger.newest() {
            Some(newest) => self.make_newest_current(sport, newest, polling).await?,
            // A log with numbers is not empty, so the league stays unread.
            None if beyond.is_empty() => self.leagues[&sport].read.store(Some(Arc::default())),
            None => {}
        }
        polling.failing.sort_by_key(|failing| failing.generation);
        Ok(())
    }

    /// Makes the newest loadable entry above the current one current.
    async fn make_newest_current(
        &self,
        sport: Sport,
        Newest { entry, link }: Newest,
        polling: &mut Polling,
    ) -> Result<(), PortError> {
        let current = self.current(sport).ok().flatten().map(|league| league.catalog().generation);
        let rootless = matches!(link, Link::Rootless);
        polling.failing.extend(rootless.then(|| FailingGeneration::unlinked(sport, entry.catalog.generation)));
        let mut next = Some(Arc::unwrap_or_clone(entry));
        for _ in 0..AT_ONCE {
            let Some(entry) = next.filter(|entry| Some(entry.catalog.generation) > current) else { break };
            let facts = EntryFacts::from(&entry);
            match self.load(sport, entry).await? {
                Ok(slot) => {
                    self.make_current(sport, slot);
                    break;
                }
                Err(reason) => {
                    polling.failing.push(FailingGeneration::unloadable(sport, facts.generation, reason));
                    next = self.entry_below(sport, &facts, polling).await?;
                }
            }
        }
        Ok(())
    }

    /// Returns the entry that an entry continues, or the next one below damage.
    async fn entry_below(
        &self,
        sport: Sport,
        above: &EntryFacts,
        polling: &mut Polling,
    ) -> Result<Option<LogEntry>, PortError> {
        let numbers = std::iter::successors(above.generation.previous(), |number| Generation::previous(*number));
        for number in numbers.take(AT_ONCE) {
            match self.log.entry(sport, number).await {
                Ok(Some(entry)) => {
                    let facts = EntryFacts::from(&entry);
                    let is_right_below = facts.generation.next() == above.generation;
                    if above.continues(&facts) || !is_right_below && facts.published_at < above.published_at {
                        return Ok(Some(entry));
                    }
                    polling.failing.push(FailingGeneration::unlinked(sport, above.generation));
                    return Ok(None);
                }
                Ok(None) => {}
                Err(error @ PortError::Corrupt { .. }) => {
                    polling.failing.push(FailingGeneration::unloadable(sport, number, in_one_line(&error)));
                }
                Err(error) => return Err(error),
            }
        }
        Ok(None)
    }
}

// Polls on request, for answers that depend on the newest entry of a log.

/// The shortest interval between two polls on request.
const INTERVAL: Duration = Duration::from_millis(100);

impl CurrentGenerations {
    /// Returns true if a league's log was polled after an instant.
    pub(crate) fn polled_after(&self, sport: Sport, instant: DateTime<Utc>) -> bool {
        self.leagues[&sport].polled.load().as_ref().is_some_and(|stamp| stamp.date > instant)
    }

    /// Polls a league's log, unless it was polled since the uptime `arrived`. Requests that arrive together share one poll,
    /// and there are at most ten polls a second.
    ///
    /// # Errors
    ///
    /// [`PortError::Unavailable`] if the store does not answer.
    pub(crate) async fn poll_on_demand(&self, sport: Sport, arrived: Duration) -> Result<(), PortError> {
        let league = &self.leagues[&sport];
        let is_done = || league.attempted.load().as_ref().is_some_and(|stamp| stamp.uptime > arrived);
        let _polling = league.on_demand.lock().await;
        if !is_done() {
            let since = league.attempted.load().as_ref().map(|stamp| self.clock.uptime().saturating_sub(stamp.uptime));
            if let Some(rest) = since.and_then(|since| INTERVAL.checked_sub(since)) {
                tokio::time::sleep(rest).await;
            }
            self.poll_league(sport).await;
        }
        match self.unreachable_since(sport) {
            None => Ok(()),
            Some(since) => Err(PortError::unavailable("the publication log", format!("unreachable since {since}"))),
        }
    }
}
