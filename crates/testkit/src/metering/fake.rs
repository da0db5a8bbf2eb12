use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use async_trait::async_trait;
use sports_accounts::{CalendarMonth, CustomerId, Limits, Tier};
use sports_ports::PortError;
use sports_ports::metering::{AddressLimit, Admission, Arrival, CountedCall, Meter, UncountedAdmission};

/// A meter that lists every admission and counts the list on each call: slow, but simple.
#[derive(Debug)]
pub struct MeterFake {
    limits: Limits,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    admitted: HashMap<CustomerId, Vec<Duration>>,
    counted: HashMap<(CustomerId, CalendarMonth), u64>,
    from: HashMap<IpAddr, Vec<Duration>>,
}

impl MeterFake {
    /// Creates a meter without calls. The limit per second applies to addresses, too.
    pub fn new(limits: Limits) -> Self {
        Self { limits, state: Mutex::default() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no test panics while it holds the fake")
    }

    /// Returns true if the second has room for another call, and records the call.
    fn admit_in_second(&self, admitted: &mut Vec<Duration>, now: Duration) -> bool {
        let recent = admitted.iter().filter(|at| now.saturating_sub(**at) < Duration::from_secs(1)).count();
        let has_room = recent < usize::try_from(self.limits.per_second.get()).expect("fits");
        if has_room {
            admitted.push(now);
        }
        has_room
    }
}

impl State {
    fn used(&self, customer: CustomerId, month: CalendarMonth) -> u64 {
        self.counted.get(&(customer, month)).copied().unwrap_or_default()
    }
}

#[async_trait]
impl Meter for MeterFake {
    async fn admit(&self, customer: CustomerId, tier: Tier, arrival: Arrival) -> Result<Admission, PortError> {
        let mut state = self.state();
        let month = arrival.month;
        let used = state.used(customer, month);
        if used >= self.limits.admitted_monthly(tier) {
            return Ok(Admission::MonthIsFull { used });
        }
        if !self.admit_in_second(state.admitted.entry(customer).or_default(), arrival.uptime) {
            return Ok(Admission::SecondIsFull { used });
        }
        state.counted.insert((customer, month), used + 1);
        Ok(Admission::Admitted(CountedCall { customer, month, used: used + 1 }))
    }

    async fn admit_uncounted(&self, customer: CustomerId, arrival: Arrival) -> Result<UncountedAdmission, PortError> {
        let mut state = self.state();
        let used = state.used(customer, arrival.month);
        let admitted = self.admit_in_second(state.admitted.entry(customer).or_default(), arrival.uptime);
        Ok(if admitted { UncountedAdmission::Admitted { used } } else { UncountedAdmission::SecondIsFull { used } })
    }

    fn keep(&self, _: CountedCall) {}

    async fn give_back(&self, call: CountedCall) -> Result<u64, PortError> {
        let mut state = self.state();
        let used = state.counted.entry((call.customer, call.month)).or_default();
        *used = used.saturating_sub(1);
        Ok(*used)
    }
}

#[async_trait]
impl AddressLimit for MeterFake {
    async fn admits(&self, address: IpAddr, uptime: Duration) -> Result<bool, PortError> {
        Ok(self.admit_in_second(self.state().from.entry(address).or_default(), uptime))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metering::contract;

    #[tokio::test]
    async fn the_fake_keeps_the_contracts() {
        contract::meter(async |limits| MeterFake::new(limits)).await;
        contract::address_limit(async |per_second| MeterFake::new(contract::limits(1, per_second))).await;
    }
}
