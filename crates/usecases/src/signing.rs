//! Completion of the record after a commit: tiles are stored, the tree is signed, and others attest to its time.
//!
//! Nothing here can undo or fail a publish: missing work is reported, and the next publish or `record sign` completes it.

mod attestation;
mod keys;
mod restart;
mod tiles;

use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, SecondsFormat, Utc};
use sports_domain::Sport;
use sports_ledger::write_indexes;
use sports_ports::record::StoredAs;
use sports_ports::signing::{SigningMemories, SigningMemory, TreeLoss};
use sports_ports::{Clock, PortError, Random, error_chain};
use sports_transparency::{Checkpoint, Cosignature, KeyId, KeyName, SignedCheckpoint, VerifierKey};
use tokio::time::Instant;

use self::attestation::{Attested, Contradiction};
use crate::record::{ListedKey, NewestTree, StoredKeys, TreeReader, stored_keys};
use attestation::{extends, states_loss};
use keys::RecordKeys;

pub use attestation::{Signing, TreeSigning};
pub use keys::{EarlierKey, LogKeys};
pub use restart::{NotRestarted, Restart};

const PORT: &str = "the signer";

/// Completes the records of one store.
pub struct RecordSigner {
    tree: TreeReader,
    clock: Arc<dyn Clock>,
    random: Arc<dyn Random>,
    signing: TreeSigning,
}

/// The result of completing a league's record.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Completed {
    /// The checkpoint that is signed and stored.
    pub checkpoint: Option<Checkpoint>,
    /// The cosignatures that came for it now.
    pub cosigned: Vec<Cosignature>,
    /// The addresses of the servers whose timestamps came for it now.
    pub timestamped: Vec<String>,
    /// The reason for which the tree was not signed, or should not have been, although there is a key.
    pub unsigned: Option<String>,
    /// The work that was not done, in words.
    pub warnings: Vec<String>,
    /// True if the league's first tree was completed without a key.
    pub begins_without_key: bool,
}

/// The reason for which a tree is not signed.
#[derive(Debug, thiserror::Error)]
enum Unsigned {
    /// This machine stopped earlier.
    #[error("{0}")]
    Stopped(String),
    /// The tree does not extend a signed one.
    #[error(
        "its tree of {size} leaves does not extend the one of {signed} leaves that {origin} signed; a store that was restored \
         from an older backup is not signed (docs/record-recovery.md), and any other change is found by `sportsctl verify`"
    )]
    NotExtended { size: u64, signed: u64, origin: KeyName },
    /// No entry states the loss after which the record begins anew.
    #[error(
        "its record begins anew with the next entry of the machine on which `sportsctl record restart` ran, and is signed from \
         there on"
    )]
    LossUnstated,
    /// The key has replaced one that has stopped, and no entry announces it.
    #[error("{key} is announced by the next entry, and signs from there on: publish or settle something")]
    Unannounced { key: String },
    /// Another machine has replaced the key, which has stopped.
    #[error(
        "{successor} has replaced its key, which stopped at {}: copy the key file of the machine on which `sportsctl record keys \
         add` ran", .until.to_rfc3339_opts(SecondsFormat::Secs, true)
    )]
    Replaced { successor: String, until: DateTime<Utc> },
    /// Another key has signed under the name.
    #[error(
        "the store has {other}, a key of this name that the key file lacks: copy that key file, or name another `record.origin` \
         after a loss (docs/record-recovery.md)"
    )]
    OtherKey { other: String },
    /// A witness has another tree, or a larger one.
    #[error(transparent)]
    Contradicted(#[from] Contradiction),
    /// The key was copied here, and its signatures elsewhere are unknown.
    #[error(
        "this machine remembers no checkpoint of the key, and no witness answered that has one: a copied key signs once a witness \
         states what was signed before; try again with `sportsctl record sign`"
    )]
    Unwitnessed,
    /// A file of the record or of this machine cannot be read or written.
    #[error(transparent)]
    Port(#[from] PortError),
}

impl RecordSigner {
    /// Creates a signer of the trees that `tree` reads.
    pub fn new(tree: TreeReader, clock: Arc<dyn Clock>, random: Arc<dyn Random>, signing: TreeSigning) -> Self {
        Self { tree, clock, random, signing }
    }

