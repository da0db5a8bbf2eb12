//! The audit of a league's record from outside: leaves, openings, results and releases must agree.
//!
//! Compares the leaves of a league's tree with everything that the service states about a season: the openings of its forecasts, its
//! results, and its list of releases. The rules are those of a reader who trusts the tree alone; the tree itself must be verified before.
//!
//! ```rust
//! use sports_transparency::audit::{Evidence, StatedLeaves};
//!
//! // Both of two voices have to state a tree.
//! let mut evidence = Evidence::of_quorum(std::num::NonZero::new(2).expect("two"));
//! evidence.add_cosignature(0, 10, 1_704_554_000);
//! evidence.add_cosignature(1, 20, 1_704_553_000);
//! // A tree of 20 leaves has leaf 3, too.
//! assert_eq!(evidence.time_of(3), Some(1_704_554_000));
//! assert_eq!(evidence.time_of(20), None);
//! assert!(StatedLeaves::read(&["not a leaf\n"]).is_err());
//! ```

mod concurrent_games;
mod evidence;
mod forecast_row;
mod judged_game;
mod leaf_history;
mod lost_tree;
mod model_record;
mod opened_forecast;
mod releases;
mod row_statements;
mod schedule;
mod season;

use std::fmt;

use sports_domain::{GameKey, ModelType};

pub use evidence::Evidence;
pub use leaf_history::{StatedLeaves, UnreadableLeaf};
pub use model_record::{DecidedPicks, ModelRecord};
pub use releases::{
    ListedRelease, LocatedOpening, ReleaseList, ResultRow, RowStatements, audit_releases, recorded_releases,
    skipped_generations,
};
pub use row_statements::lines_of;
pub use schedule::{Schedule, ScheduledGame};
pub use season::{Audit, AuditTerms, SeasonFiles, audit_season, lacks_rows};

/// The kind of a finding, the worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FindingKind {
    /// The log has a forecast of a game that results leave out.
    Missing,
    /// The log and the answers of the service contradict each other.
    Differs,
    /// A forecast leaf that counts, or may count, is not opened.
    Unopened,
    /// The schedule of the auditor contradicts the log.
    Schedule,
    /// A forecast was withdrawn when its game had begun.
    LateWithdrawal,
    /// A game got another start when it had begun.
    LateMove,
    /// A game was called off when it had begun, or its final was taken back, or it counts again after it was called off.
    LateCallOff,
    /// No quorum had the forecast before the start.
    NotAttested,
    /// A live row that no entry of the log published: from before its tree, or imported.
    NotRecorded,
    /// A row has values of models that were declared after its forecast.
    NotCommitted,
    /// A game without a final three days after its start.
    Unsettled,
    /// A final with another status than `settled`, or one that is void in the market.
    OtherStatus,
    /// Two games that one club cannot both play.
    Overlap,
    /// A forecast that was withdrawn in time.
    Withdrawn,
    /// A game that was called off in time.
    CalledOff,
    /// A game that got another start in time.
    Moved,
    /// A final that was corrected.
    Corrected,
    /// Two games of one pairing within 36 hours.
    Twin,
    /// A forecast from after a start that the game had before, and before the one that it has.
    AfterFormerStart,
}

impl FindingKind {
    /// Every kind.
    pub const ALL: [Self; 19] = [
        Self::Missing,
        Self::Differs,
        Self::Unopened,
        Self::Schedule,
        Self::LateWithdrawal,
        Self::LateMove,
        Self::LateCallOff,
        Self::NotAttested,
        Self::NotRecorded,
        Self::NotCommitted,
        Self::Unsettled,
        Self::OtherStatus,
        Self::Overlap,
        Self::Withdrawn,
        Self::CalledOff,
        Self::Moved,
        Self::Corrected,
        Self::Twin,
        Self::AfterFormerStart,
    ];

    /// Returns the word of the kind.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Differs => "differs",
            Self::Unopened => "unopened",
            Self::Schedule => "schedule",
            Self::LateWithdrawal => "late_withdrawal",
            Self::LateMove => "late_move",
            Self::LateCallOff => "late_call_off",
            Self::NotAttested => "not_attested",
            Self::NotRecorded => "not_recorded",
            Self::NotCommitted => "not_committed",
            Self::Unsettled => "unsettled",
            Self::OtherStatus => "other_status",
            Self::Overlap => "overlap",
            Self::Withdrawn => "withdrawn",
            Self::CalledOff => "called_off",
            Self::Moved => "moved",
            Self::Corrected => "corrected",
            Self::Twin => "twin",
            Self::AfterFormerStart => "forecast_after_old_start",
        }
    }

    /// Returns the exit code of a finding of the kind, unless its sentence says more: 1 for what accuses the publisher or the service,
    /// 3 for what stays open, 0 for what a reader should know.
    pub const fn code(self) -> u8 {
        match self {
            Self::Missing | Self::Differs | Self::Unopened | Self::Schedule => 1,
            Self::LateWithdrawal
            | Self::LateMove
            | Self::LateCallOff
            | Self::NotAttested
            | Self::NotRecorded
            | Self::NotCommitted
            | Self::Unsettled
            | Self::OtherStatus
            | Self::Overlap => 3,
            Self::Withdrawn | Self::CalledOff | Self::Moved | Self::Corrected | Self::Twin | Self::AfterFormerStart => {
                0
            }
        }
    }
}

/// A finding about one game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    pub kind: FindingKind,
    /// Its exit code.
    pub code: u8,
    /// The market; `None` for a finding about the game in all markets.
    pub model_type: Option<ModelType>,
    pub game: GameKey,
    /// The finding in words.
    pub sentence: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind.word(), self.game)?;
        self.model_type.map_or(Ok(()), |model_type| write!(f, " {model_type}"))?;
        write!(f, ": {}", self.sentence)
    }
}
