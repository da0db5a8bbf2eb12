//! Random bytes that are equal in every run.

use std::sync::atomic::{AtomicU64, Ordering};

use sports_ports::{PortError, Random};

/// A source of bytes that differ in every draw but are no secret.
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

#[cfg(test)]
mod tests {
    use super::*;
    use sports_ports::random_bytes;

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
