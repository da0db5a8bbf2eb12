//! A log for whoever reads the same entries several times, such as a command, a search or a proof.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use sports_domain::Sport;
use sports_ports::PortError;
use sports_ports::publication::{Appended, LogEntry, PublicationLog};
use sports_publication::{Catalog, Generation};

/// The number of entries that stay in memory: those of a tile, if each adds some forecasts.
const KEPT: usize = 16;

/// A log with the entries that were read or appended last in memory. An entry never changes.
pub struct KeptLog {
    log: Arc<dyn PublicationLog>,
    /// The entry that came last is the first.
    kept: Mutex<VecDeque<LogEntry>>,
}

impl KeptLog {
    /// Wraps a log.
    pub fn over(log: Arc<dyn PublicationLog>) -> Self {
        Self { log, kept: Mutex::default() }
    }

    fn kept(&self, sport: Sport, generation: Generation) -> Option<LogEntry> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().find(|entry| (entry.catalog.sport, entry.catalog.generation) == (sport, generation)).cloned()
    }

    fn keep(&self, entry: LogEntry) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push_front(entry);
        kept.truncate(KEPT);
    }
}

#[async_trait]
impl PublicationLog for KeptLog {
    async fn numbers(&self, sport: Sport) -> Result<Vec<Generation>, PortError> {
        self.log.numbers(sport).await
    }

    async fn numbers_after(&self, sport: Sport, generation: Generation) -> Result<Vec<Generation>, PortError> {
        self.log.numbers_after(sport, generation).await
    }

    async fn entry(&self, sport: Sport, generation: Generation) -> Result<Option<LogEntry>, PortError> {
        if let Some(entry) = self.kept(sport, generation) {
            return Ok(Some(entry));
        }
        let read = self.log.entry(sport, generation).await?;
        read.clone().into_iter().for_each(|entry| self.keep(entry));
        Ok(read)
    }

    async fn append(&self, catalog: &Catalog) -> Result<Appended, PortError> {
        let appended = self.log.append(catalog).await?;
        if let Appended::Committed { digest } = appended {
            self.keep(LogEntry { catalog: catalog.clone(), digest });
        }
        Ok(appended)
    }

    async fn honours_put_if_absent(&self) -> Result<bool, PortError> {
        self.log.honours_put_if_absent().await
    }

    async fn ping(&self) -> Result<(), PortError> {
        self.log.ping().await
    }
}
