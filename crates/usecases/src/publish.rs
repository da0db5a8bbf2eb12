//! Publishing of releases and finals: a change is published whole or not at all.

mod commit;
mod draft;
mod release;
mod returns;
mod revised;
mod settle;

use std::sync::Arc;

use sports_content::ObjectHash;
use sports_domain::{ModelType, Season, Sport};
use sports_ports::publication::PublicationLog;
use sports_ports::{Clock, PortError};
use sports_publication::settle::{Permissions, SettleReport};
use sports_publication::slate_update::{SlateReport, Warning};
use sports_publication::{
    ClockError, ClockSource, FinalRow, Generation, Located, MergeCounts, Problem, Release, ReleaseId,
};

use self::commit::Committer;
use self::draft::Stores;
use self::release::{ReleaseReport, ReleaseRevision};
use self::settle::SettleRevision;
use crate::record::{Archives, Slates};

/// Publishes releases into one store.
#[derive(Clone)]
pub struct Publisher {
    committer: Committer,
}

/// The extent of a publish: check only, or write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Checks everything and reports the changes; writes nothing.
    DryRun,
    /// Publishes the change.
    Commit,
    /// Publishes the change unless the report has warnings for a person to review.
    CommitUnlessWarned,
}

/// The result of publishing a release, or of a dry run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Published {
    /// The outcome: published, already published, or a dry run.
    pub outcome: PublishOutcome,
    /// The changes in each season archive for which the release has history, by season and model type.
    pub seasons: Vec<SeasonChange>,
    /// The changes of the slate.
    pub slate: SlateReport,
}

/// Finals as a publisher reports them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settlement {
    /// The league of the games.
    pub sport: Sport,
    /// The rows of the finals file.
    pub finals: Vec<Located<FinalRow>>,
    /// The SHA-256 of the finals file; equal files are the same settlement.
    pub content: ObjectHash,
    /// Changes allowed beyond adding finals to games without a final.
    pub permissions: Permissions,
}

/// The result of settling.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settled {
    /// The outcome: published or already published.
    pub outcome: PublishOutcome,
    /// The counts and warnings of the settlement, in games.
    pub report: SettleReport,
}

/// The outcome of a publish.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PublishOutcome {
    /// The release was published.
    Published {
        /// The generation number of its log entry.
        generation: Generation,
        /// The id of the release.
        release_id: ReleaseId,
        /// The digest of its log entry: the new head of the hash chain, which publishers should keep.
        digest: ObjectHash,
        /// True if any entry of the record was published with a time set by hand.
        simulated: bool,
    },
    /// The published record already contains everything in the release.
    AlreadyPublished {
        /// The current generation, which contains the content of the release.
        generation: Generation,
    },
    /// The result of a dry run: nothing was written.
    WouldBe {
        /// The generation number that a commit would use.
        generation: Generation,
    },
}

/// The changes of one season archive by a release.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeasonChange {
    /// The season.
    pub season: Season,
    /// The market.
    pub model_type: ModelType,
    /// Games in the archive afterwards.
    pub rows: usize,
    /// The counts of added and changed games.
    pub counts: MergeCounts,
}

/// An error that prevented publishing.
#[derive(Debug, thiserror::Error)]
pub enum PublishError {
    /// The release conflicts with the record.
    #[error("the release conflicts with the published record")]
    Problems(Vec<Problem>),
    /// The report has warnings and the mode was [`Mode::CommitUnlessWarned`].
    #[error("there are {} warnings", .0.len())]
    Warned(Vec<Warning>),
    /// The store does not honour put-if-absent, so two publishers could overwrite each other's entries.
    #[error("the store does not honour put-if-absent, without which the publication log could be overwritten")]
    StoreOverwrites,
    /// The newest entry does not continue the entry before it: nothing is appended to an altered record.
    #[error(
        "the record of {sport} was altered: entry {generation} does not continue the entry before it; \
         `sportsctl verify {sport}` shows where"
    )]
    BrokenRecord {
        /// The league.
        sport: Sport,
        /// The newest entry.
        generation: Generation,
    },
    /// The league has no record yet; only recorded games can be settled.
    #[error("nothing is published for {0} yet: publish a release before settling its games")]
    NothingPublished(Sport),
    /// The clock is inconsistent with the record.
    #[error(transparent)]
    Clock(#[from] ClockError),
    /// Every attempt lost the race to another publisher.
    #[error("{0} other releases were published meanwhile; publish again")]
    Overtaken(usize),
    /// The store failed.
    #[error(transparent)]
    Port(#[from] PortError),
}

impl Publisher {
    /// Creates a publisher for the store behind `log`, `archives` and `slates`. Entries are marked as timed by the
    /// system clock.
    #[must_use]
    pub fn new(log: Arc<dyn PublicationLog>, archives: Archives, slates: Slates, clock: Arc<dyn Clock>) -> Self {
        let source = ClockSource::System;
        Self { committer: Committer { log, stores: Stores { archives, slates }, clock, source } }
    }

    /// Returns the publisher with another clock source, which is recorded in every entry it appends.
    #[must_use]
    pub const fn timed_by(mut self, source: ClockSource) -> Self {
        self.committer.source = source;
        self
    }

    /// Merges a release into the published record, stores the changed content and appends one log entry.
    ///
    /// If another publisher appends first, the whole release is evaluated again on top of the new entry, including
    /// which games have started. After an interruption at any point the release is published whole or not at all;
    /// publishing it again completes the operation.
    ///
    /// # Errors
    ///
    /// [`PublishError`] if the release cannot be published; the record is then unchanged.
    pub async fn publish(&self, release: &Release, mode: Mode) -> Result<Published, PublishError> {
        let revision = ReleaseRevision { release, log: &*self.committer.log, stores: &self.committer.stores };
        let (outcome, ReleaseReport { seasons, slate }) = self.committer.commit(&revision, mode).await?;
        Ok(Published { outcome, seasons, slate })
    }

    /// Adds finals to every archive that contains their games, in one log entry.
    ///
    /// # Errors
    ///
    /// [`PublishError`] if the finals cannot be published; the record is then unchanged.
    pub async fn settle(&self, settlement: &Settlement) -> Result<Settled, PublishError> {
        let revision = SettleRevision { settlement, stores: &self.committer.stores };
        let (outcome, report) = self.committer.commit(&revision, Mode::Commit).await?;
        Ok(Settled { outcome, report })
    }
}
