//! The status of a league's data: pending, updating, fresh, an off-day, partial, stale or unknown.

mod assessment;
mod day;
mod evidence;
mod judge;
mod status;

pub use assessment::{Assessment, MarketAssessment};
pub use day::{DAILY_DEADLINE, SlateDay};
pub use evidence::{Evidence, OddsEvidence, PredictionsEvidence, PublishedEvidence, RunEvidence};
pub use judge::{ODDS_CYCLE, ODDS_GO_STALE, judge};
pub use status::{Degradation, Status};
