//! A good proof with one bit flipped.

use super::maker::Maker;
use super::vector::ProofVector;

/// The number of flips, spread over the file.
const FLIPS: usize = 400;

pub(super) fn vectors() -> Vec<ProofVector> {
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
