//! Fakes of everything that takes part in signing a record, and disturbances at each of its steps.

use std::collections::HashMap;
use std::future::pending;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use bytes::Bytes;
use sports_domain::Sport;
use sports_domain::content::ObjectHash;
use sports_ports::PortError;
use sports_ports::attestation::{TimestampServer, Witness, WitnessAnswer};
use sports_ports::publication::{Appended, LogEntry, ObjectKind, Objects, PublicationLog};
use sports_ports::record::{CheckpointFile, RecordFile, RecordFiles, StoredAs};
use sports_ports::signing::{SigningMemories, SigningMemory};
use sports_publication::{Catalog, Generation};
use sports_transparency::{
    Checkpoint, KeyId, KeyKind, KeyName, SignedCheckpoint, SigningKey, TilePath, TreeHash, VerifierKey,
    verify_consistency,
};
use tokio::sync::Notify;

/// A log as it was when one of its entries was the newest.
#[derive(Clone)]
pub struct CutLog {
    log: Arc<dyn PublicationLog>,
    newest: Generation,
}

impl CutLog {
    /// Leaves out the entries of a log above this one.
    pub const fn after(newest: Generation, log: Arc<dyn PublicationLog>) -> Self {
        Self { log, newest }
    }
}

#[async_trait]
impl PublicationLog for CutLog {
    async fn numbers(&self, sport: Sport) -> Result<Vec<Generation>, PortError> {
        let numbers = self.log.numbers(sport).await?;
        Ok(numbers.into_iter().filter(|number| *number <= self.newest).collect())
    }

    async fn numbers_after(&self, sport: Sport, generation: Generation) -> Result<Vec<Generation>, PortError> {
        let numbers = self.log.numbers_after(sport, generation).await?;
        Ok(numbers.into_iter().filter(|number| *number <= self.newest).collect())
    }

    async fn entry(&self, sport: Sport, generation: Generation) -> Result<Option<LogEntry>, PortError> {
        if generation > self.newest { Ok(None) } else { self.log.entry(sport, generation).await }
    }

    async fn append(&self, _catalog: &Catalog) -> Result<Appended, PortError> {
        Ok(Appended::Taken)
    }

    async fn honours_put_if_absent(&self) -> Result<bool, PortError> {
        self.log.honours_put_if_absent().await
    }

    async fn ping(&self) -> Result<(), PortError> {
        self.log.ping().await
    }
}

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

    fn logs(&self) -> Result<Vec<KeyName>, PortError> {
        self.steps.take_at_once(|| self.inner.logs())
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

/// The memory of a machine on which one process signs, and on which every key was made.
#[derive(Debug, Default)]
pub struct MemoriesFake(Mutex<HashMap<KeyName, SigningMemory>>);

impl SigningMemories for MemoriesFake {
    fn try_lock(&self) -> Result<Option<Box<dyn Send>>, PortError> {
        Ok(Some(Box::new(())))
    }

    fn recall(&self, log: &KeyName) -> Result<Option<SigningMemory>, PortError> {
        let memories = self.0.lock().expect("not poisoned");
        Ok(Some(memories.get(log).cloned().unwrap_or_default()))
    }

    fn logs(&self) -> Result<Vec<KeyName>, PortError> {
        Ok(self.0.lock().expect("not poisoned").keys().cloned().collect())
    }

    fn remember(&self, log: &KeyName, memory: &SigningMemory) -> Result<(), PortError> {
        self.0.lock().expect("not poisoned").insert(log.clone(), memory.clone());
        Ok(())
    }
}

/// The time of the first cosignature: 2024-01-06T15:00:01Z.
const FIRST: u64 = 1_704_553_201;

/// A witness that follows its rules, with a clock that is a second later at each cosignature.
#[derive(Debug)]
pub struct WitnessFake {
    signing: SigningKey,
    cosigned: Mutex<(u64, HashMap<KeyName, Checkpoint>)>,
}

impl WitnessFake {
    /// Creates a witness with this name.
    ///
    /// # Panics
    ///
    /// Panics if no key can have the name.
    pub fn named(name: &str) -> Self {
        let name = name.parse().expect("the name of a key");
        let signing = SigningKey::from_seed(name, KeyKind::Witness, &[0x77; 32]).expect("a key");
        Self { signing, cosigned: Mutex::new((FIRST, HashMap::new())) }
    }
}

#[async_trait]
impl Witness for WitnessFake {
    fn key(&self) -> &VerifierKey {
        self.signing.verifier()
    }

    async fn cosign(
        &self,
        old: u64,
        proof: &[TreeHash],
        checkpoint: &SignedCheckpoint,
    ) -> Result<WitnessAnswer, PortError> {
        let (time, cosigned) = &mut *self.cosigned.lock().expect("not poisoned");
        let checkpoint = checkpoint.checkpoint();
        let known = cosigned.get(&checkpoint.origin).map_or((0, TreeHash::of_empty_tree()), |it| (it.size, it.root));
        let is_other = known.0 == checkpoint.size && known.1 != checkpoint.root;
        if known.0 != old || is_other {
            return Ok(WitnessAnswer::Knows(known.0));
        }
        if verify_consistency(known, (checkpoint.size, checkpoint.root), proof).is_err() {
            return Ok(WitnessAnswer::DoesNotExtend);
        }
        *time += 1;
        cosigned.insert(checkpoint.origin.clone(), checkpoint.clone());
        Ok(WitnessAnswer::Cosigned(vec![self.signing.cosign(checkpoint, *time)]))
    }
}

/// A timestamp server that grants every request, with unsigned tokens.
#[derive(Debug)]
pub struct TimestampServerFake {
    address: String,
}

impl TimestampServerFake {
    /// Creates a server with this address.
    pub fn at(address: &str) -> Self {
        Self { address: address.to_owned() }
    }
}

#[async_trait]
impl TimestampServer for TimestampServerFake {
    fn address(&self) -> &str {
        &self.address
    }

    async fn timestamp(&self, request: &[u8]) -> Result<Bytes, PortError> {
        // The hash and the nonce of the request, behind a status of 0 in DER.
        let stated = request.get(22..66).ok_or_else(|| PortError::corrupt("a timestamp server", "no request"))?;
        Ok([&[0x30, 49, 0x30, 3, 2, 1, 0], stated].concat().into())
    }
}

/// A fault of one step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepFault {
    /// The step fails without an effect.
    Fails,
    /// The step is done, and its answer is lost.
    LosesAnswer,
    /// The step has no effect and never ends. A step that blocks its thread fails instead.
    Hangs,
    /// The process is killed before the step: neither it nor a later one has an effect.
    Kills,
    /// The process is killed behind the step: no later one has an effect.
    KillsBehind,
}

