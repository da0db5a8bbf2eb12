//! The record as anybody may read it: tiles of the trees, signed checkpoints and keys. Nothing here has a salt or a payload.
//!
//! A league has one tree. After a restart its record has another number, and an older record is the beginning that both have
//! in common: it ends at the newest checkpoint that was signed for it.
//!
//! Requests are anonymous, so their work is bounded: what changes is read at most once a second and league, and few requests at a
//! time read tiles or checkpoints.

use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::num::NonZeroU32;
use std::sync::Arc;

use bytes::Bytes;
use chrono::{DateTime, Utc};
use futures::future::try_join_all;
use sports_domain::Sport;
use sports_domain::content::ObjectHash;
use sports_ports::PortError;
use sports_ports::record::{CheckpointFile, CheckpointKind, RecordFile};
use sports_publication::Generation;
use sports_transparency::{KeyName, TilePath};
use tokio::sync::{Semaphore, SemaphorePermit};

use super::checkpoints::{
    CheckpointListing, CheckpointListings, ListedKey, ListedTree, StoredCheckpoint, checkpoints_of_size, published_keys,
};
use super::recent::Recent;
use super::{CurrentGenerations, TreeHead, TreeReader};

/// The most requests that read tiles or checkpoints at a time.
const READERS: usize = 4;

/// A record of a league: its first one, or the one after a restart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RecordName {
    pub sport: Sport,
    /// The number of the record: 1, and one more after each restart.
    pub number: NonZeroU32,
}

/// A tile of a record, which has all of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FoundTile {
    head: TreeHead,
    path: TilePath,
}

/// A page of signed checkpoints.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckpointsPage {
    /// The checkpoints, smallest tree first, each with the entry whose tree it signs.
    pub checkpoints: Vec<(StoredCheckpoint, Option<Generation>)>,
    /// The size at which the next page begins.
    pub next_size: Option<u64>,
}

/// The records of all leagues.
pub struct ServedRecords {
    reader: Arc<TreeReader>,
    generations: Arc<CurrentGenerations>,
    listings: Arc<CheckpointListings>,
    leagues: HashMap<Sport, League>,
    keys: Recent<Arc<Vec<ListedKey>>>,
    readers: Semaphore,
}

/// The readings that requests for one league share.
#[derive(Default)]
struct League {
    head: Recent<Option<TreeHead>>,
    newest: Recent<Arc<HashMap<NonZeroU32, StoredCheckpoint>>>,
}

impl RecordName {
    /// Names the first record of a league.
    pub const fn first(sport: Sport) -> Self {
        Self { sport, number: NonZeroU32::MIN }
    }
}

impl fmt::Display for RecordName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.sport.fmt(f)?;
        if self.number > NonZeroU32::MIN { write!(f, " (record {})", self.number) } else { Ok(()) }
    }
}

impl FoundTile {
    /// Returns the path of the tile.
    pub const fn path(&self) -> TilePath {
        self.path
    }

    pub const fn sport(&self) -> Sport {
        self.head.sport
    }
}

impl ServedRecords {
    /// Creates the records of `reader`, the newest trees of which are those of `generations` as long as these suffice.
    pub fn new(
        reader: Arc<TreeReader>,
        generations: Arc<CurrentGenerations>,
        listings: Arc<CheckpointListings>,
    ) -> Self {
        let leagues = Sport::ALL.into_iter().map(|sport| (sport, League::default())).collect();
        Self { reader, generations, listings, leagues, keys: Recent::default(), readers: Semaphore::new(READERS) }
    }

    /// Returns the published keys.
    ///
    /// # Errors
    ///
    /// [`PortError`] if the store cannot be read.
    pub async fn keys(&self) -> Result<Arc<Vec<ListedKey>>, PortError> {
        let read = |before: Option<_>| async {
            // No key is ever removed, so those before are right while the store is away.
            published_keys(self.reader.files()).await.map(Arc::new).or_else(|error| before.ok_or(error))
        };
        self.keys.get(read).await
    }

    /// Finds a tile: the widest one now that begins with it, so that requests for its beginnings share one reading. `None` if
    /// the record does not have all of the tile.
    ///
    /// # Errors
    ///
    /// [`PortError`] if the store cannot be read.
    pub async fn tile(&self, record: RecordName, path: TilePath) -> Result<Option<FoundTile>, PortError> {
        let Some(head) = self.head_with(record.sport, path).await? else { return Ok(None) };
        let last = self.keys_of(record.sport).await?.last();
        let size = match record.number.cmp(&last) {
            Ordering::Less => {
                self.newest(record).await?.map_or(0, |newest| newest.note.checkpoint().size.min(head.size))
            }
            Ordering::Equal => head.size,
            Ordering::Greater => 0,
        };
        let widest = TilePath::widest(path.kind(), path.number(), head.size);
        Ok(widest.filter(|_| path.is_within(size)).map(|path| FoundTile { head, path }))
    }

