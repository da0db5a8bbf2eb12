//! Temporary servers for tests, and faults in the network between them and a program.
//!
//! A server listens on a free loopback port and ends with the test that started it, even if the test is killed. If its
//! program is not installed, the test prints a note and is skipped; with `REQUIRE_SERVICES` set, it fails.

mod network;
mod postgres;
mod redis;
#[cfg(feature = "s3")]
mod s3;
mod timestamps;
mod witness;

use std::io::{BufRead, BufReader, Read as _, Write as _};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicUsize, Ordering};
use std::time::Duration;
use std::{env, fs};

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair, KeyUsagePurpose, date_time_ymd};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

pub use network::{Condition, Network};
pub use postgres::Postgres;
pub use redis::Redis;
#[cfg(feature = "s3")]
pub use s3::S3Server;
pub use timestamps::{TimestampAuthority, TimestampBehaviour, TimestampStandIn};
pub use witness::{WitnessBehaviour, WitnessStandIn};

/// The ports of servers of tests. The system gives higher ones to connections and to listeners without a port of their own.
const PORTS: std::ops::Range<u16> = 10_000..32_000;

/// Returns an address of this machine for a program that will listen there; `None` if the machine has no such host.
///
/// No connection of a test takes its port meanwhile, and no other test gets it.
///
/// # Panics
///
/// Panics if no port is free.
pub fn free_address(host: impl Into<IpAddr>) -> Option<SocketAddr> {
    static GIVEN: AtomicU16 = AtomicU16::new(0);
    let host = host.into();
    TcpListener::bind((host, 0)).ok()?;
    // Processes begin at places of their own.
    let first = u16::try_from(std::process::id().wrapping_mul(101) % 65_536).unwrap_or_default();
    let number = PORTS.end - PORTS.start;
    for _ in 0..number {
        let place = first.wrapping_add(GIVEN.fetch_add(1, Ordering::Relaxed)) % number;
        let address = SocketAddr::from((host, PORTS.start + place));
        if TcpListener::bind(address).is_ok() {
            return Some(address);
        }
    }
    panic!("no port is free")
}

/// A certificate authority of one test and its certificate for this machine, as files.
pub struct Certificates {
    folder: tempfile::TempDir,
}

impl Certificates {
    /// Creates certificates for `localhost` and `127.0.0.1`.
    ///
    /// # Panics
    ///
    /// Panics if they cannot be created.
    pub fn fresh() -> Self {
        Self::of(|_| {})
    }

    /// Creates certificates with a server certificate that expired in 1976.
    ///
    /// # Panics
    ///
    /// Panics if they cannot be created.
    pub fn expired() -> Self {
        Self::of(|server| {
            server.not_before = date_time_ymd(1975, 1, 1);
            server.not_after = date_time_ymd(1976, 1, 1);
        })
    }

    fn of(change: impl FnOnce(&mut CertificateParams)) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let key = || KeyPair::generate().expect("a key");
        let mut authority = CertificateParams::default();
        authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        authority.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::DigitalSignature];
        let authority = CertifiedIssuer::self_signed(authority, key()).expect("an authority");
        let server_key = key();
        let names = ["localhost".to_owned(), "127.0.0.1".to_owned()];
        let mut server = CertificateParams::new(names).expect("names");
        change(&mut server);
        let server = server.signed_by(&server_key, &authority);
        let certificates = Self { folder };
        fs::write(certificates.authority(), authority.pem()).expect("written");
        fs::write(certificates.server(), server.expect("signed").pem()).expect("written");
        fs::write(certificates.server_key(), server_key.serialize_pem()).expect("written");
        certificates
    }

    /// Returns the path of the authority's certificate, for `SSL_CERT_FILE` of a program that must trust it.
    pub fn authority(&self) -> PathBuf {
        self.folder.path().join("authority.pem")
    }

    /// Returns the path of the server's certificate.
    pub fn server(&self) -> PathBuf {
        self.folder.path().join("server.pem")
    }

    /// Returns the path of the server's key.
    pub fn server_key(&self) -> PathBuf {
        self.folder.path().join("server.key")
    }

    /// Returns an acceptor of TLS connections with the server's certificate.
    fn acceptor(&self) -> TlsAcceptor {
        let certificate = CertificateDer::from_pem_file(self.server()).expect("a certificate");
        let key = PrivateKeyDer::from_pem_file(self.server_key()).expect("a key");
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .expect("versions")
            .with_no_client_auth()
            .with_single_cert(vec![certificate], key);
        TlsAcceptor::from(Arc::new(config.expect("a certificate with its key")))
    }
}

