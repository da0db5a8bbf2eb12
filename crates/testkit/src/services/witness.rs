use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use sports_domain::content::ObjectHash;
use sports_transparency::{
    Checkpoint, KeyKind, SignatureLine, SignedCheckpoint, SigningKey, TreeHash, VerifierKey, verify_consistency,
};

use super::{WebAnswer, WebRequest, WebServer};

/// A witness by C2SP tlog-witness, on a free port of this machine, with a clock that a test sets.
///
/// It trusts each log at first sight, unless the test names the keys that it trusts.
#[derive(Debug)]
pub struct WitnessStandIn {
    server: WebServer,
    state: Arc<Mutex<State>>,
    key: VerifierKey,
}

/// The way in which a witness answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WitnessBehaviour {
    /// By its rules.
    Honest,
    /// Not at all, for this long.
    Slow(Duration),
    /// With this status and an empty body.
    Refuses(u16),
    /// With 10 MB.
    Huge,
    /// With a page for people.
    Nonsense,
    /// With its cosignature of another tree.
    OtherTree,
    /// With the cosignature of another witness.
    OtherKey,
    /// With a conflict that names this size.
    Knows(u64),
    /// With a redirect to this address.
    Redirects(String),
}

#[derive(Debug)]
struct State {
    signing: SigningKey,
    time: u64,
    behaviour: WitnessBehaviour,
    trusted: Option<Vec<VerifierKey>>,
    cosigned: HashMap<String, SignedCheckpoint>,
    requests: Vec<String>,
}

impl WitnessStandIn {
    /// Starts a witness with this name, whose clock is set to 2024-01-06T15:00:01Z.
    ///
    /// # Panics
    ///
    /// Panics if the name is invalid, or no port is free.
    pub fn start(name: &str) -> Self {
        let signing = key(name, name.as_bytes());
        let key = signing.verifier().clone();
        let state = State {
            signing,
            time: 1_704_553_201,
            behaviour: WitnessBehaviour::Honest,
            trusted: None,
            cosigned: HashMap::new(),
            requests: Vec::new(),
        };
        let state = Arc::new(Mutex::new(state));
        let shared = Arc::clone(&state);
        let server = WebServer::start(move |request| answered(&shared, request));
        Self { server, state, key }
    }

    /// Returns the public key.
    pub const fn key(&self) -> &VerifierKey {
        &self.key
    }

    /// Returns the base address.
    pub fn url(&self) -> String {
        self.server.url()
    }

    /// Returns the witness as the setting `record.witnesses` names it.
    pub fn setting(&self) -> String {
        format!("{}@{}", self.key, self.url())
    }

    /// Sets the clock, in seconds since 1970.
    pub fn set_time(&self, seconds: u64) {
        self.locked().time = seconds;
    }

    /// Sets the way in which the witness answers.
    pub fn set_behaviour(&self, behaviour: WitnessBehaviour) {
        self.locked().behaviour = behaviour;
    }

    /// Trusts these keys of logs alone.
    pub fn trust(&self, keys: Vec<VerifierKey>) {
        self.locked().trusted = Some(keys);
    }

    /// Returns the newest checkpoint of a log that the witness cosigned.
    pub fn cosigned(&self, origin: &str) -> Option<Checkpoint> {
        self.locked().cosigned.get(origin).map(|note| note.checkpoint().clone())
    }

    /// Has cosigned this note, whoever sent it.
    pub fn hold(&self, note: &SignedCheckpoint) {
        let mut state = self.locked();
        let line = state.signing.cosign(note.checkpoint(), state.time);
        state.keep(note.clone(), &line);
    }

    /// Returns the bodies of all requests.
    pub fn requests(&self) -> Vec<String> {
        self.locked().requests.clone()
    }

