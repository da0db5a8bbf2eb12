use std::io;
use std::path::Path;

use crate::failure::Failure;

/// An error and the file in which it occurred.
#[derive(Debug, thiserror::Error)]
#[error("{file}")]
pub struct InFile {
    pub file: String,
    pub source: Box<dyn std::error::Error + Send + Sync>,
}

impl InFile {
    /// Creates a failure by wrong input in a file.
    pub fn failure(path: &Path, error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Failure {
        Failure::bad_input(Self { file: path.display().to_string(), source: error.into() })
    }
}

/// Creates the failure of a write.
pub fn cannot_write(path: &Path, source: io::Error) -> Failure {
    Failure::other(InFile { file: format!("cannot write {}", path.display()), source: source.into() })
}
