use std::net::IpAddr;
use std::time::Duration;

use futures::future::join_all;
use sports_ports::metering::AddressLimit;

fn address(text: &str) -> IpAddr {
    text.parse().expect("an address")
}

async fn admits(limit: &impl AddressLimit, from: &str, millis: u64) -> bool {
    limit.admits(address(from), Duration::from_millis(millis)).await.expect("admits answers")
}

/// Checks that the limit holds in every second, and refusals are not counted.
pub async fn an_address_has_its_limit_in_any_second(limit: &impl AddressLimit) {
    for (millis, expected) in
        [(0, true), (600, true), (900, true), (901, false), (999, false), (1_000, true), (1_599, false), (1_600, true)]
    {
        assert_eq!(admits(limit, "192.0.2.1", millis).await, expected, "at {millis} ms");
    }
}

/// Checks that each address has a separate limit.
pub async fn one_address_does_not_affect_another(limit: &impl AddressLimit) {
    for from in ["192.0.2.1", "192.0.2.2", "2001:db8::1", "2001:db8:1::1"] {
        assert!(admits(limit, from, 0).await, "{from}");
        assert!(!admits(limit, from, 1).await, "{from}");
    }
}

/// Checks that the limit holds for concurrent calls.
pub async fn racing_calls_of_an_address_stop_at_the_limit(limit: &impl AddressLimit) {
    let racing = join_all((0..80).map(|_| admits(limit, "192.0.2.1", 0))).await;
    assert_eq!(racing.into_iter().filter(|admitted| *admitted).count(), 20);
}
