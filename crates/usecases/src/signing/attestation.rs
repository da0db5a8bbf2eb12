//! Requests for attestations: a checkpoint is sent to all witnesses and timestamp servers at once, and their replies are judged.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures::future::join_all;
use sports_domain::Sport;
use sports_domain::content::ObjectHash;
use sports_ports::attestation::{TimestampServer, Witness, WitnessAnswer};
use sports_ports::signing::{SigningMemories, SigningMemory};
use sports_ports::{PortError, Random, error_chain, random_bytes};
use sports_transparency::{
    Checkpoint, Cosignature, KeyId, KeyName, NotATimestamp, SignatureLine, SignedCheckpoint, TimestampRequest,
    TreeHash, consistency_nodes, consistency_path, verify_consistency,
};
use tokio::time::timeout;

use super::keys::LogKeys;
use crate::record::{NewestTree, TreeReader};

/// The last second of the year 9999, the last one that RFC 3339 can express.
const LAST_TIME: u64 = 253_402_300_799;

/// The largest number of requests to a witness that names one size after another.
const TRIES: usize = 3;

/// The signatures and timestamps that came for a checkpoint.
#[derive(Default)]
pub(super) struct Attested {
    /// The valid lines of signatures.
    pub(super) lines: Vec<SignatureLine>,
    /// The same signatures, with the times that they state.
    pub(super) cosigned: Vec<Cosignature>,
    /// The replies of timestamp servers, by address.
    pub(super) tokens: Vec<(String, Bytes)>,
    /// The attestations that are missing, in words.
    pub(super) warnings: Vec<String>,
    /// The contradiction of a witness with another tree than the store's.
    pub(super) contradiction: Option<Contradiction>,
    /// The number of witnesses that answered.
    pub(super) answers: usize,
    /// True if one of these witnesses had a tree of this log before.
    pub(super) is_known: bool,
}

/// The evidence of a witness that another store was signed, too.
#[derive(Debug, Clone, thiserror::Error)]
pub(super) enum Contradiction {
    /// The witness has a larger tree than the store.
    #[error(
        "witness {witness} has cosigned {known} leaves and the store has {size}: it is an older store, and another machine has \
         signed with this key. This machine signs it no longer; see docs/record-recovery.md"
    )]
    Larger { witness: KeyName, known: u64, size: u64 },
    /// The witness has another tree.
    #[error(
        "witness {witness} has cosigned another tree of this log, which the store's tree of {size} leaves does not extend; see \
         docs/record-recovery.md"
    )]
    Other { witness: KeyName, size: u64 },
}

/// The result of a request to one witness.
enum CosigningResult {
    Cosigned {
        line: SignatureLine,
        cosignature: Cosignature,
        /// True if the witness had a tree of this log before.
        is_known: bool,
    },
    /// The witness has cosigned a later tree of the store.
    Later,
    Contradicts(Contradiction),
}

impl Attested {
    /// Adds the attestations to a checkpoint to the memory.
    pub(super) fn added_to(&self, mut memory: SigningMemory, checkpoint: &Checkpoint) -> SigningMemory {
        for cosignature in &self.cosigned {
            let size = memory.witnessed.entry(cosignature.witness.id()).or_default();
            *size = checkpoint.size.max(*size);
        }
        // Another publisher may have signed a later tree meanwhile.
        if memory.signed.as_ref() == Some(checkpoint) {
            memory.timestamped.extend(self.tokens.iter().map(|(address, _)| address.clone()));
        }
        if let Some(stopped) = self.contradiction.as_ref().and_then(Contradiction::stopped) {
            memory.stopped = Some(stopped);
        }
        memory
    }
}

impl Contradiction {
    /// Returns the reason to stop for good, if it is one.
    pub(super) fn stopped(&self) -> Option<String> {
        matches!(self, Self::Larger { .. }).then(|| self.to_string())
    }
}

