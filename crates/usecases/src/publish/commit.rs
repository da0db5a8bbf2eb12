//! Appending to a log that others append to as well.

use std::sync::Arc;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use sports_domain::Sport;
use sports_ports::publication::{Appended, LogEntry, NewerForm, PublicationLog, Unopened};
use sports_ports::{Clock, PortError};
use sports_publication::slate_update::Warning;
use sports_publication::{Catalog, ClockSource, Generation, ReleaseId, publishing_instant};

use super::draft::{Draft, Stores};
use super::error::PublishError;
use super::outcome::{Mode, PublishOutcome};
use crate::record::{Chain, Link, StrayReason, is_simulated};

/// How many times to try the next number before giving up.
const ATTEMPTS: usize = 50;

/// A change of what is published, made anew on top of the entry that is the newest at the time.
#[async_trait]
pub(super) trait Revision: Send + Sync {
    type Report: Send;

    fn sport(&self) -> Sport;

    /// The name it gets when published at an instant.
    fn release_id(&self, existing: Option<&Catalog>, at: DateTime<Utc>) -> ReleaseId;

    /// Adds something that a person should look at.
    fn warn(report: &mut Self::Report, warning: Warning);

    /// What a person should look at before it is published.
    fn warnings<'r>(&self, _report: &'r Self::Report) -> &'r [Warning] {
        &[]
    }

    /// What it makes of the newest entry, or why it does not fit.
    async fn draft(
        &self,
        existing: Option<&Catalog>,
        release_id: ReleaseId,
        at: DateTime<Utc>,
    ) -> Result<Draft<Self::Report>, PublishError>;
}

/// The log, and where content is written.
#[derive(Clone)]
pub(super) struct Committer {
    pub(super) log: Arc<dyn PublicationLog>,
    pub(super) stores: Stores,
    pub(super) clock: Arc<dyn Clock>,
    /// Whether that clock is the machine's own.
    pub(super) source: ClockSource,
}

impl Committer {
    /// Stores what is new and appends one entry. When another publisher is faster, everything is
    /// judged again on top of its entry, at the time of that attempt.
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
            let mut draft = revision.draft(existing, release_id.clone(), at).await?;
            for generation in passed_over {
                R::warn(&mut draft.report, Warning::PassedOver { sport: revision.sport(), generation });
            }
            let warnings = revision.warnings(&draft.report);
            if mode == Mode::CommitUnlessWarned && !warnings.is_empty() {
                return Err(PublishError::Warned(warnings.to_vec()));
            }
            if let Some(existing) = existing.filter(|existing| draft.says_nothing_new(existing)) {
                return Ok((PublishOutcome::AlreadyPublished { generation: existing.generation }, draft.report));
            }
            if mode == Mode::DryRun {
                return Ok((PublishOutcome::WouldBe { generation }, draft.report));
            }
            let (mut catalog, report) = self.stores.complete(draft).await?;
            catalog.generation = generation;
            catalog.clock = self.source;
            catalog.previous = head.as_ref().map(|head| head.digest);
            if let Appended::Committed { digest } = self.log.append(&catalog).await? {
                let simulated = is_simulated(&*self.log, &catalog).await?;
                return Ok((PublishOutcome::Published { generation, release_id, digest, simulated }, report));
            }
        }
        Err(PublishError::Overtaken(ATTEMPTS))
    }

    /// The newest entry; before a league's first, makes sure that the store can keep a log, which
    /// takes writing to it.
    ///
    /// What cannot be read is skipped, for it may have been put there by accident. An entry of a newer program is
    /// no accident, nor is one that continues something else and came later than the record: what would be lost is
    /// more than a number. Right above the record, a file that the system does not let us open is taken for an entry of
    /// it.
    async fn head(&self, sport: Sport, mode: Mode) -> Result<Head, PublishError> {
        let mut chain = Chain::listed(&*self.log, sport).await?;
        let (head, above) = chain.head().await?;
        let newest = head.as_ref().map(|(entry, _)| &entry.catalog);
        let next = newest.map_or(Generation::FIRST, |head| chain.free_after(head.generation));
        let mut passed_over = Vec::new();
        for (generation, why) in above {
            if why.may_be_lost_history(newest) {
                return Err(PublishError::BrokenRecord { sport, generation });
            }
            match why {
                StrayReason::Unreadable(error) if head.is_none() && generation == Generation::FIRST => {
                    return Err(error.into());
                }
                StrayReason::Unreadable(error) if is_newer(&error) => return Err(error.into()),
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

/// Where the next entry goes.
struct Head {
    /// The entry that it continues.
    entry: Option<LogEntry>,
    /// The number that it gets.
    next: Generation,
    /// Numbers above the one it continues that are no part of the record.
    passed_over: Vec<Generation>,
}

fn is_newer(error: &PortError) -> bool {
    matches!(error, PortError::Corrupt { source, .. } if source.is::<NewerForm>())
}

fn is_unopened(error: &PortError) -> bool {
    matches!(error, PortError::Corrupt { source, .. } if source.is::<Unopened>())
}
