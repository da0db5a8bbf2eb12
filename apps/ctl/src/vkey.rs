//! The keys of the record on the command line.

use sports_transparency::{KeyKind, VerifierKey};

/// Parses the vkey of a log.
pub fn log(text: &str) -> Result<VerifierKey, String> {
    of_kind(text, KeyKind::Log, "a witness: expected that of a log")
}

/// Parses the vkey of a witness.
pub fn witness(text: &str) -> Result<VerifierKey, String> {
    of_kind(text, KeyKind::Witness, "a log: expected that of a witness")
}

fn of_kind(text: &str, kind: KeyKind, otherwise: &str) -> Result<VerifierKey, String> {
    let key: VerifierKey = text.parse().map_err(|error: sports_transparency::NotAVerifierKey| error.to_string())?;
    if key.kind() == kind { Ok(key) } else { Err(format!("this is the key of {otherwise}")) }
}
