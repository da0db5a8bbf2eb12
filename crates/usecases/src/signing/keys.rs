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

use crate::record::{newest_record, published_keys};

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
        let record = newest_record(&published_keys(files).await?, sport);
        self.put_key(files, record, now).await
    }

    /// Names the newest key in the store as that of a record.
    pub(super) async fn put_key(
        &self,
        files: &dyn RecordFiles,
        record: NonZeroU32,
        now: DateTime<Utc>,
    ) -> Result<(), PortError> {
        let vkey = self.newest.verifier();
        let file = RecordFile::Key(vkey.id());
        let replaces = self.earlier.first().map(|it| ReplacedKey { id: it.key.verifier().id(), until: it.until });
        let key = PublishedKey { vkey: vkey.clone(), since: now, record, replaces };
        // Another publisher may have named it meanwhile.
        files.put_record_file(&file, Bytes::from(key.to_string())).await.map(drop)
    }
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
