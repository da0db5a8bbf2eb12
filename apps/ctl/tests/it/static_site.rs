//! A service that answers with files alone.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

type Files = Arc<Mutex<BTreeMap<String, Vec<u8>>>>;
/// The paths whose next request is refused with 429.
type Busy = Arc<Mutex<BTreeSet<String>>>;
/// The paths whose requests fail with 500.
type Broken = Arc<Mutex<BTreeSet<String>>>;

/// A running service. Its thread ends with the test program.
pub struct StaticSite {
    pub url: String,
    files: Files,
    busy: Busy,
    broken: Broken,
}

impl StaticSite {
    pub fn started() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let (files, busy, broken) = (Files::default(), Busy::default(), Broken::default());
        let served = (Arc::clone(&files), Arc::clone(&busy), Arc::clone(&broken));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                // A client that goes away is no fault.
                let _ = answer(stream, &served);
            }
        });
        Self { url, files, busy, broken }
    }

    /// Puts a file in the place of what was there.
    pub fn put(&self, path: &str, bytes: impl Into<Vec<u8>>) {
        self.files.lock().expect("not poisoned").insert(path.to_owned(), bytes.into());
    }

    /// Refuses the next request for a path with 429.
    pub fn refuse_once(&self, path: &str) {
        self.busy.lock().expect("not poisoned").insert(path.to_owned());
    }

    /// Answers all requests for a path with 500.
    pub fn fail(&self, path: &str) {
        self.broken.lock().expect("not poisoned").insert(path.to_owned());
    }
}

fn answer(mut stream: TcpStream, (files, busy, broken): &(Files, Busy, Broken)) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    let request = lines.next().transpose()?.unwrap_or_default();
    while lines.next().transpose()?.is_some_and(|line| !line.is_empty()) {}
    let path = request.split(' ').nth(1).unwrap_or_default();
    if busy.lock().expect("not poisoned").remove(path) {
        let head = "HTTP/1.1 429 Too Many Requests\r\nretry-after: 0\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
        return stream.write_all(head.as_bytes());
    }
    if broken.lock().expect("not poisoned").contains(path) {
        return stream.write_all(b"HTTP/1.1 500 -\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    }
    let found = files.lock().expect("not poisoned").get(path).cloned();
    let (status, body) = found.map_or(("404 Not Found", b"nothing".to_vec()), |body| ("200 OK", body));
    write!(stream, "HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len())?;
    stream.write_all(&body)
}
