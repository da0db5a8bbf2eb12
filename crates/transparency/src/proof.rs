use std::fmt::{self, Write as _};

use crate::base64_text;
use crate::checkpoint::parse_number;
use crate::cosignature::Cosignature;
use crate::forecast_entry::ForecastEntry;
use crate::inclusion::{InclusionError, verify_inclusion};
use crate::note::{NOTE_LIMIT, NotANote, NotSigned, SignedCheckpoint};
use crate::opening::{NotAnOpening, Opening};
use crate::{TreeHash, VerifierKey};

const FORM: &str = "c2sp.org/tlog-proof@v1";

/// The number of lines of the longest path.
const LONGEST_PATH: usize = 64;

/// The proof of one forecast: a file of the form c2sp.org/tlog-proof@v1 whose `extra` is the opening.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForecastProof {
    /// The leaf, its salt and its payload.
    pub opening: Opening,
    /// The index of the leaf.
    pub index: u64,
    /// The path from the leaf to the root.
    pub path: Vec<TreeHash>,
    /// The checkpoint whose tree has the leaf.
    pub checkpoint: SignedCheckpoint,
}

/// The reason for which bytes are not a proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotAProof {
    /// The file is too long.
    #[error("the proof is longer than 1 MiB")]
    TooLong,
    /// The file is not text.
    #[error("the proof is not UTF-8 text")]
    NotText,
    /// The first line is another one.
    #[error("the file does not begin with {FORM}")]
    OtherForm,
    /// The line `extra` is missing, or not canonical base64.
    #[error("the second line is not `extra` and base64")]
    Extra,
    /// The opening is malformed.
    #[error(transparent)]
    Opening(#[from] NotAnOpening),
    /// The line `index` is missing, or not a number.
    #[error("the third line is not `index` and a number")]
    Index,
    /// A line of the path is not a hash.
    #[error("a line of the path is not a hash in base64, or the blank line before the checkpoint is missing")]
    Path,
    /// The path is too long.
    #[error("the path has more than {LONGEST_PATH} lines")]
    LongPath,
    /// The checkpoint is malformed.
    #[error(transparent)]
    Note(#[from] NotANote),
}

/// The reason for which a proof does not prove its forecast.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotProven {
    /// The entry is not the leaf of a forecast.
    #[error("the entry is not the leaf of a forecast")]
    NotAForecast,
    /// Salt and payload do not give the commitment of the leaf.
    #[error("salt and payload do not give the commitment of the leaf")]
    OtherCommitment,
    /// The payload is one of another game or market than the leaf.
    #[error("the payload is not one of the game and the market of the leaf")]
    OtherGame,
    /// The checkpoint is not signed.
    #[error(transparent)]
    NotSigned(#[from] NotSigned),
    /// The leaf is not in the tree.
    #[error(transparent)]
    NotIncluded(#[from] InclusionError),
}

/// A forecast that is in a signed tree, and the witnesses of that tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Logged {
    /// The cosignatures of the known witnesses.
    pub cosignatures: Vec<Cosignature>,
}

impl Logged {
    /// Returns the earliest cosignature of a second before `start`, in seconds since 1970: evidence that the forecast was
    /// made before then.
    #[must_use]
    pub fn attested_before(&self, start: i64) -> Option<&Cosignature> {
        let before = |cosignature: &&Cosignature| i64::try_from(cosignature.time).is_ok_and(|time| time < start);
        self.cosignatures.iter().filter(before).min_by_key(|cosignature| cosignature.time)
    }
}

impl ForecastProof {
    /// Reads a proof. Nothing is verified.
    ///
    /// # Errors
    ///
    /// [`NotAProof`] if the file is too long or malformed.
    pub fn parse(bytes: &[u8]) -> Result<Self, NotAProof> {
        if bytes.len() > NOTE_LIMIT {
            return Err(NotAProof::TooLong);
        }
        let text = std::str::from_utf8(bytes).map_err(|_| NotAProof::NotText)?;
        let rest = text.strip_prefix(FORM).and_then(|rest| rest.strip_prefix('\n')).ok_or(NotAProof::OtherForm)?;
        let (extra, rest) = line_of(rest, "extra ").ok_or(NotAProof::Extra)?;
        let json = base64_text::decode(extra).ok_or(NotAProof::Extra)?;
        let opening = Opening::parse(&String::from_utf8(json).map_err(|_| NotAnOpening)?)?;
        let (index, mut rest) = line_of(rest, "index ").ok_or(NotAProof::Index)?;
        let index = parse_number(index).ok_or(NotAProof::Index)?;
        let mut path = Vec::new();
        loop {
            let (line, below) = rest.split_once('\n').ok_or(NotAProof::Path)?;
            rest = below;
            if line.is_empty() {
                break;
            }
            if path.len() == LONGEST_PATH {
                return Err(NotAProof::LongPath);
            }
            path.push(line.parse().map_err(|_| NotAProof::Path)?);
        }
        Ok(Self { opening, index, path, checkpoint: rest.parse()? })
    }

    /// Verifies that the forecast is in a tree that `log` signed, and the cosignatures of the known witnesses.
    ///
    /// # Errors
    ///
    /// [`NotProven`] if anything does not hold.
    pub fn verify(&self, log: &VerifierKey, witnesses: &[VerifierKey]) -> Result<Logged, NotProven> {
        let Opening { entry, salt, payload } = &self.opening;
        let forecast = ForecastEntry::read(entry).ok_or(NotProven::NotAForecast)?;
        if salt.commit(payload.as_bytes()).to_string() != forecast.commitment {
            return Err(NotProven::OtherCommitment);
        }
        if !payload.starts_with(&forecast.payload_start()) {
            return Err(NotProven::OtherGame);
        }
        let cosignatures = self.checkpoint.verify(log, witnesses)?;
        let checkpoint = self.checkpoint.checkpoint();
        let leaf = TreeHash::of_leaf(entry.as_bytes());
        verify_inclusion(leaf, self.index, checkpoint.size, &self.path, checkpoint.root)?;
        Ok(Logged { cosignatures })
    }
}

/// Returns the rest of the first line behind its `mark`, and the lines below.
fn line_of<'a>(text: &'a str, mark: &str) -> Option<(&'a str, &'a str)> {
    text.strip_prefix(mark)?.split_once('\n')
}

impl fmt::Display for ForecastProof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let extra = base64_text::encode(self.opening.to_json().as_bytes());
        writeln!(f, "{FORM}\nextra {extra}\nindex {}", self.index)?;
        self.path.iter().try_for_each(|hash| writeln!(f, "{hash}"))?;
        f.write_char('\n')?;
        self.checkpoint.fmt(f)
    }
}
