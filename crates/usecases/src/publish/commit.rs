//! Appending to a log that other publishers append to concurrently.

use std::sync::Arc;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use sports_domain::Sport;
use sports_domain::content::ObjectHash;
use sports_ledger::{Head, Link, Newest, NotLinked, is_simulated};
use sports_ports::publication::{Appended, LogEntry, PublicationLog};
use sports_ports::signing::TreeLoss;
use sports_ports::{Clock, PortError, Random, error_chain};
use sports_publication::registry::Moment;
use sports_publication::slate_update::Warning;
use sports_publication::{Catalog, ClockSource, Generation, ReleaseId, publishing_instant};
use sports_transparency::VerifierKey;

use super::draft::{Draft, NextTree, Stores, states_loss};
use super::{Conditions, ExpectedHead, Mode, PublishError, PublishOutcome};

/// The number of attempts to append before giving up.
const ATTEMPTS: usize = 50;

/// A change of the published record, computed again on top of the newest entry in every attempt.
#[async_trait]
pub(super) trait Revision: Send + Sync {
    type Report: Send;

    fn sport(&self) -> Sport;

    /// Returns the release id for publication at an instant.
    fn release_id(&self, existing: Option<&Catalog>, at: DateTime<Utc>) -> ReleaseId;

    /// Returns the warnings that [`Mode::CommitUnlessWarned`] refuses to publish.
    fn warnings<'r>(&self, _report: &'r Self::Report) -> &'r [Warning] {
        &[]
    }

    /// Computes the next entry from the newest one, or reports the conflict.
    async fn draft(
        &self,
        existing: Option<&Catalog>,
        release_id: ReleaseId,
        moment: Moment,
    ) -> Result<Draft<Self::Report>, PublishError>;
}

/// The log, the stores and the clock that a commit uses.
#[derive(Clone)]
pub(super) struct Committer {
    pub(super) log: Arc<dyn PublicationLog>,
    pub(super) stores: Stores,
    pub(super) clock: Arc<dyn Clock>,
    /// The source of the clock: the system, or a time set by hand.
    pub(super) source: ClockSource,
    /// The loss after which the record begins anew, until an entry states it.
    pub(super) restart: Option<TreeLoss>,
    /// The keys that will sign the tree, oldest first.
    pub(super) keys: Vec<VerifierKey>,
    /// The source of nonces.
    pub(super) random: Arc<dyn Random>,
    /// The conditions of an append.
    pub(super) conditions: Conditions,
}

impl Committer {
    /// Stores the new content and appends one entry. If another publisher appends first, computes the change again on
    /// top of the new entry, at the time of that attempt.
    pub(super) async fn commit<R: Revision>(
        &self,
        revision: &R,
        mode: Mode,
    ) -> Result<(PublishOutcome, R::Report), PublishError> {
        for _ in 0..ATTEMPTS {
            let head = self.head(revision.sport(), mode).await?;
            self.expect_head(head.as_ref().map(|head| head.digest))?;
            let generation = head.as_ref().map_or(Generation::FIRST, |head| head.catalog.generation.next());
            let existing = head.as_ref().map(|head| &head.catalog);
            let at = publishing_instant(self.clock.now(), self.source, existing)?;
            let release_id = revision.release_id(existing, at);
            let mut draft = revision.draft(existing, release_id.clone(), Moment { generation, at }).await?;
            let warnings = revision.warnings(&draft.report);
            if mode == Mode::CommitUnlessWarned && !warnings.is_empty() {
                return Err(PublishError::Warned(warnings.to_vec()));
            }
            if let Some(existing) = existing.filter(|existing| draft.is_unchanged_from(existing)) {
                return Ok((PublishOutcome::AlreadyPublished { generation: existing.generation }, draft.report));
            }
            if mode == Mode::DryRun {
                return Ok((PublishOutcome::WouldBe { generation }, draft.report));
            }
            draft.catalog.generation = generation;
            draft.catalog.clock = self.source;
            draft.catalog.upload.clone_from(&self.conditions.upload);
            draft.catalog.previous = head.as_ref().map(|head| head.digest);
            draft.changes.restart = self.unstated_loss(head.as_ref()).await?;
            draft.changes.keys = self.unannounced_keys(existing);
            let tree = NextTree::behind(existing, &draft.catalog, &draft.changes, &*self.random)?;
            let (catalog, report) = self.stores.complete(draft, tree).await?;
            if let Appended::Committed { digest } = self.log.append(&catalog).await? {
                let simulated = is_simulated(&*self.log, &catalog).await?;
                return Ok((PublishOutcome::Published { generation, release_id, digest, simulated }, report));
            }
        }
        Err(PublishError::Overtaken(ATTEMPTS))
    }

    fn expect_head(&self, head: Option<ObjectHash>) -> Result<(), PublishError> {
        match self.conditions.head {
            ExpectedHead::Exactly(expected) if expected != head => Err(PublishError::OtherHead(head)),
            _ => Ok(()),
        }
    }

    /// Returns the lost checkpoint that the next entry states: none if an entry states it, maybe one of another publisher.
    async fn unstated_loss(&self, head: Option<&LogEntry>) -> Result<Option<ObjectHash>, PortError> {
        let Some(loss) = self.restart else { return Ok(None) };
        let is_stated = match head {
            Some(head) => states_loss(&*self.log, &self.stores.slates, head, loss).await?,
            None => false,
        };
        Ok((!is_stated).then_some(loss.checkpoint))
    }

    /// Returns the keys that no entry has announced.
    fn unannounced_keys(&self, existing: Option<&Catalog>) -> Vec<VerifierKey> {
        let tree = existing.and_then(|existing| existing.tree.as_ref());
        let is_known = |key: &&VerifierKey| tree.is_some_and(|tree| tree.keys.contains(key));
        self.keys.iter().filter(|key| !is_known(key)).cloned().collect()
    }

    /// Returns the newest entry of the record, for reading alone.
    pub(super) async fn newest(&self, sport: Sport) -> Result<Option<Catalog>, PublishError> {
        Ok(self.head(sport, Mode::DryRun).await?.map(|entry| entry.catalog))
    }

    /// Returns the newest entry. Before the first entry of a league, verifies by a write that the store honours
    /// put-if-absent; a dry run skips this check.
    ///
    /// Nothing is published above or beside a number that does not continue the record: it may be an entry of a newer program,
    /// a damaged one, or what is left of lost history.
    async fn head(&self, sport: Sport, mode: Mode) -> Result<Option<LogEntry>, PublishError> {
        let Head { newest, beyond, .. } = Head::proven(&*self.log, sport).await?;
        if let Some(first) = beyond.into_iter().next() {
            let generation = first.generation;
            return Err(match first.reason {
                NotLinked::Unreadable(error) => {
                    let reason = error_chain(&*error);
                    PublishError::UnreadableNumber { sport, generation, reason }
                }
                NotLinked::Unlinked { .. } => PublishError::BrokenRecord { sport, generation },
            });
        }
        match newest {
            Some(Newest { entry, link: Link::Rootless | Link::Unknown }) => {
                Err(PublishError::BrokenRecord { sport, generation: entry.catalog.generation })
            }
            Some(Newest { entry, .. }) => Ok(Some(Arc::unwrap_or_clone(entry))),
            None if mode == Mode::DryRun || self.log.honours_put_if_absent().await? => Ok(None),
            None => Err(PublishError::StoreOverwrites),
        }
    }
}
