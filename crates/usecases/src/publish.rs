//! Publishing of releases and finals: a change is published whole or not at all.

mod commit;
mod defaults;
mod draft;
mod models;
mod release;
mod revised;
mod settle;
mod uploads;

use std::collections::BTreeSet;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use sports_domain::content::ObjectHash;
use sports_domain::{ModelName, ModelType, Season, Sport};
use sports_ports::publication::PublicationLog;
use sports_ports::signing::TreeLoss;
use sports_ports::{Clock, PortError, Random};
use sports_publication::findings::MarketReport;
use sports_publication::registry::{LeagueSettings, RegistryOnRecord, VersionChange};
use sports_publication::settle::{Permissions, SettleReport};
use sports_publication::slate_update::{SlateReport, Warning};
use sports_publication::{
    ClockError, ClockSource, Exceptions, FinalRow, Generation, Located, MergeCounts, Override, Problem, Release,
    ReleaseId, Upload, to_rfc3339,
};
use sports_transparency::VerifierKey;

use self::commit::Committer;
use self::draft::Stores;
use self::release::ReleaseRevision;
use self::revised::ReleaseReport;
use self::settle::SettleRevision;
use crate::record::{Archives, Slates};

pub use self::uploads::{PublishedUpload, REMEMBERED, Recorded, Uploads};

/// Publishes releases into one store.
#[derive(Clone)]
pub struct Publisher {
    committer: Committer,
    requested: Requested,
}

impl Publisher {
    /// Creates a publisher for the store behind `log`, `archives` and `slates`. Entries are marked as timed by the
    /// system clock; their nonces come from `random`.
    pub fn new(
        log: Arc<dyn PublicationLog>,
        archives: Archives,
        slates: Slates,
        clock: Arc<dyn Clock>,
        random: Arc<dyn Random>,
    ) -> Self {
        let source = ClockSource::System;
        let (stores, keys) = (Stores { archives, slates }, Vec::new());
        let conditions = Conditions::default();
        let committer = Committer { log, stores, clock, source, restart: None, keys, random, conditions };
        Self { committer, requested: Requested::default() }
    }

    /// Returns the publisher with another clock source, which is recorded in every entry it appends.
    pub const fn timed_by(mut self, source: ClockSource) -> Self {
        self.committer.source = source;
        self
    }

    /// Returns the publisher with a loss, which its next entry states unless one has stated it: the record begins anew there.
    pub const fn restarting(mut self, loss: Option<TreeLoss>) -> Self {
        self.committer.restart = loss;
        self
    }

    /// Returns the publisher with the keys that sign the tree, oldest first: its next entry announces those that no entry has.
    pub fn announcing(mut self, keys: Vec<VerifierKey>) -> Self {
        self.committer.keys = keys;
        self
    }

    /// Returns the publisher with conditions on what it publishes.
    pub fn under(mut self, conditions: Conditions) -> Self {
        self.committer.conditions = conditions;
        self
    }

    /// Returns the publisher with requests beyond the usual rules, which the entries of its releases record.
    pub fn requesting(mut self, requested: Requested) -> Self {
        self.requested = requested;
        self
    }

    /// Merges a release into the published record, stores the changed content and appends one log entry.
    ///
    /// If another publisher appends first, the whole release is evaluated again on top of the new entry, including
    /// which games have started; unless that entry has another registry of models: then the release must be read
    /// again ([`PublishError::OtherModels`]). After an interruption at any point the release is published whole or not at all;
    /// publishing it again completes the operation.
    ///
    /// # Errors
    ///
    /// [`PublishError`] if the release cannot be published; the record is then unchanged.
    pub async fn publish(&self, release: &Release, mode: Mode) -> Result<Published, PublishError> {
        let Self { committer, requested } = self;
        let revision = ReleaseRevision { release, log: &*committer.log, stores: &committer.stores, requested };
        let (outcome, report) = Box::pin(committer.commit(&revision, mode)).await?;
        let ReleaseReport { seasons, slate, models, exceptions } = report;
        Ok(Published { outcome, seasons, slate, exceptions, models })
    }

    /// Returns the models of a league's newest entry, under which a release is read.
    ///
    /// # Errors
    ///
    /// [`PublishError::Port`] if the store cannot be read.
    pub async fn models(&self, sport: Sport) -> Result<RegistryOnRecord, PublishError> {
        Ok(models::on_record(&*self.committer.log, &self.committer.stores.slates, sport).await?)
    }

    /// Returns the problems of a release's games, without the problems of their values. Nothing is published.
    ///
    /// # Errors
    ///
    /// [`PublishError`] if the record cannot be read.
    pub async fn problems_of_games(&self, release: &Release) -> Result<Vec<Problem>, PublishError> {
        let existing = self.committer.newest(release.sport).await?;
        let requested = &Requested::default();
        let revision =
            ReleaseRevision { release, log: &*self.committer.log, stores: &self.committer.stores, requested };
        Ok(revision.problems_of_games(existing.as_ref(), self.committer.clock.now()).await?)
    }

