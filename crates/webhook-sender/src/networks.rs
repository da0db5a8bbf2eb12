use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use sports_accounts::Networks;

/// Networks that are no part of the public internet (IANA's special-purpose registries), and multicast.
const SPECIAL: &str = "0.0.0.0/8, 10.0.0.0/8, 100.64.0.0/10, 127.0.0.0/8, 169.254.0.0/16, 172.16.0.0/12, 192.0.0.0/24, \
    192.0.2.0/24, 192.88.99.0/24, 192.168.0.0/16, 198.18.0.0/15, 198.51.100.0/24, 203.0.113.0/24, 224.0.0.0/4, 240.0.0.0/4, \
    ::/128, ::1/128, 64:ff9b:1::/48, 100::/64, 2001::/23, 2001:db8::/32, 3fff::/20, 5f00::/16, fc00::/7, fe80::/10, fec0::/10, \
    ff00::/8";

/// The networks that deliveries go to.
pub(crate) struct ReachableNetworks {
    /// `None` stands for all networks.
    special: Option<Networks>,
    /// Networks that the operator allows although they are special.
    allowed: Networks,
}

impl ReachableNetworks {
    pub(crate) fn new(allowed: Networks) -> Self {
        Self { special: SPECIAL.parse().ok(), allowed }
    }

    /// Returns `true` if deliveries may go to an address.
    pub(crate) fn contain(&self, address: IpAddr) -> bool {
        self.allowed.contains(address) || !self.is_special(address)
    }

    fn is_special(&self, address: IpAddr) -> bool {
        let inner = match address.to_canonical() {
            IpAddr::V4(_) => None,
            IpAddr::V6(address) => embedded(address),
        };
        let Some(special) = &self.special else { return true };
        special.contains(address) || inner.is_some_and(|inner| special.contains(inner.into()))
    }
}

/// Returns the IPv4 address that an IPv6 address leads to: by NAT64, 6to4, SIIT, or as "IPv4-compatible".
fn embedded(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let of = |high: u16, low: u16| Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low));
    match address.segments() {
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] | [0, 0, 0, 0, 0 | 0xffff, 0, high, low] | [0x2002, high, low, ..] => {
            Some(of(high, low))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contain(networks: &ReachableNetworks, address: &str) -> bool {
        networks.contain(address.parse().expect("an address"))
    }

    #[test]
    fn addresses_of_special_networks_are_refused_in_every_form() {
        let networks = ReachableNetworks::new(Networks::default());
        for refused in [
            "127.0.0.1",
            "127.255.255.254",
            "0.0.0.0",
            "0.1.2.3",
            "10.1.2.3",
            "172.16.0.1",
            "172.31.255.255",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "100.127.255.255",
            "198.18.0.1",
            "198.19.255.255",
            "224.0.0.1",
            "239.1.1.1",
            "240.0.0.1",
            "255.255.255.255",
            "192.0.2.1",
            "::",
            "::1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "::127.0.0.1",
            "::ffff:0:10.0.0.1",
            "::ffff:169.254.169.254",
            "64:ff9b::7f00:1",
            "64:ff9b::10.0.0.1",
            "64:ff9b:1::1",
            "2002:7f00:1::",
            "fc00::1",
            "fd12:3456::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
            "2001:db8::1",
            "2001::1",
        ] {
            assert!(!contain(&networks, refused), "{refused}");
        }
        for public in [
            "8.8.8.8",
            "1.1.1.1",
            "172.15.255.255",
            "172.32.0.1",
            "100.63.255.255",
            "100.128.0.1",
            "198.17.255.255",
            "198.20.0.1",
            "::ffff:8.8.8.8",
            "64:ff9b::8.8.8.8",
            "2606:4700::1111",
            "2a00:1450::1",
            "2002:808:808::1",
        ] {
            assert!(contain(&networks, public), "{public}");
        }
    }

    #[test]
    fn the_operator_allows_networks_one_by_one() {
        let networks = ReachableNetworks::new("127.0.0.0/8".parse().expect("networks"));
        assert!(contain(&networks, "127.0.0.1") && contain(&networks, "::ffff:127.0.0.1"));
        assert!(!contain(&networks, "10.0.0.1") && !contain(&networks, "::1"));
    }

    #[test]
    fn the_list_of_special_networks_reads() {
        assert!(!SPECIAL.parse::<Networks>().expect("networks").is_empty());
    }
}
