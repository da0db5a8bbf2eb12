//! Appending to a log that other publishers append to concurrently.

use std::sync::Arc;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use sports_content::ObjectHash;
use sports_domain::Sport;
use sports_ports::publication::{Appended, LogEntry, OtherForm, PublicationLog, Unopened};
use sports_ports::signing::TreeLoss;
use sports_ports::{Clock, PortError, Random};
use sports_publication::registry::Moment;
use sports_publication::slate_update::Warning;
use sports_publication::{Catalog, ClockSource, Generation, ReleaseId, publishing_instant};

use super::draft::{Draft, Stores};
use super::error::PublishError;
use super::outcome::{Mode, PublishOutcome};
use super::tree::{NextTree, states_loss};
use crate::record::{Chain, Link, StrayReason, is_simulated};

/// The number of attempts to append before giving up.
const ATTEMPTS: usize = 50;

/// A change of the published record, computed again on top of the newest entry in every attempt.
#[async_trait]
pub(super) trait Revision: Send + Sync {
    type Report: Send;

    fn sport(&self) -> Sport;

    /// Returns the release id for publication at an instant.
    fn release_id(&self, existing: Option<&Catalog>, at: DateTime<Utc>) -> ReleaseId;

    /// Adds a warning for a person to review.
    fn warn(report: &mut Self::Report, warning: Warning);

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
    /// The source of nonces.
    pub(super) random: Arc<dyn Random>,
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
            let Head { entry: head, next: generation, passed_over } = self.head(revision.sport(), mode).await?;
            let existing = head.as_ref().map(|head| &head.catalog);
            let at = publishing_instant(self.clock.now(), self.source, existing)?;
            let release_id = revision.release_id(existing, at);
            let mut draft = revision.draft(existing, release_id.clone(), Moment { generation, at }).await?;
            for generation in passed_over {
                R::warn(&mut draft.report, Warning::PassedOver { sport: revision.sport(), generation });
            }
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
            draft.catalog.previous = head.as_ref().map(|head| head.digest);
            draft.changes.restart = self.unstated_loss(head.as_ref()).await?;
            let tree = NextTree::behind(existing, &draft.catalog, &draft.changes, &*self.random)?;
            let (catalog, report) = self.stores.complete(draft, tree).await?;
            if let Appended::Committed { digest } = self.log.append(&catalog).await? {
                let simulated = is_simulated(&*self.log, &catalog).await?;
                return Ok((PublishOutcome::Published { generation, release_id, digest, simulated }, report));
            }
        }
        Err(PublishError::Overtaken(ATTEMPTS))
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

    /// Returns the newest entry of the record, for reading alone.
    pub(super) async fn newest(&self, sport: Sport) -> Result<Option<Catalog>, PublishError> {
        Ok(self.head(sport, Mode::DryRun).await?.entry.map(|entry| entry.catalog))
    }

    /// Returns the newest entry. Before the first entry of a league, verifies by a write that the store honours
    /// put-if-absent; a dry run skips this check.
    ///
    /// Unreadable files above the record are skipped, since they may have been put there by accident. An entry in
    /// another form is an error, because skipping it would lose more than a number. So is an entry that continues
    /// something else and was published after the record's newest. Right above the record, a file that cannot be opened
    /// counts as an entry and is an error.
    async fn head(&self, sport: Sport, mode: Mode) -> Result<Head, PublishError> {
        let mut chain = Chain::listed(&*self.log, sport).await?;
        let (head, above) = chain.head().await?;
        let newest = head.as_ref().map(|(entry, _)| &entry.catalog);
        let next = newest.map_or(Generation::FIRST, |head| chain.free_after(head.generation));
        let mut passed_over = Vec::new();
        for (generation, reason) in above {
            if reason.may_be_lost_history(newest) {
                return Err(PublishError::BrokenRecord { sport, generation });
            }
            match reason {
                StrayReason::Unreadable(error) if head.is_none() && generation == Generation::FIRST => {
                    return Err(error.into());
                }
                StrayReason::Unreadable(error) if is_other_form(&error) => return Err(error.into()),
                StrayReason::Unreadable(error) if generation < next && is_unopened(&error) => return Err(error.into()),
                StrayReason::Unreadable(_) | StrayReason::Unlinked { .. } => passed_over.push(generation),
            }
        }
        let entry = match head {
            Some((entry, Link::Rootless)) => {
                return Err(PublishError::BrokenRecord { sport, generation: entry.catalog.generation });
            }
            Some((entry, _)) => Some(Arc::unwrap_or_clone(entry)),
            None if mode == Mode::DryRun || self.log.honours_put_if_absent().await? => None,
            None => return Err(PublishError::StoreOverwrites),
        };
        Ok(Head { entry, next, passed_over })
    }
}

/// The position of the next entry.
struct Head {
    /// The newest entry, which the next entry continues.
    entry: Option<LogEntry>,
    /// The generation number of the next entry.
    next: Generation,
    /// Generation numbers above the newest entry whose files are not part of the record.
    passed_over: Vec<Generation>,
}

fn is_other_form(error: &PortError) -> bool {
    matches!(error, PortError::Corrupt { source, .. } if source.is::<OtherForm>())
}

fn is_unopened(error: &PortError) -> bool {
    matches!(error, PortError::Corrupt { source, .. } if source.is::<Unopened>())
}
