//! The keys of a log: what they sign, and the files that name them in the store.

use std::num::NonZeroU32;

use bytes::Bytes;
use chrono::{DateTime, Utc};
use sports_domain::Sport;
use sports_domain::content::ObjectHash;
use sports_ports::PortError;
use sports_ports::record::{CheckpointFile, CheckpointKind, RecordFile, RecordFiles, StoredAs, of_each_size};
use sports_transparency::{
    Checkpoint, KeyName, PublishedKey, ReplacedKey, SignatureLine, SignedCheckpoint, SigningKey, VerifierKey,
};

use crate::record::{ListedKey, checkpoints_of_size, newest_record};

/// The keys of a league's log.
#[derive(Debug)]
pub struct LogKeys {
    pub newest: SigningKey,
    /// The keys that it replaced, newest first.
    pub earlier: Vec<EarlierKey>,
}

/// A key that was replaced, and signs beside the new one for a while.
#[derive(Debug)]
pub struct EarlierKey {
    pub key: SigningKey,
    /// The instant from which it no longer signs.
    pub until: DateTime<Utc>,
}

/// A key of a log and its place among the others.
struct Link<'k> {
    key: &'k SigningKey,
    /// The instant from which it no longer signs; `None` for the newest key.
    until: Option<DateTime<Utc>>,
    /// The key that it replaced.
    replaced: Option<&'k EarlierKey>,
}

impl Link<'_> {
    fn signs(&self, now: DateTime<Utc>) -> bool {
        self.until.is_none_or(|until| now < until)
    }
}

impl LogKeys {
    /// Returns the name of the log.
    pub const fn log(&self) -> &KeyName {
        self.newest.verifier().name()
    }

    /// Signs a checkpoint of a tree that announces these keys with all keys that sign it at this instant.
    pub(super) fn sign(
        &self,
        checkpoint: &Checkpoint,
        announced: &[VerifierKey],
        now: DateTime<Utc>,
    ) -> Vec<SignatureLine> {
        self.links().filter(|link| self.signs(link, announced, now)).map(|link| link.key.sign(checkpoint)).collect()
    }

    /// Returns the keys that sign at this instant, oldest first.
    pub(super) fn signing(&self, now: DateTime<Utc>) -> Vec<VerifierKey> {
        let mut keys: Vec<_> =
            self.links().filter(|link| link.signs(now)).map(|link| link.key.verifier().clone()).collect();
        keys.reverse();
        keys
    }

    /// Returns `true` for a key that signs a tree at this instant: once the tree announces a key of the log, others have to be
    /// announced before they sign.
    fn signs(&self, link: &Link<'_>, announced: &[VerifierKey], now: DateTime<Utc>) -> bool {
        let is_begun = announced.iter().any(|key| key.name() == self.log());
        link.signs(now) && (!is_begun || announced.contains(link.key.verifier()))
    }

    /// Returns all keys, newest first.
    fn links(&self) -> impl Iterator<Item = Link<'_>> {
        let earlier = self.earlier.iter().enumerate().map(|(place, earlier)| Link {
            key: &earlier.key,
            until: Some(earlier.until),
            replaced: self.earlier.get(place + 1),
        });
        [self.newest_link()].into_iter().chain(earlier)
    }

    fn newest_link(&self) -> Link<'_> {
        Link { key: &self.newest, until: None, replaced: self.earlier.first() }
    }

    /// Returns `true` if the store names the newest key.
    pub(super) fn are_in(&self, published: &[ListedKey]) -> bool {
        is_named(&self.newest_link(), published)
    }

    /// Returns the key by which the newest one here was replaced on another machine, and since when it has stopped; `None` while it
    /// signs.
    pub(super) fn successor<'k>(
        &self,
        published: &'k [ListedKey],
        now: DateTime<Utc>,
    ) -> Option<(&'k ListedKey, DateTime<Utc>)> {
        let own = published.iter().find(|key| key.vkey == *self.newest.verifier())?;
        let until = own.until.filter(|until| *until <= now)?;
        let others = published.iter().filter(|key| key.vkey.name() == own.vkey.name() && key.vkey != own.vkey);
        others.max_by_key(|key| key.age()).map(|key| (key, until))
    }

    /// Returns a key in the store that has the name of the log, if it has none of the keys here.
    pub(super) fn stranger<'k>(&self, published: &'k [ListedKey]) -> Option<&'k ListedKey> {
        let is_known = self.links().any(|link| is_named(&link, published));
        published.iter().find(|key| !is_known && key.vkey.name() == self.log())
    }

    /// Names in the store, unless they are there, the keys that sign at this instant, and those between them and an older one
    /// there, which would have no end otherwise.
    pub(super) async fn publish(
        &self,
        files: &dyn RecordFiles,
        published: &[ListedKey],
        sport: Sport,
        now: DateTime<Utc>,
    ) -> Result<(), PortError> {
        let record = self.record(published, sport);
        let links: Vec<_> = self.links().collect();
        let oldest = links.iter().rposition(|link| is_named(link, published)).unwrap_or(0);
        for (place, link) in links.iter().enumerate() {
            if !is_named(link, published) && (place < oldest || link.signs(now)) {
                put_key(files, link, record, now).await?;
            }
        }
        Ok(())
    }

    /// Returns the number of the record that the keys sign: that of a published one, else of the newest record.
    fn record(&self, published: &[ListedKey], sport: Sport) -> NonZeroU32 {
        let own = published.iter().find(|key| key.sport == sport && key.vkey.name() == self.log());
        own.map_or_else(|| newest_record(published, sport), |key| key.record)
    }

    /// Names the newest key in the store as that of a record.
    pub(super) async fn put_key(
        &self,
        files: &dyn RecordFiles,
        record: NonZeroU32,
        now: DateTime<Utc>,
    ) -> Result<(), PortError> {
        put_key(files, &self.newest_link(), record, now).await
    }
}

