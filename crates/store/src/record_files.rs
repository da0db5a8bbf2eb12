use std::io;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use async_trait::async_trait;
use bytes::Bytes;
use sports_domain::Sport;
use sports_ports::PortError;
use sports_ports::record::{CheckpointFile, RecordFile, RecordFiles, StoredAs, of_each_size};
use sports_transparency::{KeyId, TilePath};

use crate::store::{ReadError, names_in};
use crate::{ArtifactStore, record_layout};

const PORT: &str = "the record's files";

/// The number of folders that are listed in one blocking task. A task for each would cost several times as much.
const FOLDERS_AT_ONCE: usize = 64;

fn unavailable(source: object_store::Error) -> PortError {
    PortError::unavailable(PORT, source)
}

fn unreadable(error: ReadError) -> PortError {
    error.of_port(PORT)
}

#[async_trait]
impl RecordFiles for ArtifactStore {
    async fn record_file(&self, file: &RecordFile) -> Result<Option<Bytes>, PortError> {
        self.read(&record_layout::path(file)).await.map_err(unreadable)
    }

    async fn put_record_file(&self, file: &RecordFile, bytes: Bytes) -> Result<StoredAs, PortError> {
        let path = record_layout::path(file);
        let written = self.put_if_absent(&path, bytes.clone()).await;
        if matches!(written, Ok(true)) {
            return Ok(StoredAs::New);
        }
        // Another writer has the name, or the response to this write was lost.
        match self.read(&path).await.map_err(unreadable)? {
            Some(found) if found == bytes => Ok(StoredAs::Present),
            Some(_) => Ok(StoredAs::Different),
            None => {
                let gone = || PortError::unavailable(PORT, format!("{path} is neither written nor there"));
                Err(written.map_or_else(unavailable, |_| gone()))
            }
        }
    }

    async fn checkpoints(&self, sport: Sport, sizes: RangeInclusive<u64>) -> Result<Vec<CheckpointFile>, PortError> {
        self.first_checkpoints(sport, sizes, usize::MAX).await
    }

    async fn first_checkpoints(
        &self,
        sport: Sport,
        sizes: RangeInclusive<u64>,
        trees: usize,
    ) -> Result<Vec<CheckpointFile>, PortError> {
        if let Some(root) = self.folder() {
            return self.checkpoints_in_folders(root, sport, sizes, trees).await.map_err(unavailable);
        }
        let mut files = self.checkpoints_in_bucket(sport, &sizes).await?;
        files.sort_unstable();
        Ok(of_each_size(&files).take(trees).flatten().copied().collect())
    }

    async fn tiles(&self, sport: Sport) -> Result<Vec<TilePath>, PortError> {
        let folder = record_layout::tiles(sport);
        let listed = self.listed(self.store.list(Some(&folder))).await.map_err(unavailable)?;
        let mut tiles: Vec<_> =
            listed.iter().filter_map(|found| record_layout::tile(&folder, &found.location)).collect();
        tiles.sort_unstable();
        Ok(tiles)
    }

    async fn record_keys(&self) -> Result<Vec<KeyId>, PortError> {
        let names = self.names(&record_layout::keys(), None).await.map_err(unavailable)?;
        let mut keys: Vec<_> = names.iter().filter_map(|name| record_layout::key(name)).collect();
        keys.sort_unstable();
        Ok(keys)
    }
}

impl ArtifactStore {
    async fn checkpoints_in_folders(
        &self,
        root: &Path,
        sport: Sport,
        range: RangeInclusive<u64>,
        trees: usize,
    ) -> Result<Vec<CheckpointFile>, object_store::Error> {
        let names = self.names(&record_layout::checkpoints(sport), None).await?;
        let mut sizes: Vec<_> = names.iter().filter_map(|name| record_layout::size(name)).collect();
        sizes.retain(|size| range.contains(size));
        sizes.sort_unstable();
        sizes.truncate(trees);
        let mut files = Vec::new();
        for some in sizes.chunks(FOLDERS_AT_ONCE) {
            let folders =
                some.iter().map(|size| (*size, root.join(record_layout::checkpoints_of(sport, *size).as_ref())));
            let folders: Vec<_> = folders.collect();
            files.extend(self.read_folder(move || files_in(&folders)).await?);
        }
        Ok(files)
    }

    async fn checkpoints_in_bucket(
        &self,
        sport: Sport,
        sizes: &RangeInclusive<u64>,
    ) -> Result<Vec<CheckpointFile>, PortError> {
        let folder = record_layout::checkpoints(sport);
        let first = record_layout::checkpoints_of(sport, *sizes.start());
        let listing = if sizes.start() == sizes.end() {
            self.store.list(Some(&first))
        } else {
            // The name of a folder sorts before those of the files in it.
            self.store.list_with_offset(Some(&folder), &first)
        };
        let listed = self.listed(listing).await.map_err(unavailable)?;
        let files = listed.iter().filter_map(|found| {
            let mut names = found.location.prefix_match(&folder)?;
            let (size, name) = (names.next()?, names.next()?);
            let size = record_layout::size(size.as_ref())?;
            names.next().is_none().then(|| record_layout::checkpoint(size, name.as_ref()))?
        });
        Ok(files.filter(|file| sizes.contains(&file.size)).collect())
    }
}

/// Lists the files about trees, each of which has its size and its folder, in order.
fn files_in(folders: &[(u64, PathBuf)]) -> io::Result<Vec<CheckpointFile>> {
    let mut files = Vec::new();
    for (size, folder) in folders {
        files.extend(names_in(folder)?.iter().filter_map(|name| record_layout::checkpoint(*size, name)));
    }
    files.sort_unstable();
    Ok(files)
}
