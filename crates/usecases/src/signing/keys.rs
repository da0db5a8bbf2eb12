//! The keys of a log: what they sign, and the files that name them in the store.

use std::num::NonZeroU32;

use bytes::Bytes;
use chrono::{DateTime, Utc};
use sports_content::ObjectHash;
use sports_domain::Sport;
use sports_ports::PortError;
use sports_ports::record::{CheckpointFile, CheckpointKind, RecordFile, RecordFiles, StoredAs};
use sports_transparency::{
    Checkpoint, KeyName, PublishedKey, ReplacedKey, SignatureLine, SignedCheckpoint, SigningKey,
};

use crate::record::{ListedKey, published_keys, stored_checkpoints};

/// The keys of a league's log.
#[derive(Debug)]
pub struct LogKeys {
    /// The key that signs.
    pub newest: SigningKey,
    /// The keys that it replaced, newest first.
    pub earlier: Vec<EarlierKey>,
}

/// A key that was replaced, and signs beside the new one for a while.
#[derive(Debug)]
pub struct EarlierKey {
    /// The key.
    pub key: SigningKey,
    /// The instant from which it no longer signs.
    pub until: DateTime<Utc>,
}

impl LogKeys {
    /// Returns the name of the log.
    #[must_use]
    pub const fn log(&self) -> &KeyName {
        self.newest.verifier().name()
    }

    /// Signs a checkpoint with all keys that sign at this instant.
    pub(super) fn sign(&self, checkpoint: &Checkpoint, now: DateTime<Utc>) -> Vec<SignatureLine> {
        let earlier = self.earlier.iter().filter(|earlier| now < earlier.until).map(|earlier| &earlier.key);
        [&self.newest].into_iter().chain(earlier).map(|key| key.sign(checkpoint)).collect()
    }

    /// Names the newest key in the store, if it is not there yet.
    pub(super) async fn publish(
        &self,
        files: &dyn RecordFiles,
        sport: Sport,
        now: DateTime<Utc>,
    ) -> Result<(), PortError> {
        let vkey = self.newest.verifier();
        let file = RecordFile::Key(vkey.id());
        if files.record_file(&file).await?.is_some() {
            return Ok(());
        }
        let record = record_of(&published_keys(files).await?, sport);
        self.put_key(files, record, now).await
    }

    /// Names the newest key in the store as that of a record.
    async fn put_key(&self, files: &dyn RecordFiles, record: NonZeroU32, now: DateTime<Utc>) -> Result<(), PortError> {
        let vkey = self.newest.verifier();
        let file = RecordFile::Key(vkey.id());
        let replaced = self.earlier.first();
        let replaces = replaced.map(|it| ReplacedKey { id: it.key.verifier().id(), until: it.until });
        let key = PublishedKey { vkey: vkey.clone(), since: now, record, replaces };
        // Another publisher may have named it meanwhile.
        files.put_record_file(&file, Bytes::from(key.to_string())).await.map(drop)
    }

    /// Returns the largest checkpoint of at least `from` leaves that the record of the newest key signed, under this name or
    /// an earlier one.
    pub(super) async fn newest_stored(
        &self,
        files: &dyn RecordFiles,
        sport: Sport,
        from: u64,
    ) -> Result<Option<Checkpoint>, PortError> {
        let published = published_keys(files).await?;
        let own = published.iter().find(|key| key.vkey == *self.newest.verifier()).map(|key| key.record);
        let record = own.unwrap_or_else(|| record_of(&published, sport));
        let keys = published.iter().filter(|key| key.sport == sport && key.record == record).map(|key| &key.vkey);
        let earlier = self.earlier.iter().map(|earlier| earlier.key.verifier());
        let keys: Vec<_> = keys.chain(earlier).chain([self.newest.verifier()]).collect();
        let mut sizes: Vec<_> = files.checkpoints(sport, from..=u64::MAX).await?.iter().map(|file| file.size).collect();
        sizes.dedup();
        for size in sizes.into_iter().rev() {
            for stored in stored_checkpoints(files, sport, size..=size).await? {
                if keys.iter().any(|key| stored.note.verify(key, &[]).is_ok()) {
                    return Ok(Some(stored.note.checkpoint().clone()));
                }
            }
        }
        Ok(None)
    }
}

/// Names the newest key in the store as that of a record that begins anew.
///
/// # Errors
///
/// [`PortError`] if the store cannot be read or written.
pub async fn publish_restarted(
    keys: &LogKeys,
    files: &dyn RecordFiles,
    sport: Sport,
    now: DateTime<Utc>,
) -> Result<(), PortError> {
    let record = record_of(&published_keys(files).await?, sport).saturating_add(1);
    keys.put_key(files, record, now).await
}

/// Returns the number of a league's newest record.
fn record_of(published: &[ListedKey], sport: Sport) -> NonZeroU32 {
    published.iter().filter(|key| key.sport == sport).map(|key| key.record).max().unwrap_or(NonZeroU32::MIN)
}

/// Stores a signed checkpoint.
pub(super) async fn put_note(
    files: &dyn RecordFiles,
    sport: Sport,
    note: &SignedCheckpoint,
) -> Result<StoredAs, PortError> {
    put(files, sport, note.checkpoint().size, CheckpointKind::Note, note.to_string().into()).await
}

/// Stores a timestamp of the tree of this size.
pub(super) async fn put_timestamp(
    files: &dyn RecordFiles,
    sport: Sport,
    size: u64,
    token: Bytes,
) -> Result<StoredAs, PortError> {
    put(files, sport, size, CheckpointKind::Timestamp, token).await
}

async fn put(
    files: &dyn RecordFiles,
    sport: Sport,
    size: u64,
    kind: CheckpointKind,
    bytes: Bytes,
) -> Result<StoredAs, PortError> {
    let content = ObjectHash::from_bytes(&bytes);
    files.put_record_file(&RecordFile::Checkpoint(sport, CheckpointFile { size, kind, content }), bytes).await
}
