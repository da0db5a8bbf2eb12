use std::collections::BTreeSet;

use sports_content::ObjectHash;
use sports_domain::{ModelName, ModelType, Season, Sport};
use sports_publication::findings::MarketReport;
use sports_publication::registry::VersionChange;
use sports_publication::settle::{Permissions, SettleReport};
use sports_publication::slate_update::SlateReport;
use sports_publication::{Exceptions, FinalRow, Generation, Located, MergeCounts, Override, ReleaseId};

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
