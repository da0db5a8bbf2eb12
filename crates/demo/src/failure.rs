//! Errors of a demo.

use std::error::Error;

/// Any error, for the program to print.
pub type Failure = Box<dyn Error + Send + Sync>;

/// The error for options that do not fit the folder. The text names the problem and the remedy.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct BadOptions(pub(crate) String);
