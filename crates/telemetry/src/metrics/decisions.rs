use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::exposition::{Exposition, Kind};

/// The decision of a limit about a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// The call may proceed.
    Admitted,
    /// The customer has reached the limit of calls within a second.
    Second,
    /// The customer has reached the quota of the month.
    Month,
    /// The address has reached the limit of calls without a key within a second.
    Address,
    /// The address has reached the limit of calls with invalid keys within a second.
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

/// The number of decisions of each kind.
#[derive(Debug, Default)]
pub struct Decisions([AtomicU64; Decision::ALL.len()]);

impl Decisions {
    pub fn count(&self, decision: Decision) {
        self.0[decision as usize].fetch_add(1, Relaxed);
    }

    pub(super) fn expose(&self, exposition: &mut Exposition<'_>) {
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
    fn the_list_of_decisions_is_in_the_order_of_their_numbers() {
        for (place, (decision, _)) in Decision::ALL.into_iter().enumerate() {
            assert_eq!(decision as usize, place);
        }
    }
}
