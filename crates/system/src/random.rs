use sports_ports::{PortError, Random};

/// The operating system's source of randomness.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemRandom;

impl Random for SystemRandom {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), PortError> {
        getrandom::fill(bytes).map_err(|error| PortError::unavailable("the system's randomness", error))
    }
}

#[cfg(test)]
mod tests {
    use sports_ports::random_bytes;

    use super::*;

    #[test]
    fn two_draws_differ() {
        let draw = || random_bytes::<32>(&SystemRandom).expect("bytes");
        assert_ne!(draw(), draw());
    }
}
