use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use ipnet::IpNet;

/// The network of a client, as records keep it: the first 24 bits of an IPv4 address, or 64 of an IPv6 address. It shows
/// where a key is used without identifying one person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ClientNetwork(IpNet);

/// A text that is not the network of a client.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a network of a client")]
pub struct NotAClientNetwork;

impl From<IpAddr> for ClientNetwork {
    fn from(address: IpAddr) -> Self {
        let address = address.to_canonical();
        let bits = if address.is_ipv4() { 24 } else { 64 };
        Self(IpNet::new_assert(address, bits).trunc())
    }
}

impl fmt::Display for ClientNetwork {
    /// Writes a network such as `192.0.2.0/24` or `2001:db8::/64`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for ClientNetwork {
    type Err = NotAClientNetwork;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self).map_err(|_| NotAClientNetwork)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_has_24_bits_of_an_ipv4_address_and_64_of_another() {
        let table = [
            ("192.0.2.77", "192.0.2.0/24"),
            ("::ffff:192.0.2.77", "192.0.2.0/24"),
            ("2001:db8:0:1:ffff::1", "2001:db8:0:1::/64"),
        ];
        for (address, expected) in table {
            let network = ClientNetwork::from(address.parse::<IpAddr>().expect("an address"));
            assert_eq!((network.to_string().as_str(), expected.parse()), (expected, Ok(network)));
        }
    }
}
