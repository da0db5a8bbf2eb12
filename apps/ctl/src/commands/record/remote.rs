//! The record of a league as a service has it: checkpoints are verified, and everything else leads to them.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use serde_json::Value;
use sports_domain::Sport;
use sports_ports::error_chain;
use sports_program::print_error_line;
use sports_program::settings::WitnessAddress;
use sports_record_signing::attestation::HttpWitness;
use sports_record_signing::service::{Answer, FetchError, RecordClient};
use sports_record_signing::token::Token;
use sports_transparency::{
    Checkpoint, Cosignature, NOTE_LIMIT, NotSigned, SignedCheckpoint, TileKind, TilePath, TileSet, TreeHash,
    VerifierKey, consistency_nodes, consistency_path, verify_consistency,
};
use tokio::time::timeout;

use crate::cli::RemoteRecord;
use crate::failure::Failure;

/// The longest answer in JSON that is read, in bytes.
pub const ANSWER_LIMIT: usize = 64 << 20;

/// The longest entry bundle: 256 leaves, each with its length.
const BUNDLE_LIMIT: usize = 256 * (2 + sports_transparency::LEAF_LIMIT);

/// The longest time that a witness has to answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// A record at a service.
pub struct Remote {
    client: Arc<RecordClient>,
    /// The path of the record, such as `/api/v1/record/nfl`.
    path: String,
    /// The keys that may sign its checkpoints.
    logs: Vec<VerifierKey>,
    /// The witnesses whose signatures must hold where they are.
    witnesses: Vec<VerifierKey>,
}

/// The relation of two trees.
pub enum Extension {
    /// The newer tree begins with the older one.
    Holds,
    /// The service lacks tiles that would show it, or has none that can be read.
    Unshown(String),
    /// It does not, for this reason.
    Contradicts(String),
}

impl Extension {
    /// Returns the reason for which the newer tree does not begin with the older one. What a service does not show is not checked.
    pub fn contradiction(self) -> Result<Option<String>, Failure> {
        match self {
            Self::Holds => Ok(None),
            Self::Contradicts(reason) => Ok(Some(reason)),
            Self::Unshown(reason) => Err(Failure::unchecked(reason)),
        }
    }
}

impl Remote {
    /// Finds the records of a league that the given keys sign, in the order of the keys. A key of another league is bad input: the
    /// path of its record is not the league's.
    pub async fn of(
        sport: Sport,
        given: &RemoteRecord,
        witnesses: &[VerifierKey],
        key: Option<&str>,
    ) -> Result<Vec<Self>, Failure> {
        if let Some(other) = given.log.iter().find(|log| log.name().league() != Some(sport)) {
            return Err(Failure::bad_input(format!("--log: {} is not a log of {sport}", other.name())));
        }
        let client = RecordClient::new(&given.url, key.map(str::to_owned), print_wait);
        let client = Arc::new(client.map_err(Failure::bad_input)?);
        let listed = listed_keys(&client).await?;
        let default = format!("/api/v1/record/{sport}");
        let mut records: Vec<Self> = Vec::new();
        for log in &given.log {
            let vkey = log.to_string();
            let path = listed.iter().find(|(listed, _)| *listed == vkey).map_or(&default, |(_, path)| path);
            match records.iter_mut().find(|record| record.path == *path) {
                Some(record) => record.logs.push(log.clone()),
                None => records.push(Self {
                    client: Arc::clone(&client),
                    path: path.clone(),
                    logs: vec![log.clone()],
                    witnesses: witnesses.to_vec(),
                }),
            }
        }
        Ok(records)
    }

    /// Returns a name for files about this record, such as `nfl` or `2-nfl`.
    pub fn name(&self) -> String {
        self.path.trim_start_matches(PREFIX).replace('/', "-")
    }

    /// Reads the newest checkpoint, with a signature of one of the given keys that holds.
    pub async fn newest(&self) -> Result<SignedCheckpoint, Failure> {
        self.note("checkpoint").await
    }

    /// Reads the newest checkpoint as [`newest`](Self::newest) does; `None` if the service has none of this record.
    pub async fn newest_if_any(&self) -> Result<Option<SignedCheckpoint>, Failure> {
        match self.file("checkpoint", NOTE_LIMIT).await {
            Err(error) if error.is_missing() => Ok(None),
            read => self.verified(&read.map_err(unanswered)?).map(Some),
        }
    }

