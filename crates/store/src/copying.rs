//! Copying a store into another: its entries and objects, byte by byte.

use std::collections::HashMap;

use futures::{Stream, StreamExt, TryStreamExt, stream};
use object_store::path::Path;
use sports_domain::Sport;
use sports_domain::content::{ObjectHash, ObjectHasher};
use sports_ports::publication::PublicationLog;
use sports_ports::record::{RecordFile, RecordFiles as _, StoredAs};
use sports_ports::{PortError, error_chain};
use sports_publication::Generation;

use crate::store::ReadError;
use crate::{ArtifactStore, layout};

const PORT: &str = "a store";

/// The number of entries or objects that are copied at the same time.
const CONCURRENCY: usize = 8;

/// The numbers of copied and of present entries and objects.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Copied {
    /// Log entries that were written.
    pub entries: usize,
    /// Objects that were written, including datasets.
    pub objects: usize,
    /// Signed checkpoints, timestamps and keys that were written.
    pub signed: usize,
    /// The size of these objects, in bytes.
    pub bytes: u64,
    /// Entries and objects that the target had already.
    pub present: usize,
}

/// The reason why a store was not copied, or not completely.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// The target has another record.
    #[error("the target has another record: its entry {generation} of {sport} {difference}; nothing was copied")]
    AnotherRecord {
        sport: Sport,
        /// The number of the first entry that differs.
        generation: Generation,
        difference: &'static str,
    },
    /// The target does not honour put-if-absent, so published entries could be overwritten.
    #[error("the target does not honour put-if-absent, so its log could be overwritten; nothing was copied")]
    Overwrites,
    /// The source has neither an entry nor an object.
    #[error("there is nothing in the source: check its address, including the prefix within a bucket")]
    EmptySource,
    /// An object or entry of the source is damaged.
    #[error("{path} of the source cannot be copied: {reason}")]
    Damaged {
        path: String,
        /// The damage.
        reason: String,
    },
    /// One of the stores failed.
    #[error(transparent)]
    Port(#[from] PortError),
}

/// The progress of a copy: the next folder of objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// The league; `None` for the datasets.
    pub sport: Option<Sport>,
    /// The number of objects that will be written.
    pub objects: usize,
    /// Their size, in bytes.
    pub bytes: u64,
    /// The number of objects that the target has already.
    pub present: usize,
}

impl ArtifactStore {
    /// Copies everything that `target` lacks: first all objects, including those that no entry names, then the logs
    /// in the order of generations. `begins` is called before each folder of objects.
    ///
    /// The copy has all that the source had when its logs were listed; publishing may continue meanwhile. Each object
    /// is read back from the target. An interrupted copy can be repeated.
    ///
    /// # Errors
    ///
    /// Returns a [`CopyError`] on the first failure. Objects copied until then stay; without entries they are no
    /// record.
    pub async fn copy_into(&self, target: &Self, mut begins: impl FnMut(Step)) -> Result<Copied, CopyError> {
        // Each signed tree is one of an entry, so what is signed is listed before the logs.
        let signed = self.signed_files().await?;
        // The logs are listed before the objects, because objects are written before the entry that names them.
        let mut logs = Vec::new();
        for sport in Sport::ALL {
            let numbers = self.numbers(sport).await?;
            let present = self.expect_same_record(target, sport, &numbers).await?;
            logs.push((sport, numbers, present));
        }
        if !target.honours_put_if_absent().await? {
            return Err(CopyError::Overwrites);
        }
        let mut copied = Copied::default();
        for sport in Sport::ALL.into_iter().map(Some).chain([None]) {
            let folder = sport.map_or_else(layout::datasets, layout::objects);
            self.copy_objects(target, sport, folder, &mut begins, &mut copied).await?;
        }
        if copied == Copied::default() && logs.iter().all(|(_, numbers, _)| numbers.is_empty()) {
            return Err(CopyError::EmptySource);
        }
        for (sport, numbers, present) in logs {
            copied.present += present;
            for number in &numbers[present..] {
                self.copy_entry(target, sport, *number).await?;
                copied.entries += 1;
            }
        }
        self.copy_signed(target, &signed, &mut copied).await?;
        Ok(copied)
    }

    /// Returns the number of a league's entries that the target has. They must be the first entries of the same
    /// record.
    async fn expect_same_record(
        &self,
        target: &Self,
        sport: Sport,
        numbers: &[Generation],
    ) -> Result<usize, CopyError> {
        let differs = |generation, difference| CopyError::AnotherRecord { sport, generation, difference };
        let theirs = target.numbers(sport).await?;
        for (place, generation) in theirs.iter().enumerate() {
            match numbers.get(place) {
                Some(ours) if ours == generation => {}
                _ => return Err(differs(*generation, "is not in the source, or one before it is missing")),
            }
        }
        let same = stream::iter(theirs.iter().copied()).map(async |generation| {
            let path = layout::entry(sport, generation);
            let (ours, theirs) = futures::try_join!(self.file(&path), target.file(&path))?;
            Ok::<_, CopyError>((generation, ours == theirs))
        });
        let mut same = same.buffered(CONCURRENCY);
        while let Some((generation, same)) = same.try_next().await? {
            if !same {
                return Err(differs(generation, "has other bytes than the source's entry"));
            }
        }
        Ok(theirs.len())
    }

