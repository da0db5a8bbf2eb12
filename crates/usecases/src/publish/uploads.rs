//! The uploads of the publishers' door that entries name.

use std::collections::HashMap;
use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use sports_domain::Sport;
use sports_domain::content::ObjectHash;
use sports_ledger::{EntryFacts, Ledgers};
use sports_ports::PortError;
use sports_ports::publication::LogEntry;
use sports_publication::{Generation, ReleaseId, Upload};
use tokio::sync::Mutex;

/// The time for which a repeated upload is recognised.
pub const REMEMBERED: TimeDelta = TimeDelta::days(7);

/// The uploads that the entries of the last days published. Each entry is read once.
pub struct Uploads {
    ledgers: Arc<Ledgers>,
    leagues: Mutex<HashMap<Sport, OfLeague>>,
}

#[derive(Default)]
struct OfLeague {
    read: Option<(Generation, ObjectHash)>,
    published: HashMap<ObjectHash, PublishedUpload>,
}

/// An entry, and the upload that it published.
#[derive(Debug, Clone)]
pub struct PublishedUpload<U = Upload> {
    pub sport: Sport,
    pub generation: Generation,
    /// The digest of the entry.
    pub digest: ObjectHash,
    pub release_id: ReleaseId,
    pub published_at: DateTime<Utc>,
    pub upload: U,
}

impl<U> PublishedUpload<U> {
    fn new(entry: &LogEntry, upload: U) -> Self {
        let catalog = &entry.catalog;
        let (sport, generation, published_at) = (catalog.sport, catalog.generation, catalog.published_at);
        Self { sport, generation, digest: entry.digest, release_id: catalog.release_id.clone(), published_at, upload }
    }
}

/// What the record has of an upload.
#[derive(Debug)]
pub struct Recorded {
    /// The newest entry; `None` for a league without a record.
    pub newest: Option<PublishedUpload<()>>,
    /// The entry that published the upload.
    pub published: Option<PublishedUpload>,
}

impl Uploads {
    /// Creates the uploads of these ledgers' entries, of which nothing is read yet.
    pub fn new(ledgers: Arc<Ledgers>) -> Self {
        Self { ledgers, leagues: Mutex::default() }
    }

    /// Reads the newest entry of a league, and finds the entry of the last seven days that published the upload with a key.
    ///
    /// # Errors
    ///
    /// [`PortError`] if an entry of these days cannot be read.
    pub async fn find(&self, sport: Sport, key: &ObjectHash, now: DateTime<Utc>) -> Result<Recorded, PortError> {
        let ledger = self.ledgers.of(sport);
        let Some(newest) = ledger.read_newest().await? else { return Ok(Recorded { newest: None, published: None }) };
        let mut leagues = self.leagues.lock().await;
        let league = leagues.entry(sport).or_default();
        let since = now - REMEMBERED;
        let top = EntryFacts::from(&*newest.entry);
        let known = league.read;
        let is_floor =
            |facts: &EntryFacts| facts.published_at < since || known == Some((facts.generation, facts.digest));
        for facts in ledger.run(&top, is_floor).await?.entries.iter().filter(|facts| !is_floor(facts)) {
            let entry = ledger.entry(facts).await?;
            if let Some(upload) = &entry.catalog.upload {
                league.published.insert(upload.key, PublishedUpload::new(&entry, upload.clone()));
            }
        }
        league.read = Some((top.generation, top.digest));
        league.published.retain(|_, entry| entry.published_at >= since);
        let newest = Some(PublishedUpload::new(&newest.entry, ()));
        Ok(Recorded { published: league.published.get(key).cloned(), newest })
    }
}
