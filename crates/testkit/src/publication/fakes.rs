use std::collections::{BTreeMap, HashMap};
use std::ops::RangeInclusive;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use async_trait::async_trait;
use bytes::Bytes;
use sports_domain::content::ObjectHash;
use sports_domain::{Market, Season, Sport};
use sports_ports::PortError;
use sports_ports::publication::{
    Appended, ArchiveCodec, LogEntry, LogRepairs, ObjectKind, Objects, OtherForm, PublicationLog, SetAside, SlateCodec,
    Unopened,
};
use sports_ports::record::{CheckpointFile, RecordFile, RecordFiles, StoredAs};
use sports_publication::{Catalog, Generation, SeasonArchive, SlateArtifact};
use sports_transparency::{KeyId, TilePath};

const PORT: &str = "the fake store";

/// A log and objects in memory, with switches that simulate faults of stores.
#[derive(Debug, Default)]
pub struct StoreFake {
    entries: Mutex<BTreeMap<(Sport, u64), Entry>>,
    objects: Mutex<HashMap<(Sport, ObjectKind, ObjectHash), Bytes>>,
    record_files: Mutex<BTreeMap<RecordFile, Bytes>>,
    set_aside: Mutex<Vec<(Sport, SetAside)>>,
    unavailable: AtomicBool,
    overwrites: AtomicBool,
    entries_read: AtomicUsize,
}

#[derive(Debug, Clone)]
enum Entry {
    Readable(Box<Catalog>),
    Unreadable,
    /// An entry in the form of a newer program.
    Newer,
    /// An entry that cannot be opened.
    Shut,
}

impl StoreFake {
    /// Makes every later call fail until `false` is set.
    pub fn set_unavailable(&self, unavailable: bool) {
        self.unavailable.store(unavailable, Ordering::SeqCst);
    }

    /// Makes the store stop honouring put-if-absent.
    pub fn set_overwrites(&self, overwrites: bool) {
        self.overwrites.store(overwrites, Ordering::SeqCst);
    }

    /// Returns the number of reads of entries, including missing ones.
    pub fn entries_read(&self) -> usize {
        self.entries_read.load(Ordering::SeqCst)
    }

    /// Makes an entry unreadable, like a damaged disk.
    ///
    /// # Panics
    ///
    /// Panics if another test thread panicked while using the store.
    pub fn spoil_entry(&self, sport: Sport, generation: Generation) {
        self.entries.lock().expect("not poisoned").insert((sport, generation.get()), Entry::Unreadable);
    }

    /// Replaces an entry by an entry of a newer program.
    ///
    /// # Panics
    ///
    /// Panics if another test thread panicked while using the store.
    pub fn renew_entry(&self, sport: Sport, generation: Generation) {
        self.entries.lock().expect("not poisoned").insert((sport, generation.get()), Entry::Newer);
    }

    /// Replaces an entry by an entry that cannot be opened.
    ///
    /// # Panics
    ///
    /// Panics if another test thread panicked while using the store.
    pub fn shut_entry(&self, sport: Sport, generation: Generation) {
        self.entries.lock().expect("not poisoned").insert((sport, generation.get()), Entry::Shut);
    }

    /// Removes an entry.
    ///
    /// # Panics
    ///
    /// Panics if another test thread panicked while using the store.
    pub fn lose_entry(&self, sport: Sport, generation: Generation) {
        self.entries.lock().expect("not poisoned").remove(&(sport, generation.get()));
    }

    /// Rewrites an entry without the log's checks, as a forger would.
    ///
    /// # Panics
    ///
    /// Panics if another test thread panicked while using the store.
    pub fn forge_entry(&self, catalog: Catalog) {
        let place = (catalog.sport, catalog.generation.get());
        self.entries.lock().expect("not poisoned").insert(place, Entry::Readable(Box::new(catalog)));
    }

    /// Removes every object.
    ///
    /// # Panics
    ///
    /// Panics if another test thread panicked while using the store.
    pub fn lose_objects(&self) {
        self.objects.lock().expect("not poisoned").clear();
    }

    /// Removes an object.
    ///
    /// # Panics
    ///
    /// Panics if another test thread panicked while using the store.
    pub fn lose_object(&self, object: &ObjectHash) {
        self.objects.lock().expect("not poisoned").retain(|(_, _, name), _| name != object);
    }

