//! Signed checkpoints and published keys, as the files of the record have them. No signature is verified here.

use std::cmp::Reverse;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::num::NonZeroU32;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use sports_domain::Sport;
use sports_domain::content::ObjectHash;
use sports_ports::PortError;
use sports_ports::record::{CheckpointFile, CheckpointKind, RecordFile, RecordFiles, of_each_size};
use sports_transparency::{Cosignature, KeyId, PublishedKey, SignedCheckpoint, VerifierKey, is_timestamp_of};
use tokio::sync::OnceCell;
use tokio::time::Instant;

use super::TreeReader;
use super::recent::Recent;

/// A signed checkpoint with everything that was signed about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredCheckpoint {
    /// The note, with the signatures of all stored notes of this checkpoint.
    pub note: SignedCheckpoint,
    /// The hashes of its stored timestamps.
    pub timestamps: Vec<ObjectHash>,
}

/// The word of others on the time of a checkpoint, the strongest last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Strength {
    Signed,
    Timestamped,
    /// By witnesses, the first of which states this time; an earlier one proves more.
    Cosigned(Reverse<u64>),
}

impl StoredCheckpoint {
    pub(crate) fn strength(&self) -> Strength {
        let first = self.note.signatures().filter_map(|line| Cosignature::stated_time(&line)).min();
        match (first, &self.timestamps[..]) {
            (Some(time), _) => Strength::Cosigned(Reverse(time)),
            (None, []) => Strength::Signed,
            (None, _) => Strength::Timestamped,
        }
    }
}

/// A published key and the period in which it signs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedKey {
    /// The league whose log it signs.
    pub sport: Sport,
    /// The number of the record: 1, and one more after each restart.
    pub record: NonZeroU32,
    pub vkey: VerifierKey,
    /// The time from which it signs.
    pub since: DateTime<Utc>,
    /// The time until which it signs, if another key has taken its place.
    pub until: Option<DateTime<Utc>>,
}

impl ListedKey {
    /// Returns the order of keys, oldest first. Of keys that were named at once, the one that was replaced is the older one.
    pub const fn age(&self) -> (DateTime<Utc>, bool) {
        (self.since, self.until.is_none())
    }
}

/// Reads the signed checkpoints of trees of these sizes, in the order of sizes. Of one size there can be several, by logs of
/// other names. Files that are no notes are passed over.
///
/// # Errors
///
/// [`PortError::Unavailable`] if the store cannot be read.
pub async fn stored_checkpoints(
    files: &dyn RecordFiles,
    sport: Sport,
    sizes: RangeInclusive<u64>,
) -> Result<Vec<StoredCheckpoint>, PortError> {
    let listed = files.checkpoints(sport, sizes).await?;
    let mut checkpoints = Vec::new();
    for of_size in of_each_size(&listed) {
        checkpoints.extend(checkpoints_of_size(files, sport, of_size).await?);
    }
    Ok(checkpoints)
}

/// Reads the signed checkpoint of the largest tree; of several of one size, that of the origin that comes last.
///
/// # Errors
///
/// The errors of [`stored_checkpoints`].
pub async fn newest_checkpoint(
    files: &dyn RecordFiles,
    sport: Sport,
    sizes: RangeInclusive<u64>,
) -> Result<Option<StoredCheckpoint>, PortError> {
    let listed = files.checkpoints(sport, sizes).await?;
    for of_size in of_each_size(&listed).rev() {
        if let Some(newest) = checkpoints_of_size(files, sport, of_size).await?.pop() {
            return Ok(Some(newest));
        }
    }
    Ok(None)
}