/// A shell script that ends the program when the pipe to its standard input closes, even if the test was killed.
const GUARD: &str = r#"exec 3<&0; signal=$1; shift; "$@" </dev/null >/dev/null & pid=$!; echo $pid; exec >/dev/null
(cat <&3; kill -s "$signal" $pid) 2>/dev/null & wait $pid"#;

/// A program that ends when this value is dropped, and at the latest with the test.
pub struct Process {
    guard: Child,
    id: u32,
}

impl Process {
    /// Starts a command that is later ended by a signal, such as `KILL`. Its standard error is the test's.
    ///
    /// # Panics
    /// Panics if the command cannot be started.
    pub fn start(command: &Command, ended_by: &str) -> Self {
        let mut guarded = Command::new("sh");
        guarded.args(["-c", GUARD, "guard", ended_by]).arg(command.get_program()).args(command.get_args());
        for (name, value) in command.get_envs() {
            match value {
                Some(value) => guarded.env(name, value),
                None => guarded.env_remove(name),
            };
        }
        if let Some(folder) = command.get_current_dir() {
            guarded.current_dir(folder);
        }
        let mut guard = guarded.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("a shell starts");
        let mut line = String::new();
        BufReader::new(guard.stdout.take().expect("piped")).read_line(&mut line).expect("the shell prints");
        let id = line.trim().parse().expect("a process id");
        Self { guard, id }
    }

    /// Returns the process id of the program.
    pub const fn id(&self) -> u32 {
        self.id
    }

    /// Sends the program a signal, such as `STOP`.
    ///
    /// # Panics
    ///
    /// Panics if the signal cannot be sent.
    pub fn signal(&self, name: &str) {
        let sent = Command::new("kill").args(["-s", name, &self.id.to_string()]).status();
        assert!(sent.is_ok_and(|status| status.success()), "kill -s {name}");
    }

    /// Ends the program by a signal, and waits for its end.
    ///
    /// # Panics
    ///
    /// Panics if the signal cannot be sent.
    pub fn end_by(mut self, signal: &str) {
        // The guard sends its own signal once its input closes.
        let _input = self.guard.stdin.take();
        self.signal(signal);
        let _ = self.guard.wait();
    }

    /// Ends the program and waits for its end.
    pub fn end(self) {
        drop(self);
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.guard.stdin.take());
        // A stopped process handles its signal once it continues.
        let _ = Command::new("kill").args(["-s", "CONT", &self.id.to_string()]).stderr(Stdio::null()).status();
        let _ = self.guard.wait();
    }
}

/// Returns the path of a program, from the search path or one of these folders; `None` if it is not installed.
///
/// # Panics
///
/// Panics if the program is not installed and `REQUIRE_SERVICES` is set.
pub fn installed(program: &str, folders: &[PathBuf]) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let places = env::split_paths(&path).chain(folders.iter().cloned());
    let found = places.map(|folder| folder.join(program)).find(|file| file.is_file());
    if found.is_none() {
        assert!(env::var_os("REQUIRE_SERVICES").is_none(), "there is no `{program}` on this machine");
        eprintln!("skipped: there is no `{program}` on this machine");
    }
    found
}

// A web server for stand-ins: one request per connection, on a thread each.

