//! The access log: one line for each request, in the form of the other log lines, written by a thread of its own.
//!
//! A worker writes a line's text into memory that is its own, and goes on; the thread writes what has come together some
//! times a second. So a reader of the log who is slow, or has stopped reading, holds no request up.

mod line;
mod lines;

use std::rc::Rc;
use std::sync::Arc;

use tracing::Level;

pub use line::Line;
pub use lines::Lines;

use crate::telemetry::LogFormat;
use line::Stamp;
use lines::Buffer;

/// What the lines are filtered by.
const TARGET: &str = "sports_api::access";

/// One worker's access log.
#[derive(Clone)]
pub struct AccessLog(Rc<WorkerLog>);

struct WorkerLog {
    buffer: Arc<Buffer>,
    format: LogFormat,
    stamp: Stamp,
}

impl AccessLog {
    /// The log of one worker, whose lines go to `lines`.
    #[must_use]
    pub fn new(lines: &Lines) -> Self {
        Self(Rc::new(WorkerLog { buffer: lines.buffer(), format: lines.format(), stamp: Stamp::default() }))
    }

    /// Whether lines are wanted, by the filter that the program was started with.
    #[must_use]
    pub fn is_wanted() -> bool {
        tracing::enabled!(target: TARGET, Level::INFO)
    }

    /// Writes a line.
    pub fn write(&self, line: &Line<'_>) {
        let WorkerLog { buffer, format, stamp } = &*self.0;
        buffer.add(|text| {
            match format {
                LogFormat::Human => line.write_for_people(stamp, text),
                LogFormat::Json => line.write_as_json(stamp, text),
            }
            text.push(b'\n');
        });
    }
}