/// Sends a checkpoint to each witness and server without an attestation to it in the memory of this machine.
pub(super) async fn of(
    tree: &TreeReader,
    signing: &Signing,
    memory: &SigningMemory,
    newest: &NewestTree,
    note: &SignedCheckpoint,
    random: &dyn Random,
) -> Result<Attested, PortError> {
    let head = &newest.head;
    let known = |id: KeyId| memory.witnessed.get(&id).copied().unwrap_or(0);
    let witnesses = signing.witnesses.iter().filter(|witness| known(witness.key().id()) != head.size);
    let cosigned = witnesses.map(|witness| {
        let answer = cosigned(tree, witness, known(witness.key().id()), newest, note);
        limited(signing.timeout, answer, format!("witness {}", witness.key().name()))
    });
    let is_signed = memory.signed.as_ref() == Some(note.checkpoint());
    let servers = signing.servers.iter().filter(|server| !(is_signed && memory.timestamped.contains(server.address())));
    let requests = servers
        .map(|server| Ok((server, TimestampRequest::new(&note.checkpoint().to_string(), random_bytes(random)?))));
    let requests = requests.collect::<Result<Vec<_>, PortError>>()?;
    let stamped = requests.into_iter().map(|(server, request)| {
        limited(signing.timeout, stamped(server, request), format!("timestamp server {}", server.address()))
    });
    let (cosigned, stamped) = futures::join!(join_all(cosigned), join_all(stamped));
    Ok(Attested::from_results(cosigned, stamped))
}

impl Attested {
    /// Returns `true` if no attestation came, and no memory changes.
    pub(super) const fn adds_nothing(&self) -> bool {
        self.cosigned.is_empty() && self.tokens.is_empty() && self.contradiction.is_none()
    }

    fn from_results(
        cosigned: Vec<Result<CosigningResult, String>>,
        stamped: Vec<Result<(String, Bytes), String>>,
    ) -> Self {
        let mut attested = Self::default();
        for result in cosigned {
            attested.answers += usize::from(result.is_ok());
            match result {
                Ok(CosigningResult::Cosigned { line, cosignature, is_known }) => {
                    attested.is_known |= is_known;
                    attested.lines.push(line);
                    attested.cosigned.push(cosignature);
                }
                Ok(CosigningResult::Later) => attested.is_known = true,
                Ok(CosigningResult::Contradicts(contradiction)) => attested.contradiction = Some(contradiction),
                Err(warning) => attested.warnings.push(warning),
            }
        }
        for token in stamped {
            match token {
                Ok(token) => attested.tokens.push(token),
                Err(warning) => attested.warnings.push(warning),
            }
        }
        attested
    }
}

/// Limits the time of all requests to one witness or server together; the error is a warning with its name.
async fn limited<T>(
    limit: Duration,
    answer: impl Future<Output = Result<T, Missing>>,
    name: String,
) -> Result<T, String> {
    let answer = timeout(limit, answer).await.unwrap_or(Err(Missing::Slow(limit)));
    answer.map_err(|missing| format!("{name} has not attested: {}", error_chain(&missing)))
}