    /// Reads or computes the bytes of a tile.
    ///
    /// # Errors
    ///
    /// [`PortError`] if the store cannot be read.
    pub async fn tile_bytes(&self, tile: &FoundTile) -> Result<Bytes, PortError> {
        let _turn = self.turn().await?;
        let beyond = || PortError::corrupt("the tree", format!("tile {} is beyond it", tile.path));
        self.reader.tile(&tile.head, tile.path).await?.ok_or_else(beyond)
    }

    /// Returns the newest signed checkpoint of a record, with all cosignatures.
    ///
    /// # Errors
    ///
    /// [`PortError`] if the store cannot be read.
    pub async fn newest(&self, record: RecordName) -> Result<Option<StoredCheckpoint>, PortError> {
        let keys = self.keys_of(record.sport).await?;
        if !keys.have(record.number) {
            return Ok(None);
        }
        let newest = self.leagues[&record.sport].newest.get(|_| async {
            let listing = self.listings.of(record.sport).await?;
            let mut newest = HashMap::new();
            for number in keys.numbers() {
                let found = self.newest_of(RecordName { number, ..record }, &keys, &listing).await?;
                newest.extend(found.map(|found| (number, found)));
            }
            Ok::<_, PortError>(Arc::new(newest))
        });
        Ok(newest.await?.get(&record.number).cloned())
    }

    /// Returns the signed checkpoint of a tree of this size.
    ///
    /// # Errors
    ///
    /// [`PortError`] if the store cannot be read.
    pub async fn checkpoint(&self, record: RecordName, size: u64) -> Result<Option<StoredCheckpoint>, PortError> {
        let keys = self.keys_of(record.sport).await?;
        if !keys.have(record.number) {
            return Ok(None);
        }
        let listing = self.listings.of(record.sport).await?;
        let _turn = self.turn().await?;
        match listing.of_sizes(size..=size) {
            [tree, ..] => self.read(record, &keys, tree).await,
            [] => Ok(None),
        }
    }

    /// Returns signed checkpoints of trees of `from` leaves and more, at most `limit`.
    ///
    /// # Errors
    ///
    /// [`PortError`] if the store cannot be read.
    pub async fn checkpoints(&self, record: RecordName, from: u64, limit: usize) -> Result<CheckpointsPage, PortError> {
        let keys = self.keys_of(record.sport).await?;
        let mut page = CheckpointsPage { checkpoints: Vec::new(), next_size: None };
        if !keys.have(record.number) {
            return Ok(page);
        }
        let listing = self.listings.of(record.sport).await?;
        let _turn = self.turn().await?;
        for tree in listing.of_sizes(from..=u64::MAX) {
            let Some(found) = self.read(record, &keys, tree).await? else { continue };
            let size = found.note.checkpoint().size;
            if page.checkpoints.len() == limit {
                page.next_size = Some(size);
                break;
            }
            page.checkpoints.push((found, self.generation_of(record.sport, size).await?));
        }
        Ok(page)
    }

    /// Returns the reply of a timestamp server for the checkpoint of a tree of this size.
    ///
    /// # Errors
    ///
    /// [`PortError`] if the store cannot be read.
    pub async fn timestamp(
        &self,
        record: RecordName,
        size: u64,
        content: ObjectHash,
    ) -> Result<Option<Bytes>, PortError> {
        let checkpoint = self.checkpoint(record, size).await?;
        if !checkpoint.is_some_and(|checkpoint| checkpoint.timestamps.contains(&content)) {
            return Ok(None);
        }
        let file = CheckpointFile { size, kind: CheckpointKind::Timestamp, content };
        self.reader.files().record_file(&RecordFile::Checkpoint(record.sport, file)).await
    }

