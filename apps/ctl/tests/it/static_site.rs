//! A service that answers with files alone.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

type Files = Arc<Mutex<BTreeMap<String, Vec<u8>>>>;

/// A running service. Its thread ends with the test program.
pub struct StaticSite {
    pub url: String,
    files: Files,
}

impl StaticSite {
    pub fn started() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let files = Files::default();
        let served = Arc::clone(&files);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                // A client that goes away is no fault.
                let _ = answer(stream, &served);
            }
        });
        Self { url, files }
    }

    /// Puts a file in the place of what was there.
    pub fn put(&self, path: &str, bytes: impl Into<Vec<u8>>) {
        self.files.lock().expect("not poisoned").insert(path.to_owned(), bytes.into());
    }
}

fn answer(mut stream: TcpStream, files: &Files) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    let request = lines.next().transpose()?.unwrap_or_default();
    while lines.next().transpose()?.is_some_and(|line| !line.is_empty()) {}
    let path = request.split(' ').nth(1).unwrap_or_default();
    let found = files.lock().expect("not poisoned").get(path).cloned();
    let (status, body) = found.map_or(("404 Not Found", b"nothing".to_vec()), |body| ("200 OK", body));
    write!(stream, "HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len())?;
    stream.write_all(&body)
}
