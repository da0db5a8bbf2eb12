use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use ipnet::IpNet;

/// A list of addresses and networks, separated by commas: `10.0.0.0/8, 192.0.2.7`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Networks(Vec<IpNet>);

/// The error for a text that is not a list of addresses and networks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is neither an address nor a network")]
pub struct NotANetwork(pub String);

impl Networks {
    /// Returns true if the list is empty.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns true if the list contains an address. An IPv4-mapped IPv6 address is treated as IPv4.
    #[must_use]
    pub fn contains(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|network| network.contains(&address))
    }
}

impl FromStr for Networks {
    type Err = NotANetwork;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
        let network = |part: &str| {
            let network = part.parse().or_else(|_| part.parse::<IpAddr>().map(IpNet::from));
            network.map_err(|_| NotANetwork(part.to_owned()))
        };
        parts.map(network).collect::<Result<_, _>>().map(Self)
    }
}

impl fmt::Display for Networks {
    /// Formats the list; a network of one address is written as that address.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, network) in self.0.iter().enumerate() {
            let comma = if place == 0 { "" } else { ", " };
            if network.prefix_len() == network.max_prefix_len() {
                write!(f, "{comma}{}", network.addr())?;
            } else {
                write!(f, "{comma}{network}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_contains_its_addresses_and_networks_and_no_others() {
        let networks: Networks = "10.0.0.0/8, 192.0.2.7,2001:db8::/32 ,".parse().expect("networks");
        assert_eq!(networks.to_string(), "10.0.0.0/8, 192.0.2.7, 2001:db8::/32");
        for inside in ["10.255.0.1", "192.0.2.7", "2001:db8::1", "::ffff:10.0.0.1"] {
            assert!(networks.contains(inside.parse().expect("an address")), "{inside}");
        }
        for outside in ["11.0.0.1", "192.0.2.8", "2001:db9::1", "::1", "::ffff:11.0.0.1"] {
            assert!(!networks.contains(outside.parse().expect("an address")), "{outside}");
        }
        assert!("".parse::<Networks>().expect("none").is_empty());
    }

    #[test]
    fn anything_else_is_refused_by_name() {
        for text in ["localhost", "10.0.0.0/33", "10.0.0", "10.0.0.1:80", "::1/129"] {
            assert_eq!(format!("10.0.0.0/8, {text}").parse::<Networks>(), Err(NotANetwork(text.to_owned())));
        }
    }
}
