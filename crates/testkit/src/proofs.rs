//! Proofs of a forecast, good and bad, with the exit code that each verifier must return. They are made here, of the
//! vector in the design of the record, so that no verifier is compared with itself.

mod bad_notes;
mod bad_openings;
mod bad_paths;
mod flipped;
mod good;
mod maker;

pub use maker::{LOG, START, WITNESS};

/// A proof, and the codes that a verifier may return for it: 0 proven, 1 not proven, 3 logged.
#[derive(Debug, Clone)]
pub struct ProofVector {
    /// What is special about the proof.
    pub name: String,
    /// The file.
    pub bytes: Vec<u8>,
    /// The permitted codes. Of several, all verifiers return the same.
    pub codes: &'static [i32],
}

impl ProofVector {
    fn new(name: impl Into<String>, bytes: impl Into<Vec<u8>>, codes: &'static [i32]) -> Self {
        Self { name: name.into(), bytes: bytes.into(), codes }
    }
}

/// Returns every vector.
///
/// # Panics
///
/// If a key cannot be made, which is a mistake in this file.
#[must_use]
pub fn proof_vectors() -> Vec<ProofVector> {
    let makers = [good::vectors, bad_openings::vectors, bad_paths::vectors, bad_notes::vectors, flipped::vectors];
    makers.into_iter().flat_map(|make| make()).collect()
}