/// Reads the checkpoints of one size, in the order of their origins.
pub(crate) async fn checkpoints_of_size(
    files: &dyn RecordFiles,
    sport: Sport,
    of_size: &[CheckpointFile],
) -> Result<Vec<StoredCheckpoint>, PortError> {
    let mut found: BTreeMap<String, StoredCheckpoint> = BTreeMap::new();
    for file in of_size.iter().filter(|file| file.kind == CheckpointKind::Note) {
        let note = read(files, RecordFile::Checkpoint(sport, *file)).await?;
        let note = note.and_then(|bytes| std::str::from_utf8(&bytes).ok()?.parse::<SignedCheckpoint>().ok());
        let Some(note) = note.filter(|note| note.checkpoint().size == file.size) else { continue };
        match found.entry(note.checkpoint().to_string()) {
            Entry::Occupied(mut checkpoint) => checkpoint.get_mut().note.merge(&note),
            Entry::Vacant(place) => {
                place.insert(StoredCheckpoint { note, timestamps: Vec::new() });
            }
        }
    }
    let is_only = found.len() == 1;
    for file in of_size.iter().filter(|file| file.kind == CheckpointKind::Timestamp) {
        // A token has a text's hash alone; of one checkpoint it need not be read to be found.
        let token = if is_only { None } else { read(files, RecordFile::Checkpoint(sport, *file)).await? };
        for (text, checkpoint) in &mut found {
            if is_only || token.as_ref().is_some_and(|token| is_timestamp_of(text, token)) {
                checkpoint.timestamps.push(file.content);
            }
        }
    }
    Ok(found.into_values().collect())
}

/// The public keys in a store.
#[derive(Debug, Default)]
pub struct StoredKeys {
    /// The keys, in the order of leagues and of the times from which they sign. Those whose name does not end with the code of a
    /// league are passed over.
    pub listed: Vec<ListedKey>,
    /// The names of files that are not the key of their name.
    pub damaged: Vec<KeyId>,
}

/// Reads the published keys that are listed; damaged ones are passed over.
///
/// # Errors
///
/// [`PortError::Unavailable`] if the store cannot be read.
pub async fn published_keys(files: &dyn RecordFiles) -> Result<Vec<ListedKey>, PortError> {
    Ok(stored_keys(files).await?.listed)
}

/// Reads the published keys.
///
/// # Errors
///
/// [`PortError::Unavailable`] if the store cannot be read.
pub async fn stored_keys(files: &dyn RecordFiles) -> Result<StoredKeys, PortError> {
    let (mut published, mut damaged) = (Vec::new(), Vec::new());
    for id in files.record_keys().await? {
        let text = read(files, RecordFile::Key(id)).await?;
        let key = text.and_then(|bytes| std::str::from_utf8(&bytes).ok()?.parse::<PublishedKey>().ok());
        match key.filter(|key| key.vkey.id() == id) {
            Some(key) => published.push(key),
            None => damaged.push(id),
        }
    }
    let mut listed: Vec<_> = published.iter().filter_map(|key| listed_key(key, &published)).collect();
    listed.sort_by_key(|key| (key.sport, key.age()));
    Ok(StoredKeys { listed, damaged })
}

/// Returns the number of a league's newest record.
pub(crate) fn newest_record(published: &[ListedKey], sport: Sport) -> NonZeroU32 {
    published.iter().filter(|key| key.sport == sport).map(|key| key.record).max().unwrap_or(NonZeroU32::MIN)
}

fn listed_key(key: &PublishedKey, all: &[PublishedKey]) -> Option<ListedKey> {
    let replaced = all.iter().filter_map(|other| other.replaces).filter(|replaced| replaced.id == key.vkey.id());
    Some(ListedKey {
        sport: key.vkey.name().league()?,
        record: key.record,
        vkey: key.vkey.clone(),
        since: key.since,
        until: replaced.map(|replaced| replaced.until).min(),
    })
}

/// Reads a file; one that cannot be a file of the record is passed over.
async fn read(files: &dyn RecordFiles, file: RecordFile) -> Result<Option<bytes::Bytes>, PortError> {
    match files.record_file(&file).await {
        Err(PortError::Corrupt { .. }) => Ok(None),
        read => read,
    }
}

// The files about checkpoints as they were listed last. Requests for one league share a listing for a second.

/// The time after which all files are listed again. Before, only those of the newest tree and above it are.
const WHOLE_AFTER: Duration = Duration::from_secs(10);

/// The listings of all leagues of one store.
pub struct CheckpointListings {
    reader: Arc<TreeReader>,
    leagues: HashMap<Sport, Recent<CheckpointListing>>,
}

