use std::ops::RangeInclusive;
use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use sports_domain::Sport;
use sports_ports::PortError;
use sports_ports::record::{CheckpointFile, RecordFile, RecordFiles, StoredAs};
use sports_ports::seasons::Weighed;
use sports_transparency::{KeyId, TilePath};

use crate::content::{ContentCache, ValueName};

/// The files of records in the cache. No file is ever replaced, so a file that was read stays right. Absent files and listings
/// are read each time.
pub struct CachedRecordFiles {
    inner: Arc<dyn RecordFiles>,
    cache: ContentCache,
}

struct CachedFile(Bytes);

impl Weighed for CachedFile {
    fn weight(&self) -> usize {
        size_of::<Self>() + self.0.len()
    }
}

impl CachedRecordFiles {
    /// Creates the files of `inner` in `cache`.
    pub fn new(inner: Arc<dyn RecordFiles>, cache: &ContentCache) -> Self {
        Self { inner, cache: cache.clone() }
    }
}

#[async_trait]
impl RecordFiles for CachedRecordFiles {
    async fn record_file(&self, file: &RecordFile) -> Result<Option<Bytes>, PortError> {
        let name = ValueName::File(*file);
        if let Some(cached) = self.cache.peek::<CachedFile>(name).await {
            return Ok(Some(cached.0.clone()));
        }
        let read = self.inner.record_file(file).await?;
        if let Some(bytes) = &read {
            self.cache.put(name, CachedFile(bytes.clone())).await;
        }
        Ok(read)
    }

    async fn put_record_file(&self, file: &RecordFile, bytes: Bytes) -> Result<StoredAs, PortError> {
        self.inner.put_record_file(file, bytes).await
    }

    async fn checkpoints(&self, sport: Sport, sizes: RangeInclusive<u64>) -> Result<Vec<CheckpointFile>, PortError> {
        self.inner.checkpoints(sport, sizes).await
    }

    async fn first_checkpoints(
        &self,
        sport: Sport,
        sizes: RangeInclusive<u64>,
        trees: usize,
    ) -> Result<Vec<CheckpointFile>, PortError> {
        self.inner.first_checkpoints(sport, sizes, trees).await
    }

    async fn tiles(&self, sport: Sport) -> Result<Vec<TilePath>, PortError> {
        self.inner.tiles(sport).await
    }

    async fn record_keys(&self) -> Result<Vec<KeyId>, PortError> {
        self.inner.record_keys().await
    }
}
