use std::fmt;
use std::str::FromStr;

use crate::{KeyId, KeyName, VerifierKey, base64_text};

/// A signature of a note, of a key known or unknown: `— name base64`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignatureLine {
    /// The name of the key.
    pub name: KeyName,
    /// The id of the key.
    pub id: KeyId,
    /// The signature behind the id; a witness' begins with its time.
    pub signature: Vec<u8>,
}

/// The error for a line that is not a signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a line of a signature: expected a dash, the name of a key and base64")]
pub struct NotASignature;

impl SignatureLine {
    /// Returns `true` if the line names this key.
    pub fn is_of(&self, key: &VerifierKey) -> bool {
        self.name == *key.name() && self.id == key.id()
    }
}

impl fmt::Display for SignatureLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = [self.id.as_bytes(), self.signature.as_slice()].concat();
        write!(f, "— {} {}", self.name, base64_text::encode(&bytes))
    }
}

impl FromStr for SignatureLine {
    type Err = NotASignature;

    fn from_str(line: &str) -> Result<Self, Self::Err> {
        let (name, base64) = line.strip_prefix("— ").and_then(|rest| rest.split_once(' ')).ok_or(NotASignature)?;
        let bytes = base64_text::decode(base64).ok_or(NotASignature)?;
        let (id, signature) = bytes.split_first_chunk().ok_or(NotASignature)?;
        if signature.is_empty() {
            return Err(NotASignature);
        }
        let name = name.parse().map_err(|_| NotASignature)?;
        Ok(Self { name, id: KeyId::new(*id), signature: signature.to_vec() })
    }
}
