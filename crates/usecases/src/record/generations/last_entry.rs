use chrono::{DateTime, Utc};
use sports_content::ObjectHash;
use sports_ports::publication::LogEntry;
use sports_publication::Generation;

/// The newest known entry of the record.
pub(super) struct LastEntry {
    pub(super) generation: Generation,
    digest: ObjectHash,
    published_at: DateTime<Utc>,
    /// The number right after the entry, if its content cannot be read.
    pub(super) unknown: Option<Generation>,
}

impl From<&LogEntry> for LastEntry {
    fn from(entry: &LogEntry) -> Self {
        Self {
            generation: entry.catalog.generation,
            digest: entry.digest,
            published_at: entry.catalog.published_at,
            unknown: None,
        }
    }
}

impl LastEntry {
    /// Returns true if an entry names this entry as its predecessor.
    pub(super) fn is_named_by(&self, entry: &LogEntry) -> bool {
        entry.catalog.previous == Some(self.digest)
    }

    /// Returns true if an entry is the next of the record: it names this entry, or it follows an unreadable number
    /// directly and was published later.
    pub(super) fn is_continued_by(&self, entry: &LogEntry) -> bool {
        let catalog = &entry.catalog;
        let after_unknown = self.unknown.is_some() && self.unknown == catalog.generation.previous();
        self.is_named_by(entry) || (after_unknown && self.published_at < catalog.published_at)
    }
}
