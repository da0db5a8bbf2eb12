//! Appending to a log that others append to as well.

use std::sync::Arc;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use sports_domain::Sport;
use sports_ports::Clock;
use sports_ports::publication::{Appended, LogEntry, PublicationLog};
use sports_publication::live::Warning;
use sports_publication::{Catalog, ClockSource, Generation, ReleaseId, publishing_instant};

use super::draft::{Draft, Stores};
use super::{Mode, Outcome, PublishError};
use crate::chain::{continues_the_log, is_simulated};

/// How many times to try the next number before giving up.
const ATTEMPTS: usize = 50;

/// A change of what is on air, made anew on top of whatever entry is the newest.
#[async_trait]
pub(super) trait Revision: Send + Sync {
    type Report: Send;

    fn sport(&self) -> Sport;

    /// The name it gets when published at an instant.
    fn release_id(&self, standing: Option<&Catalog>, at: DateTime<Utc>) -> ReleaseId;

    /// What a person should look at before it is published.
    fn warnings<'r>(&self, _report: &'r Self::Report) -> &'r [Warning] {
        &[]
    }

    /// What it makes of the newest entry, or why it does not fit.
    async fn draft(
        &self,
        standing: Option<&Catalog>,
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
    ) -> Result<(Outcome, R::Report), PublishError> {
        for _ in 0..ATTEMPTS {
            let head = self.head(revision.sport(), mode).await?;
            let standing = head.as_ref().map(|head| &head.catalog);
            let at = publishing_instant(self.clock.now(), self.source, standing)?;
            let release_id = revision.release_id(standing, at);
            let draft = revision.draft(standing, release_id.clone(), at).await?;
            let warnings = revision.warnings(&draft.report);
            if mode == Mode::CommitUnlessWarned && !warnings.is_empty() {
                return Err(PublishError::Warned(warnings.to_vec()));
            }
            if let Some(standing) = standing.filter(|standing| draft.says_nothing_new(standing)) {
                return Ok((Outcome::AlreadyOnAir { generation: standing.generation }, draft.report));
            }
            let generation = standing.map_or(Generation::FIRST, |standing| standing.generation.next());
            if mode == Mode::DryRun {
                return Ok((Outcome::WouldBe { generation }, draft.report));
            }
            let (mut catalog, report) = self.stores.complete(draft).await?;
            catalog.generation = generation;
            catalog.clock = self.source;
            catalog.previous = head.as_ref().map(|head| head.digest);
            if let Appended::Committed { digest } = self.log.append(&catalog).await? {
                let simulated = is_simulated(&*self.log, &catalog).await?;
                return Ok((Outcome::OnAir { generation, release_id, digest, simulated }, report));
            }
        }
        Err(PublishError::Overtaken(ATTEMPTS))
    }

    /// The newest entry; before a league's first, makes sure that the store can keep a log, which
    /// takes writing to it.
    async fn head(&self, sport: Sport, mode: Mode) -> Result<Option<LogEntry>, PublishError> {
        let Some(newest) = self.log.newest(sport).await? else {
            return match mode {
                Mode::DryRun => Ok(None),
                Mode::Commit | Mode::CommitUnlessWarned if self.log.honours_put_if_absent().await? => Ok(None),
                Mode::Commit | Mode::CommitUnlessWarned => Err(PublishError::StoreOverwrites),
            };
        };
        let head = self.log.entry(sport, newest).await?;
        if let Some(head) = &head
            && !continues_the_log(&*self.log, head).await?
        {
            return Err(PublishError::BrokenRecord { sport, generation: newest });
        }
        Ok(head)
    }
}
