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
    use sports_testkit::random::contract;

    use super::*;

    #[test]
    fn the_system_keeps_the_contract_of_randomness() {
        contract(&SystemRandom);
    }
}
