use std::fmt::Write as _;

use async_trait::async_trait;
use reqwest::StatusCode;
use reqwest::header::CONTENT_TYPE;
use sports_domain::content::ObjectHash;
use sports_ports::PortError;
use sports_ports::attestation::{Witness, WitnessAnswer};
use sports_transparency::{KeyName, SignedCheckpoint, TreeHash, VerifierKey};

use crate::SetupError;
use crate::attestation::failure::Failure;
use crate::attestation::{TERMS, answer};
use crate::service::HostClient;

const PORT: &str = "a witness";

/// The longest answer that is read. A cosignature has about 200 bytes.
const LIMIT: usize = 64 << 10;

/// A witness by C2SP tlog-witness v1.0.0, whose checkpoints are read by the monitoring prefix of its successor.
#[derive(Debug)]
pub struct HttpWitness {
    /// The client of the address to which checkpoints are posted.
    http: HostClient,
    /// The client of the address below which checkpoints are read.
    monitoring: HostClient,
    key: VerifierKey,
}

impl HttpWitness {
    /// Creates the client of the witness with this key, at a base address without a trailing slash. Sends no request.
    ///
    /// # Errors
    ///
    /// [`SetupError`] if the address is invalid, or no crypto provider is installed.
    pub fn new(key: VerifierKey, base: &str) -> Result<Self, SetupError> {
        let monitoring = HostClient::new(base, TERMS)?;
        Ok(Self { http: HostClient::new(&format!("{base}/add-checkpoint"), TERMS)?, monitoring, key })
    }

    /// Reads the newest checkpoint of a log that the witness cosigned, unverified; `None` if it has none. An answer may take any
    /// time: callers limit it.
    ///
    /// # Errors
    ///
    /// [`PortError`] if the witness cannot be reached, or sends something else.
    pub async fn newest(&self, log: &KeyName) -> Result<Option<SignedCheckpoint>, PortError> {
        let path = format!("/{}/checkpoint", ObjectHash::from_bytes(log.as_str().as_bytes()));
        let newest = async {
            let request = self.monitoring.get(&path).await.map_err(Failure::Unreachable)?;
            match answer(request, LIMIT).await? {
                (StatusCode::NOT_FOUND, _) => Ok(None),
                (StatusCode::OK, bytes) => {
                    let note = std::str::from_utf8(&bytes).ok().and_then(|text| text.parse().ok());
                    note.map(Some).ok_or(Failure::Form("a signed checkpoint"))
                }
                (status, _) => Err(Failure::Status(status)),
            }
        };
        newest.await.map_err(|failure| failure.of(PORT))
    }

    async fn sent(
        &self,
        old: u64,
        proof: &[TreeHash],
        checkpoint: &SignedCheckpoint,
    ) -> Result<WitnessAnswer, Failure> {
        let request = self.http.post().await.map_err(Failure::Unreachable)?;
        let request = request.header(CONTENT_TYPE, "text/plain; charset=utf-8").body(body(old, proof, checkpoint));
        let (status, bytes) = answer(request, LIMIT).await?;
        let text = || std::str::from_utf8(&bytes).ok();
        match status {
            StatusCode::OK => {
                let lines = text().and_then(lines).ok_or(Failure::Form("lines of signatures"))?;
                Ok(WitnessAnswer::Cosigned(lines))
            }
            StatusCode::CONFLICT => {
                let size = text().and_then(|text| text.trim_end().parse().ok());
                size.map(WitnessAnswer::Knows).ok_or(Failure::Form("the size that it knows"))
            }
            StatusCode::UNPROCESSABLE_ENTITY => Ok(WitnessAnswer::DoesNotExtend),
            StatusCode::NOT_FOUND => Err(Failure::Refused(status, "it does not know this log, or has another address")),
            StatusCode::FORBIDDEN => Err(Failure::Refused(status, "it does not know the log's key")),
            status => Err(Failure::Status(status)),
        }
    }
}

/// Returns the body of a request: the size that the witness knows, the proof and the checkpoint.
fn body(old: u64, proof: &[TreeHash], checkpoint: &SignedCheckpoint) -> String {
    let mut body = format!("old {old}\n");
    for hash in proof {
        // Writing to a text cannot fail.
        let _ = writeln!(body, "{hash}");
    }
    body + "\n" + &checkpoint.to_string()
}

/// Parses lines of signatures; `None` without a line, or if a line is something else.
fn lines(text: &str) -> Option<Vec<sports_transparency::SignatureLine>> {
    let lines = text.strip_suffix('\n')?.split('\n');
    lines.map(|line| line.parse().ok()).collect()
}

#[async_trait]
impl Witness for HttpWitness {
    fn key(&self) -> &VerifierKey {
        &self.key
    }

    async fn cosign(
        &self,
        old: u64,
        proof: &[TreeHash],
        checkpoint: &SignedCheckpoint,
    ) -> Result<WitnessAnswer, PortError> {
        self.sent(old, proof, checkpoint).await.map_err(|failure| failure.of(PORT))
    }
}