    /// Reads the checkpoint of one size.
    pub async fn of_size(&self, size: u64) -> Result<SignedCheckpoint, Failure> {
        let note = self.note(&format!("checkpoints/{size}")).await?;
        let found = note.checkpoint().size;
        if found == size {
            Ok(note)
        } else {
            Err(Failure::other(format!("the checkpoint of size {size} has the size {found}")))
        }
    }

    async fn note(&self, file: &str) -> Result<SignedCheckpoint, Failure> {
        self.verified(&self.file(file, NOTE_LIMIT).await.map_err(unanswered)?)
    }

    /// Reads a checkpoint, with a signature of one of the given keys that holds.
    fn verified(&self, bytes: &[u8]) -> Result<SignedCheckpoint, Failure> {
        let text = std::str::from_utf8(bytes).map_err(|_| Failure::unchecked("the checkpoint is not UTF-8 text"))?;
        let note: SignedCheckpoint = text.parse().map_err(Failure::unchecked)?;
        verify(&note, &self.logs, &self.witnesses).map_err(Failure::other)?;
        Ok(note)
    }

    /// Returns the given key that signed a verified checkpoint.
    pub fn signer(&self, note: &SignedCheckpoint) -> Option<&VerifierKey> {
        self.logs.iter().find(|log| note.verify(log, &[]).is_ok())
    }

    /// Returns the signatures of witnesses of a checkpoint; `None` unless a given key signed it, and all of them hold.
    pub fn cosignatures(&self, note: &SignedCheckpoint, witnesses: &[VerifierKey]) -> Option<Vec<Cosignature>> {
        note.verify(self.signer(note)?, witnesses).ok()
    }

    /// Returns the given keys of this record, one for each name of a log.
    pub fn named_logs(&self) -> Vec<&VerifierKey> {
        let mut logs: Vec<&VerifierKey> = Vec::new();
        for log in &self.logs {
            if logs.iter().all(|known| known.name() != log.name()) {
                logs.push(log);
            }
        }
        logs
    }

    /// Returns the newest checkpoint of a log of this record that a witness has; the inner error is the reason for which there is none to compare
    /// with.
    pub async fn newest_at(
        &self,
        WitnessAddress { key, url }: &WitnessAddress,
        log: &VerifierKey,
    ) -> Result<Result<Checkpoint, String>, Failure> {
        let witness = HttpWitness::new(key.clone(), url.as_str()).map_err(Failure::bad_input)?;
        let known = match timeout(PATIENCE, witness.newest(log.name())).await {
            Err(_) => return Ok(Err(format!("it has not answered within {PATIENCE:?}"))),
            Ok(Err(error)) => return Ok(Err(error_chain(&error))),
            Ok(Ok(None)) => return Ok(Err("it has no checkpoint of this log".to_owned())),
            Ok(Ok(Some(known))) => known,
        };
        let cosigned = self.cosignatures(&known, std::slice::from_ref(key));
        let is_theirs = cosigned.is_some_and(|cosigned| !cosigned.is_empty());
        let unsigned = || "its checkpoint is not signed by both the log and the witness".to_owned();
        Ok(is_theirs.then(|| known.checkpoint().clone()).ok_or_else(unsigned))
    }

    /// Returns `true` if one of these names, each the beginning of a key, is of a given key.
    pub fn is_signed_by(&self, names: &[&str]) -> bool {
        let is_named = |log: &VerifierKey| names.contains(&&*format!("{}+{}", log.name(), log.id()));
        self.logs.iter().any(is_named)
    }

    /// Reads a page of the list of checkpoints.
    pub async fn checkpoints_from(&self, size: u64) -> Result<Value, Failure> {
        let answer = self.file(&format!("checkpoints?from_size={size}&limit=100"), ANSWER_LIMIT).await;
        json_of(&answer.map_err(unanswered)?)
    }

    /// Reads a timestamp of the checkpoint of a size, by its name.
    pub async fn timestamp(&self, size: u64, name: &str) -> Result<Bytes, Failure> {
        self.file(&format!("checkpoints/{size}/timestamps/{name}"), Token::LIMIT).await.map_err(unanswered)
    }

    /// Reads an answer of the service, by its whole path.
    pub async fn answer(&self, path: &str) -> Result<Answer, FetchError> {
        self.client.answer(path, ANSWER_LIMIT).await
    }

    async fn file(&self, name: &str, limit: usize) -> Result<Bytes, FetchError> {
        self.client.get(&format!("{}/{name}", self.path), limit).await
    }

