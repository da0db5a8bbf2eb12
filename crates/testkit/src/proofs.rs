//! Proofs of a forecast, good and bad, with the exit code that each verifier must return. They are made here, of the
//! vector in the design of the record, so that no verifier is compared with itself.

mod bad_notes;
mod bad_openings;
mod bad_paths;
mod good;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sports_domain::content::ObjectHash;

use good::Maker;

pub use good::{LOG, START, WITNESS};

/// Returns the keys of a witness under which anybody can sign: the points of order 8, 4, 2 and 1 with both signs.
pub fn weak_witnesses() -> Vec<String> {
    let points = [
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "0000000000000000000000000000000000000000000000000000000000000000",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "0100000000000000000000000000000000000000000000000000000000000000",
    ];
    let keys = points.into_iter().flat_map(|point| {
        let point: Vec<u8> =
            (0..64).step_by(2).filter_map(|at| u8::from_str_radix(&point[at..at + 2], 16).ok()).collect();
        [0, 0x80].map(|sign| [&[4], &point[..31], &[point[31] | sign]].concat())
    });
    keys.map(|key| {
        let named = [b"weak.example.com\n".as_slice(), &key].concat();
        format!("weak.example.com+{}+{}", ObjectHash::from_bytes(&named).short(8), STANDARD.encode(key))
    })
    .collect()
}

/// The key of a witness, of ML-DSA-44. The key and its cosignature were made by `dilithium-py` 1.5.1 of a seed of 32 bytes 6.
pub const ML_DSA_WITNESS: &str = include_str!("proofs/ml_dsa_44.vkey");

/// Returns the good proof with a cosignature of [`ML_DSA_WITNESS`] alone, in time.
pub fn ml_dsa_vector() -> ProofVector {
    let unwitnessed = Maker { times: Vec::new(), ..Maker::good() }.text();
    let text = unwitnessed + include_str!("proofs/ml_dsa_44.signature");
    ProofVector::new("cosigned by ML-DSA-44", text, &[0])
}

/// Returns every vector.
///
/// # Panics
///
/// If a key cannot be made, which is a mistake in this file.
pub fn proof_vectors() -> Vec<ProofVector> {
    let makers = [good::vectors, bad_openings::vectors, bad_paths::vectors, bad_notes::vectors, vectors];
    makers.into_iter().flat_map(|make| make()).collect()
}

/// A proof, and the codes that a verifier may return for it: 0 proven, 1 not proven, 3 logged.
#[derive(Debug, Clone)]
pub struct ProofVector {
    /// The peculiarity of the proof.
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

// A good proof with one bit flipped.

/// The number of flips, spread over the file.
const FLIPS: usize = 400;

fn vectors() -> Vec<ProofVector> {
    let good = Maker::good().text().into_bytes();
    // The line of the witness: a flip there can make it one of an unknown key.
    let witness = good.len() - good.rsplit(|byte| *byte == b'\n').nth(1).map_or(0, <[u8]>::len) - 1;
    let flip = |flip: usize| {
        // Every bit of a byte gets its turn.
        let bit = flip * good.len() * 8 / FLIPS + flip % 8;
        let (at, bit) = (bit / 8 % good.len(), bit % 8);
        let mut bytes = good.clone();
        bytes[at] ^= 1 << bit;
        let codes: &[i32] = if at >= witness { &[1, 3] } else { &[1] };
        ProofVector::new(format!("bit {bit} of byte {at} flipped"), bytes, codes)
    };
    (0..FLIPS).map(flip).collect()
}