    /// Returns the files of the record.
    ///
    /// # Panics
    ///
    /// Panics if another test thread panicked while using the store.
    pub fn record_files(&self) -> BTreeMap<RecordFile, Bytes> {
        self.record_files.lock().expect("not poisoned").clone()
    }

    fn check_available(&self) -> Result<(), PortError> {
        if self.unavailable.load(Ordering::SeqCst) { Err(PortError::unavailable(PORT, "unavailable")) } else { Ok(()) }
    }
}

fn digest(catalog: &Catalog) -> ObjectHash {
    ObjectHash::from_bytes(format!("{catalog:?}").as_bytes())
}

#[async_trait]
impl PublicationLog for StoreFake {
    async fn numbers(&self, sport: Sport) -> Result<Vec<Generation>, PortError> {
        self.check_available()?;
        let entries = self.entries.lock().expect("not poisoned");
        Ok(entries.keys().filter(|(of, _)| *of == sport).filter_map(|(_, number)| Generation::new(*number)).collect())
    }

    async fn numbers_after(&self, sport: Sport, generation: Generation) -> Result<Vec<Generation>, PortError> {
        Ok(self.numbers(sport).await?.into_iter().filter(|number| *number > generation).collect())
    }

    async fn entry(&self, sport: Sport, generation: Generation) -> Result<Option<LogEntry>, PortError> {
        self.check_available()?;
        self.entries_read.fetch_add(1, Ordering::SeqCst);
        match self.entries.lock().expect("not poisoned").get(&(sport, generation.get())) {
            Some(Entry::Readable(catalog)) => {
                Ok(Some(LogEntry { digest: digest(catalog), catalog: Catalog::clone(catalog) }))
            }
            Some(Entry::Unreadable) => Err(PortError::corrupt(PORT, "spoilt")),
            Some(Entry::Newer) => Err(PortError::corrupt(PORT, OtherForm::Newer { found: 8, newest: 7 })),
            Some(Entry::Shut) => {
                Err(PortError::corrupt(PORT, Unopened { sport, generation, reason: "shut".to_owned() }))
            }
            None => Ok(None),
        }
    }

    async fn append(&self, catalog: &Catalog) -> Result<Appended, PortError> {
        self.check_available()?;
        let mut entries = self.entries.lock().expect("not poisoned");
        let place = (catalog.sport, catalog.generation.get());
        match entries.get(&place) {
            Some(Entry::Readable(existing)) if **existing == *catalog => {}
            Some(_) => return Ok(Appended::Taken),
            None => {
                entries.insert(place, Entry::Readable(Box::new(catalog.clone())));
            }
        }
        Ok(Appended::Committed { digest: digest(catalog) })
    }

    async fn honours_put_if_absent(&self) -> Result<bool, PortError> {
        self.check_available()?;
        Ok(!self.overwrites.load(Ordering::SeqCst))
    }

    async fn ping(&self) -> Result<(), PortError> {
        self.check_available()
    }
}

#[async_trait]
impl LogRepairs for StoreFake {
    async fn set_aside(&self, sport: Sport, generation: Generation) -> Result<SetAside, PortError> {
        self.check_available()?;
        let moved = self.entries.lock().expect("not poisoned").remove(&(sport, generation.get()));
        if moved.is_none() {
            return Err(PortError::unavailable(PORT, "the number is free"));
        }
        let mut all = self.set_aside.lock().expect("not poisoned");
        let count = all.iter().filter(|(of, moved)| (*of, moved.generation) == (sport, generation)).count() + 1;
        let moved = SetAside { generation, name: format!("{generation}-{count}") };
        all.push((sport, moved.clone()));
        Ok(moved)
    }

    async fn all_set_aside(&self, sport: Sport) -> Result<Vec<SetAside>, PortError> {
        self.check_available()?;
        let all = self.set_aside.lock().expect("not poisoned");
        let mut of_league: Vec<_> = all.iter().filter(|(of, _)| *of == sport).map(|(_, moved)| moved.clone()).collect();
        of_league.sort_unstable();
        Ok(of_league)
    }
}

