//! Which archives a season had before the one it has.

use std::collections::{HashMap, HashSet};

use futures::{StreamExt, TryStreamExt, stream};
use sports_content::ObjectHash;
use sports_domain::{Market, ModelType, Season, Sport};
use sports_ports::PortError;
use sports_ports::publication::{LogEntry, PublicationLog};
use sports_publication::Generation;
use tokio::sync::Mutex;

use crate::record::CurrentGenerations;

/// How many entries of a log are looked back on.
const ENTRIES: u64 = 256;

/// How many of them are asked for at once.
const AT_ONCE: usize = 16;

/// Archives named by earlier entries of the logs, as far as they were asked for. An entry never changes,
/// so each is read once.
#[derive(Debug, Default)]
pub(crate) struct PastArchives(Mutex<HashMap<Sport, Past>>);

#[derive(Debug, Default)]
struct Past {
    /// The newest entry that was read.
    through: Option<Generation>,
    named: HashSet<(ModelType, Season, ObjectHash)>,
}

impl PastArchives {
    /// Every archive of a season that the league's last entries name; `None` where the log cannot be asked.
    pub(crate) async fn archives(
        &self,
        generations: &CurrentGenerations,
        market: Market,
        season: Season,
    ) -> Option<Vec<ObjectHash>> {
        let newest = generations.current(market.sport).ok().flatten()?.catalog().generation;
        let mut leagues = self.0.lock().await;
        let past = leagues.entry(market.sport).or_default();
        past.read_on(generations.log(), market.sport, newest).await.ok()?;
        let of_season =
            past.named.iter().filter(|(model_type, of, _)| (*model_type, *of) == (market.model_type, season));
        Some(of_season.map(|(_, _, object)| *object).collect())
    }
}

impl Past {
    async fn read_on(&mut self, log: &dyn PublicationLog, sport: Sport, newest: Generation) -> Result<(), PortError> {
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

/// An entry, where it is there and can be read: one that cannot was never served.
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
