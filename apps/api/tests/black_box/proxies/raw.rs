//! Connections on which any bytes are sent.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

/// The longest wait for bytes.
const TIMEOUT: Duration = Duration::from_mins(1);

/// An answer as received.
#[derive(Debug)]
pub struct RawAnswer {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl RawAnswer {
    /// Returns all values of a header.
    pub fn headers(&self, name: &str) -> Vec<&str> {
        let lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.filter(|(found, _)| found.eq_ignore_ascii_case(name)).map(|(_, value)| value).collect()
    }
}

fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).expect("it accepts");
    stream.set_read_timeout(Some(TIMEOUT)).expect("set");
    stream
}

/// A connection with TLS.
pub struct Tls(StreamOwned<ClientConnection, TcpStream>);

impl Tls {
    /// Connects to an address, whose certificate is of the authority in a file.
    pub fn connect(address: SocketAddr, authority: &Path) -> Self {
        sports_api::prices::use_ring();
        let mut roots = RootCertStore::empty();
        roots.add(CertificateDer::from_pem_file(authority).expect("a certificate")).expect("an authority");
        let config = ClientConfig::builder().with_root_certificates(roots).with_no_client_auth();
        let name = ServerName::try_from("localhost").expect("a name");
        let client = ClientConnection::new(Arc::new(config), name).expect("a client");
        Self(StreamOwned::new(client, connect(address)))
    }

    /// Sends bytes, as far as the other side accepts them.
    pub fn send(&mut self, bytes: &[u8]) {
        // An answer may come, and the connection close, before the end of what is sent.
        drop(self.0.write_all(bytes));
    }

    /// Reads the first bytes of an answer.
    pub fn beginning(&mut self) -> String {
        let mut bytes = [0; 1024];
        let read = self.0.read(&mut bytes).expect("an answer");
        String::from_utf8_lossy(&bytes[..read]).into_owned()
    }

    /// Reads to the end.
    pub fn rest(&mut self) -> String {
        to_the_end(&mut self.0)
    }
}

/// Reads to the end, or to where the connection breaks off.
fn to_the_end(stream: &mut impl Read) -> String {
    let mut bytes = Vec::new();
    drop(stream.read_to_end(&mut bytes));
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Sends bytes without TLS; returns the answer.
pub fn sent_plainly(address: SocketAddr, bytes: &[u8]) -> RawAnswer {
    let mut stream = connect(address);
    drop(stream.write_all(bytes));
    parsed(&to_the_end(&mut stream))
}

/// Parses an answer with its head.
pub fn parsed(text: &str) -> RawAnswer {
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no head: {text:?}"));
    let status = head.strip_prefix("HTTP/1.").and_then(|rest| rest.get(2..5)?.parse().ok()).expect("a status");
    RawAnswer { status, head: head.to_owned(), body: body.to_owned() }
}
