//! A door in a folder of its own, and a client of it that shares no code with it.

use std::fmt::Write as _;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, ExitStatus};
use std::thread::sleep;
use std::time::Duration;

use serde_json::Value;
use sports_testkit::programs::{Server, TestFolder};

use crate::support::run_json;

pub struct Door {
    pub place: TestFolder,
    pub token: String,
    pub token_id: String,
    server: Option<Server>,
}

/// A request, ready to be sent.
#[derive(Clone)]
pub struct Request {
    pub method: String,
    pub path: String,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Request {
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.retain(|(known, _)| known != name);
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub fn keyed(self, key: &str) -> Self {
        self.with("Idempotency-Key", key)
    }

    /// The bytes of the request.
    pub fn bytes(&self) -> Vec<u8> {
        let mut head = format!("{} {} HTTP/1.1\r\nHost: door\r\nConnection: close\r\n", self.method, self.path);
        for (name, value) in &self.headers {
            write!(head, "{name}: {value}\r\n").expect("a text");
        }
        write!(head, "Content-Length: {}\r\n\r\n", self.body.len()).expect("a text");
        [head.as_bytes(), &self.body].concat()
    }
}

#[derive(Debug)]
pub struct Response {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl Response {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    pub fn header(&self, name: &str) -> Option<String> {
        self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.clone())
    }

    /// Reads a response to its end; `None` if the connection ended before.
    pub fn read(stream: &mut TcpStream) -> Option<Self> {
        let mut bytes = Vec::new();
        // A door that closes early may reset the connection behind its answer.
        let _ = stream.read_to_end(&mut bytes);
        let text = String::from_utf8(bytes).ok()?;
        let (head, body) = text.split_once("\r\n\r\n")?;
        let mut lines = head.lines();
        let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
        let headers: Vec<_> = lines
            .filter_map(|line| line.split_once(": "))
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect();
        let response = Self { status, headers, body: body.to_owned() };
        let length = response.header("content-length")?.parse().ok();
        (length == Some(response.body.len())).then_some(response)
    }
}

impl Door {
    pub fn open() -> Self {
        Self::open_with(&[])
    }

    /// Opens a door of a new store, with a token that may do everything in the NFL.
    pub fn open_with(arguments: &[&str]) -> Self {
        let mut door = Self::closed();
        door.start(&[&["receive", "--bind", "127.0.0.1:0"], arguments].concat());
        door
    }

    pub fn watching() -> Self {
        let mut door = Self::closed();
        let inbox = door.place.path().join("inbox");
        std::fs::create_dir(&inbox).expect("a folder");
        door.start(&["watch", inbox.to_str().expect("text"), "--receive", "127.0.0.1:0"]);
        door
    }

    fn closed() -> Self {
        let place = TestFolder::fresh();
        let (folder, key) = (place.path().join("door"), place.path().join("door/record.key"));
        std::fs::create_dir(folder).expect("a folder");
        let place = place.with("SPORTS_RECORD__KEY_FILE", key.display().to_string());
        let place = place.with("SPORTS_RECORD__ORIGIN", "example.com/record");
        run_json(&place, ["record", "init"]);
        let (token, token_id) = token(&place, &["nfl"], &["publish", "settle", "mend"]);
        Self { place, token, token_id, server: None }
    }

    fn start(&mut self, arguments: &[&str]) {
        self.server = Some(Server::start(self.place.sportsctl(arguments)));
    }

    /// Kills the door and opens it again.
    pub fn reopened(self) -> Self {
        self.reopened_with(&[])
    }

    pub fn reopened_with(mut self, arguments: &[&str]) -> Self {
        self.kill();
        self.start(&[&["receive", "--bind", "127.0.0.1:0"], arguments].concat());
        self
    }

    /// Opens the door again with this machine as a trusted proxy.
    pub fn behind_a_proxy(mut self) -> Self {
        self.kill();
        self.place = self.place.with("SPORTS_HTTP__TRUSTED_PROXIES", "127.0.0.1");
        self.start(&["receive", "--bind", "127.0.0.1:0"]);
        self
    }