#[async_trait]
impl Objects for StoreFake {
    async fn put(&self, sport: Sport, kind: ObjectKind, bytes: Bytes) -> Result<ObjectHash, PortError> {
        self.check_available()?;
        let hash = ObjectHash::from_bytes(&bytes);
        self.objects.lock().expect("not poisoned").insert((sport, kind, hash), bytes);
        Ok(hash)
    }

    async fn get(&self, sport: Sport, kind: ObjectKind, object: &ObjectHash) -> Result<Option<Bytes>, PortError> {
        self.check_available()?;
        Ok(self.objects.lock().expect("not poisoned").get(&(sport, kind, *object)).cloned())
    }
}

#[async_trait]
impl RecordFiles for StoreFake {
    async fn record_file(&self, file: &RecordFile) -> Result<Option<Bytes>, PortError> {
        self.check_available()?;
        Ok(self.record_files.lock().expect("not poisoned").get(file).cloned())
    }

    async fn put_record_file(&self, file: &RecordFile, bytes: Bytes) -> Result<StoredAs, PortError> {
        self.check_available()?;
        let mut files = self.record_files.lock().expect("not poisoned");
        Ok(match files.get(file) {
            Some(before) if *before == bytes => StoredAs::Present,
            Some(_) => StoredAs::Different,
            None => {
                files.insert(*file, bytes);
                StoredAs::New
            }
        })
    }

    async fn checkpoints(&self, sport: Sport, sizes: RangeInclusive<u64>) -> Result<Vec<CheckpointFile>, PortError> {
        self.check_available()?;
        let files = self.record_files.lock().expect("not poisoned");
        let of_league = files.keys().filter_map(|file| match file {
            RecordFile::Checkpoint(of, file) if *of == sport && sizes.contains(&file.size) => Some(*file),
            _ => None,
        });
        Ok(of_league.collect())
    }

    async fn tiles(&self, sport: Sport) -> Result<Vec<TilePath>, PortError> {
        self.check_available()?;
        let files = self.record_files.lock().expect("not poisoned");
        let of_league = files.keys().filter_map(|file| match file {
            RecordFile::Tile(of, path) if *of == sport => Some(*path),
            _ => None,
        });
        Ok(of_league.collect())
    }

    async fn record_keys(&self) -> Result<Vec<KeyId>, PortError> {
        self.check_available()?;
        let files = self.record_files.lock().expect("not poisoned");
        Ok(files.keys().filter_map(|file| if let RecordFile::Key(id) = file { Some(*id) } else { None }).collect())
    }
}

/// A codec that remembers the archive for each encoded text.
#[derive(Debug, Default)]
pub struct CodecFake(Mutex<HashMap<Bytes, SeasonArchive>>);

impl ArchiveCodec for CodecFake {
    fn encode(&self, archive: &SeasonArchive) -> Result<Bytes, PortError> {
        let bytes = Bytes::from(format!("{archive:?}"));
        self.0.lock().expect("not poisoned").insert(bytes.clone(), archive.clone());
        Ok(bytes)
    }

    fn decode(&self, market: Market, season: Season, bytes: Bytes) -> Result<SeasonArchive, PortError> {
        let known = self.0.lock().expect("not poisoned").get(&bytes).cloned();
        let matching = known.filter(|archive| (archive.market(), archive.season()) == (market, season));
        matching.ok_or_else(|| PortError::corrupt(PORT, "not such an archive"))
    }
}

/// A codec that remembers the artifact for each encoded text.
#[derive(Debug, Default)]
pub struct SlateCodecFake(Mutex<HashMap<Bytes, (Sport, SlateArtifact)>>);

impl SlateCodec for SlateCodecFake {
    fn encode(&self, sport: Sport, artifact: &SlateArtifact) -> Result<Bytes, PortError> {
        let bytes = Bytes::from(format!("{sport} {artifact:?}"));
        self.0.lock().expect("not poisoned").insert(bytes.clone(), (sport, artifact.clone()));
        Ok(bytes)
    }

    fn decode(&self, sport: Sport, bytes: &Bytes) -> Result<SlateArtifact, PortError> {
        let known = self.0.lock().expect("not poisoned").get(bytes).cloned();
        let matching = known.filter(|(of, _)| *of == sport).map(|(_, artifact)| artifact);
        matching.ok_or_else(|| PortError::corrupt(PORT, "not such an artifact"))
    }
}