fn is_named(link: &Link<'_>, published: &[ListedKey]) -> bool {
    published.iter().any(|key| key.vkey == *link.key.verifier())
}

async fn put_key(
    files: &dyn RecordFiles,
    link: &Link<'_>,
    record: NonZeroU32,
    now: DateTime<Utc>,
) -> Result<(), PortError> {
    let vkey = link.key.verifier();
    let replaces = link.replaced.map(|it| ReplacedKey { id: it.key.verifier().id(), until: it.until });
    let since = link.until.map_or(now, |until| now.min(until));
    let named = PublishedKey { vkey: vkey.clone(), since, record, replaces };
    // Another publisher may have named it meanwhile.
    files.put_record_file(&RecordFile::Key(vkey.id()), Bytes::from(named.to_string())).await.map(drop)
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

// The keys that have signed one record of a league, under one name or several.

/// The keys of the record that a log's keys sign, and those of the records before it.
pub(super) struct RecordKeys {
    sport: Sport,
    /// The number of the record.
    pub(super) number: NonZeroU32,
    of_record: Vec<VerifierKey>,
    of_earlier: Vec<VerifierKey>,
}

impl RecordKeys {
    /// Sorts the published keys of a league by the record that `keys` sign.
    pub(super) fn of(keys: &LogKeys, published: &[ListedKey], sport: Sport) -> Self {
        let own = published.iter().find(|key| key.vkey == *keys.newest.verifier()).map(|key| key.record);
        let number = own.unwrap_or_else(|| newest_record(published, sport));
        let mut sorted =
            Self { sport, number, of_record: vec![keys.newest.verifier().clone()], of_earlier: Vec::new() };
        sorted.of_record.extend(keys.earlier.iter().map(|earlier| earlier.key.verifier().clone()));
        for key in published.iter().filter(|key| key.sport == sport) {
            if key.record == number && !sorted.of_record.contains(&key.vkey) {
                sorted.of_record.push(key.vkey.clone());
            } else if key.record < number {
                sorted.of_earlier.push(key.vkey.clone());
            }
        }
        sorted
    }

    /// Returns the names under which the record was signed.
    pub(super) fn names(&self) -> Vec<&KeyName> {
        let mut names: Vec<_> = self.of_record.iter().map(VerifierKey::name).collect();
        names.sort_unstable_by_key(|name| name.as_str());
        names.dedup();
        names
    }

    /// Returns the largest stored checkpoint of the record that has at least `from` leaves.
    pub(super) async fn newest_stored(
        &self,
        files: &dyn RecordFiles,
        from: u64,
    ) -> Result<Option<Checkpoint>, PortError> {
        newest_signed(files, self.sport, from, &self.of_record).await
    }

    /// Returns the size of the largest stored checkpoint of earlier records, with which the record begins.
    pub(super) async fn beginning(&self, files: &dyn RecordFiles) -> Result<u64, PortError> {
        let newest = newest_signed(files, self.sport, 0, &self.of_earlier).await?;
        Ok(newest.map_or(0, |newest| newest.size))
    }
}

/// Returns the largest stored checkpoint of at least `from` leaves that one of these keys signed.
async fn newest_signed(
    files: &dyn RecordFiles,
    sport: Sport,
    from: u64,
    keys: &[VerifierKey],
) -> Result<Option<Checkpoint>, PortError> {
    let listed = files.checkpoints(sport, from..=u64::MAX).await?;
    for of_size in of_each_size(&listed).rev() {
        for stored in checkpoints_of_size(files, sport, of_size).await? {
            if keys.iter().any(|key| stored.note.verify(key, &[]).is_ok()) {
                return Ok(Some(stored.note.checkpoint().clone()));
            }
        }
    }
    Ok(None)
}