    /// Stores missing tiles of a league's newest tree and indexes of its log, signs the tree, and sends it to the witnesses and timestamp servers
    /// whose attestations are missing.
    pub async fn complete(&self, sport: Sport) -> Completed {
        let mut done = Completed::default();
        let newest = match NewestTree::read(&self.tree, sport).await {
            Ok(Some(newest)) => newest,
            Ok(None) => return done,
            Err(error) => {
                done.warnings.push(format!("the record of {sport} is not completed: {}", error_chain(&error)));
                return done;
            }
        };
        done.warnings.extend(tiles::store(&self.tree, &newest).await);
        let indexed = write_indexes(self.tree.log(), self.tree.files(), sport, newest.head.generation).await;
        let no_index = |error| format!("the index of the log of {sport} is not stored: {}", error_chain(&error));
        done.warnings.extend(indexed.err().map(no_index));
        let Some((signing, keys)) = self.signing.of(sport) else {
            done.begins_without_key = newest.head.is_first;
            return done;
        };
        if let Err(reason) = self.sign(signing, keys, newest, &mut done).await {
            let what = if done.checkpoint.is_some() { "the record of" } else { "not signed:" };
            done.unsigned = Some(format!("{what} {sport}: {}", error_chain(&reason)));
        }
        done
    }

    /// Returns the loss after which a league's record begins anew, until the new log has signed a tree. A memory of this machine that
    /// cannot be read has none: [`Self::complete`] reports it, and a later entry states the loss.
    pub fn loss(&self, sport: Sport) -> Option<TreeLoss> {
        let (signing, keys) = self.signing.of(sport)?;
        let memory = signing.memories.recall(keys.log()).ok()??;
        memory.after.filter(|_| memory.signed.is_none())
    }

    /// Returns the newest checkpoint that this machine signed of a league, if the store has no tree of it and the record of the
    /// keys neither has begun nor begins anew after a loss: whoever publishes to it would hide the tree that was signed.
    ///
    /// # Errors
    ///
    /// [`PortError`] if the store or the memory of this machine cannot be read.
    pub async fn hidden(&self, sport: Sport) -> Result<Option<Checkpoint>, PortError> {
        let Some((signing, keys)) = self.signing.of(sport) else { return Ok(None) };
        let own = signing.memories.recall(keys.log())?.unwrap_or_default();
        if own.signed.is_some() || own.after.is_some() {
            return Ok(None);
        }
        // The store is read for a key with such a memory alone.
        let signed = newest_signed(&*signing.memories, sport)?.filter(|signed| signed.size > 0);
        let Some(signed) = signed else { return Ok(None) };
        Ok(NewestTree::read(&self.tree, sport).await?.is_none().then_some(signed))
    }

    /// Returns the keys that sign a league's trees now, oldest first: none if others have replaced them.
    ///
    /// # Errors
    ///
    /// [`PortError`] if the keys in the store cannot be read.
    pub async fn keys(&self, sport: Sport) -> Result<Vec<VerifierKey>, PortError> {
        let Some((_, keys)) = self.signing.of(sport) else { return Ok(Vec::new()) };
        let (published, now) = (stored_keys(self.tree.files()).await?.listed, self.clock.now());
        Ok(expect_current(keys, &published, now).map(|()| keys.signing(now)).unwrap_or_default())
    }

    /// Signs a tree and requests attestations. The lock is held until the checkpoint is stored, so that two publishers of one
    /// machine never sign two trees.
    async fn sign(
        &self,
        signing: &Signing,
        keys: &LogKeys,
        newest: NewestTree,
        done: &mut Completed,
    ) -> Result<(), Unsigned> {
        let log = keys.log();
        let lock = locked(&*signing.memories).await?;
        let recalled = signing.memories.recall(log)?;
        let StoredKeys { listed: published, damaged } = stored_keys(self.tree.files()).await?;
        done.warnings.extend(damaged.into_iter().map(damaged_key));
        let (newest, note) = self.extended_note(signing, keys, &published, newest, recalled.as_ref()).await?;
        let (sport, checkpoint) = (newest.head.sport, note.checkpoint().clone());
        let memory = recalled.clone().unwrap_or_default();
        // Without a checkpoint in its memory, a machine first checks by the witnesses that the key signed no other tree.
        let early = if memory.signed.is_none() {
            let attested = self.attested(signing, &memory, &newest, &note).await?;
            expect_no_contradiction(signing, log, &memory, &attested)?;
            if recalled.is_none() {
                let is_stored = keys.are_in(&published);
                expect_answers(signing, &attested, is_stored)?;
                done.warnings.extend((signing.witnesses.is_empty() && is_stored).then(|| unknown_elsewhere(log)));
            }
            Some(attested)
        } else {
            None
        };
        signing.memories.remember(log, &memory.signing(&checkpoint))?;
        keys.publish(self.tree.files(), &published, sport, self.clock.now()).await?;
        self.put_note(sport, &note, done).await?;
        done.checkpoint = Some(checkpoint);
        drop(lock);
        let attested = match early {
            Some(attested) => attested,
            None => self.attested(signing, &memory.signing(note.checkpoint()), &newest, &note).await?,
        };
        self.keep(signing, sport, note, attested, done).await
    }

