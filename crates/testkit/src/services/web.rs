//! A web server for stand-ins: one request per connection, on a thread each.

use std::io::{BufRead, BufReader, Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

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
