//! A record that begins anew under another name, after a signed tree was lost.

use std::num::NonZeroU32;

use chrono::{DateTime, Utc};
use sports_domain::Sport;
use sports_domain::content::ObjectHash;
use sports_ports::PortError;
use sports_ports::signing::{SigningMemories, SigningMemory, TreeLoss};
use sports_transparency::{KeyName, SignedCheckpoint, VerifierKey};

use super::attestation::{extends, states_loss};
use super::keys::LogKeys;
use super::locked;
use crate::record::{ListedKey, NewestTree, TreeReader, newest_record, published_keys};

/// The reason for which a record does not begin anew.
#[derive(Debug, thiserror::Error)]
pub enum NotRestarted {
    /// The new log has the name of the lost one.
    #[error("the lost checkpoint is one of {0}: name another `record.origin`, so that no name has two trees")]
    SameName(KeyName),
    /// No known key signed the checkpoint.
    #[error("the checkpoint is signed by no key in the store, and not by the key file under the name {0}")]
    Unsigned(KeyName),
    /// The league has no tree.
    #[error("the store has no tree of {0}")]
    NoTree(Sport),
    /// The store has everything that was signed.
    #[error("nothing is lost: the store's tree of {0} leaves extends this checkpoint")]
    NothingLost(u64),
    /// The machine remembers a larger tree of the lost log.
    #[error(
        "this machine signed a tree of {signed} leaves of {origin}, and the checkpoint has {size}: name its newest one"
    )]
    Older {
        /// The size that this machine signed last.
        signed: u64,
        /// The name of the lost log.
        origin: KeyName,
        /// The size of the checkpoint.
        size: u64,
    },
    /// An entry states the loss already.
    #[error(
        "the record states the loss of this checkpoint already: name the newest checkpoint of the tree that is lost now"
    )]
    Stated,
    /// The new log has signed, or begins anew already.
    #[error("{0} has begun already: name another `record.origin`")]
    Begun(KeyName),
    /// The store or the memory of this machine cannot be read or written.
    #[error(transparent)]
    Port(#[from] PortError),
}

/// The log of a record that begins anew.
pub struct Restart<'a> {
    pub sport: Sport,
    /// The trees of the store.
    pub tree: &'a TreeReader,
    /// The keys of the new log.
    pub keys: &'a LogKeys,
    /// The public keys of the same seeds under the name of the lost log. The store may be older than a rotation.
    pub lost_keys: &'a [VerifierKey],
    /// The memory of this machine.
    pub memories: &'a dyn SigningMemories,
}

impl Restart<'_> {
    /// Remembers the loss, which the next entry of the league states, and names the new key in the store.
    ///
    /// # Errors
    ///
    /// [`NotRestarted`] if nothing is lost, or the new log has another use already; nothing is changed then.
    pub async fn after(&self, note: &SignedCheckpoint, now: DateTime<Utc>) -> Result<TreeLoss, NotRestarted> {
        let log = self.keys.log();
        let lost = note.checkpoint();
        if *log == lost.origin {
            return Err(NotRestarted::SameName(log.clone()));
        }
        let published = published_keys(self.tree.files()).await?;
        if !published.iter().map(|key| &key.vkey).chain(self.lost_keys).any(|key| note.verify(key, &[]).is_ok()) {
            return Err(NotRestarted::Unsigned(lost.origin.clone()));
        }
        let newest = NewestTree::read(self.tree, self.sport).await?.ok_or(NotRestarted::NoTree(self.sport))?;
        if extends(self.tree, &newest, lost).await? {
            return Err(NotRestarted::NothingLost(newest.head.size));
        }
        let hash = ObjectHash::from_bytes(lost.to_string().as_bytes());
        if states_loss(self.tree, &newest, 0, Some(hash)).await? {
            return Err(NotRestarted::Stated);
        }
        let _lock = locked(self.memories).await?;
        let signed =
            self.memories.recall(&lost.origin)?.and_then(|memory| memory.signed).map_or(0, |signed| signed.size);
        if signed > lost.size {
            return Err(NotRestarted::Older { signed, origin: lost.origin.clone(), size: lost.size });
        }
        let known = self.memories.recall(log)?.unwrap_or_default();
        if known.signed.is_some() || known.after.is_some() {
            return Err(NotRestarted::Begun(log.clone()));
        }
        let record = self.record(&published, &lost.origin)?;
        self.keys.put_key(self.tree.files(), record, now).await?;
        let after = TreeLoss { checkpoint: hash, size: newest.head.size };
        self.memories.remember(log, &SigningMemory { after: Some(after), ..SigningMemory::default() })?;
        Ok(after)
    }

    /// Returns the number of the new record: one more than the newest, or the one that the new key has since a restart that was
    /// interrupted.
    fn record(&self, published: &[ListedKey], lost: &KeyName) -> Result<NonZeroU32, NotRestarted> {
        let of_league = || published.iter().filter(|key| key.sport == self.sport);
        let lost = of_league().filter(|key| key.vkey.name() == lost).map(|key| key.record).max();
        match of_league().find(|key| key.vkey == *self.keys.newest.verifier()).map(|key| key.record) {
            Some(own) if Some(own) > lost => Ok(own),
            Some(_) => Err(NotRestarted::Begun(self.keys.log().clone())),
            None => Ok(newest_record(published, self.sport).saturating_add(1)),
        }
    }
}
