use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use sports_transparency::TimestampRequest;
use tempfile::TempDir;

use super::{WebAnswer, WebRequest, WebServer, installed};

/// The configuration of `openssl`: each section of `ts` has a certificate of its own, and some sections of extensions.
const CONFIGURATION: &str = "\
[tsa]
default_tsa = here
[here]
serial = FOLDER/serial
signer_cert = FOLDER/here.pem
certs = FOLDER/between.pem
signer_key = FOLDER/signer.key
signer_digest = sha256
default_policy = 1.3.6.1.4.1.4146.2.3
digests = sha256
accuracy = millisecs:1500
clock_precision_digits = 3
[expired]
serial = FOLDER/serial
signer_cert = FOLDER/expired.pem
certs = FOLDER/between.pem
signer_key = FOLDER/signer.key
signer_digest = sha256
default_policy = 1.3.6.1.4.1.4146.2.3
digests = sha256
[between]
basicConstraints = critical,CA:TRUE
keyUsage = keyCertSign
[for_stamps]
basicConstraints = CA:FALSE
keyUsage = critical,digitalSignature
extendedKeyUsage = critical,timeStamping
[for_servers]
basicConstraints = CA:FALSE
extendedKeyUsage = serverAuth
";

/// A timestamp authority for tests: a root, a certificate between, and certificates that sign, made by `openssl`.
#[derive(Debug)]
pub struct TimestampAuthority {
    openssl: PathBuf,
    folder: TempDir,
    /// The serial number is a file that each reply replaces.
    turn: Mutex<u32>,
}

impl TimestampAuthority {
    /// Makes the keys and certificates; `None` if there is no `openssl` on this machine.
    ///
    /// # Panics
    ///
    /// Panics if `openssl` fails, or is missing and `REQUIRE_SERVICES` is set.
    pub fn fresh() -> Option<Self> {
        let openssl = installed("openssl", &[])?;
        let folder = tempfile::tempdir().expect("a folder");
        let place = folder.path().to_str().expect("a path in UTF-8");
        fs::write(folder.path().join("ts.cnf"), CONFIGURATION.replace("FOLDER", place)).expect("written");
        fs::write(folder.path().join("serial"), "01\n").expect("written");
        let authority = Self { openssl, folder, turn: Mutex::new(0) };
        authority.run("req -x509 -newkey rsa:2048 -nodes -days 3650 -subj /CN=root -keyout root.key -out root.pem");
        for (key, options) in [("between", "rsa:2048"), ("signer", "ec -pkeyopt ec_paramgen_curve:prime256v1")] {
            authority.run(&format!("req -newkey {options} -nodes -subj /CN={key} -keyout {key}.key -out {key}.csr"));
        }
        for (file, key, issuer, days, extensions) in [
            ("between", "between", "root", 3650, "between"),
            ("here", "signer", "between", 3650, "for_stamps"),
            // It ended a day before it began.
            ("expired", "signer", "between", -1, "for_stamps"),
            ("server", "signer", "between", 3650, "for_servers"),
        ] {
            authority.run(&format!(
                "x509 -req -in {key}.csr -CA {issuer}.pem -CAkey {issuer}.key -CAcreateserial -days {days} -extfile ts.cnf \
                 -extensions {extensions} -out {file}.pem"
            ));
        }
        Some(authority)
    }

    /// Returns the root certificate, for `openssl ts -verify -CAfile`.
    pub fn certificate(&self) -> PathBuf {
        self.folder.path().join("root.pem")
    }

    /// Returns another certificate: `between` and `here`, which signs, are parts of the chain, `server` is one for TLS.
    pub fn other_certificate(&self, name: &str) -> PathBuf {
        self.folder.path().join(format!("{name}.pem"))
    }

    /// Stamps a text now.
    pub fn stamp(&self, text: &str) -> Vec<u8> {
        self.reply("here", &TimestampRequest::new(text, [7; 8]).to_bytes())
    }

    /// Stamps a text with a certificate that is not valid.
    pub fn stamp_with_expired(&self, text: &str) -> Vec<u8> {
        self.reply("expired", &TimestampRequest::new(text, [7; 8]).to_bytes())
    }

    fn reply(&self, section: &str, query: &[u8]) -> Vec<u8> {
        let mut turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        *turn += 1;
        let (query_file, reply_file) = (format!("{turn}.tsq"), format!("{turn}.tsr"));
        fs::write(self.folder.path().join(&query_file), query).expect("written");
        self.run(&format!("ts -reply -config ts.cnf -section {section} -queryfile {query_file} -out {reply_file}"));
        fs::read(self.folder.path().join(&reply_file)).expect("a reply")
    }

    /// Runs `openssl` in the folder, with words that have no spaces.
    fn run(&self, words: &str) {
        let mut command = Command::new(&self.openssl);
        command.current_dir(self.folder.path()).args(words.split_whitespace()).stdin(Stdio::null());
        let output = command.output().expect("openssl runs");
        assert!(output.status.success(), "openssl {words}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

/// A timestamp server by RFC 3161 on a free port of this machine, with an authority of its own.
#[derive(Debug)]
pub struct TimestampStandIn {
    server: WebServer,
    authority: Arc<TimestampAuthority>,
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
        let authority = Arc::new(TimestampAuthority::fresh()?);
        let behaviour = Arc::new(Mutex::new(TimestampBehaviour::Honest));
        let (shared, own) = (Arc::clone(&behaviour), Arc::clone(&authority));
        let server = WebServer::start(move |request| {
            let behaviour = shared.lock().unwrap_or_else(PoisonError::into_inner).clone();
            answered(&own, &behaviour, request)
        });
        Some(Self { server, authority, behaviour })
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

    /// Returns the authority that signs.
    pub fn authority(&self) -> &TimestampAuthority {
        &self.authority
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
        let output = command.arg(self.authority.certificate()).output().expect("openssl runs");
        output.status.success()
    }
}

fn answered(authority: &TimestampAuthority, behaviour: &TimestampBehaviour, request: &WebRequest) -> WebAnswer {
    if request.content_type != "application/timestamp-query" {
        return WebAnswer::new(415, "text/plain", "");
    }
    let honest = |query: &[u8]| WebAnswer::new(200, "application/timestamp-reply", authority.reply("here", query));
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
