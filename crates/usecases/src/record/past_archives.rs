//! The earlier archives of a season.

use std::collections::{HashMap, HashSet};

use futures::{StreamExt, TryStreamExt, stream};
use sports_content::ObjectHash;
use sports_domain::{Market, ModelType, Season, Sport};
use sports_ports::PortError;
use sports_ports::publication::{LogEntry, PublicationLog};
use sports_publication::Generation;
use tokio::sync::Mutex;

use crate::record::CurrentGenerations;

/// The maximum number of log entries searched.
const ENTRIES: u64 = 256;

/// The number of entries read concurrently.
const AT_ONCE: usize = 16;

/// Archives named by earlier log entries, read on demand, each league by itself. An entry never changes, so each is read once.
#[derive(Debug)]
pub(crate) struct PastArchives(HashMap<Sport, Mutex<Past>>);

impl Default for PastArchives {
    fn default() -> Self {
        Self(Sport::ALL.into_iter().map(|sport| (sport, Mutex::default())).collect())
    }
}

#[derive(Debug, Default)]
struct Past {
    /// The newest entry read so far.
    through: Option<Generation>,
    named: HashSet<(ModelType, Season, ObjectHash)>,
}

impl PastArchives {
    /// Returns every archive of a season named by the league's last entries; `None` if the log cannot be read.
    pub(crate) async fn archives(
        &self,
        generations: &CurrentGenerations,
        market: Market,
        season: Season,
    ) -> Option<Vec<ObjectHash>> {
        let newest = generations.current(market.sport).ok().flatten()?.catalog().generation;
        let mut past = self.0[&market.sport].lock().await;
        past.extend_to(&**generations.log(), market.sport, newest).await.ok()?;
        let of_season =
            past.named.iter().filter(|(model_type, of, _)| (*model_type, *of) == (market.model_type, season));
        Some(of_season.map(|(_, _, object)| *object).collect())
    }
}

impl Past {
    async fn extend_to(&mut self, log: &dyn PublicationLog, sport: Sport, newest: Generation) -> Result<(), PortError> {
        let first = self.through.map_or(1, |through| through.get() + 1).max(newest.get().saturating_sub(ENTRIES));
        let generations = stream::iter((first..=newest.get()).filter_map(Generation::new));
        let entries: Vec<_> =
            generations.map(|generation| readable(log, sport, generation)).buffered(AT_ONCE).try_collect().await?;
        for LogEntry { catalog, .. } in entries.into_iter().flatten() {
            let named = catalog.results.into_iter().map(|((model_type, season), entry)| (model_type, season, entry));
            self.named.extend(named.map(|(model_type, season, entry)| (model_type, season, entry.artifact.object)));
        }
        self.through = Some(newest);
        Ok(())
    }
}

/// Returns an entry; `None` if it does not exist or is damaged, since a damaged entry was never served.
async fn readable(
    log: &dyn PublicationLog,
    sport: Sport,
    generation: Generation,
) -> Result<Option<LogEntry>, PortError> {
    match log.entry(sport, generation).await {
        Err(PortError::Corrupt { .. }) => Ok(None),
        answer => answer,
    }
}
