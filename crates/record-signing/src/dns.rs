//! The texts of a DNS name, in which publishers announce their keys.

use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;

use hickory_resolver::config::{NameServerConfig, ResolverConfig};
use hickory_resolver::net::NetError;
use hickory_resolver::net::runtime::TokioRuntimeProvider;
use hickory_resolver::proto::rr::RData;
use hickory_resolver::{Resolver, TokioResolver};
use sports_domain::FormError;

const PORT: u16 = 53;

/// A name whose TXT records are read, as a `dns:` address (RFC 4501): `dns:NAME`, or `dns://SERVER/NAME` by one server, an IP address
/// with or without a port. Answers are not authenticated: DNSSEC is the business of the server that is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DnsTexts {
    name: String,
    server: Option<SocketAddr>,
}

const NOT_DNS: FormError =
    FormError::fixed("a name such as dns:_sports-record.example.com, or dns://192.0.2.1/NAME to ask one server");

impl DnsTexts {
    /// Returns the texts of the name; the strings of a record are put together. A name without such a record has none.
    ///
    /// # Errors
    ///
    /// [`NetError`] if no server answers.
    pub async fn read(&self) -> Result<Vec<String>, NetError> {
        // The name is whole: no domain of this machine is put behind it.
        let name = format!("{}.", self.name.trim_end_matches('.'));
        let found = match self.resolver()?.txt_lookup(name).await {
            Err(error) if error.is_no_records_found() => return Ok(Vec::new()),
            found => found?,
        };
        let text = |data: &RData| match data {
            RData::TXT(text) => Some(String::from_utf8_lossy(&text.txt_data.concat()).into_owned()),
            _ => None,
        };
        Ok(found.answers().iter().filter_map(|record| text(&record.data)).collect())
    }

    fn resolver(&self) -> Result<TokioResolver, NetError> {
        let Some(server) = self.server else { return Resolver::builder_tokio()?.build() };
        let mut named = NameServerConfig::udp_and_tcp(server.ip());
        for connection in &mut named.connections {
            connection.port = server.port();
        }
        let config = ResolverConfig::from_name_servers(vec![named]);
        Resolver::builder_with_config(config, TokioRuntimeProvider::default()).build()
    }
}

impl FromStr for DnsTexts {
    type Err = FormError;

    fn from_str(text: &str) -> Result<Self, FormError> {
        let rest = text.strip_prefix("dns:").ok_or(NOT_DNS)?;
        let (server, name) = match rest.strip_prefix("//") {
            Some(rest) => {
                let (server, name) = rest.split_once('/').ok_or(NOT_DNS)?;
                let address = server.parse::<SocketAddr>();
                let address = address.or_else(|_| server.parse::<IpAddr>().map(|ip| SocketAddr::new(ip, PORT)));
                (Some(address.map_err(|_| NOT_DNS)?), name)
            }
            None => (None, rest),
        };
        let is_label = |label: &str| {
            let is_symbol = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
            !label.is_empty() && label.len() < 64 && label.bytes().all(is_symbol)
        };
        let is_name = name.len() < 254 && name.trim_end_matches('.').split('.').all(is_label);
        if is_name { Ok(Self { name: name.to_owned(), server }) } else { Err(NOT_DNS) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_have_a_server() {
        let read = |text: &str| text.parse::<DnsTexts>().map(|it| (it.name, it.server.map(|it| it.to_string())));
        let name = "_sports-record.example.com".to_owned();
        assert_eq!(read("dns:_sports-record.example.com"), Ok((name.clone(), None)));
        for (text, server) in [
            ("dns://192.0.2.1/_sports-record.example.com", "192.0.2.1:53"),
            ("dns://192.0.2.1:5353/_sports-record.example.com", "192.0.2.1:5353"),
            ("dns://[2001:db8::1]:53/_sports-record.example.com", "[2001:db8::1]:53"),
        ] {
            assert_eq!(read(text), Ok((name.clone(), Some(server.to_owned()))), "{text}");
        }
        let long = format!("dns:{}.com", "a".repeat(64));
        for text in
            ["", "dns:", "dns:a..b", "dns:a b", "dns://one.one.one.one/a", "dns://192.0.2.1", "dns:a?type=A", &long]
        {
            assert_eq!(read(text), Err(NOT_DNS), "{text}");
        }
    }
}