    /// Reads a tile. Once a tile is full, a service may have the full one alone.
    pub async fn tile(&self, path: TilePath) -> Result<Bytes, FetchError> {
        let limit = match path.kind() {
            TileKind::Hashes { .. } => usize::from(TilePath::FULL) * TreeHash::LENGTH,
            TileKind::Entries => BUNDLE_LIMIT,
        };
        match self.file(&format!("tile/{path}"), limit).await {
            Err(error) if error.is_missing() && path.is_partial() => {
                self.file(&format!("tile/{}", path.filled()), limit).await
            }
            read => read,
        }
    }

    /// Proves from tiles that the tree of a checkpoint begins with an older tree.
    pub async fn extends(&self, old: (u64, TreeHash), new: &Checkpoint) -> Result<Extension, Failure> {
        let mut tiles = TileSet::new();
        for path in TilePath::having(&consistency_nodes(old.0, new.size), new.size) {
            let bytes = match self.tile(path).await {
                Ok(bytes) => bytes,
                Err(error) if error.is_missing() => return Ok(Extension::Unshown(error.to_string())),
                Err(error) => return Err(unanswered(error)),
            };
            let width = usize::from(path.width()) * TreeHash::LENGTH;
            let hashes = bytes.get(..width).unwrap_or(&bytes);
            if let Err(reason) = tiles.insert(path, hashes) {
                return Ok(Extension::Unshown(format!("tile {path}: {reason}")));
            }
        }
        let path = consistency_path(&tiles, old.0, new.size).map_err(Failure::other)?;
        Ok(match verify_consistency(old, (new.size, new.root), &path) {
            Ok(()) => Extension::Holds,
            Err(reason) => Extension::Contradicts(reason.to_string()),
        })
    }
}

const PREFIX: &str = "/api/v1/record/";

/// Verifies a note by the keys that have its origin: one must have signed it, and no signature of any, or of a witness, may be
/// broken.
pub fn verify(note: &SignedCheckpoint, logs: &[VerifierKey], witnesses: &[VerifierKey]) -> Result<(), String> {
    let origin = &note.checkpoint().origin;
    let mut is_signed = false;
    for log in logs.iter().filter(|log| log.name() == origin) {
        match note.verify(log, witnesses) {
            Ok(_) => is_signed = true,
            Err(NotSigned::Unsigned(_)) => {}
            Err(reason) => return Err(reason.to_string()),
        }
    }
    if is_signed { Ok(()) } else { Err(format!("the checkpoint of {origin} is signed by none of the given keys")) }
}

/// Reads the keys that a service lists, each with the path of its record. A service without the list has none.
async fn listed_keys(client: &RecordClient) -> Result<Vec<(String, String)>, Failure> {
    let answer = match client.get("/api/v1/record/keys", NOTE_LIMIT).await {
        Ok(bytes) => json_of(&bytes)?,
        Err(error) if error.is_missing() => return Ok(Vec::new()),
        Err(error) => return Err(unanswered(error)),
    };
    let is_path = |path: &&str| {
        let rest = path.strip_prefix(PREFIX).unwrap_or_default();
        !rest.is_empty() && rest.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'/'))
    };
    let keys = answer["keys"].as_array().map_or(&[][..], Vec::as_slice);
    let listed = keys.iter().filter_map(|key| {
        let path = key["path"].as_str().filter(is_path)?;
        Some((key["vkey"].as_str()?.to_owned(), path.to_owned()))
    });
    Ok(listed.collect())
}

/// Returns the failure for a request without an answer: no verdict on the record, and wrong input if the key is refused.
pub fn unanswered(error: FetchError) -> Failure {
    match error {
        FetchError::Status { status: 401 | 403, .. } => Failure::bad_input(error),
        error => Failure::unchecked(error),
    }
}

/// Parses an answer.
pub fn json_of(bytes: &[u8]) -> Result<Value, Failure> {
    serde_json::from_slice(bytes).map_err(|error| not_json(&error))
}

/// Returns the failure for an answer that cannot be parsed.
pub fn not_json(error: &serde_json::Error) -> Failure {
    Failure::unchecked(format!("an answer is not JSON: {error}"))
}

/// Tells that a busy service requested a wait.
pub fn print_wait(wait: Duration) {
    print_error_line!("The service is busy: the next request is sent in {} s", wait.as_secs());
}
