#![doc = include_str!("../README.md")]

mod archive;
mod catalog;
mod corrections;
mod exceptions;
pub mod findings;
mod game_status;
mod history;
pub mod identity;
mod listed_twice;
mod merge;
pub mod movement;
mod openers;
mod placeholders;
mod problem;
mod promotion;
mod recorded_names;
pub mod registry;
mod release;
mod row_changes;
pub mod season_table;
#[cfg(feature = "serde")]
mod serialized;
pub mod settle;
pub mod slate;
mod slate_artifacts;
mod slate_moves;
pub mod slate_update;
#[cfg(feature = "testing")]
pub mod testing;
mod value;

pub use archive::{
    ArchivedGame, CalledOffStatus, CountedForecasts, Ending, FinalRow, ForecastKind, ForecastOrigin, ForecastRecord,
    ForecastSource, GameFacts, ProbabilitySource, RepeatedKey, ReportedEnding, SeasonArchive,
};
pub use catalog::{
    ArtifactRef, Catalog, ClockError, CompletedRun, EntryLeaves, Generation, LateWithdrawal, LeavesEntry, ModelsEntry,
    PredictionsEntry, RecordHead, ReleaseId, ResultsEntry, Run, SeasonCoverage, SlateActivity, TreeEntry, Upload,
    parse_instant, publishing_instant, to_rfc3339,
};
pub use corrections::{Correction, CorrectionKind, CorrectionLog, CorrectionPage, EntryChanges, RecordChange, payload};
pub use exceptions::{Exceptions, Override, Replacement};
pub use game_status::{GameStatus, StatusKind, beside_score, without_score};
pub use history::{ForecastRow, GamesFile, MarketHistory, ReportedGame, RowIds, SeasonHistory};
pub use listed_twice::ListedTwice;
pub use merge::{MergeCounts, Merged, irreplaceable, merge_history, replacements};
pub use openers::{Opener, Openers};
pub use placeholders::without_placeholders;
pub use problem::{FoundValue, Located, MOST_VALUES, Place, Problem, ProblemGroup, ProblemGroups, Rows};
pub use promotion::{Promotion, promote_archive, promote_at_start, promote_predictions};
pub use recorded_names::as_recorded;
pub use release::{
    MovedBy, MovedGame, PredictionsFile, Release, Reschedule, SlateRuns, SourceTimes, ZeroSpreadOpeners,
};
pub use row_changes::{ForecastMade, RowChanges, RowComparison};
pub use slate_artifacts::{LeagueRecord, Odds, PredictedGame, Predictions, SeasonArchives, SlateArtifact};
pub use slate_moves::{MoveKind, MovingSlate, SlateMove};
pub use sports_domain::ClockSource;
pub use sports_transparency::RecordedEnding;
pub use value::{Extras, Value, ValueKind};
