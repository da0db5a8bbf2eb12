#![doc = include_str!("../README.md")]

mod archive;
mod catalog;
mod clock_source;
mod coverage;
mod exceptions;
mod extras;
mod history;
pub mod identity;
mod instant;
mod league_record;
mod merge;
mod openers;
mod problem;
mod provenance;
mod recorded_names;
mod release;
mod run;
mod runs;
pub mod season_table;
pub mod settle;
mod settlement;
mod slate;
pub mod slate_update;
#[cfg(feature = "testing")]
pub mod testing;
mod value;

pub use archive::{ArchivedGame, GameFacts, RepeatedKey, SeasonArchive};
pub use catalog::{ArtifactRef, Catalog, Generation, PredictionsEntry, ReleaseId, ResultsEntry};
pub use clock_source::ClockSource;
pub use coverage::SeasonCoverage;
pub use exceptions::{Exceptions, Override, Replacement, UnknownOverride};
pub use extras::Extras;
pub use history::{ForecastRow, GamesFile, MarketHistory, ReportedGame, RowIds, SeasonHistory};
pub use instant::{ClockError, publishing_instant};
pub use league_record::LeagueRecord;
pub use merge::{MergeCounts, Merged, merge_history};
pub use openers::{Opener, Openers};
pub use problem::{Located, Place, Problem};
pub use provenance::{ForecastOrigin, ForecastRecord, ForecastSource, ProbabilitySource, UnknownForecastSource};
pub use recorded_names::as_recorded;
pub use release::{MovedBy, MovedGame, PredictionsFile, Release, Reschedule, SourceTimes};
pub use run::{CompletedRun, Run, SlateActivity};
pub use runs::SlateRuns;
pub use settlement::{CalledOffStatus, Ending, FinalRow, ReportedEnding, SettledWithoutFinal};
pub use slate::{Odds, PredictedGame, Predictions, SlateArtifact};
pub use value::{Value, ValueKind};
