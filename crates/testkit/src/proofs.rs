//! Proofs of a forecast, good and bad, with the exit code that each verifier must return. They are made here, of the
//! vector in the design of the record, so that no verifier is compared with itself.

mod bad_notes;
mod bad_openings;
mod bad_paths;
mod flipped;
mod good;
mod maker;
mod vector;

pub use maker::{LOG, START, WITNESS};
pub use vector::ProofVector;

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
