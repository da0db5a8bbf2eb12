use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use sports_accounts::{CallerNetwork, SlidingSecond};
use sports_ports::PortError;
use sports_ports::metering::AddressLimit;

/// A limit on callers without a key, by their address.
///
/// Addresses of one [`CallerNetwork`] share its limit. Addresses that are idle for a second are evicted when new ones are
/// inserted.
#[derive(Debug)]
pub struct LocalAddressLimit {
    per_second: NonZeroU32,
    hasher: RandomState,
    shards: [Mutex<Shard>; Self::SHARDS],
}

/// Some of the addresses, behind a lock that is held for one lookup.
#[derive(Debug, Default)]
struct Shard {
    seconds: HashMap<CallerNetwork, SlidingSecond>,
    sweep_at: usize,
}

impl LocalAddressLimit {
    const SHARDS: usize = 16;

    /// The number of addresses from which a shard evicts idle ones.
    const FEW: usize = 64;

    /// Returns a limit of `per_second` calls a second from each address.
    pub fn new(per_second: NonZeroU32) -> Self {
        Self { per_second, hasher: RandomState::new(), shards: <[Mutex<Shard>; Self::SHARDS]>::default() }
    }

    fn shard(&self, caller: CallerNetwork) -> &Mutex<Shard> {
        let [first, ..] = self.hasher.hash_one(caller).to_ne_bytes();
        &self.shards[usize::from(first) % Self::SHARDS]
    }
}

impl Shard {
    fn admits(&mut self, caller: CallerNetwork, per_second: NonZeroU32, now: Duration) -> bool {
        if self.seconds.len() >= self.sweep_at.max(LocalAddressLimit::FEW) {
            self.seconds.retain(|_, second| !second.is_idle(now));
            self.sweep_at = 2 * self.seconds.len();
        }
        self.seconds.entry(caller).or_insert_with(|| SlidingSecond::new(per_second)).admit(now).is_some()
    }
}

#[async_trait]
impl AddressLimit for LocalAddressLimit {
    async fn admits(&self, address: IpAddr, uptime: Duration) -> Result<bool, PortError> {
        let caller = address.into();
        let mut shard = self.shard(caller).lock().unwrap_or_else(PoisonError::into_inner);
        Ok(shard.admits(caller, self.per_second, uptime))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit() -> LocalAddressLimit {
        LocalAddressLimit::new(NonZeroU32::MIN)
    }

    async fn admits(limit: &LocalAddressLimit, address: &str, millis: u64) -> bool {
        limit.admits(address.parse().expect("an address"), Duration::from_millis(millis)).await.expect("answers")
    }

    #[tokio::test]
    async fn all_of_an_ipv6_network_is_one_caller() {
        let limit = limit();
        assert!(admits(&limit, "2001:db8::1", 0).await);
        assert!(!admits(&limit, "2001:db8::ffff:1", 0).await);
        assert!(admits(&limit, "2001:db8:0:1::1", 0).await);
    }

    #[tokio::test]
    async fn an_ipv4_address_in_ipv6_form_is_the_same_caller() {
        let limit = limit();
        assert!(admits(&limit, "192.0.2.1", 0).await);
        assert!(!admits(&limit, "::ffff:192.0.2.1", 0).await);
    }

    #[tokio::test]
    async fn idle_addresses_are_forgotten_and_active_ones_kept() {
        let limit = limit();
        for round in 0..50 {
            for number in 0..1_000 {
                assert!(admits(&limit, &format!("10.{round}.{}.{}", number / 250, number % 250), round * 2_000).await);
            }
            assert!(!admits(&limit, &format!("10.{round}.0.7"), round * 2_000 + 999).await, "round {round}");
        }
        let held: usize = limit.shards.iter().map(|shard| shard.lock().expect("whole").seconds.len()).sum();
        assert!(held < 5_000, "{held} of 50,000 addresses are still held");
    }
}
