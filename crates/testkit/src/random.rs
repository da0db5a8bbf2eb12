//! Random bytes that are the same in every run, and the contract of [`Random`].

use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};

use sports_ports::{PortError, Random, random_bytes};

/// A source whose draws differ from each other and are the same in every run.
#[derive(Debug, Default)]
pub struct RandomFake(AtomicU64);

impl Random for RandomFake {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), PortError> {
        let draw = self.0.fetch_add(1, Ordering::Relaxed) + 1;
        // The draw is mixed into every byte, so that draws differ at every position.
        for (place, byte) in (0_u64..).zip(bytes.iter_mut()) {
            let mixed = (draw.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ place.wrapping_mul(0xc2b2_ae3d_27d4_eb4f))
                .wrapping_mul(0xff51_afd7_ed55_8ccd);
            *byte = mixed.to_be_bytes()[0];
        }
        Ok(())
    }
}

/// Tests an implementation against every promise of [`Random`].
///
/// # Panics
///
/// Panics if a promise is broken.
pub fn contract(random: &impl Random) {
    every_byte_is_drawn_anew(random);
    no_two_draws_are_equal(random);
}

/// A byte has the same value in 65 fair draws with a probability of 256⁻⁶⁴.
fn every_byte_is_drawn_anew(random: &impl Random) {
    for length in [0, 1, 7, 32, 1_000] {
        let draw = || {
            let mut bytes = vec![0; length];
            random.fill(&mut bytes).expect("bytes");
            bytes
        };
        let first = draw();
        let others: Vec<_> = (0..64).map(|_| draw()).collect();
        for (place, byte) in first.iter().enumerate() {
            assert!(others.iter().any(|other| other[place] != *byte), "byte {place} of {length} is always {byte}");
        }
    }
}

fn no_two_draws_are_equal(random: &impl Random) {
    let draws: HashSet<_> = (0..1_000).map(|_| random_bytes::<10>(random).expect("bytes")).collect();
    assert_eq!(draws.len(), 1_000);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fake_keeps_the_contract() {
        contract(&RandomFake::default());
    }

    #[test]
    fn all_draws_differ_and_another_run_repeats_them() {
        let draws =
            |random: RandomFake| (0..500).map(|_| random_bytes::<10>(&random).expect("bytes")).collect::<Vec<_>>();
        let first = draws(RandomFake::default());
        let mut different = first.clone();
        different.sort_unstable();
        different.dedup();
        assert_eq!(different.len(), first.len());
        assert_eq!(draws(RandomFake::default()), first);
    }
}
