//! Publishing a release: all of it or none.

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

/// How far to go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Check everything and say what would change.
    DryRun,
    /// Publish it.
    Commit,
    /// Publish it unless there is something a person should look at first.
    CommitUnlessWarned,
}

/// What publishing did, or would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Published {
    /// How it ended.
    pub outcome: PublishOutcome,
    /// What changes in each season archive that the release has history of, by season and model type.
    pub seasons: Vec<SeasonChange>,
    /// What changes of the slate.
    pub slate: SlateReport,
}

/// Finals as a publisher reports them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settlement {
    /// The league.
    pub sport: Sport,
    /// Its rows.
    pub finals: Vec<Located<FinalRow>>,
    /// The hash of the file: the same file is the same settlement.
    pub content: ObjectHash,
    /// What it may do beyond adding finals to games that have none.
    pub permissions: Permissions,
}

/// What settling did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settled {
    /// How it ended.
    pub outcome: PublishOutcome,
    /// What it did, in games.
    pub report: SettleReport,
}

/// How publishing ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PublishOutcome {
    /// The release is published.
    Published {
        /// Its number in the log.
        generation: Generation,
        /// Its name.
        release_id: ReleaseId,
        /// The hash of its log entry: the head of the chain, worth keeping.
        digest: ObjectHash,
        /// Whether the record has entries that were published at a time set by hand.
        simulated: bool,
    },
    /// Everything in the release is published already.
    AlreadyPublished {
        /// Since which entry at the latest.
        generation: Generation,
    },
    /// A dry run: nothing was written.
    WouldBe {
        /// The number it would get.
        generation: Generation,
    },
}

/// What a release changes in one season archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeasonChange {
    /// The season.
    pub season: Season,
    /// The market.
    pub model_type: ModelType,
    /// Games in the archive afterwards.
    pub rows: usize,
    /// What changed.
    pub counts: MergeCounts,
}

/// Why a release was not published.
#[derive(Debug, thiserror::Error)]
pub enum PublishError {
    /// The release does not fit the record.
    #[error("the release conflicts with the published record")]
    Problems(Vec<Problem>),
    /// There are warnings, and [`Mode::CommitUnlessWarned`] was asked for.
    #[error("there are {} warnings", .0.len())]
    Warned(Vec<Warning>),
    /// The store would let two publishers overwrite each other.
    #[error("the store does not honour put-if-absent, without which the publication log could be overwritten")]
    StoreOverwrites,
    /// The newest entry does not continue the one before it: nothing is built on an altered record.
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
    /// Games can only be settled once they are on record.
    #[error("nothing is published for {0} yet: publish a release before settling its games")]
    NothingPublished(Sport),
    /// The clock does not fit the record.
    #[error(transparent)]
    Clock(#[from] ClockError),
    /// Others published again and again meanwhile.
    #[error("{0} other releases were published meanwhile; publish again")]
    Overtaken(usize),
    /// The store.
    #[error(transparent)]
    Port(#[from] PortError),
}

impl Publisher {
    /// A publisher into the store behind `log`, `archives` and `slates`, by the machine's own `clock`.
    #[must_use]
    pub fn new(log: Arc<dyn PublicationLog>, archives: Archives, slates: Slates, clock: Arc<dyn Clock>) -> Self {
        let source = ClockSource::System;
        Self { committer: Committer { log, stores: Stores { archives, slates }, clock, source } }
    }

    /// The same publisher by a clock of this source, which every entry it appends names.
    #[must_use]
    pub const fn timed_by(mut self, source: ClockSource) -> Self {
        self.committer.source = source;
        self
    }

    /// Puts a release over what is published, stores what changed and appends one log entry.
    ///
    /// When another publisher is faster, everything is judged again on top of its entry, and so is
    /// which games have started. Interrupted at any point, the release is published whole or not at all,
    /// and publishing it again completes.
    ///
    /// # Errors
    ///
    /// [`PublishError`]; nothing is published then.
    pub async fn publish(&self, release: &Release, mode: Mode) -> Result<Published, PublishError> {
        let revision = ReleaseRevision { release, log: &*self.committer.log, stores: &self.committer.stores };
        let (outcome, ReleaseReport { seasons, slate }) = self.committer.commit(&revision, mode).await?;
        Ok(Published { outcome, seasons, slate })
    }

    /// Adds finals to every archive that has their games, in one log entry.
    ///
    /// # Errors
    ///
    /// [`PublishError`]; nothing is published then.
    pub async fn settle(&self, settlement: &Settlement) -> Result<Settled, PublishError> {
        let revision = SettleRevision { settlement, stores: &self.committer.stores };
        let (outcome, report) = self.committer.commit(&revision, Mode::Commit).await?;
        Ok(Settled { outcome, report })
    }
}