    async fn copy_objects(
        &self,
        target: &Self,
        sport: Option<Sport>,
        folder: Path,
        begins: &mut impl FnMut(Step),
        copied: &mut Copied,
    ) -> Result<(), CopyError> {
        let there: HashMap<_, _> = target.objects_in(&folder).await?.into_iter().collect();
        let mut missing = self.objects_in(&folder).await?;
        let all = missing.len();
        missing.retain(|(path, object)| there.get(path).is_none_or(|found| found.bytes != object.bytes));
        let bytes = missing.iter().map(|(_, object)| object.bytes).sum();
        let (objects, present) = (missing.len(), all - missing.len());
        begins(Step { sport, objects, bytes, present });
        let sent = stream::iter(&missing).map(|(path, object)| self.copy_object(target, path, object));
        sent.buffer_unordered(CONCURRENCY).try_collect::<()>().await?;
        copied.objects += objects;
        copied.present += present;
        copied.bytes += bytes;
        Ok(())
    }

    /// Lists the files in a folder that are named by their content.
    async fn objects_in(&self, folder: &Path) -> Result<Vec<(Path, NamedObject)>, PortError> {
        let unavailable = |source| PortError::unavailable(PORT, source);
        self.expect_folder().await.map_err(unavailable)?;
        let listed = self.listed(self.store.list(Some(folder))).await.map_err(unavailable)?;
        let named = listed.into_iter().filter_map(|found| {
            let object = layout::content_named(found.location.filename()?)?;
            Some((found.location, NamedObject { object, bytes: found.size }))
        });
        Ok(named.collect())
    }

    /// Copies one object and reads it back.
    async fn copy_object(&self, target: &Self, path: &Path, object: &NamedObject) -> Result<(), CopyError> {
        let damaged = |reason: &str| CopyError::Damaged { path: path.to_string(), reason: reason.to_owned() };
        let Some(pieces) = self.read_at(path, 0..object.bytes).await? else { return Err(damaged("it has gone")) };
        if target.upload(path, &object.object, pieces).await?.is_none() {
            return Err(damaged("its bytes do not hash to its name"));
        }
        let written = target.read_at(path, 0..object.bytes).await?;
        let written =
            written.ok_or_else(|| PortError::corrupt(PORT, format!("{path} is not in the target after all")))?;
        if hash(written).await? == object.object {
            Ok(())
        } else {
            Err(PortError::corrupt(PORT, format!("{path} reads back from the target as something else")).into())
        }
    }

    async fn copy_entry(&self, target: &Self, sport: Sport, generation: Generation) -> Result<(), CopyError> {
        let path = layout::entry(sport, generation);
        let Some(bytes) = self.file(&path).await? else { return Ok(()) };
        let written = target.put_if_absent(&path, bytes.clone()).await;
        // If it was not written, or the response was lost, compare with the entry that is there.
        if !matches!(written, Ok(true)) && target.file(&path).await?.as_ref() != Some(&bytes) {
            written.map_err(|source| PortError::unavailable(PORT, source))?;
            let difference = "was written meanwhile, with other bytes than the source's entry";
            return Err(CopyError::AnotherRecord { sport, generation, difference });
        }
        Ok(())
    }

    /// Lists the signed checkpoints, timestamps and keys. Tiles are left behind: they follow from the leaves.
    async fn signed_files(&self) -> Result<Vec<RecordFile>, PortError> {
        let mut files = Vec::new();
        for sport in Sport::ALL {
            let of_league = self.checkpoints(sport, 0..=u64::MAX).await?.into_iter();
            files.extend(of_league.map(|file| RecordFile::Checkpoint(sport, file)));
        }
        files.extend(self.record_keys().await?.into_iter().map(RecordFile::Key));
        Ok(files)
    }

    async fn copy_signed(&self, target: &Self, files: &[RecordFile], copied: &mut Copied) -> Result<(), CopyError> {
        let sent = stream::iter(files).map(async |file| {
            let Some(bytes) = self.record_file(file).await? else { return Ok(StoredAs::Present) };
            target.put_record_file(file, bytes).await
        });
        let mut sent = sent.buffer_unordered(CONCURRENCY);
        while let Some(stored) = sent.try_next().await? {
            match stored {
                StoredAs::New => copied.signed += 1,
                StoredAs::Present => copied.present += 1,
                StoredAs::Different => {
                    let reason = "a signed checkpoint or a key of the target has other bytes than the source's";
                    return Err(PortError::corrupt(PORT, reason).into());
                }
            }
        }
        Ok(())
    }

    async fn file(&self, path: &Path) -> Result<Option<bytes::Bytes>, CopyError> {
        self.read(path).await.map_err(|error| match error {
            ReadError::Unavailable(source) => PortError::unavailable(PORT, source).into(),
            unreadable => CopyError::Damaged { path: path.to_string(), reason: error_chain(&unreadable) },
        })
    }
}

/// A file whose name is the hash of its content.
struct NamedObject {
    object: ObjectHash,
    bytes: u64,
}

/// Computes the hash of a stream of bytes.
pub async fn hash(
    mut pieces: impl Stream<Item = Result<bytes::Bytes, PortError>> + Unpin,
) -> Result<ObjectHash, PortError> {
    let mut hasher = ObjectHasher::default();
    while let Some(piece) = pieces.try_next().await? {
        hasher.update(&piece);
    }
    Ok(hasher.finish())
}