/// The reason for which an attestation is missing.
#[derive(Debug, thiserror::Error)]
enum Missing {
    #[error("it took longer than {0:?}")]
    Slow(Duration),
    #[error(transparent)]
    Port(#[from] PortError),
    #[error("its cosignature is not one of this checkpoint by its key")]
    Forged,
    #[error("it states no time, or one after the year 9999")]
    Time,
    #[error("it refuses the first checkpoint that it gets, although every tree extends the empty one")]
    Unfounded,
    #[error("it keeps changing its known size")]
    Wavering,
    #[error(transparent)]
    Timestamp(#[from] NotATimestamp),
}

/// Sends a checkpoint to a witness with a proof from the size of its last cosignature, and again from the size that its
/// reply names.
async fn cosigned(
    tree: &TreeReader,
    witness: &Arc<dyn Witness>,
    known: u64,
    newest: &NewestTree,
    note: &SignedCheckpoint,
) -> Result<CosigningResult, Missing> {
    let head = &newest.head;
    let name = || witness.key().name().clone();
    let mut old = known.min(head.size);
    for _ in 0..TRIES {
        let proof = path_from(tree, newest, old).await?;
        match witness.cosign(old, &proof, note).await? {
            WitnessAnswer::Cosigned(lines) => {
                let text = note.checkpoint().to_string();
                let holds = |line: &SignatureLine| Cosignature::verify(witness.key(), line, &text);
                let cosigned = lines.into_iter().find_map(|line| holds(&line).map(|cosignature| (line, cosignature)));
                let (line, cosignature) = cosigned.ok_or(Missing::Forged)?;
                let is_a_time = (1..=LAST_TIME).contains(&cosignature.time);
                return is_a_time
                    .then_some(CosigningResult::Cosigned { line, cosignature, is_known: old > 0 })
                    .ok_or(Missing::Time);
            }
            WitnessAnswer::Knows(size) if size > head.size => {
                let stored = tree.newest(head.sport).await?.map_or(0, |newest| newest.size);
                let larger = Contradiction::Larger { witness: name(), known: size, size: stored };
                return Ok(if stored >= size { CosigningResult::Later } else { CosigningResult::Contradicts(larger) });
            }
            WitnessAnswer::Knows(size) if size != old => old = size,
            WitnessAnswer::Knows(_) | WitnessAnswer::DoesNotExtend if old == 0 => return Err(Missing::Unfounded),
            WitnessAnswer::Knows(_) | WitnessAnswer::DoesNotExtend => {
                return Ok(CosigningResult::Contradicts(Contradiction::Other { witness: name(), size: head.size }));
            }
        }
    }
    Err(Missing::Wavering)
}

/// Requests a timestamp and checks that it is one.
async fn stamped(server: &Arc<dyn TimestampServer>, request: TimestampRequest) -> Result<(String, Bytes), Missing> {
    let reply = server.timestamp(&request.to_bytes()).await?;
    request.check(&reply)?;
    Ok((server.address().to_owned(), reply))
}

// The parts of signing: keys, the memory of this machine, witnesses and timestamp servers.

/// The signing of trees by a publisher.
#[derive(Clone)]
pub enum TreeSigning {
    /// Tiles are stored, and nothing is signed.
    Off,
    /// Trees are signed by the keys of their leagues.
    With(Arc<Signing>),
}

/// The keys that sign, and the others who attest to the time.
pub struct Signing {
    /// The keys of each league's log.
    pub keys: BTreeMap<Sport, LogKeys>,
    /// The memory of this machine.
    pub memories: Arc<dyn SigningMemories>,
    pub witnesses: Vec<Arc<dyn Witness>>,
    pub servers: Vec<Arc<dyn TimestampServer>>,
    /// The limit on all requests to one of them together.
    pub timeout: Duration,
}

impl TreeSigning {
    /// Returns the keys of a league, with the others who attest; `None` if its tree is not signed.
    pub(super) fn of(&self, sport: Sport) -> Option<(&Signing, &LogKeys)> {
        match self {
            Self::Off => None,
            Self::With(signing) => signing.keys.get(&sport).map(|keys| (&**signing, keys)),
        }
    }
}

// Proofs that the newest tree extends what was signed before.

const PORT: &str = "the tree";

/// Returns the path from the first `old` leaves to the whole tree: from the tree of the entry before it is read from the newest entry,
/// else from tiles.
pub(super) async fn path_from(tree: &TreeReader, newest: &NewestTree, old: u64) -> Result<Vec<TreeHash>, PortError> {
    let head = &newest.head;
    let path = match newest.growth_from(tree, old).await? {
        Some(growth) => consistency_path(&growth, old, head.size),
        None => consistency_path(&tree.nodes(head, &consistency_nodes(old, head.size)).await?, old, head.size),
    };
    path.map_err(|missing| PortError::corrupt(PORT, missing))
}

/// Returns `true` if a leaf from the index `from` on states the loss of a checkpoint; of any one, if none is given.
pub(super) async fn states_loss(
    tree: &TreeReader,
    newest: &NewestTree,
    from: u64,
    checkpoint: Option<ObjectHash>,
) -> Result<bool, PortError> {
    let leaves = newest.leaves(tree, from..newest.head.size).await?;
    let mut stated = leaves.iter().filter_map(|leaf| leaf.fact.lost_checkpoint());
    Ok(stated.any(|lost| checkpoint.is_none_or(|it| it == lost)))
}

/// Returns `true` if the tree begins with the leaves of a checkpoint.
pub(super) async fn extends(tree: &TreeReader, newest: &NewestTree, signed: &Checkpoint) -> Result<bool, PortError> {
    let head = &newest.head;
    if signed.size > head.size {
        return Ok(false);
    }
    let path = path_from(tree, newest, signed.size).await?;
    Ok(verify_consistency((signed.size, signed.root), (head.size, head.root), &path).is_ok())
}
