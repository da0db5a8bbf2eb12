use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::exposition::{Exposition, Kind};

/// What a limit decided about a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// It may proceed.
    Admitted,
    /// The customer had as many calls within the last second as may be.
    Second,
    /// The customer's month is used up.
    Month,
    /// An address had as many calls without a key within the last second as may be.
    Address,
    /// An address had as many calls with invalid keys within the last second as may be.
    FailedKeys,
}

impl Decision {
    const ALL: [(Self, &str); 5] = [
        (Self::Admitted, "admitted"),
        (Self::Second, "second"),
        (Self::Month, "month"),
        (Self::Address, "address"),
        (Self::FailedKeys, "failed_keys"),
    ];
}

/// How often limits decided which way.
#[derive(Debug, Default)]
pub struct Decisions([AtomicU64; Decision::ALL.len()]);

impl Decisions {
    /// Counts a decision.
    pub fn count(&self, decision: Decision) {
        self.0[decision as usize].fetch_add(1, Relaxed);
    }

    pub(super) fn expose(&self, exposition: &mut Exposition) {
        let help = "Calls by what the limits decided about them.";
        let mut family = exposition.family("limiter_decisions_total", Kind::Counter, help);
        for (decision, name) in Decision::ALL {
            family.sample(&[("decision", name)], self.0[decision as usize].load(Relaxed));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_decision_has_the_place_of_its_number() {
        for (place, (decision, _)) in Decision::ALL.into_iter().enumerate() {
            assert_eq!(decision as usize, place);
        }
    }
}
