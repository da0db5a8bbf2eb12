use std::net::{IpAddr, Ipv4Addr};

use actix_web::HttpRequest;
use actix_web::dev::RequestHead;
use actix_web::http::header::HOST;
use actix_web::http::uri::Authority;
use actix_web::web::Data;
use sports_accounts::Networks;
use sports_program::settings::{Http, ServiceUrl};

use crate::connection::ListenAddress;

/// The trusted proxies and the public address of the service, as the operator set them. The default has neither.
#[derive(Debug, Clone, Default)]
pub struct ProxyTrust {
    trusted_proxies: Networks,
    public_url: Option<ServiceUrl>,
}

impl ProxyTrust {
    pub fn from_settings(http: &Http) -> Self {
        Self { trusted_proxies: http.trusted_proxies.clone(), public_url: http.public_url.clone() }
    }

    /// Returns true for the address of a trusted proxy.
    pub fn trusts(&self, address: IpAddr) -> bool {
        self.trusted_proxies.contains(address)
    }

    /// Returns the address of the client that sent a request: the nearest address that is no trusted proxy.
    pub fn client_address(request: &HttpRequest) -> IpAddr {
        Self::address_behind(request.app_data::<Data<Self>>().map(Data::get_ref), request.head())
    }

    /// Returns the address of the client that sent a request with this head, for who trusts some proxies or none.
    pub fn address_behind(trust: Option<&Self>, head: &RequestHead) -> IpAddr {
        let peer = head.peer_addr.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.ip()).to_canonical();
        let Some(trust) = trust else { return peer };
        let lines = head.headers.get_all("x-forwarded-for").filter_map(|line| line.to_str().ok());
        trust.client(peer, lines)
    }

    /// Returns the address of the client behind a peer with these lines of `X-Forwarded-For`.
    fn client<'a>(&self, peer: IpAddr, forwarded_for: impl IntoIterator<Item = &'a str>) -> IpAddr {
        self.trusted_proxies.client_behind(peer, forwarded_for)
    }

    /// Returns the base address of the service, without a slash at the end: the public address if it is set, else the address
    /// that the request was sent to, which a trusted proxy may name in `X-Forwarded-Proto` and `X-Forwarded-Host`.
    pub fn base_url(request: &HttpRequest) -> String {
        let trust = request.app_data::<Data<Self>>();
        if let Some(url) = trust.and_then(|trust| trust.public_url.as_ref()) {
            return url.to_string();
        }
        let peer = request.peer_addr().map(|peer| peer.ip());
        let trusted = trust.zip(peer).is_some_and(|(trust, peer)| trust.trusted_proxies.contains(peer));
        let forwarded = |name: &str| text(request, name).filter(|_| trusted);
        let listens_on = request.conn_data::<ListenAddress>();
        let scheme = forwarded("x-forwarded-proto").filter(|scheme| *scheme == "https");
        let scheme = scheme.unwrap_or(listens_on.map_or("http", |listens_on| listens_on.scheme));
        // HTTP/2 has the host in the address.
        let requested = || text(request, HOST.as_str()).or_else(|| request.uri().authority().map(Authority::as_str));
        let host = forwarded("x-forwarded-host").or_else(requested).filter(|host| is_host(host));
        let local = listens_on.map_or_else(|| request.app_config().local_addr(), |listens_on| listens_on.address);
        let local = local.to_string();
        format!("{scheme}://{}", host.unwrap_or(&local))
    }
}

fn text<'a>(request: &'a HttpRequest, name: &str) -> Option<&'a str> {
    request.headers().get(name)?.to_str().ok()
}

