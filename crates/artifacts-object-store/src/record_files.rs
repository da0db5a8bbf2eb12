use std::ops::RangeInclusive;

use async_trait::async_trait;
use bytes::Bytes;
use sports_domain::Sport;
use sports_ports::PortError;
use sports_ports::record::{CheckpointFile, RecordFile, RecordFiles, StoredAs};
use sports_transparency::KeyId;

use crate::store::ReadError;
use crate::{ArtifactStore, record_layout};

const PORT: &str = "the record's files";

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
        let mut files = if self.folder().is_some() {
            self.checkpoints_in_folders(sport, &sizes).await?
        } else {
            self.checkpoints_in_bucket(sport, &sizes).await?
        };
        files.sort_unstable();
        Ok(files)
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
        sport: Sport,
        sizes: &RangeInclusive<u64>,
    ) -> Result<Vec<CheckpointFile>, PortError> {
        let names = self.names(&record_layout::checkpoints(sport), None).await.map_err(unavailable)?;
        let mut files = Vec::new();
        for size in names.iter().filter_map(|name| record_layout::size(name)).filter(|size| sizes.contains(size)) {
            let names = self.names(&record_layout::checkpoints_of(sport, size), None).await.map_err(unavailable)?;
            files.extend(names.iter().filter_map(|name| record_layout::checkpoint(size, name)));
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
