use std::io::Read as _;

use chrono::DateTime;
use serde_json::{Value, json};
use sports_transparency::{Cosignature, ForecastProof, Logged, NOTE_LIMIT};

use crate::cli::Check;
use crate::failure::Failure;
use crate::report;
use crate::report::Report;

/// The result of checking a proof, with the exit codes that all verifiers share.
enum Checked {
    /// A known witness received the checkpoint before the start.
    Proven(Cosignature),
    /// The forecast is in a signed tree, and no known witness attests since when.
    Logged,
    /// The proof does not hold, for this reason.
    NotProven(String),
}

impl Checked {
    const fn exit_code(&self) -> u8 {
        match self {
            Self::Proven(_) => 0,
            Self::NotProven(_) => 1,
            Self::Logged => 3,
        }
    }

    const fn word(&self) -> &'static str {
        match self {
            Self::Proven(_) => "proven",
            Self::NotProven(_) => "not_proven",
            Self::Logged => "logged",
        }
    }

    /// Returns the result in a sentence, with instants in whole seconds, in which they are compared.
    fn sentence(&self, start: i64) -> String {
        match self {
            Self::Proven(Cosignature { witness, time }) => {
                let time = i64::try_from(*time).map(to_rfc3339).unwrap_or_default();
                format!("{} received the checkpoint at {time}, before {}", witness.name(), to_rfc3339(start))
            }
            Self::Logged => format!("no known witness received the checkpoint before {}", to_rfc3339(start)),
            Self::NotProven(reason) => reason.clone(),
        }
    }
}

/// Formats an instant, in seconds since 1970.
fn to_rfc3339(seconds: i64) -> String {
    DateTime::from_timestamp(seconds, 0).map(report::written_instant).unwrap_or_default()
}

/// Checks a proof offline, and prints the payload of one that holds.
pub fn run(arguments: &Check) -> Result<Report, Failure> {
    let (bytes, start) = (read(arguments)?, arguments.start.timestamp());
    let (checked, proof) = match verify(&bytes, arguments) {
        Ok((proof, logged)) => {
            let cosignature = logged.attested_before(start).cloned();
            (cosignature.map_or(Checked::Logged, Checked::Proven), Some(proof))
        }
        Err(reason) => (Checked::NotProven(reason), None),
    };
    let payload = proof.as_ref().map(|proof| proof.opening.payload.clone());
    let sentence = checked.sentence(start);
    let mut lines = vec![format!("{}: {sentence}", checked.word())];
    lines.extend(payload.clone());
    let json = json!({
        "code": checked.exit_code(),
        "verdict": checked.word(),
        "sentence": sentence,
        "payload": payload,
        "index": proof.as_ref().map(|proof| proof.index),
        "checkpoint": proof.as_ref().map_or(Value::Null, |proof| json!({
            "origin": proof.checkpoint.checkpoint().origin.as_str(),
            "size": proof.checkpoint.checkpoint().size,
            "root": proof.checkpoint.checkpoint().root.to_string(),
        })),
    });
    Ok(Report::new(lines, json).ending_with(checked.exit_code()))
}

/// Reads the file, one byte beyond the limit at most.
fn read(arguments: &Check) -> Result<Vec<u8>, Failure> {
    let path = &arguments.file;
    let cannot = |error| Failure::bad_input(format!("{} cannot be read: {error}", path.display()));
    let file = sports_program::regular_file::open(path).map_err(cannot)?;
    let mut bytes = Vec::new();
    file.take(NOTE_LIMIT as u64 + 1).read_to_end(&mut bytes).map_err(cannot)?;
    Ok(bytes)
}

/// Verifies everything but the time; the error is the reason for which the proof does not hold.
fn verify(bytes: &[u8], arguments: &Check) -> Result<(ForecastProof, Logged), String> {
    let proof = ForecastProof::parse(bytes).map_err(|error| error.to_string())?;
    let logged = proof.verify(&arguments.log, &arguments.witness).map_err(|error| error.to_string())?;
    Ok((proof, logged))
}