/// Returns true if a text can be the host of a link.
fn is_host(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-_:[]".contains(&byte))
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use std::net::SocketAddr;

    use super::*;

    fn trusting(proxies: &str, public_url: Option<&str>) -> Data<ProxyTrust> {
        let trusted_proxies = proxies.parse().expect("networks");
        let public_url = public_url.map(|url| ServiceUrl::new(url, &ServiceUrl::WEB).expect("an address"));
        Data::new(ProxyTrust { trusted_proxies, public_url })
    }

    fn from(peer: &str, forwarded: &[&str]) -> TestRequest {
        let address = SocketAddr::new(peer.parse().expect("an address"), 40_000);
        let request = TestRequest::default().peer_addr(address);
        forwarded.iter().fold(request, |request, line| request.append_header(("X-Forwarded-For", *line)))
    }

    #[test]
    fn forwarded_addresses_count_as_far_as_trusted_proxies_wrote_them() {
        let table: [(&str, &str, &[&str], &str); 17] = [
            ("", "192.0.2.1", &[], "192.0.2.1"),
            ("", "192.0.2.1", &["203.0.113.9"], "192.0.2.1"),
            ("10.0.0.0/8", "192.0.2.1", &["203.0.113.9"], "192.0.2.1"),
            ("10.0.0.0/8", "10.0.0.1", &[], "10.0.0.1"),
            ("10.0.0.0/8", "10.0.0.1", &["203.0.113.9"], "203.0.113.9"),
            // The client made the first one up; the proxy added the second.
            ("10.0.0.0/8", "10.0.0.1", &["198.51.100.7, 203.0.113.9"], "203.0.113.9"),
            ("10.0.0.0/8", "10.0.0.1", &["198.51.100.7", "203.0.113.9"], "203.0.113.9"),
            ("10.0.0.0/8", "10.0.0.1", &["203.0.113.9, 10.0.0.2"], "203.0.113.9"),
            ("10.0.0.0/8", "10.0.0.1", &["198.51.100.7, 10.9.9.9, 203.0.113.9, 10.0.0.2"], "203.0.113.9"),
            ("10.0.0.0/8", "10.0.0.1", &["10.0.0.3, 10.0.0.2"], "10.0.0.3"),
            ("10.0.0.0/8", "10.0.0.1", &["203.0.113.9, unknown"], "10.0.0.1"),
            ("10.0.0.0/8", "10.0.0.1", &["203.0.113.9:51234"], "203.0.113.9"),
            ("::1", "::1", &["[2001:db8::7]:443"], "2001:db8::7"),
            ("::1", "::1", &["[2001:db8::7]"], "2001:db8::7"),
            ("10.0.0.0/8", "10.0.0.1", &["198.51.100.7:1, 203.0.113.9:501, 10.0.0.2:501"], "203.0.113.9"),
            ("10.0.0.0/8", "10.0.0.1", &["203.0.113.9:70000"], "10.0.0.1"),
            ("127.0.0.1", "::ffff:127.0.0.1", &["::ffff:203.0.113.9"], "203.0.113.9"),
        ];
        for (proxies, peer, forwarded, expected) in table {
            let request = from(peer, forwarded).app_data(trusting(proxies, None)).to_http_request();
            let found = ProxyTrust::client_address(&request);
            assert_eq!(found, expected.parse::<IpAddr>().expect("an address"), "{peer} {forwarded:?}");
        }
        let unset = from("10.0.0.1", &["203.0.113.9"]).to_http_request();
        assert_eq!(ProxyTrust::client_address(&unset), "10.0.0.1".parse::<IpAddr>().expect("an address"));
    }

    #[test]
    fn links_start_with_the_public_address_else_with_the_requested_host() {
        let request = |peer: &str, proxies: &str, public_url: Option<&str>, headers: &[(&'static str, &str)]| {
            let request = from(peer, &[]).app_data(trusting(proxies, public_url));
            let request = headers.iter().fold(request, |request, header| request.insert_header(*header));
            ProxyTrust::base_url(&request.to_http_request())
        };
        let (host, proto) = (("host", "api.example.com:8080"), ("x-forwarded-proto", "https"));
        let forwarded = ("x-forwarded-host", "public.example.com");
        assert_eq!(request("10.0.0.1", "", Some("https://a.example/x"), &[host]), "https://a.example/x");
        assert_eq!(request("10.0.0.1", "", None, &[host]), "http://api.example.com:8080");
        assert_eq!(request("10.0.0.1", "", None, &[host, proto, forwarded]), "http://api.example.com:8080");
        assert_eq!(request("10.0.0.1", "10.0.0.1", None, &[host, proto]), "https://api.example.com:8080");
        assert_eq!(request("10.0.0.1", "10.0.0.1", None, &[host, proto, forwarded]), "https://public.example.com");
        assert_eq!(request("10.0.0.1", "", None, &[("host", "a.example/evil?")]), "http://127.0.0.1:8080");
    }
}
