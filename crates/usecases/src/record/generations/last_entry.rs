use chrono::{DateTime, Utc};
use sports_content::ObjectHash;
use sports_ports::publication::LogEntry;
use sports_publication::Generation;

/// The newest entry of the record that is known.
pub(super) struct LastEntry {
    pub(super) generation: Generation,
    digest: ObjectHash,
    published_at: DateTime<Utc>,
    /// The unreadable number right after it, whose content is unknown.
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
    /// Tells whether an entry names this one.
    pub(super) fn is_named_by(&self, entry: &LogEntry) -> bool {
        entry.catalog.previous == Some(self.digest)
    }

    /// Tells whether an entry is the next of the record: it names this one, or comes right after what cannot be read, and
    /// later.
    pub(super) fn is_continued_by(&self, entry: &LogEntry) -> bool {
        let catalog = &entry.catalog;
        let after_unknown = self.unknown.is_some() && self.unknown == catalog.generation.previous();
        self.is_named_by(entry) || (after_unknown && self.published_at < catalog.published_at)
    }
}
