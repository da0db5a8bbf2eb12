use std::ops::RangeInclusive;
use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use sports_content::ObjectHash;
use sports_domain::Sport;
use sports_ports::PortError;
use sports_ports::attestation::{TimestampServer, Witness, WitnessAnswer};
use sports_ports::publication::{Appended, LogEntry, ObjectKind, Objects, PublicationLog};
use sports_ports::record::{CheckpointFile, RecordFile, RecordFiles, StoredAs};
use sports_ports::signing::{SigningMemories, SigningMemory};
use sports_publication::{Catalog, Generation};
use sports_transparency::{KeyId, KeyName, SignedCheckpoint, TilePath, TreeHash, VerifierKey};

use super::steps::Steps;

/// Something behind a port, of which each use is a step.
pub struct Disturbed<T: ?Sized> {
    inner: Arc<T>,
    steps: Arc<Steps>,
}

impl<T: ?Sized> Disturbed<T> {
    /// Counts the uses of `inner` among these steps.
    pub fn new(inner: &Arc<T>, steps: &Arc<Steps>) -> Arc<Self> {
        Arc::new(Self { inner: Arc::clone(inner), steps: Arc::clone(steps) })
    }
}

#[async_trait]
impl<T: PublicationLog + ?Sized> PublicationLog for Disturbed<T> {
    async fn numbers(&self, sport: Sport) -> Result<Vec<Generation>, PortError> {
        self.steps.take(self.inner.numbers(sport)).await
    }

    async fn numbers_after(&self, sport: Sport, generation: Generation) -> Result<Vec<Generation>, PortError> {
        self.steps.take(self.inner.numbers_after(sport, generation)).await
    }

    async fn entry(&self, sport: Sport, generation: Generation) -> Result<Option<LogEntry>, PortError> {
        self.steps.take(self.inner.entry(sport, generation)).await
    }

    async fn append(&self, catalog: &Catalog) -> Result<Appended, PortError> {
        self.steps.take(self.inner.append(catalog)).await
    }

    async fn honours_put_if_absent(&self) -> Result<bool, PortError> {
        self.steps.take(self.inner.honours_put_if_absent()).await
    }

    async fn ping(&self) -> Result<(), PortError> {
        self.steps.take(self.inner.ping()).await
    }
}

#[async_trait]
impl<T: Objects + ?Sized> Objects for Disturbed<T> {
    async fn put(&self, sport: Sport, kind: ObjectKind, bytes: Bytes) -> Result<ObjectHash, PortError> {
        self.steps.take(self.inner.put(sport, kind, bytes)).await
    }

    async fn get(&self, sport: Sport, kind: ObjectKind, object: &ObjectHash) -> Result<Option<Bytes>, PortError> {
        self.steps.take(self.inner.get(sport, kind, object)).await
    }
}

#[async_trait]
impl<T: RecordFiles + ?Sized> RecordFiles for Disturbed<T> {
    async fn record_file(&self, file: &RecordFile) -> Result<Option<Bytes>, PortError> {
        self.steps.take(self.inner.record_file(file)).await
    }

    async fn put_record_file(&self, file: &RecordFile, bytes: Bytes) -> Result<StoredAs, PortError> {
        self.steps.take(self.inner.put_record_file(file, bytes)).await
    }

    async fn checkpoints(&self, sport: Sport, sizes: RangeInclusive<u64>) -> Result<Vec<CheckpointFile>, PortError> {
        self.steps.take(self.inner.checkpoints(sport, sizes)).await
    }

    async fn tiles(&self, sport: Sport) -> Result<Vec<TilePath>, PortError> {
        self.steps.take(self.inner.tiles(sport)).await
    }

    async fn record_keys(&self) -> Result<Vec<KeyId>, PortError> {
        self.steps.take(self.inner.record_keys()).await
    }
}

impl<T: SigningMemories + ?Sized> SigningMemories for Disturbed<T> {
    fn try_lock(&self) -> Result<Option<Box<dyn Send>>, PortError> {
        self.steps.take_at_once(|| self.inner.try_lock())
    }

    fn recall(&self, log: &KeyName) -> Result<Option<SigningMemory>, PortError> {
        self.steps.take_at_once(|| self.inner.recall(log))
    }

    fn remember(&self, log: &KeyName, memory: &SigningMemory) -> Result<(), PortError> {
        self.steps.take_at_once(|| self.inner.remember(log, memory))
    }
}

#[async_trait]
impl<T: Witness + ?Sized> Witness for Disturbed<T> {
    fn key(&self) -> &VerifierKey {
        self.inner.key()
    }

    async fn cosign(
        &self,
        old: u64,
        proof: &[TreeHash],
        checkpoint: &SignedCheckpoint,
    ) -> Result<WitnessAnswer, PortError> {
        self.steps.take(self.inner.cosign(old, proof, checkpoint)).await
    }
}

#[async_trait]
impl<T: TimestampServer + ?Sized> TimestampServer for Disturbed<T> {
    fn address(&self) -> &str {
        self.inner.address()
    }

    async fn timestamp(&self, request: &[u8]) -> Result<Bytes, PortError> {
        self.steps.take(self.inner.timestamp(request)).await
    }
}
