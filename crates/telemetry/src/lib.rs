#![doc = include_str!("../README.md")]

pub mod access_log;
mod background;
pub mod dependencies;
mod log;
mod log_format;
pub mod metrics;
mod recorder;
mod request_id;
mod text;
pub mod trace;

pub use background::{BackgroundTasks, ClockWatch, Pulse};
pub use log::{SetupError, start_log};
pub use log_format::LogFormat;
pub use recorder::{PendingRequest, RequestRecorder, RequestSummary, ResponseSummary};
pub use request_id::RequestId;
