use std::sync::Arc;

use async_trait::async_trait;
use sports_domain::Sport;
use sports_ports::PortError;
use sports_ports::publication::{Appended, LogEntry, PublicationLog};
use sports_publication::{Catalog, Generation};

/// A log as it was when one of its entries was the newest.
#[derive(Clone)]
pub struct CutLog {
    log: Arc<dyn PublicationLog>,
    newest: Generation,
}

impl CutLog {
    /// Leaves out the entries of a log above this one.
    pub const fn after(newest: Generation, log: Arc<dyn PublicationLog>) -> Self {
        Self { log, newest }
    }
}

#[async_trait]
impl PublicationLog for CutLog {
    async fn numbers(&self, sport: Sport) -> Result<Vec<Generation>, PortError> {
        let numbers = self.log.numbers(sport).await?;
        Ok(numbers.into_iter().filter(|number| *number <= self.newest).collect())
    }

    async fn numbers_after(&self, sport: Sport, generation: Generation) -> Result<Vec<Generation>, PortError> {
        let numbers = self.log.numbers_after(sport, generation).await?;
        Ok(numbers.into_iter().filter(|number| *number <= self.newest).collect())
    }

    async fn entry(&self, sport: Sport, generation: Generation) -> Result<Option<LogEntry>, PortError> {
        if generation > self.newest { Ok(None) } else { self.log.entry(sport, generation).await }
    }

    async fn append(&self, _catalog: &Catalog) -> Result<Appended, PortError> {
        Ok(Appended::Taken)
    }

    async fn honours_put_if_absent(&self) -> Result<bool, PortError> {
        self.log.honours_put_if_absent().await
    }

    async fn ping(&self) -> Result<(), PortError> {
        self.log.ping().await
    }
}