    /// Returns a tree and its signed checkpoint, if the tree extends every checkpoint of the log in the memory of this machine
    /// and in the store. It is the store's newest tree if another publisher has signed a larger one than `newest`.
    async fn extended_note(
        &self,
        signing: &Signing,
        keys: &LogKeys,
        published: &[ListedKey],
        newest: NewestTree,
        recalled: Option<&SigningMemory>,
    ) -> Result<(NewestTree, SignedCheckpoint), Unsigned> {
        expect_current(keys, published, self.clock.now())?;
        let record = RecordKeys::of(keys, published, newest.head.sport);
        let mut signed = Vec::new();
        // The record may have been signed under another name before, as with a key that was lost.
        for name in record.names() {
            let Some(memory) = signing.memories.recall(name)? else { continue };
            if let Some(reason) = memory.stopped {
                return Err(Unsigned::Stopped(reason));
            }
            signed.extend(memory.signed);
        }
        // A record that states no loss extends whatever the key signed of the league, also for another store.
        if record.number == NonZeroU32::MIN {
            let elsewhere = newest_signed(&*signing.memories, newest.head.sport)?;
            signed.extend(elsewhere.filter(|elsewhere| !signed.contains(elsewhere)));
        }
        let from = signed.iter().map(|signed| signed.size).max().unwrap_or(0);
        // The store mostly has the checkpoint in the memory of this machine.
        let stored = record.newest_stored(self.tree.files(), from).await?;
        signed.extend(stored.filter(|stored| !signed.contains(stored)));
        let newest = self.caught_up(newest, &signed).await?;
        if signed.is_empty() && !self.states_restart(&record, &newest, recalled).await? {
            return Err(Unsigned::LossUnstated);
        }
        for signed in signed {
            if !extends(&self.tree, &newest, &signed).await? {
                let (size, origin) = (newest.head.size, signed.origin);
                return Err(Unsigned::NotExtended { size, signed: signed.size, origin });
            }
        }
        let checkpoint = Checkpoint { origin: keys.log().clone(), size: newest.head.size, root: newest.head.root };
        let lines = keys.sign(&checkpoint, newest.announced(), self.clock.now());
        if lines.is_empty() {
            return Err(Unsigned::Unannounced { key: keys.newest.verifier().to_string() });
        }
        Ok((newest, SignedCheckpoint::new(checkpoint, &lines)))
    }

    /// Returns the newest tree, read again if another publisher has signed a larger one.
    async fn caught_up(&self, newest: NewestTree, signed: &[Checkpoint]) -> Result<NewestTree, PortError> {
        if signed.iter().all(|signed| signed.size <= newest.head.size) {
            return Ok(newest);
        }
        Ok(NewestTree::read(&self.tree, newest.head.sport).await?.unwrap_or(newest))
    }

    /// Returns `true` if a record without a signature is the first one, or states the loss after which it begins. Only the
    /// machine on which the record restarted has the checkpoint of that loss; another checks only that a loss is stated.
    async fn states_restart(
        &self,
        record: &RecordKeys,
        newest: &NewestTree,
        recalled: Option<&SigningMemory>,
    ) -> Result<bool, PortError> {
        if record.number == NonZeroU32::MIN {
            return Ok(true);
        }
        let (from, checkpoint) = match recalled.and_then(|memory| memory.after) {
            Some(loss) => (loss.size, Some(loss.checkpoint)),
            None => (record.beginning(self.tree.files()).await?, None),
        };
        states_loss(&self.tree, newest, from, checkpoint).await
    }

    async fn attested(
        &self,
        signing: &Signing,
        memory: &SigningMemory,
        newest: &NewestTree,
        note: &SignedCheckpoint,
    ) -> Result<Attested, PortError> {
        attestation::of(&self.tree, signing, memory, newest, note, &*self.random).await
    }

    /// Stores the attestations of others, and adds them to the memory of this machine.
    async fn keep(
        &self,
        signing: &Signing,
        sport: Sport,
        mut note: SignedCheckpoint,
        attested: Attested,
        done: &mut Completed,
    ) -> Result<(), Unsigned> {
        done.warnings.extend(attested.warnings.iter().cloned());
        let checkpoint = note.checkpoint().clone();
        if !attested.lines.is_empty() {
            note.merge(&SignedCheckpoint::new(checkpoint.clone(), &attested.lines));
            self.put_note(sport, &note, done).await?;
        }
        for (_, token) in &attested.tokens {
            let stored = keys::put_timestamp(self.tree.files(), sport, checkpoint.size, token.clone()).await?;
            done.warnings.extend(different(stored, "a timestamp"));
        }
        if attested.adds_nothing() {
            return Ok(());
        }
        let _lock = locked(&*signing.memories).await?;
        let memory = signing.memories.recall(&checkpoint.origin)?.unwrap_or_default();
        signing.memories.remember(&checkpoint.origin, &attested.added_to(memory, &checkpoint))?;
        done.cosigned = attested.cosigned;
        done.timestamped = attested.tokens.into_iter().map(|(address, _)| address).collect();
        Ok(attested.contradiction.map_or(Ok(()), Err)?)
    }

