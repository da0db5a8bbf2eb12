//! Witnesses and timestamp servers, which attest to the time of a signed checkpoint.

use async_trait::async_trait;
use bytes::Bytes;
use sports_transparency::{SignatureLine, SignedCheckpoint, TreeHash, VerifierKey};

use crate::PortError;

/// A witness' answer to a checkpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WitnessAnswer {
    /// The witness cosigned; these are the lines that it sent, unverified.
    Cosigned(Vec<SignatureLine>),
    /// The witness last cosigned a tree of this size, and needs a proof from there. If the proof began there already, the
    /// witness has another tree of this size.
    Knows(u64),
    /// The proof does not lead from the tree that the witness cosigned to this one.
    DoesNotExtend,
}

/// A witness, which cosigns the checkpoints of a log as long as each tree extends the one before.
///
/// # Contract
///
/// - A witness cosigns a checkpoint only if its tree extends the last one that the witness cosigned. Before its first
///   cosignature of a log, that tree has size 0.
/// - The caller verifies everything that a witness sends.
/// - A witness that cannot be reached, or does not have the log, is [`PortError::Unavailable`]; a malformed answer is
///   [`PortError::Corrupt`]. Both have the reason in one sentence.
/// - An answer is never longer in memory than the longest that a witness may send.
/// - An answer may take any time: callers limit it.
#[async_trait]
pub trait Witness: Send + Sync {
    /// Returns the key of the witness.
    fn key(&self) -> &VerifierKey;

    /// Sends a checkpoint, with the proof that its tree extends the one of the first `old` leaves.
    async fn cosign(
        &self,
        old: u64,
        proof: &[TreeHash],
        checkpoint: &SignedCheckpoint,
    ) -> Result<WitnessAnswer, PortError>;
}

/// A timestamp server by RFC 3161.
///
/// # Contract
///
/// - A reply is returned byte for byte; the caller checks that it is granted and answers the request.
/// - A server that cannot be reached, or refuses, is [`PortError::Unavailable`]; an answer of another kind is
///   [`PortError::Corrupt`]. Both have the reason in one sentence.
/// - A reply is never longer in memory than the longest that a server may send.
/// - An answer may take any time: callers limit it.
#[async_trait]
pub trait TimestampServer: Send + Sync {
    /// Returns the address of the server.
    fn address(&self) -> &str;

    /// Sends a request and returns the reply.
    async fn timestamp(&self, request: &[u8]) -> Result<Bytes, PortError>;
}
