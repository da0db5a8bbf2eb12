use std::ops::RangeInclusive;
use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use sports_domain::Sport;
use sports_ports::PortError;
use sports_ports::record::{CheckpointFile, RecordFile, RecordFiles, StoredAs};
use sports_ports::seasons::Weighed;
use sports_transparency::{KeyId, TilePath};

use crate::weighed::WeighedCache;

/// A cache of the files of records with a bounded weight and LRU eviction. No file is ever replaced, so a file that was read
/// stays right. Absent files and listings are read each time.
pub struct CachedRecordFiles {
    inner: Arc<dyn RecordFiles>,
    kept: WeighedCache<RecordFile, KeptFile>,
}

struct KeptFile(Bytes);

impl Weighed for KeptFile {
    fn weight(&self) -> usize {
        size_of::<Self>() + self.0.len()
    }
}

impl CachedRecordFiles {
    /// Returns an empty cache of `capacity` bytes in front of `inner`.
    pub fn new(inner: Arc<dyn RecordFiles>, capacity: u64) -> Self {
        Self { inner, kept: WeighedCache::new(capacity) }
    }
}

#[async_trait]
impl RecordFiles for CachedRecordFiles {
    async fn record_file(&self, file: &RecordFile) -> Result<Option<Bytes>, PortError> {
        if let Some(kept) = self.kept.peek(file).await {
            return Ok(Some(kept.0.clone()));
        }
        let read = self.inner.record_file(file).await?;
        if let Some(bytes) = &read {
            self.kept.put(*file, KeptFile(bytes.clone())).await;
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
