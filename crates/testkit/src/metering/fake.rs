use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard};

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use sports_accounts::{CalendarMonth, CustomerId, Limits, Tier};
use sports_ports::PortError;
use sports_ports::metering::{AddressLimit, Admission, CountedCall, Meter};

/// Keeps every admission in a list and counts them when asked: slow, and easy to see through.
#[derive(Debug)]
pub struct MeterFake {
    limits: Limits,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    admitted: HashMap<CustomerId, Vec<DateTime<Utc>>>,
    counted: HashMap<(CustomerId, CalendarMonth), u64>,
    from: HashMap<IpAddr, Vec<DateTime<Utc>>>,
}

impl MeterFake {
    /// Nobody has called yet. The limit per second goes for addresses, too.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self { limits, state: Mutex::default() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no test panics while it holds the fake")
    }

    fn has_room(&self, admitted: &[DateTime<Utc>], now: DateTime<Utc>) -> bool {
        let recent = admitted.iter().filter(|at| now - **at < TimeDelta::seconds(1)).count();
        recent < usize::try_from(self.limits.per_second.get()).expect("fits")
    }
}

#[async_trait]
impl Meter for MeterFake {
    async fn admit(&self, customer: CustomerId, tier: Tier, now: DateTime<Utc>) -> Result<Admission, PortError> {
        let mut state = self.state();
        let month = CalendarMonth::of(now);
        let used = state.counted.get(&(customer, month)).copied().unwrap_or_default();
        if used >= self.limits.admitted_monthly(tier) {
            return Ok(Admission::MonthIsFull { used });
        }
        let admitted = state.admitted.entry(customer).or_default();
        if !self.has_room(admitted, now) {
            return Ok(Admission::SecondIsFull { used });
        }
        admitted.push(now);
        state.counted.insert((customer, month), used + 1);
        Ok(Admission::Admitted(CountedCall { customer, month, used: used + 1 }))
    }

    async fn give_back(&self, call: CountedCall) -> Result<u64, PortError> {
        let mut state = self.state();
        let used = state.counted.entry((call.customer, call.month)).or_default();
        *used = used.saturating_sub(1);
        Ok(*used)
    }
}

#[async_trait]
impl AddressLimit for MeterFake {
    async fn admits(&self, address: IpAddr, now: DateTime<Utc>) -> Result<bool, PortError> {
        let mut state = self.state();
        let admitted = state.from.entry(address).or_default();
        let admits = self.has_room(admitted, now);
        if admits {
            admitted.push(now);
        }
        Ok(admits)
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
