//! Why a demo cannot start or go on.

use std::error::Error;

/// Whatever went wrong, for the program to print.
pub type Failure = Box<dyn Error + Send + Sync>;

/// Options that do not fit the folder they name. The text says which, and what to do.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct BadOptions(pub(crate) String);
