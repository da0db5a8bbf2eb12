use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tempfile::TempDir;

use super::{WebAnswer, WebRequest, WebServer, installed};

/// The configuration of `openssl ts`.
const CONFIGURATION: &str = "\
[tsa]
default_tsa = here
[here]
serial = FOLDER/serial
signer_cert = FOLDER/tsa.pem
signer_key = FOLDER/tsa.key
signer_digest = sha256
default_policy = 1.3.6.1.4.1.4146.2.3
digests = sha256
";

/// A timestamp server by RFC 3161 on a free port of this machine: `openssl ts`, with a certificate of its own.
#[derive(Debug)]
pub struct TimestampStandIn {
    server: WebServer,
    folder: Arc<TempDir>,
    behaviour: Arc<Mutex<TimestampBehaviour>>,
}

/// The way in which a timestamp server answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TimestampBehaviour {
    /// By its rules.
    Honest,
    /// Not at all, for this long.
    Slow(Duration),
    /// With this HTTP status and an empty body.
    Refuses(u16),
    /// With a reply whose status is a rejection.
    NotGranted,
    /// With 10 MB.
    Huge,
    /// With a page for people.
    Nonsense,
    /// With a token of another text.
    OtherHash,
    /// With a token for another request.
    OtherNonce,
}

impl TimestampStandIn {
    /// Starts a server; `None` if there is no `openssl` on this machine.
    ///
    /// # Panics
    ///
    /// Panics if `openssl` fails, or is missing and `REQUIRE_SERVICES` is set.
    pub fn start() -> Option<Self> {
        let openssl = installed("openssl", &[])?;
        let folder = Arc::new(tempfile::tempdir().expect("a folder"));
        let place = folder.path().to_str().expect("a path in UTF-8");
        fs::write(folder.path().join("ts.cnf"), CONFIGURATION.replace("FOLDER", place)).expect("written");
        fs::write(folder.path().join("serial"), "01\n").expect("written");
        run(
            &openssl,
            folder.path(),
            &[
                "req",
                "-x509",
                "-newkey",
                "rsa:2048",
                "-nodes",
                "-days",
                "3650",
                "-subj",
                "/CN=timestamps for tests",
                "-addext",
                "extendedKeyUsage=critical,timeStamping",
                "-keyout",
                "tsa.key",
                "-out",
                "tsa.pem",
            ],
        );
        let behaviour = Arc::new(Mutex::new(TimestampBehaviour::Honest));
        let (shared, place, turn) = (Arc::clone(&behaviour), Arc::clone(&folder), Mutex::new(0));
        let server = WebServer::start(move |request| {
            let behaviour = shared.lock().unwrap_or_else(PoisonError::into_inner).clone();
            // The serial number is a file that each reply replaces.
            let mut turn = turn.lock().unwrap_or_else(PoisonError::into_inner);
            *turn += 1;
            answered(&openssl, place.path(), *turn, &behaviour, request)
        });
        Some(Self { server, folder, behaviour })
    }

    /// Returns the address.
    pub fn url(&self) -> String {
        self.server.url()
    }

    /// Sets the way in which the server answers.
    pub fn set_behaviour(&self, behaviour: TimestampBehaviour) {
        *self.behaviour.lock().unwrap_or_else(PoisonError::into_inner) = behaviour;
    }

    /// Returns the number of received requests.
    pub fn requests(&self) -> usize {
        self.server.requests()
    }

    /// Returns the certificate of the server, for `openssl ts -verify -CAfile`.
    pub fn certificate(&self) -> PathBuf {
        self.folder.path().join("tsa.pem")
    }

    /// Returns `true` if `openssl ts -verify` accepts a reply as a timestamp of a text.
    ///
    /// # Panics
    ///
    /// Panics if `openssl` cannot be run.
    pub fn verifies(&self, reply: &[u8], text: &str) -> bool {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("reply.tsr"), reply).expect("written");
        fs::write(folder.path().join("text"), text).expect("written");
        let mut command = Command::new("openssl");
        command.current_dir(folder.path()).args(["ts", "-verify", "-in", "reply.tsr", "-data", "text", "-CAfile"]);
        let output = command.arg(self.certificate()).output().expect("openssl runs");
        output.status.success()
    }
}

/// Runs `openssl` in a folder.
fn run(openssl: &Path, folder: &Path, arguments: &[&str]) {
    let mut command = Command::new(openssl);
    command.current_dir(folder).args(arguments).stdout(Stdio::null()).stdin(Stdio::null());
    let output = command.output().expect("openssl runs");
    assert!(output.status.success(), "openssl {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn answered(
    openssl: &Path,
    folder: &Path,
    turn: u32,
    behaviour: &TimestampBehaviour,
    request: &WebRequest,
) -> WebAnswer {
    if request.content_type != "application/timestamp-query" {
        return WebAnswer::new(415, "text/plain", "");
    }
    let honest = |query: &[u8]| {
        let (query_file, reply_file) = (format!("{turn}.tsq"), format!("{turn}.tsr"));
        fs::write(folder.join(&query_file), query).expect("written");
        let arguments =
            ["ts", "-reply", "-config", "ts.cnf", "-section", "here", "-queryfile", &query_file, "-out", &reply_file];
        run(openssl, folder, &arguments);
        WebAnswer::new(200, "application/timestamp-reply", fs::read(folder.join(&reply_file)).expect("a reply"))
    };
    let query = &request.body;
    match behaviour {
        TimestampBehaviour::Honest => honest(query),
        TimestampBehaviour::Slow(time) => WebAnswer { after: *time, ..honest(query) },
        TimestampBehaviour::Refuses(status) => WebAnswer::new(*status, "text/plain", ""),
        // A rejection (2) and nothing else.
        TimestampBehaviour::NotGranted => {
            WebAnswer::new(200, "application/timestamp-reply", [0x30, 5, 0x30, 3, 2, 1, 2].to_vec())
        }
        TimestampBehaviour::Huge => WebAnswer::new(200, "application/timestamp-reply", vec![0x30; 10_000_000]),
        TimestampBehaviour::Nonsense => WebAnswer::new(200, "text/html", "<html>Back soon</html>"),
        TimestampBehaviour::OtherHash => honest(&changed(query, 24)),
        TimestampBehaviour::OtherNonce => honest(&changed(query, 63)),
    }
}

/// Returns a query with one byte changed.
fn changed(query: &[u8], place: usize) -> Vec<u8> {
    let mut changed = query.to_vec();
    if let Some(byte) = changed.get_mut(place) {
        *byte ^= 1;
    }
    changed
}