    pub fn kill(&mut self) {
        if let Some(server) = self.server.take() {
            server.signal("KILL");
            server.ended();
        }
    }

    pub fn server(&self) -> &Server {
        self.server.as_ref().expect("open")
    }

    /// Sends a signal and waits for the end.
    pub fn stop(mut self, signal: &str) -> ExitStatus {
        let server = self.server.take().expect("open");
        server.signal(signal);
        server.ended()
    }

    pub fn address(&self) -> String {
        self.server().url("").trim_start_matches("http://").to_owned()
    }

    fn request(&self, method: &str, path: &str, kind: &str, body: Vec<u8>) -> Request {
        let authorization = format!("Bearer {}", self.token);
        let headers = [("Authorization", authorization.as_str()), ("Content-Type", kind)];
        let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
        Request { method: method.to_owned(), path: path.to_owned(), headers, body }
    }

    pub fn release(&self, to: &str, archive: &[u8]) -> Request {
        self.request("POST", &format!("/v1/releases/{to}"), "application/x-tar", archive.to_vec())
    }

    pub fn finals(&self, to: &str, table: &[u8]) -> Request {
        self.request("POST", &format!("/v1/finals/{to}"), "text/csv", table.to_vec())
    }

    /// A form of parts: name, file name and content.
    pub fn convert(&self, to: &str, parts: &[(&str, &str, &[u8])]) -> Request {
        let mut body = Vec::new();
        for (name, file, content) in parts {
            let head =
                format!("--edge\r\nContent-Disposition: form-data; name=\"{name}\"; filename=\"{file}\"\r\n\r\n");
            body.extend([head.as_bytes(), content, b"\r\n"].concat());
        }
        body.extend(b"--edge--\r\n");
        self.request("POST", &format!("/v1/convert/{to}"), "multipart/form-data; boundary=edge", body)
    }

    pub fn get(&self, path: &str) -> Response {
        self.ask("GET", path)
    }

    pub fn ask(&self, method: &str, path: &str) -> Response {
        self.send(&self.request(method, path, "text/plain", Vec::new()))
    }

    pub fn send(&self, request: &Request) -> Response {
        send(&self.address(), request).expect("an answer")
    }

    /// Returns the number of uploads that have a folder.
    pub fn at_work(&self) -> usize {
        let received = std::fs::read_dir(self.place.path().join("door/received")).expect("a folder");
        let names = received.map(|entry| entry.expect("an entry").file_name());
        names.filter(|name| name.to_string_lossy().starts_with("upload-")).count()
    }

    pub fn until(&self, holds: impl Fn(&Self) -> bool) {
        for _ in 0..1200 {
            if holds(self) {
                return;
            }
            sleep(Duration::from_millis(50));
        }
        panic!("it does not hold");
    }
}

/// Sends a request; `None` if there is no whole answer.
pub fn send(address: &str, request: &Request) -> Option<Response> {
    let mut stream = TcpStream::connect(address).ok()?;
    // A door that refuses early does not read the rest.
    let _ = stream.write_all(&request.bytes());
    Response::read(&mut stream)
}

/// Creates a token; returns it and its id.
pub fn token(place: &TestFolder, leagues: &[&str], rights: &[&str]) -> (String, String) {
    let mut words = vec!["publisher", "token", "create", "--name", "tests"];
    words.extend(leagues.iter().flat_map(|league| ["--league", league]));
    words.extend(rights.iter().flat_map(|right| ["--can", right]));
    let created = run_json(place, words);
    let text = |field: &str| created[field].as_str().expect("text").to_owned();
    (text("token"), text("id"))
}

/// Packs a folder with the system's tar.
pub fn tar_of(folder: &Path) -> Vec<u8> {
    let packed = Command::new("tar").arg("-C").arg(folder).args(["-cf", "-", "."]).output().expect("tar runs");
    assert!(packed.status.success(), "{packed:?}");
    packed.stdout
}