    /// Waits until few others read.
    async fn turn(&self) -> Result<SemaphorePermit<'_>, PortError> {
        self.readers.acquire().await.map_err(|closed| PortError::unavailable("the record", closed))
    }

    /// Returns the tree of a league's newest entry; of the newest entry of this node, if that has all of the tile.
    async fn head_with(&self, sport: Sport, path: TilePath) -> Result<Option<TreeHead>, PortError> {
        let current = self.generations.current(sport).ok().flatten();
        let current = current.and_then(|current| TreeHead::of(current.catalog()));
        if current.is_some_and(|head| path.is_within(head.size)) {
            return Ok(current);
        }
        self.newest_head(sport).await
    }

    async fn newest_head(&self, sport: Sport) -> Result<Option<TreeHead>, PortError> {
        self.leagues[&sport].head.get(|_| self.reader.newest(sport)).await
    }

    async fn keys_of(&self, sport: Sport) -> Result<LeagueKeys, PortError> {
        Ok(LeagueKeys { sport, all: self.keys().await? })
    }

    /// Searches the newest checkpoint of a record. Those of later records are of larger trees.
    async fn newest_of(
        &self,
        record: RecordName,
        keys: &LeagueKeys,
        listing: &CheckpointListing,
    ) -> Result<Option<StoredCheckpoint>, PortError> {
        let trees = listing.of_sizes(0..=u64::MAX);
        let (mut low, mut high) = (0, trees.len());
        // For the last record there is nothing to search.
        while record.number < keys.last() && low < high {
            let middle = low.midpoint(high);
            let later = keys.numbers().filter(|number| *number > record.number);
            let later = later.map(|number| self.read(RecordName { number, ..record }, keys, &trees[middle]));
            if try_join_all(later).await?.iter().any(Option::is_some) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        for tree in trees[..high].iter().rev() {
            let newest = self.read_all(record, keys, tree).await?.into_iter().max_by_key(|(since, _)| *since);
            if let Some((_, found)) = newest {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Reads the checkpoint of a record among the files of one size. Of several, such as that of a lost key and that of its
    /// successor, the one with the strongest evidence, else the one whose key signs since last.
    async fn read(
        &self,
        record: RecordName,
        keys: &LeagueKeys,
        tree: &ListedTree,
    ) -> Result<Option<StoredCheckpoint>, PortError> {
        let found = self.read_all(record, keys, tree).await?;
        let strongest = found.into_iter().max_by_key(|(since, found)| (found.strength(), *since));
        Ok(strongest.map(|(_, found)| found))
    }

    /// Reads the checkpoints of a record among the files of one size, each with the time from which its key signs.
    async fn read_all(
        &self,
        record: RecordName,
        keys: &LeagueKeys,
        tree: &ListedTree,
    ) -> Result<Vec<(DateTime<Utc>, StoredCheckpoint)>, PortError> {
        let found = checkpoints_of_size(self.reader.files(), record.sport, tree.files()).await?;
        let dated = found.into_iter().filter_map(|found| {
            let since = keys.since(record.number, &found.note.checkpoint().origin)?;
            Some((since, found))
        });
        Ok(dated.collect())
    }

    /// Returns the entry whose tree has this size; `None` if no entry is known to.
    async fn generation_of(&self, sport: Sport, size: u64) -> Result<Option<Generation>, PortError> {
        let (Some(head), Some(last)) = (self.newest_head(sport).await?, size.checked_sub(1)) else { return Ok(None) };
        if size > head.size {
            return Ok(None);
        }
        Ok(Some(self.reader.facts_of(&head, last).await?.generation))
    }
}

/// The published keys of one league.
struct LeagueKeys {
    sport: Sport,
    all: Arc<Vec<ListedKey>>,
}

impl LeagueKeys {
    fn iter(&self) -> impl Iterator<Item = &ListedKey> {
        self.all.iter().filter(|key| key.sport == self.sport)
    }

    /// Returns the numbers of the records that keys sign.
    fn numbers(&self) -> impl Iterator<Item = NonZeroU32> {
        self.iter().map(|key| key.record).collect::<BTreeSet<_>>().into_iter()
    }

    fn have(&self, number: NonZeroU32) -> bool {
        self.iter().any(|key| key.record == number)
    }

    /// Returns the number of the record that goes on.
    fn last(&self) -> NonZeroU32 {
        self.numbers().last().unwrap_or(NonZeroU32::MIN)
    }

    /// Returns the time from which the newest key of this origin signs a record; `None` if none does.
    fn since(&self, number: NonZeroU32, origin: &KeyName) -> Option<DateTime<Utc>> {
        let of_origin = self.iter().filter(|key| key.record == number && key.vkey.name() == origin);
        of_origin.map(|key| key.since).max()
    }
}
