//! Fakes of everything that takes part in signing a record, and disturbances at each of its steps.

mod cut_log;
mod disturbed;
mod memories;
mod parties;
mod steps;

pub use cut_log::CutLog;
pub use disturbed::Disturbed;
pub use memories::MemoriesFake;
pub use parties::{TimestampServerFake, WitnessFake};
pub use steps::{StepFault, Steps};
