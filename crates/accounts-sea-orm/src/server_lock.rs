use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use crate::AccountsDatabase;

/// Says that this process is the one server on a database file, for as long as it lives. The system takes the lock back
/// however the process ends.
///
/// A server counts calls in memory and writes the counts as they stand, so two on one file would overwrite each other's.
/// Commands that only read or change accounts need no lock.
#[derive(Debug)]
pub struct ServerLock {
    _file: File,
}

/// Why this process is not the server of a database.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another process is.
    #[error("another server is running on the database {}; a SQLite file has one server", database.display())]
    Taken {
        /// The file.
        database: PathBuf,
    },
    /// The lock file cannot be used.
    #[error("cannot lock {}", file.display())]
    Unusable {
        /// The lock file.
        file: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

impl AccountsDatabase {
    /// Makes this process the one server on the database.
    ///
    /// # Errors
    ///
    /// [`LockError`] when another process is, or the system does not say.
    pub fn lock_for_serving(&self) -> Result<ServerLock, LockError> {
        ServerLock::of_database(&self.file)
    }
}

impl ServerLock {
    /// Takes the place of the one server on a database file, which need not be there yet; its folder must.
    ///
    /// # Errors
    ///
    /// [`LockError`] when another process has it, or the system does not say.
    pub fn of_database(file: &Path) -> Result<Self, LockError> {
        // Another way to write the path must be the same lock.
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let whole =
            file.canonicalize().or_else(|_| Ok(folder.canonicalize()?.join(file.file_name().unwrap_or_default())));
        let database = whole.unwrap_or_else(|_: io::Error| file.to_owned());
        let mut name = database.clone().into_os_string();
        name.push(".server");
        let file = PathBuf::from(name);
        let opened = OpenOptions::new().create(true).append(true).open(&file);
        let opened = opened.map_err(|source| LockError::Unusable { file: file.clone(), source })?;
        match opened.try_lock() {
            Ok(()) => Ok(Self { _file: opened }),
            Err(TryLockError::WouldBlock) => Err(LockError::Taken { database }),
            Err(TryLockError::Error(source)) => Err(LockError::Unusable { file, source }),
        }
    }
}
