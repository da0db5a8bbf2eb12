//! The access log: one line for each request, in the format of the other log lines, written by a separate thread.
//!
//! Workers queue their lines, and the thread writes the queue up to 50 times a second, so a slow or blocked reader of the log
//! delays no request. Lines beyond the capacity of the queue are dropped and counted.

mod line;
mod writer;

use std::cell::RefCell;
use std::io::Write as _;
use std::rc::Rc;

use tracing::Level;
use tracing_appender::non_blocking::NonBlocking;

pub use line::Line;
pub use writer::LogWriter;

use crate::log_format::LogFormat;
use line::{Stamp, TARGET};

/// The access log of one worker.
#[derive(Clone)]
pub struct AccessLog(Rc<WorkerLog>);

struct WorkerLog {
    /// The queue, and the memory in which a line is formatted.
    output: RefCell<(NonBlocking, Vec<u8>)>,
    format: LogFormat,
    stamp: Stamp,
}

impl AccessLog {
    /// Creates the log of one worker, whose lines `writer` writes.
    pub fn new(writer: &LogWriter) -> Self {
        let output = RefCell::new((writer.queue(), Vec::new()));
        Self(Rc::new(WorkerLog { output, format: writer.format(), stamp: Stamp::default() }))
    }

    /// Returns true if the filter of the log admits the lines.
    pub fn is_enabled() -> bool {
        tracing::enabled!(target: TARGET, Level::INFO)
    }

    pub fn write(&self, line: &Line<'_>) {
        let WorkerLog { output, format, stamp } = &*self.0;
        let (queue, text) = &mut *output.borrow_mut();
        text.clear();
        match format {
            LogFormat::Human => line.write_for_people(stamp, text),
            LogFormat::Json => line.write_as_json(stamp, text),
        }
        text.push(b'\n');
        // A full queue drops the line, counts it and is no error.
        let _ = queue.write_all(text);
    }
}
