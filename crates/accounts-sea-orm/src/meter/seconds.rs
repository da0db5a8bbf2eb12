use std::collections::HashMap;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use sports_accounts::{CustomerId, SlidingSecond};

/// The last second of each customer that called lately.
#[derive(Debug, Default)]
pub(super) struct Seconds {
    of_customers: HashMap<CustomerId, Arc<SlidingSecond>>,
    looked_through_at: Duration,
}

impl Seconds {
    /// The interval at which idle customers are evicted.
    const EVERY: Duration = Duration::from_mins(1);

    /// Returns the second of a customer who calls at `uptime`.
    pub fn of(&mut self, customer: CustomerId, per_second: NonZeroU32, uptime: Duration) -> Arc<SlidingSecond> {
        if uptime.saturating_sub(self.looked_through_at) >= Self::EVERY {
            self.looked_through_at = uptime;
            // A second with another owner stays: that caller may be about to add its call.
            self.of_customers.retain(|_, second| Arc::strong_count(second) > 1 || !second.is_idle(uptime));
        }
        Arc::clone(self.of_customers.entry(customer).or_insert_with(|| Arc::new(SlidingSecond::new(per_second))))
    }
}

#[cfg(test)]
mod tests {
    use sports_accounts::testing::a_customer;

    use super::*;

    #[test]
    fn a_second_is_forgotten_when_it_holds_no_call_and_no_caller_has_it() {
        let at = Duration::from_secs;
        let mut seconds = Seconds::default();
        let mut second = |seed, uptime| seconds.of(a_customer().seeded(seed).build().id, NonZeroU32::MIN, at(uptime));
        let in_hand = second(1, 1);
        assert!(second(2, 1).admit(at(1)).is_some());
        assert!(second(3, 100).admit(at(100)).is_some());
        assert!(second(4, 160).admit(at(160)).is_some());
        assert!(Arc::ptr_eq(&in_hand, &second(1, 160)));
        assert!(second(4, 160).admit(at(160)).is_none(), "it holds a call");
        assert_eq!(seconds.of_customers.len(), 2);
    }
}
