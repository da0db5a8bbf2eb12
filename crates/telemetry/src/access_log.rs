//! The access log: one line for each request, in the format of the other log lines, written by a separate thread.
//!
//! A worker appends each line to a buffer of its own. The thread writes these buffers to the log up to 50 times a second, so
//! a slow or blocked reader of the log delays no request.

mod line;
mod writer;

use std::rc::Rc;
use std::sync::Arc;

use tracing::Level;

pub use line::Line;
pub use writer::LogWriter;

use crate::log_format::LogFormat;
use line::{Stamp, TARGET};
use writer::Buffer;

/// The access log of one worker.
#[derive(Clone)]
pub struct AccessLog(Rc<WorkerLog>);

struct WorkerLog {
    buffer: Arc<Buffer>,
    format: LogFormat,
    stamp: Stamp,
}

impl AccessLog {
    /// Creates the log of one worker, whose lines `writer` writes.
    #[must_use]
    pub fn new(writer: &LogWriter) -> Self {
        Self(Rc::new(WorkerLog { buffer: writer.buffer(), format: writer.format(), stamp: Stamp::default() }))
    }

    /// Returns true if the filter of the log admits the lines.
    #[must_use]
    pub fn is_enabled() -> bool {
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
