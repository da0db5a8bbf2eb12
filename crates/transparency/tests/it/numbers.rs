//! Pseudo-random numbers that are the same in every run.

use sports_calibration::SplitMix64;

/// Returns a number below `limit`, which is not 0.
pub(crate) fn below(generator: &mut SplitMix64, limit: u64) -> u64 {
    generator.bits() % limit
}
