//! The memory of a machine that signs checkpoints, so that it never signs two trees of one log.

use std::collections::{BTreeMap, BTreeSet};

use sports_domain::content::ObjectHash;
use sports_transparency::{Checkpoint, KeyId, KeyName};

use crate::PortError;

/// The last checkpoint of a log that a machine signed, and what became of it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SigningMemory {
    /// The last checkpoint that was signed. `None` if the key was made here and has signed nothing yet.
    pub signed: Option<Checkpoint>,
    /// The size that each witness cosigned last.
    pub witnessed: BTreeMap<KeyId, u64>,
    /// The addresses of the servers that have stamped the last checkpoint.
    pub timestamped: BTreeSet<String>,
    /// The reason for which this machine signs the log no longer.
    pub stopped: Option<String>,
    /// The loss after which the log began, if it is that of a record that began anew.
    pub after: Option<TreeLoss>,
}

/// A signed tree that was lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TreeLoss {
    /// The SHA-256 of the text of the lost checkpoint.
    pub checkpoint: ObjectHash,
    /// The size of the tree that was left.
    pub size: u64,
}

impl SigningMemory {
    /// Returns the memory after a checkpoint was signed.
    pub fn signing(&self, checkpoint: &Checkpoint) -> Self {
        let is_same = self.signed.as_ref() == Some(checkpoint);
        let timestamped = if is_same { self.timestamped.clone() } else { BTreeSet::new() };
        let (witnessed, stopped) = (self.witnessed.clone(), self.stopped.clone());
        Self { signed: Some(checkpoint.clone()), witnessed, timestamped, stopped, after: self.after }
    }
}

/// The memory of a machine that signs.
///
/// # Contract
///
/// - A log that was never remembered is `Ok(None)`: the key was made elsewhere. What was remembered reads back equal, in later
///   processes, too.
/// - A memory is replaced as a whole: a killed process leaves the one before.
/// - A memory that cannot be read is [`PortError::Corrupt`], never a forgotten one.
/// - As long as a lock is kept, no other process gets one. The system releases that of a process that ends.
pub trait SigningMemories: Send + Sync {
    /// Takes the lock of whoever signs with the key; `None` while another process has it.
    ///
    /// # Errors
    ///
    /// [`PortError`] if the lock cannot be taken.
    fn try_lock(&self) -> Result<Option<Box<dyn Send>>, PortError>;

    /// Returns the memory of a log.
    ///
    /// # Errors
    ///
    /// [`PortError`] if it cannot be read.
    fn recall(&self, log: &KeyName) -> Result<Option<SigningMemory>, PortError>;

    /// Returns the logs that have a memory, in any order.
    ///
    /// # Errors
    ///
    /// [`PortError`] if they cannot be listed.
    fn logs(&self) -> Result<Vec<KeyName>, PortError>;

    /// Replaces the memory of a log.
    ///
    /// # Errors
    ///
    /// [`PortError`] if it cannot be written.
    fn remember(&self, log: &KeyName, memory: &SigningMemory) -> Result<(), PortError>;
}
