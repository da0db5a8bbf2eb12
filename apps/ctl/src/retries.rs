//! Reports of repeated requests to a store.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use sports_program::print_error_line;
use sports_store::OpenOptions;

use crate::failure::Failure;
use crate::report::Report;

/// A counter of the temporary errors of stores during a command.
#[derive(Debug, Clone)]
pub struct Retries {
    errors: Arc<AtomicUsize>,
    json: bool,
}

impl Retries {
    /// Creates a counter. It prints the first error on standard error, unless the output is JSON.
    pub fn reported_as(json: bool) -> Self {
        Self { errors: Arc::default(), json }
    }

    /// Returns the options of a store whose requests are repeated for a while.
    pub fn options(&self) -> OpenOptions {
        let Self { errors, json } = self.clone();
        let on_retry = move |reason: &str| {
            if errors.fetch_add(1, Relaxed) == 0 && !json {
                print_error_line!("sportsctl: the store answers {reason}; requests are repeated for up to 30 seconds");
            }
        };
        OpenOptions { on_retry: Some(Arc::new(on_retry)), ..OpenOptions::default() }
    }

    /// Adds the number of errors to the result of a command, if there were any.
    pub fn added_to(&self, outcome: Result<Report, Failure>) -> Result<Report, Failure> {
        let errors = self.errors.load(Relaxed);
        let line = format!("requests to the store that failed for a while and were repeated: {errors}");
        match outcome {
            Ok(mut report) if errors > 0 => {
                report.json["store_retries"] = errors.into();
                report.warnings.push(line);
                Ok(report)
            }
            Err(failure) if errors > 0 && !self.json => {
                print_error_line!("sportsctl: {line}");
                Err(failure)
            }
            outcome => outcome,
        }
    }
}
