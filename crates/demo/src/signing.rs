//! The key of a demo, with which it signs the records of its world, and its witness.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use sports_domain::Sport;
use sports_ports::attestation::{Witness, WitnessAnswer};
use sports_ports::signing::{SigningMemories as _, SigningMemory};
use sports_ports::{Clock, PortError};
use sports_program::SystemRandom;
use sports_program::settings::Settings;
use sports_record_signing::keys::{KeyFile, KeyFileError, MemoryFiles};
use sports_store::{ArtifactStore, JsonSlates};
use sports_transparency::{Origin, SignedCheckpoint, SigningKey, TreeHash, VerifierKey, verify_consistency};
use sports_usecases::record::{Slates, TreeReader};
use sports_usecases::signing::{Completed, LogKeys, RecordSigner, Signing, TreeSigning};

use crate::failure::Failure;

/// The key files in a demo's folder.
const KEY_FILE: &str = "record.key";
const WITNESS_FILE: &str = "witness.key";

/// The common name of a demo's logs, unless the settings name one. The domain has no owner.
const ORIGIN: &str = "demo.example/api/v1/record";

/// The name of the witness, which proofs show.
const WITNESS: &str = "demo.example/simulated-witness";

/// The signers of a demo's records.
pub(super) struct DemoSigner {
    leagues: BTreeMap<Sport, LeagueSigner>,
    witness: VerifierKey,
}

/// The signer of a league's record, with the clock that it shares with the witness.
struct LeagueSigner {
    signer: RecordSigner,
    clock: Arc<SetClock>,
}

impl DemoSigner {
    /// Opens the keys in a demo's folder; makes them at the first start.
    pub(super) fn open(settings: &Settings, store: &ArtifactStore, folder: &Path) -> Result<Self, Failure> {
        let origin = settings.record_origin().map_or_else(|| ORIGIN.parse(), Ok)?;
        let (file, memories) = key_file(&folder.join(KEY_FILE), &origin)?;
        let (witness_file, witnessed) = key_file(&folder.join(WITNESS_FILE), &origin)?;
        let (memories, witnessed, store) = (Arc::new(memories), Arc::new(witnessed), Arc::new(store.clone()));
        let leagues = Sport::ALL.map(|sport| {
            let (newest, clock) = (file.newest(origin.log(sport))?, Arc::new(SetClock::default()));
            let (key, log) = (witness_file.witness(WITNESS.parse()?)?, newest.verifier().clone());
            let witness = DemoWitness { key, log, memories: witnessed.clone(), clock: clock.clone() };
            let signing = Signing {
                keys: [(sport, LogKeys { newest, earlier: Vec::new() })].into(),
                memories: memories.clone(),
                witnesses: vec![Arc::new(witness)],
                servers: Vec::new(),
                timeout: settings.record.timeout,
            };
            let slates = Slates::new(store.clone(), Arc::new(JsonSlates));
            let tree = TreeReader::new(store.clone(), slates, store.clone());
            let signing = TreeSigning::With(Arc::new(signing));
            let signer = RecordSigner::new(tree, clock.clone(), Arc::new(SystemRandom), signing);
            Ok::<_, Failure>((sport, LeagueSigner { signer, clock }))
        });
        let leagues = leagues.into_iter().collect::<Result<_, _>>()?;
        Ok(Self { leagues, witness: witness_file.witness(WITNESS.parse()?)?.verifier().clone() })
    }

    /// Returns the key of the witness.
    pub(super) const fn witness(&self) -> &VerifierKey {
        &self.witness
    }

    /// Returns the keys of a league, which its entries announce at an instant.
    pub(super) async fn keys(&self, sport: Sport, at: DateTime<Utc>) -> Result<Vec<VerifierKey>, PortError> {
        self.leagues[&sport].at(at).keys(sport).await
    }

    /// Signs the newest tree of a league at an instant, with a cosignature of then. If that fails, it is logged, and the next
    /// release is signed instead.
    pub(super) async fn sign(&self, sport: Sport, at: DateTime<Utc>) {
        let Completed { warnings, unsigned, .. } = self.leagues[&sport].at(at).complete(sport).await;
        for reason in warnings.into_iter().chain(unsigned) {
            tracing::warn!(%sport, reason, "the record of the demo is not complete");
        }
    }
}

impl LeagueSigner {
    /// Sets the clock.
    fn at(&self, instant: DateTime<Utc>) -> &RecordSigner {
        *self.clock.0.lock().unwrap_or_else(PoisonError::into_inner) = instant;
        &self.signer
    }
}

/// Reads a key file, or makes it; returns it with what this machine signed with it.
fn key_file(path: &Path, origin: &Origin) -> Result<(KeyFile, MemoryFiles), Failure> {
    let memories = MemoryFiles::beside(path);
    match KeyFile::read(path) {
        Err(KeyFileError::Unreadable { source, .. }) if source.kind() == ErrorKind::NotFound => {}
        read => return Ok((read?, memories)),
    }
    let made = KeyFile::create(path, &SystemRandom)?;
    memories.begin(Sport::ALL.map(|sport| origin.log(sport)))?;
    Ok((made, memories))
}

/// A clock that shows the time of the newest release.
#[derive(Default)]
struct SetClock(Mutex<DateTime<Utc>>);

impl Clock for SetClock {
    fn now(&self) -> DateTime<Utc> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn uptime(&self) -> Duration {
        Duration::ZERO
    }
}

