use std::fmt;
use std::str::FromStr;

use crate::{KeyName, TreeHash};

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

/// The error for text that is not a checkpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a checkpoint: expected three lines, an origin, a size and a root in base64")]
pub struct NotACheckpoint;

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
    type Err = NotACheckpoint;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let lines: Vec<_> = text.strip_suffix('\n').ok_or(NotACheckpoint)?.split('\n').collect();
        let [origin, size, root] = lines[..] else { return Err(NotACheckpoint) };
        Ok(Self {
            origin: origin.parse().map_err(|_| NotACheckpoint)?,
            size: parse_number(size).ok_or(NotACheckpoint)?,
            root: root.parse().map_err(|_| NotACheckpoint)?,
        })
    }
}
