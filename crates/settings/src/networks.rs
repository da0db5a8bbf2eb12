use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use ipnet::IpNet;

/// A list of addresses and networks, separated by commas: `10.0.0.0/8, 192.0.2.7`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Networks(Vec<IpNet>);

/// The error for a text that is not a list of addresses and networks of proxies. The display is the expected form.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotNetworks {
    /// A part is neither an address nor a network.
    #[error("addresses and networks, such as 10.0.0.0/8, 192.0.2.7")]
    Form,
    /// A network, alone or with its neighbours in the list, has clients in it, too.
    #[error(
        "the addresses of your proxies; {0} is wider than /{v4} (IPv4) or /{v6} (IPv6), and any client in it could make \
         up the address that its limits go by",
        v4 = Networks::WIDEST_IPV4,
        v6 = Networks::WIDEST_IPV6
    )]
    Wide(IpNet),
}

impl Networks {
    /// The prefix of the widest IPv4 network: that of `10.0.0.0/8`, the largest private network.
    pub const WIDEST_IPV4: u8 = 8;

    /// The prefix of the widest IPv6 network, that of all customers of one provider. Networks in `fc00::/7`, which are
    /// private, may be wider.
    pub const WIDEST_IPV6: u8 = 32;

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

/// Returns `true` for a network that is too wide to have nothing but proxies.
fn is_wide(network: &IpNet) -> bool {
    match network {
        IpNet::V4(network) => network.prefix_len() < Networks::WIDEST_IPV4,
        IpNet::V6(network) => {
            let is_private = network.prefix_len() >= 7 && network.addr().segments()[0] & 0xfe00 == 0xfc00;
            network.prefix_len() < Networks::WIDEST_IPV6 && !is_private
        }
    }
}

/// Parses an address or a network. A network of IPv4-mapped IPv6 addresses is the IPv4 network.
fn network(part: &str) -> Option<IpNet> {
    let network = part.parse().ok().or_else(|| part.parse::<IpAddr>().ok().map(IpNet::from))?;
    match (network.addr().to_canonical(), network.prefix_len().checked_sub(96)) {
        (IpAddr::V4(address), Some(prefix)) if network.addr().is_ipv6() => IpNet::new(address.into(), prefix).ok(),
        _ => Some(network),
    }
}

impl FromStr for Networks {
    type Err = NotNetworks;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
        let networks = parts.map(network).collect::<Option<Vec<_>>>().ok_or(NotNetworks::Form)?;
        // Neighbours in the list are one network.
        match IpNet::aggregate(&networks).into_iter().find(is_wide) {
            Some(wide) => Err(NotNetworks::Wide(wide)),
            None => Ok(Self(networks)),
        }
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
    fn a_text_of_another_form_is_refused() {
        for text in ["localhost", "10.0.0.0/33", "10.0.0", "10.0.0.1:80", "::1/129"] {
            assert_eq!(format!("10.0.0.0/8, {text}").parse::<Networks>(), Err(NotNetworks::Form), "{text}");
        }
    }

    #[test]
    fn a_network_that_has_clients_is_refused_however_it_is_written() {
        for (text, wide) in [
            ("0.0.0.0/0", "0.0.0.0/0"),
            ("10.0.0.0/7", "10.0.0.0/7"),
            ("192.0.2.7, 10.0.0.0/8, 11.0.0.0/8", "10.0.0.0/7"),
            ("0.0.0.0/1,128.0.0.0/1", "0.0.0.0/0"),
            ("::ffff:0:0/96", "0.0.0.0/0"),
            ("::/0", "::/0"),
            ("2001:db8::/31", "2001:db8::/31"),
            ("2001:db8::/32, 2001:db9::/32", "2001:db8::/31"),
            ("f000::/4", "f000::/4"),
        ] {
            let wide = wide.parse().expect("a network");
            assert_eq!(text.parse::<Networks>(), Err(NotNetworks::Wide(wide)), "{text}");
        }
        for text in ["10.0.0.0/8", "2001:db8::/32", "fc00::/7", "fd00::/8", "::ffff:10.0.0.0/104"] {
            assert!(text.parse::<Networks>().is_ok(), "{text}");
        }
        let mapped: Networks = "::ffff:10.0.0.0/104".parse().expect("networks");
        assert!(mapped.contains("10.1.2.3".parse().expect("an address")));
    }
}
