use sports_content::ObjectHash;
use sports_domain::{ModelType, Season, Sport};
use sports_publication::settle::{Permissions, SettleReport};
use sports_publication::slate_update::SlateReport;
use sports_publication::{FinalRow, Generation, Located, MergeCounts, ReleaseId};

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
