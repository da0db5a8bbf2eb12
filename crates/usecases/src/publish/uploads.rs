//! The uploads of the publishers' door that entries name.

use std::collections::HashMap;
use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use sports_domain::Sport;
use sports_domain::content::ObjectHash;
use sports_ledger::Ledgers;
use sports_ports::PortError;
use sports_ports::publication::LogEntry;
use sports_publication::Generation;
use tokio::sync::Mutex;

/// The time for which a repeated upload is recognised.
pub const REMEMBERED: TimeDelta = TimeDelta::days(7);

/// The entries of the last days by the uploads that they published. Each entry is read once.
pub struct Uploads {
    ledgers: Arc<Ledgers>,
    leagues: Mutex<HashMap<Sport, OfLeague>>,
}

#[derive(Default)]
struct OfLeague {
    read: Option<(Generation, ObjectHash)>,
    entries: HashMap<ObjectHash, LogEntry>,
}

/// What the record has of an upload.
#[derive(Debug)]
pub struct Recorded {
    /// The newest entry; `None` for a league without a record.
    pub newest: Option<Arc<LogEntry>>,
    /// The entry that published the upload.
    pub published: Option<LogEntry>,
}

impl Uploads {
    /// Creates the uploads of these ledgers' entries, of which nothing is read yet.
    pub fn new(ledgers: Arc<Ledgers>) -> Self {
        Self { ledgers, leagues: Mutex::default() }
    }

    /// Reads the newest entry of a league, and the entry of the last seven days that published the upload with a key.
    ///
    /// # Errors
    ///
    /// [`PortError`] if an entry of these days cannot be read.
    pub async fn find(&self, sport: Sport, key: &ObjectHash, now: DateTime<Utc>) -> Result<Recorded, PortError> {
        let ledger = self.ledgers.of(sport);
        let Some(newest) = ledger.read_newest().await? else { return Ok(Recorded { newest: None, published: None }) };
        let newest = newest.entry;
        let mut leagues = self.leagues.lock().await;
        let league = leagues.entry(sport).or_default();
        let since = now - REMEMBERED;
        let top = (&*newest).into();
        let known = league.read;
        let is_floor = |facts: &sports_ledger::EntryFacts| {
            facts.published_at < since || known == Some((facts.generation, facts.digest))
        };
        for facts in ledger.run(&top, is_floor).await?.entries {
            if facts.published_at < since || known == Some((facts.generation, facts.digest)) {
                continue;
            }
            let entry = ledger.entry(&facts).await?;
            if let Some(upload) = &entry.catalog.upload {
                league.entries.insert(upload.key, entry);
            }
        }
        league.read = Some((newest.catalog.generation, newest.digest));
        league.entries.retain(|_, entry| entry.catalog.published_at >= since);
        Ok(Recorded { published: league.entries.get(key).cloned(), newest: Some(newest) })
    }
}