/// A witness of one log within the demo. It follows the rules of a witness, but it is run by those whom it attests to: it shows
/// how a proof looks, and proves nothing.
struct DemoWitness {
    key: SigningKey,
    log: VerifierKey,
    memories: Arc<MemoryFiles>,
    clock: Arc<SetClock>,
}

#[async_trait]
impl Witness for DemoWitness {
    fn key(&self) -> &VerifierKey {
        self.key.verifier()
    }

    async fn cosign(
        &self,
        old: u64,
        proof: &[TreeHash],
        checkpoint: &SignedCheckpoint,
    ) -> Result<WitnessAnswer, PortError> {
        checkpoint.verify(&self.log, &[]).map_err(|error| PortError::corrupt("the demo's witness", error))?;
        let checkpoint = checkpoint.checkpoint();
        let known = self.memories.recall(self.log.name())?.and_then(|memory| memory.signed);
        let known = known.map_or((0, TreeHash::of_empty_tree()), |known| (known.size, known.root));
        if known.0 != old || known.0 == checkpoint.size && known.1 != checkpoint.root {
            return Ok(WitnessAnswer::Knows(known.0));
        }
        if verify_consistency(known, (checkpoint.size, checkpoint.root), proof).is_err() {
            return Ok(WitnessAnswer::DoesNotExtend);
        }
        let cosigned = SigningMemory { signed: Some(checkpoint.clone()), ..SigningMemory::default() };
        self.memories.remember(self.log.name(), &cosigned)?;
        let time = self.clock.now().timestamp().try_into().unwrap_or_default();
        Ok(WitnessAnswer::Cosigned(vec![self.key.cosign(checkpoint, time)]))
    }
}

#[cfg(test)]
mod tests {
    use sports_transparency::{Checkpoint, Cosignature, KeyKind};

    use super::*;

    const NOON: i64 = 1_773_504_000;

    /// Returns a key of a log or a witness.
    fn key(name: &str, kind: KeyKind, seed: u8) -> SigningKey {
        SigningKey::from_seed(name.parse().expect("a name"), kind, &[seed; SigningKey::SEED]).expect("a key")
    }

    /// Returns a witness of the log `signer` whose memory is in a folder.
    fn witness(folder: &Path, signer: &SigningKey) -> DemoWitness {
        let clock = SetClock(Mutex::new(DateTime::from_timestamp(NOON, 0).expect("a time")));
        DemoWitness {
            key: key(WITNESS, KeyKind::Witness, 2),
            log: signer.verifier().clone(),
            memories: Arc::new(MemoryFiles::beside(&folder.join(WITNESS_FILE))),
            clock: Arc::new(clock),
        }
    }

    /// Returns a checkpoint of the log, signed with a key.
    fn signed(signer: &SigningKey, size: u64, root: TreeHash) -> SignedCheckpoint {
        let checkpoint = Checkpoint { origin: signer.verifier().name().clone(), size, root };
        let line = signer.sign(&checkpoint);
        SignedCheckpoint::new(checkpoint, &[line])
    }

    #[tokio::test]
    async fn the_witness_cosigns_only_trees_that_extend_its_last_one_after_a_restart_too() {
        let folder = tempfile::tempdir().expect("a folder");
        let signer = key("demo.example/nba", KeyKind::Log, 1);
        let [one, two, other] = [&b"one"[..], b"two", b"other"].map(TreeHash::of_leaf);
        let first = signed(&signer, 1, one);
        let WitnessAnswer::Cosigned(lines) =
            witness(folder.path(), &signer).cosign(0, &[], &first).await.expect("answers")
        else {
            panic!("not cosigned")
        };
        let by = key(WITNESS, KeyKind::Witness, 2);
        let text = first.checkpoint().to_string();
        let cosignature = Cosignature::verify(by.verifier(), &lines[0], &text).expect("its signature");
        assert_eq!(i64::try_from(cosignature.time), Ok(NOON));

        let restarted = witness(folder.path(), &signer);
        let second = signed(&signer, 2, TreeHash::of_children(one, two));
        let fork = signed(&signer, 2, TreeHash::of_children(other, two));
        let answers = [
            (0, vec![], &second, WitnessAnswer::Knows(1)),
            (1, vec![two], &fork, WitnessAnswer::DoesNotExtend),
            (1, vec![], &signed(&signer, 1, other), WitnessAnswer::Knows(1)),
        ];
        for (old, proof, checkpoint, expected) in answers {
            assert_eq!(restarted.cosign(old, &proof, checkpoint).await.expect("answers"), expected);
        }
        let answer = restarted.cosign(1, &[two], &second).await.expect("answers");
        assert!(matches!(answer, WitnessAnswer::Cosigned(_)), "{answer:?}");
    }

    #[tokio::test]
    async fn the_witness_refuses_what_its_log_has_not_signed() {
        let folder = tempfile::tempdir().expect("a folder");
        let signer = key("demo.example/nba", KeyKind::Log, 1);
        let other = key("demo.example/nba", KeyKind::Log, 3);
        let forged = signed(&other, 1, TreeHash::of_leaf(b"one"));
        let answer = witness(folder.path(), &signer).cosign(0, &[], &forged).await;
        assert!(matches!(answer, Err(PortError::Corrupt { .. })), "{answer:?}");
    }
}
