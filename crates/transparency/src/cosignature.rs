//! Cosignatures of witnesses, in the form cosignature/v1 of C2SP.

use crate::VerifierKey;
use crate::signature_line::SignatureLine;

/// The length of a signature of Ed25519, in bytes.
const SIGNATURE: usize = 64;

/// A witness' statement that it received a checkpoint, and when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cosignature {
    /// The key of the witness.
    pub witness: VerifierKey,
    /// The time by the witness' clock, in seconds since 1970.
    pub time: u64,
}

/// Returns the bytes that a witness signs.
pub(crate) fn message(time: u64, checkpoint: &str) -> Vec<u8> {
    format!("cosignature/v1\ntime {time}\n{checkpoint}").into_bytes()
}

/// Splits a signature into its time and the signature of Ed25519; `None` if it has not the length of a cosignature.
fn timed(signature: &[u8]) -> Option<(u64, &[u8])> {
    let (time, signature) = signature.split_first_chunk()?;
    let time = u64::from_be_bytes(*time);
    (signature.len() == SIGNATURE && i64::try_from(time).is_ok()).then_some((time, signature))
}

impl Cosignature {
    /// Returns the time that a line states if it has the length of a cosignature. Nothing is verified.
    pub fn stated_time(line: &SignatureLine) -> Option<u64> {
        timed(&line.signature).map(|(time, _)| time)
    }

    /// Verifies a line of a witness over the text of a checkpoint; `None` if its signature does not hold.
    pub fn verify(witness: &VerifierKey, line: &SignatureLine, checkpoint: &str) -> Option<Self> {
        let (time, signature) = timed(&line.signature)?;
        let holds = line.is_of(witness) && witness.verifies(&message(time, checkpoint), signature);
        holds.then(|| Self { witness: witness.clone(), time })
    }
}