    /// Adds finals to every archive that contains their games, in one log entry.
    ///
    /// # Errors
    ///
    /// [`PublishError`] if the finals cannot be published; the record is then unchanged.
    pub async fn settle(&self, settlement: &Settlement, mode: Mode) -> Result<Settled, PublishError> {
        let revision = SettleRevision { settlement, stores: &self.committer.stores };
        let (outcome, report) = Box::pin(self.committer.commit(&revision, mode)).await?;
        Ok(Settled { outcome, report })
    }
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
    /// An entry does not continue the number below it: nothing is appended to an altered record.
    #[error(
        "the record of {sport} was altered: entry {generation} does not continue the entry before it; \
         `sportsctl verify {sport}` shows where, and `sportsctl repair {sport}` moves it aside"
    )]
    BrokenRecord { sport: Sport, generation: Generation },
    /// A number above the newest entry cannot be read.
    #[error(
        "number {generation} in the log of {sport} is no entry that can be read: {reason}; restore it, or move it aside with \
         `sportsctl repair {sport}`"
    )]
    UnreadableNumber { sport: Sport, generation: Generation, reason: String },
    /// The league has no record yet; only recorded games can be settled.
    #[error("nothing is published for {0} yet: publish a release before settling its games")]
    NothingPublished(Sport),
    /// The clock is inconsistent with the record.
    #[error(transparent)]
    Clock(#[from] ClockError),
    /// The record is not the one that the publisher expects.
    #[error("the head of the record is another one: {}", .0.map_or_else(|| "there is none yet".to_owned(), |head| head.to_string()))]
    OtherHead(Option<ObjectHash>),
    /// The release was made before what is on record.
    #[error("older: {what} as of {}, and those on record are as of {}", to_rfc3339(given), to_rfc3339(known))]
    Older { what: String, given: DateTime<Utc>, known: DateTime<Utc> },
    /// The release changes what is declared, which its publisher may not.
    #[error("the release changes the models or the settings that {0} has declared")]
    Declares(Sport),
    /// Another publisher declared models since the release was read: its columns may have another meaning now.
    #[error("another publisher declared models meanwhile; read the release again")]
    OtherModels,
    /// Every attempt lost the race to another publisher.
    #[error("{0} other releases were published meanwhile; publish again")]
    Overtaken(usize),
    /// The store failed.
    #[error(transparent)]
    Port(#[from] PortError),
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

/// Steps beyond the usual rules that a publisher requests for one release.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Requested {
    /// The checks that found something and are overridden.
    pub overrides: BTreeSet<Override>,
    /// The seasons that the release replaces as a whole.
    pub replace: BTreeSet<Season>,
    /// Whether odds, predictions and runs of before those on record are refused.
    pub refuses_older: bool,
    /// Whether changes of the league's models and settings are refused.
    pub refuses_declarations: bool,
}

/// What must hold when an entry is appended, and what it states about its upload.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Conditions {
    /// The entry that it has to continue.
    pub head: ExpectedHead,
    /// The upload that it publishes.
    pub upload: Option<Upload>,
}

/// The newest entry of the record as a publisher expects it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ExpectedHead {
    /// Any entry, or none.
    #[default]
    Any,
    /// The entry with this digest; `None` for a record without entries.
    Exactly(Option<ObjectHash>),
}

/// The result of publishing a release, or of a dry run.
#[derive(Debug, Clone, PartialEq)]
pub struct Published {
    /// The outcome: published, already published, or a dry run.
    pub outcome: PublishOutcome,
    /// The changes in each season archive for which the release has history, by season and model type.
    pub seasons: Vec<SeasonChange>,
    /// The changes of the slate.
    pub slate: SlateReport,
    /// The overrides and replacements, as the log entry has them.
    pub exceptions: Exceptions,
    /// The models that the release declared.
    pub models: ModelsReport,
}

/// The changes of a league's models by a release.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ModelsReport {
    /// Models that were not declared before.
    pub declared: Vec<ModelName>,
    /// Models that were retired.
    pub retired: Vec<ModelName>,
    /// True if the league had no own model before.
    pub first: bool,
    /// Extra columns on record that became columns of models.
    pub promoted: Vec<PromotedColumn>,
    /// New versions of models that were declared before.
    pub versions: Vec<VersionChange>,
    /// The headline model, if it is another one than before.
    pub headline: Option<ModelName>,
    /// The settings of the league, if they changed.
    pub league: Option<LeagueSettings>,
    /// The league's first and only model if it became public because its declaration does not say.
    pub made_public: Option<ModelName>,
    /// The changes of default models.
    pub defaults: Vec<DefaultChange>,
}

/// Another default model of a market.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DefaultChange {
    pub model_type: ModelType,
    pub before: ModelName,
    pub after: ModelName,
}

/// An extra column of one market that became the column of a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromotedColumn {
    pub model: ModelName,
    pub model_type: ModelType,
    /// The seasons that had the column, oldest first.
    pub seasons: Vec<Season>,
    /// The games with a value.
    pub games: usize,
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
#[derive(Debug, Clone, PartialEq)]
pub struct SeasonChange {
    pub season: Season,
    pub model_type: ModelType,
    /// Games in the archive afterwards.
    pub rows: usize,
    /// The counts of added and changed games.
    pub counts: MergeCounts,
    /// The contents of the archive afterwards.
    pub report: MarketReport,
}