/// A request that a stand-in received.
#[derive(Debug, Clone)]
pub struct WebRequest {
    /// The method and the path, such as `POST /add-checkpoint`.
    pub target: String,
    /// The value of the `Content-Type` header.
    pub content_type: String,
    pub body: Vec<u8>,
}

/// An answer of a stand-in.
#[derive(Debug, Clone)]
pub struct WebAnswer {
    pub status: u16,
    /// A header beside the length: a name and a value.
    pub header: (&'static str, String),
    pub body: Vec<u8>,
    /// The delay before the answer.
    pub after: Duration,
}

impl WebAnswer {
    /// Creates an answer with a body, without delay.
    pub fn new(status: u16, content_type: &str, body: impl Into<Vec<u8>>) -> Self {
        let header = ("Content-Type", content_type.to_owned());
        Self { status, header, body: body.into(), after: Duration::ZERO }
    }
}

/// A server on a free port of this machine, which stops when it is dropped.
#[derive(Debug)]
pub struct WebServer {
    address: SocketAddr,
    requests: Arc<AtomicUsize>,
    is_stopped: Arc<AtomicBool>,
}

impl WebServer {
    /// Listens on a free port, and answers with the result of `answer`.
    ///
    /// # Panics
    ///
    /// Panics if no port is free.
    pub fn start(answer: impl Fn(&WebRequest) -> WebAnswer + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
        let address = listener.local_addr().expect("an address");
        let (requests, is_stopped) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
        let (answer, count, stopped) = (Arc::new(answer), Arc::clone(&requests), Arc::clone(&is_stopped));
        std::thread::spawn(move || {
            for connection in listener.incoming().flatten() {
                if stopped.load(Ordering::SeqCst) {
                    return;
                }
                let (answer, count) = (Arc::clone(&answer), Arc::clone(&count));
                // A client may disconnect at any time.
                std::thread::spawn(move || drop(serve(&connection, &*answer, &count)));
            }
        });
        Self { address, requests, is_stopped }
    }

    /// Returns the base address, such as `http://127.0.0.1:41234`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Returns the number of received requests.
    pub fn requests(&self) -> usize {
        self.requests.load(Ordering::SeqCst)
    }
}

impl Drop for WebServer {
    fn drop(&mut self) {
        self.is_stopped.store(true, Ordering::SeqCst);
        // Wakes the thread, which then closes the port.
        drop(TcpStream::connect(self.address));
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "a slow server has a thread of its own, which a test's clock does not move"
)]
fn serve(
    connection: &TcpStream,
    answer: &(impl Fn(&WebRequest) -> WebAnswer + ?Sized),
    requests: &AtomicUsize,
) -> std::io::Result<()> {
    let mut reader = BufReader::new(connection);
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 || line.trim_end().is_empty() {
            break;
        }
        lines.push(line.trim_end().to_owned());
    }
    let header = |name: &str| {
        let found = lines.iter().filter_map(|line| line.split_once(": "));
        found.filter(|(given, _)| given.eq_ignore_ascii_case(name)).map(|(_, value)| value.to_owned()).next()
    };
    let length = header("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let target = lines.first().map(|line| line.trim_end_matches(" HTTP/1.1").to_owned()).unwrap_or_default();
    requests.fetch_add(1, Ordering::SeqCst);
    let content_type = header("content-type").unwrap_or_default();
    let WebAnswer { status, header: (name, value), body, after } = answer(&WebRequest { target, content_type, body });
    std::thread::sleep(after);
    let mut writer = connection;
    write!(
        writer,
        "HTTP/1.1 {status} -\r\n{name}: {value}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    )?;
    writer.write_all(&body)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(id: u32) -> bool {
        Command::new("kill")
            .args(["-s", "0", &id.to_string()])
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|s| s.success())
    }

    #[test]
    fn a_process_ends_with_its_value() {
        let mut command = Command::new("sleep");
        command.arg("600");
        let process = Process::start(&command, "TERM");
        let id = process.id();
        assert!(runs(id));
        process.signal("STOP");
        drop(process);
        assert!(!runs(id));
    }
}