impl CheckpointListings {
    /// Creates the listings of the files that `reader` reads.
    pub fn new(reader: Arc<TreeReader>) -> Self {
        Self { reader, leagues: Sport::ALL.into_iter().map(|sport| (sport, Recent::default())).collect() }
    }

    /// Returns the listing of a league.
    pub(crate) async fn of(&self, sport: Sport) -> Result<CheckpointListing, PortError> {
        self.with_end(sport).await.map(|(listing, _)| listing)
    }

    pub(super) const fn reader(&self) -> &Arc<TreeReader> {
        &self.reader
    }

    /// Returns the listing of a league, and the instant until which no later one is made.
    pub(crate) async fn with_end(&self, sport: Sport) -> Result<(CheckpointListing, Instant), PortError> {
        let read = |before| CheckpointListing::read(self.reader.files(), sport, before);
        self.leagues[&sport].with_end(read).await
    }
}

/// The checkpoints of a league. Cosignatures of an older checkpoint are found within ten seconds, new checkpoints and
/// cosignatures of the newest one at once.
#[derive(Clone)]
pub(crate) struct CheckpointListing {
    trees: Arc<Vec<Arc<ListedTree>>>,
    whole_at: Instant,
}

/// The files about the tree of one size, and the strength of their evidence once that was read.
pub(crate) struct ListedTree {
    files: Vec<CheckpointFile>,
    strength: OnceCell<Option<Strength>>,
}

impl CheckpointListing {
    /// Lists the checkpoints, those below the newest known size from `before` if that is recent enough.
    async fn read(files: &dyn RecordFiles, sport: Sport, before: Option<Self>) -> Result<Self, PortError> {
        let newest = before
            .filter(|before| before.whole_at.elapsed() < WHOLE_AFTER)
            .and_then(|before| Some((before.trees.last()?.size(), before)));
        let Some((newest, before)) = newest else {
            let whole_at = Instant::now();
            let listed = files.checkpoints(sport, 0..=u64::MAX).await?;
            return Ok(Self { trees: Arc::new(ListedTree::all(&listed).collect()), whole_at });
        };
        let above = files.checkpoints(sport, newest..=u64::MAX).await?;
        let (below, known) = before.trees.split_at(before.trees.partition_point(|tree| tree.size() < newest));
        if known.iter().flat_map(|tree| &tree.files).eq(&above) {
            return Ok(before);
        }
        let trees = below.iter().cloned().chain(ListedTree::all(&above)).collect();
        Ok(Self { trees: Arc::new(trees), whole_at: before.whole_at })
    }

    /// Returns the trees of these sizes, smallest first.
    pub(crate) fn of_sizes(&self, sizes: RangeInclusive<u64>) -> &[Arc<ListedTree>] {
        let first = self.trees.partition_point(|tree| tree.size() < *sizes.start());
        let end = self.trees.partition_point(|tree| tree.size() <= *sizes.end());
        self.trees.get(first..end).unwrap_or_default()
    }
}

impl ListedTree {
    /// Divides a list of files by their trees.
    pub(crate) fn all(listed: &[CheckpointFile]) -> impl Iterator<Item = Arc<Self>> {
        of_each_size(listed).map(|files| Arc::new(Self { files: files.to_vec(), strength: OnceCell::new() }))
    }

    /// Returns the number of leaves.
    pub(crate) fn size(&self) -> u64 {
        self.files[0].size
    }

    /// Returns the files about the tree.
    pub(crate) fn files(&self) -> &[CheckpointFile] {
        &self.files
    }

    /// Returns the strength of the strongest evidence; `None` if no file is a checkpoint. The files are read the first time.
    pub(crate) async fn strength(&self, files: &dyn RecordFiles, sport: Sport) -> Result<Option<Strength>, PortError> {
        let strongest = async || {
            let stored = checkpoints_of_size(files, sport, &self.files).await?;
            Ok(stored.iter().map(StoredCheckpoint::strength).max())
        };
        self.strength.get_or_try_init(strongest).await.copied()
    }
}
