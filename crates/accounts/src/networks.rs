use std::fmt;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::str::FromStr;

use ipnet::{IpNet, Ipv6Net};
use sports_domain::FormError;

/// A list of addresses and networks, separated by commas: `10.0.0.0/8, 192.0.2.7`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Networks(Vec<IpNet>);

fn not_a_network(text: &str) -> FormError {
    FormError::new(format!("`{text}` is neither an address nor a network"))
}

impl Networks {
    /// Returns true if the list is empty.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns true if the list contains an address. An IPv4-mapped IPv6 address is treated as IPv4.
    pub fn contains(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|network| network.contains(&address))
    }

    /// Returns the client behind a peer with these lines of `X-Forwarded-For`: the nearest address that is not in the list, which is
    /// one of trusted proxies.
    ///
    /// Each proxy appends its caller's address. So the lines are read backwards, as far as trusted proxies wrote them; earlier
    /// entries may be forged.
    pub fn client_behind<'a>(&self, peer: IpAddr, forwarded_for: impl IntoIterator<Item = &'a str>) -> IpAddr {
        let mut client = peer.to_canonical();
        let addresses: Vec<_> = forwarded_for.into_iter().flat_map(|line| line.split(',')).collect();
        for part in addresses.into_iter().rev() {
            if !self.contains(client) {
                break;
            }
            let Some(address) = address(part.trim()) else { break };
            client = address;
        }
        client
    }

    /// Returns true if each network of `other` is within one of these.
    pub fn cover(&self, other: &Self) -> bool {
        other.0.iter().all(|inner| self.0.iter().any(|network| network.contains(inner)))
    }

    /// Returns a network of the list, alone or joined with its neighbours there, whose prefix is shorter than `ipv4` or `ipv6`.
    /// Private networks of IPv6 may have any prefix.
    pub fn wider_than(&self, ipv4: u8, ipv6: u8) -> Option<String> {
        let is_wide = |network: &IpNet| match network {
            IpNet::V4(network) => network.prefix_len() < ipv4,
            IpNet::V6(network) => network.prefix_len() < ipv6 && !is_private(*network),
        };
        IpNet::aggregate(&self.0).iter().find(|network| is_wide(network)).map(IpNet::to_string)
    }

    /// Returns the networks of a list of texts, one network or address each.
    ///
    /// # Errors
    ///
    /// [`FormError`] with the first text that is neither an address nor a network, such as an empty one.
    pub fn each_of(texts: &[String]) -> Result<Self, FormError> {
        texts.iter().map(|text| network(text.trim())).collect::<Result<_, _>>().map(Self)
    }

    /// Returns the text of each network; a network of one address is written as that address.
    pub fn texts(&self) -> impl Iterator<Item = String> {
        self.0.iter().map(|network| {
            if network.prefix_len() == network.max_prefix_len() {
                network.addr().to_string()
            } else {
                network.to_string()
            }
        })
    }
}

/// Parses an address, with or without a port; one of version 6 may be in brackets.
fn address(text: &str) -> Option<IpAddr> {
    let bracketed = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
    let bare = bracketed.unwrap_or(text).parse();
    let bare = bare.or_else(|_| text.parse::<SocketAddr>().map(|address| address.ip()));
    bare.ok().map(|address: IpAddr| address.to_canonical())
}

/// Parses an address or a network. A network of IPv4-mapped IPv6 addresses is the IPv4 network.
fn network(text: &str) -> Result<IpNet, FormError> {
    let network: IpNet =
        text.parse().or_else(|_| text.parse::<IpAddr>().map(IpNet::from)).map_err(|_| not_a_network(text))?;
    Ok(match (network.addr().to_canonical(), network.prefix_len().checked_sub(96)) {
        (IpAddr::V4(address), Some(prefix)) if network.addr().is_ipv6() => {
            IpNet::new(address.into(), prefix).unwrap_or(network)
        }
        _ => network,
    })
}

/// Returns true for a network in `fc00::/7`, which is private.
fn is_private(network: Ipv6Net) -> bool {
    network.prefix_len() >= 7 && network.addr().segments()[0] & 0xfe00 == 0xfc00
}

impl FromStr for Networks {
    type Err = FormError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
        parts.map(network).collect::<Result<_, _>>().map(Self)
    }
}

impl fmt::Display for Networks {
    /// Formats the list; a network of one address is written as that address.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.texts().collect::<Vec<_>>().join(", "))
    }
}

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

/// The network of a client, as records keep it: the first 24 bits of an IPv4 address, or 64 of an IPv6 address. It shows
/// where a key is used without identifying one person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ClientNetwork(IpNet);

const NOT_A_CLIENT_NETWORK: FormError = FormError::fixed("not a network of a client");

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
    type Err = FormError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self).map_err(|_| NOT_A_CLIENT_NETWORK)
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
            assert_eq!(format!("10.0.0.0/8, {text}").parse::<Networks>(), Err(not_a_network(text)));
        }
    }

    #[test]
    fn a_list_covers_networks_within_its_own_and_no_wider_ones() {
        let networks = |text: &str| text.parse::<Networks>().expect("networks");
        let wide = networks("10.0.0.0/8, 2001:db8::/32");
        for inner in ["10.1.0.0/16", "10.2.3.4, 2001:db8:1::/48", "10.0.0.0/8"] {
            assert!(wide.cover(&networks(inner)), "{inner}");
        }
        for wider in ["10.0.0.0/7", "11.0.0.0/8", "10.2.3.4, 192.0.2.1", "::/0"] {
            assert!(!wide.cover(&networks(wider)), "{wider}");
        }
    }

    #[test]
    fn each_text_of_a_list_is_one_network() {
        let each = |texts: &[&str]| Networks::each_of(&texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>());
        assert_eq!(each(&["10.0.0.0/8", " ::ffff:192.0.2.7 "]), Ok("10.0.0.0/8, 192.0.2.7".parse().expect("networks")));
        for text in ["", "10.0.0.0/8, 192.0.2.7"] {
            assert_eq!(each(&["10.0.0.1", text]), Err(not_a_network(text)));
        }
    }

    #[test]
    fn a_network_is_wide_however_it_is_written() {
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
            let networks: Networks = text.parse().expect("networks");
            assert_eq!(networks.wider_than(8, 32).as_deref(), Some(wide), "{text}");
        }
        for text in ["10.0.0.0/8", "2001:db8::/32", "fc00::/7", "fd00::/8", "::ffff:10.0.0.0/104"] {
            let networks: Networks = text.parse().expect("networks");
            assert_eq!(networks.wider_than(8, 32), None, "{text}");
        }
        let mapped: Networks = "::ffff:10.0.0.0/104".parse().expect("networks");
        assert!(mapped.contains("10.1.2.3".parse().expect("an address")));
    }

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
