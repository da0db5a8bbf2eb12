use std::fmt;
use std::str::FromStr;

use sports_domain::FormError;

use crate::verifier_key::SignatureLine;
use crate::{KeyKind, KeyName, TreeHash, VerifierKey};

/// The length of the longest note or proof that is read, in bytes: 1 MiB.
pub const NOTE_LIMIT: usize = 1 << 20;

/// The number of signature lines that are read beside the log's own. Further lines are ignored.
pub const OTHER_SIGNATURES: usize = 16;

/// Returns `true` for the control characters with which a text could alter a terminal. DEL has no effect there.
pub(crate) const fn is_terminal_control(symbol: char) -> bool {
    matches!(symbol, '\0'..='\x1f' | '\u{80}'..='\u{9f}')
}

/// A signed checkpoint: its text, and its lines of signatures as they stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedCheckpoint {
    checkpoint: Checkpoint,
    lines: Vec<String>,
}

const LONG_NOTE: FormError = FormError::fixed("the note is longer than 1 MiB");
const NOT_A_NOTE: FormError =
    FormError::fixed("the signed checkpoint is not three lines, a blank line and lines of signatures");

/// The reason for which a signed checkpoint is not one of a log.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotSigned {
    /// The checkpoint is of another log.
    #[error("the checkpoint is one of {found}, not of {expected}")]
    OtherLog {
        /// The origin of the checkpoint.
        found: KeyName,
        /// The name of the log's key.
        expected: KeyName,
    },
    /// A line is not a signature.
    #[error("a line of a signature is malformed")]
    Malformed,
    /// The log's signature is missing.
    #[error("the checkpoint is not signed by {0}")]
    Unsigned(KeyName),
    /// The log signed twice.
    #[error("the checkpoint has two signatures of {0}")]
    SignedTwice(KeyName),
    /// The signature of a known key does not hold.
    #[error("the signature of {0} does not hold")]
    Broken(KeyName),
}

impl SignedCheckpoint {
    /// Creates a note of a checkpoint and signatures.
    pub fn new(checkpoint: Checkpoint, signatures: &[SignatureLine]) -> Self {
        Self { checkpoint, lines: signatures.iter().map(ToString::to_string).collect() }
    }

    /// Returns the checkpoint, which is to be trusted after [`Self::verify`] only.
    pub const fn checkpoint(&self) -> &Checkpoint {
        &self.checkpoint
    }

    /// Returns the signatures, in the order of their lines. Malformed lines are left out, nothing is verified.
    pub fn signatures(&self) -> impl Iterator<Item = SignatureLine> {
        self.lines.iter().filter_map(|line| line.parse().ok())
    }

    /// Adds the signatures of another note of the same checkpoint that this one does not have. Those of the log come first.
    pub fn merge(&mut self, other: &Self) {
        if self.checkpoint != other.checkpoint {
            return;
        }
        for line in &other.lines {
            if !self.lines.contains(line) {
                self.lines.push(line.clone());
            }
        }
        let of_log = format!("\u{2014} {} ", self.checkpoint.origin);
        self.lines.sort_by_key(|line| !line.starts_with(&of_log));
    }

    /// Verifies the signature of the log, and those of the known witnesses among the lines that are read, which it returns.
    ///
    /// # Errors
    ///
    /// [`NotSigned`] if the checkpoint is of another log or not signed by it, or if a signature of a known key does not hold.
    pub fn verify(&self, log: &VerifierKey, witnesses: &[VerifierKey]) -> Result<Vec<Cosignature>, NotSigned> {
        if self.checkpoint.origin != *log.name() {
            let (found, expected) = (self.checkpoint.origin.clone(), log.name().clone());
            return Err(NotSigned::OtherLog { found, expected });
        }
        let text = self.checkpoint.to_string();
        let mut is_signed = false;
        let mut others = 0;
        let mut cosignatures = Vec::new();
        for line in &self.lines {
            let line = line.parse::<SignatureLine>();
            if let Some(line) = line.as_ref().ok().filter(|line| line.is_of(log)) {
                verify_log(log, line, &text, is_signed)?;
                is_signed = true;
            } else if others < OTHER_SIGNATURES {
                others += 1;
                let line = line.map_err(|_| NotSigned::Malformed)?;
                cosignatures.extend(verify_other(witnesses, &line, &text)?);
            }
        }
        if is_signed { Ok(cosignatures) } else { Err(NotSigned::Unsigned(log.name().clone())) }
    }
}

/// Verifies a line of the log, which may have one only.
fn verify_log(log: &VerifierKey, line: &SignatureLine, text: &str, is_signed: bool) -> Result<(), NotSigned> {
    if is_signed {
        return Err(NotSigned::SignedTwice(log.name().clone()));
    }
    let holds = log.kind() == KeyKind::Log && log.verifies(text.as_bytes(), &line.signature);
    if holds { Ok(()) } else { Err(NotSigned::Broken(log.name().clone())) }
}

/// Verifies a line of a witness; a line of an unknown key is skipped.
fn verify_other(witnesses: &[VerifierKey], line: &SignatureLine, text: &str) -> Result<Option<Cosignature>, NotSigned> {
    let Some(witness) = witnesses.iter().find(|witness| line.is_of(witness)) else { return Ok(None) };
    let cosignature = Cosignature::verify(witness, line, text);
    cosignature.map(Some).ok_or_else(|| NotSigned::Broken(witness.name().clone()))
}