impl StepFault {
    /// Every kind.
    pub const ALL: [Self; 5] = [Self::Fails, Self::LosesAnswer, Self::Hangs, Self::Kills, Self::KillsBehind];
}

/// The steps of a piece of work, counted from 0, of which one may have a fault.
#[derive(Debug, Default)]
pub struct Steps {
    taken: AtomicUsize,
    fault: Option<(usize, StepFault)>,
    hangs: Notify,
}

/// The way in which a step goes.
enum Course {
    Done,
    Undone,
    AnswerLost,
    Endless,
}

impl Steps {
    /// Creates steps of which one has a fault.
    pub fn disturbed(step: usize, fault: StepFault) -> Self {
        Self { fault: Some((step, fault)), ..Self::default() }
    }

    /// Returns the number of steps so far.
    pub fn taken(&self) -> usize {
        self.taken.load(Ordering::SeqCst)
    }

    /// Waits until a step hangs.
    pub async fn hung(&self) {
        self.hangs.notified().await;
    }

    async fn take<T>(&self, step: impl Future<Output = Result<T, PortError>>) -> Result<T, PortError> {
        match self.next() {
            Course::Done => step.await,
            Course::Undone => Err(disturbance()),
            Course::AnswerLost => step.await.and(Err(disturbance())),
            Course::Endless => {
                self.hangs.notify_one();
                pending().await
            }
        }
    }

    /// Takes a step that blocks its thread.
    fn take_at_once<T>(&self, step: impl FnOnce() -> Result<T, PortError>) -> Result<T, PortError> {
        match self.next() {
            Course::Done => step(),
            Course::Undone | Course::Endless => Err(disturbance()),
            Course::AnswerLost => step().and(Err(disturbance())),
        }
    }

    fn next(&self) -> Course {
        let step = self.taken.fetch_add(1, Ordering::SeqCst);
        let Some((at, fault)) = self.fault.filter(|(at, _)| *at <= step) else { return Course::Done };
        match fault {
            StepFault::Kills | StepFault::KillsBehind if step > at => Course::Undone,
            _ if step > at => Course::Done,
            StepFault::Fails | StepFault::Kills => Course::Undone,
            StepFault::LosesAnswer | StepFault::KillsBehind => Course::AnswerLost,
            StepFault::Hangs => Course::Endless,
        }
    }
}

fn disturbance() -> PortError {
    PortError::unavailable("a disturbed step", "it was disturbed")
}
