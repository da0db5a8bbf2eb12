use std::fmt;
use std::net::{IpAddr, Ipv6Addr};

/// The identity of a caller without a key: an IPv4 address, or the first 64 bits of an IPv6 address, since a network
/// of 64 bits usually belongs to one customer of a provider. An IPv4 address in IPv6 form counts as the IPv4 address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CallerNetwork(IpAddr);

impl From<IpAddr> for CallerNetwork {
    fn from(address: IpAddr) -> Self {
        const FIRST_64: u128 = !0 << 64;
        Self(match address.to_canonical() {
            IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & FIRST_64).into(),
            v4 @ IpAddr::V4(_) => v4,
        })
    }
}

impl fmt::Display for CallerNetwork {
    /// Writes an address or a network, such as `192.0.2.1` or `2001:db8::/64`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            IpAddr::V4(address) => write!(f, "{address}"),
            IpAddr::V6(network) => write!(f, "{network}/64"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_is_an_address_or_64_bits_of_one() {
        let table = [
            ("192.0.2.1", "192.0.2.1"),
            ("::ffff:192.0.2.1", "192.0.2.1"),
            ("2001:db8::1", "2001:db8::/64"),
            ("2001:db8:0:0:ffff:ffff:ffff:ffff", "2001:db8::/64"),
            ("2001:db8:0:1::1", "2001:db8:0:1::/64"),
        ];
        for (address, network) in table {
            let address: IpAddr = address.parse().expect("an address");
            assert_eq!(CallerNetwork::from(address).to_string(), network, "{address}");
        }
    }
}