impl fmt::Display for SignedCheckpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.checkpoint)?;
        self.lines.iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}

impl FromStr for SignedCheckpoint {
    type Err = FormError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.len() > NOTE_LIMIT {
            return Err(LONG_NOTE);
        }
        if text.contains(|symbol| symbol != '\n' && is_terminal_control(symbol)) {
            return Err(NOT_A_NOTE);
        }
        let (checkpoint, lines) = text.split_once("\n\n").ok_or(NOT_A_NOTE)?;
        let lines: Vec<_> = lines.strip_suffix('\n').ok_or(NOT_A_NOTE)?.split('\n').map(str::to_owned).collect();
        if lines.iter().any(String::is_empty) {
            return Err(NOT_A_NOTE);
        }
        let checkpoint = format!("{checkpoint}\n").parse::<Checkpoint>().map_err(|_| NOT_A_NOTE)?;
        Ok(Self { checkpoint, lines })
    }
}

/// A checkpoint of C2SP: the size and the root of a log's tree, in three lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkpoint {
    /// The log: its origin, and the name of its key.
    pub origin: KeyName,
    /// The number of leaves.
    pub size: u64,
    /// The root of the tree.
    pub root: TreeHash,
}

const NOT_A_CHECKPOINT: FormError =
    FormError::fixed("not a checkpoint: expected three lines, an origin, a size and a root in base64");

/// Parses a whole number below 2^63 without additional zeros.
pub(crate) fn parse_number(text: &str) -> Option<u64> {
    let number: u64 = text.parse().ok().filter(|number| *number <= i64::MAX.unsigned_abs())?;
    (number.to_string() == text).then_some(number)
}

impl fmt::Display for Checkpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n{}\n{}", self.origin, self.size, self.root)
    }
}

impl FromStr for Checkpoint {
    type Err = FormError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let lines: Vec<_> = text.strip_suffix('\n').ok_or(NOT_A_CHECKPOINT)?.split('\n').collect();
        let [origin, size, root] = lines[..] else { return Err(NOT_A_CHECKPOINT) };
        Ok(Self {
            origin: origin.parse().map_err(|_| NOT_A_CHECKPOINT)?,
            size: parse_number(size).ok_or(NOT_A_CHECKPOINT)?,
            root: root.parse().map_err(|_| NOT_A_CHECKPOINT)?,
        })
    }
}

// Cosignatures of witnesses, in the two forms of C2SP: cosignature/v1 of Ed25519 and subtree/v1 of ML-DSA-44.

/// The lengths of signatures of Ed25519 and of ML-DSA-44, in bytes.
const SIGNATURES: [usize; 2] = [64, 2420];

/// A witness' statement that it received a checkpoint, and when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cosignature {
    /// The key of the witness.
    pub witness: VerifierKey,
    /// The time by the witness' clock, in seconds since 1970. 0 states no time, and is no evidence of one.
    pub time: u64,
}

/// Returns the bytes that a witness with a key of Ed25519 signs.
pub(crate) fn message(time: u64, checkpoint: &str) -> Vec<u8> {
    format!("cosignature/v1\ntime {time}\n{checkpoint}").into_bytes()
}

/// Returns the bytes that a witness with a key of ML-DSA-44 signs: the tree from leaf 0 to the size of the checkpoint. `None` for
/// names that are too long to be signed.
fn subtree_message(witness: &KeyName, time: u64, checkpoint: &Checkpoint) -> Option<Vec<u8>> {
    let mut message = b"subtree/v1\n\0".to_vec();
    for (name, number) in [(witness, time), (&checkpoint.origin, 0)] {
        message.push(u8::try_from(name.as_str().len()).ok()?);
        message.extend(name.as_str().as_bytes());
        message.extend(number.to_be_bytes());
    }
    message.extend(checkpoint.size.to_be_bytes());
    message.extend(checkpoint.root.as_bytes());
    Some(message)
}

/// Splits a signature into its time and that of the algorithm; `None` if it has not the length of a cosignature.
fn timed(signature: &[u8]) -> Option<(u64, &[u8])> {
    let (time, signature) = signature.split_first_chunk()?;
    let time = u64::from_be_bytes(*time);
    (SIGNATURES.contains(&signature.len()) && i64::try_from(time).is_ok()).then_some((time, signature))
}

impl Cosignature {
    /// Returns the time that a line states if it has the length of a cosignature. Nothing is verified.
    pub fn stated_time(line: &SignatureLine) -> Option<u64> {
        timed(&line.signature).map(|(time, _)| time).filter(|time| *time > 0)
    }

    /// Verifies a line of a witness over the text of a checkpoint; `None` if its signature does not hold.
    pub fn verify(witness: &VerifierKey, line: &SignatureLine, checkpoint: &str) -> Option<Self> {
        let (time, signature) = timed(&line.signature)?;
        let message = match witness.kind() {
            KeyKind::Log => return None,
            KeyKind::Witness => message(time, checkpoint),
            KeyKind::MlDsaWitness => subtree_message(witness.name(), time, &checkpoint.parse().ok()?)?,
        };
        let holds = line.is_of(witness) && witness.verifies(&message, signature);
        holds.then(|| Self { witness: witness.clone(), time })
    }
}