    async fn put_note(&self, sport: Sport, note: &SignedCheckpoint, done: &mut Completed) -> Result<(), PortError> {
        let stored = keys::put_note(self.tree.files(), sport, note).await?;
        done.warnings.extend(different(stored, "a signed checkpoint"));
        Ok(())
    }
}

/// Returns the largest checkpoint that a machine signed of a league, under any name.
fn newest_signed(memories: &dyn SigningMemories, sport: Sport) -> Result<Option<Checkpoint>, PortError> {
    let logs = memories.logs()?;
    let of_league = logs.iter().filter(|log| log.league() == Some(sport));
    let memories = of_league.map(|log| memories.recall(log)).collect::<Result<Vec<_>, _>>()?;
    Ok(memories.into_iter().flatten().filter_map(|memory| memory.signed).max_by_key(|signed| signed.size))
}

/// Returns an error for keys that have stopped, or whose name another key has.
fn expect_current(keys: &LogKeys, published: &[ListedKey], now: DateTime<Utc>) -> Result<(), Unsigned> {
    if let Some((successor, until)) = keys.successor(published, now) {
        return Err(Unsigned::Replaced { successor: successor.vkey.to_string(), until });
    }
    let other = keys.stranger(published).map(|other| other.vkey.to_string());
    other.map_or(Ok(()), |other| Err(Unsigned::OtherKey { other }))
}

/// Returns the contradiction of a witness as an error. A store that is older than a witness stops this machine for good.
fn expect_no_contradiction(
    signing: &Signing,
    log: &KeyName,
    memory: &SigningMemory,
    attested: &Attested,
) -> Result<(), Unsigned> {
    let Some(contradiction) = &attested.contradiction else { return Ok(()) };
    if let Some(stopped) = contradiction.stopped() {
        signing.memories.remember(log, &SigningMemory { stopped: Some(stopped), ..memory.clone() })?;
    }
    Err(contradiction.clone().into())
}

/// Returns an error if the tree of a copied key was sent to witnesses, and no answer is of a witness that had a tree of the log
/// before. A key that is not in the store may have signed nothing yet: for it, answers of all witnesses suffice.
fn expect_answers(signing: &Signing, attested: &Attested, is_stored: bool) -> Result<(), Unsigned> {
    let is_answered = attested.is_known || (!is_stored && attested.answers == signing.witnesses.len());
    if signing.witnesses.is_empty() || is_answered { Ok(()) } else { Err(Unsigned::Unwitnessed) }
}

/// Returns a warning about the file of a key in the store.
fn damaged_key(id: KeyId) -> String {
    format!(
        "record/keys/{id}.vkey is damaged, and no reader can check what this key signed: put it back from a backup, or remove it and run \
         `sportsctl record sign`"
    )
}

/// Returns a warning about a key that may have signed a larger tree elsewhere.
fn unknown_elsewhere(log: &KeyName) -> String {
    format!(
        "{log}: this machine remembered no checkpoint of the key, and no witness is named: nothing shows whether another machine has \
         signed a larger tree (docs/record-recovery.md)"
    )
}

/// Returns a warning if the store has other bytes under the name of a file.
fn different(stored: StoredAs, what: &str) -> Option<String> {
    (stored == StoredAs::Different)
        .then(|| format!("the store has {what} under its name with other bytes; it was left as it is"))
}

/// The timeout of the lock: a stopped process may keep it for ever.
const LOCK_TIMEOUT: Duration = Duration::from_secs(20);

/// The time between two attempts to take a lock.
const INTERVAL: Duration = Duration::from_millis(20);

/// Takes the lock of this machine once no other process has it.
///
/// # Errors
///
/// [`PortError`] if the lock cannot be taken, or another process keeps it.
pub async fn locked(memories: &dyn SigningMemories) -> Result<Box<dyn Send>, PortError> {
    let end = Instant::now() + LOCK_TIMEOUT;
    loop {
        if let Some(lock) = memories.try_lock()? {
            return Ok(lock);
        }
        if Instant::now() >= end {
            let reason =
                format!("another process has had the lock of the signing key for {} s", LOCK_TIMEOUT.as_secs());
            return Err(PortError::unavailable(PORT, reason));
        }
        tokio::time::sleep(INTERVAL).await;
    }
}