    fn locked(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the key of a witness, made of its name.
fn key(name: &str, seed: &[u8]) -> SigningKey {
    let seed = TreeHash::of_leaf(seed);
    let name = name.parse().expect("the name of a key");
    SigningKey::from_seed(name, KeyKind::Witness, seed.as_bytes()).expect("a key")
}

fn answered(state: &Mutex<State>, request: &WebRequest) -> WebAnswer {
    let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
    let body = String::from_utf8_lossy(&request.body).into_owned();
    state.requests.push(body.clone());
    if let Some(log) = request.target.strip_prefix("GET /").and_then(|path| path.strip_suffix("/checkpoint")) {
        let is_of = |origin: &str| ObjectHash::from_bytes(origin.as_bytes()).to_string() == log;
        let note = state.cosigned.iter().find(|(origin, _)| is_of(origin)).map(|(_, note)| note.to_string());
        return match (&state.behaviour, note) {
            (WitnessBehaviour::Refuses(status), _) => empty(*status),
            (WitnessBehaviour::Nonsense, _) => WebAnswer::new(200, "text/html", "<html>Back soon</html>\n"),
            (_, Some(note)) => WebAnswer::new(200, "text/plain", note),
            (_, None) => empty(404),
        };
    }
    if request.target != "POST /add-checkpoint" {
        return empty(404);
    }
    match state.behaviour.clone() {
        WitnessBehaviour::Honest => state.honest(&body).unwrap_or_else(empty),
        WitnessBehaviour::Slow(time) => WebAnswer { after: time, ..state.honest(&body).unwrap_or_else(empty) },
        WitnessBehaviour::Refuses(status) => empty(status),
        WitnessBehaviour::Huge => WebAnswer::new(200, "text/plain", vec![b'x'; 10_000_000]),
        WitnessBehaviour::Nonsense => WebAnswer::new(200, "text/html", "<html>Back soon</html>\n"),
        WitnessBehaviour::Knows(size) => WebAnswer::new(409, "text/x.tlog.size", format!("{size}\n")),
        WitnessBehaviour::Redirects(to) => WebAnswer { header: ("Location", to), ..empty(307) },
        WitnessBehaviour::OtherTree | WitnessBehaviour::OtherKey => state.forged(&body).unwrap_or_else(|| empty(400)),
    }
}

fn empty(status: u16) -> WebAnswer {
    WebAnswer::new(status, "text/plain", "")
}

/// Parses a request: the size that the witness should know, the proof and the checkpoint.
fn parsed(body: &str) -> Option<(u64, Vec<TreeHash>, SignedCheckpoint)> {
    let (head, note) = body.split_once("\n\n")?;
    let mut lines = head.split('\n');
    let old = lines.next()?.strip_prefix("old ")?.parse().ok()?;
    let proof = lines.map(|line| line.parse().ok()).collect::<Option<_>>()?;
    Some((old, proof, note.parse().ok()?))
}

impl State {
    /// Answers by the rules of C2SP tlog-witness; the error is the status of a refusal.
    fn honest(&mut self, body: &str) -> Result<WebAnswer, u16> {
        let (old, proof, note) = parsed(body).ok_or(400_u16)?;
        let checkpoint = note.checkpoint().clone();
        let origin = checkpoint.origin.as_str().to_owned();
        if let Some(trusted) = &self.trusted {
            let of_log: Vec<_> = trusted.iter().filter(|key| *key.name() == checkpoint.origin).collect();
            if of_log.is_empty() {
                return Err(404);
            }
            if !of_log.iter().any(|key| note.verify(key, &[]).is_ok()) {
                return Err(403);
            }
        }
        if old > checkpoint.size {
            return Err(400);
        }
        let known = self.cosigned.get(&origin).map(SignedCheckpoint::checkpoint);
        let known = known.map_or((0, TreeHash::of_empty_tree()), |known| (known.size, known.root));
        let is_other = known.0 == checkpoint.size && known.1 != checkpoint.root;
        if known.0 != old || is_other {
            return Ok(WebAnswer::new(409, "text/x.tlog.size", format!("{}\n", known.0)));
        }
        verify_consistency(known, (checkpoint.size, checkpoint.root), &proof).map_err(|_| 422_u16)?;
        let line = self.signing.cosign(&checkpoint, self.time);
        self.keep(note, &line);
        Ok(WebAnswer::new(200, "text/plain", format!("{line}\n")))
    }

    /// Keeps a note with the cosignature, for readers.
    fn keep(&mut self, mut note: SignedCheckpoint, line: &SignatureLine) {
        let checkpoint = note.checkpoint().clone();
        let origin = checkpoint.origin.as_str().to_owned();
        note.merge(&SignedCheckpoint::new(checkpoint, std::slice::from_ref(line)));
        self.cosigned.insert(origin, note);
    }

    /// Returns a cosignature that does not hold for the checkpoint, or is that of another witness.
    fn forged(&self, body: &str) -> Option<WebAnswer> {
        let (_, _, note) = parsed(body)?;
        let checkpoint = note.checkpoint().clone();
        let line = if self.behaviour == WitnessBehaviour::OtherKey {
            key(self.signing.verifier().name().as_str(), b"another").cosign(&checkpoint, self.time)
        } else {
            self.signing.cosign(&Checkpoint { size: checkpoint.size + 1, ..checkpoint }, self.time)
        };
        Some(WebAnswer::new(200, "text/plain", format!("{line}\n")))
    }
}
