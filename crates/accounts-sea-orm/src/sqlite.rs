//! The database as a SQLite file: one machine, one server.

mod connections;
mod file;

use std::fs::{File, Metadata, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::{fs, io};

pub use file::{FILES, RESTORING, SqliteFile, beside, expect_own_files, expect_restored, is_made, make_folder};

/// The identity of a file, independent of its path: a file that replaces another at the same path has another identity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Identity {
    device: u64,
    number: u64,
}

impl Identity {
    /// Returns the identity of the file at a path without opening it: closing it would release SQLite's locks of this process.
    ///
    /// # Errors
    ///
    /// [`io::Error`] when there is no file.
    pub fn at(path: &Path) -> io::Result<Self> {
        fs::metadata(path).map(|file| Self::from_metadata(&file))
    }

    /// Returns the identity in metadata, such as that of an open file.
    #[cfg(unix)]
    pub fn from_metadata(file: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt;
        Self { device: file.dev(), number: file.ino() }
    }

    /// Returns the same identity for every file: this system has no number for it.
    #[cfg(not(unix))]
    pub fn from_metadata(_: &Metadata) -> Self {
        Self { device: 0, number: 0 }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_file_keeps_its_identity_under_every_name_and_another_one_has_its_own() {
        let folder = tempfile::tempdir().expect("a folder");
        let (one, link, other) = (folder.path().join("one"), folder.path().join("link"), folder.path().join("other"));
        fs::write(&one, "1").expect("written");
        fs::write(&other, "2").expect("written");
        fs::hard_link(&one, &link).expect("linked");
        let of_one = Identity::at(&one).expect("there");
        assert_eq!(Identity::at(&link).expect("there"), of_one);
        assert_ne!(Identity::at(&other).expect("there"), of_one);
        fs::rename(&other, &one).expect("moved");
        assert_ne!(Identity::at(&one).expect("there"), of_one);
        fs::remove_file(&one).expect("removed");
        assert!(Identity::at(&one).is_err());
    }
}

/// The lock of the one server on a database file. The system releases it however the process ends.
///
/// A server counts calls in memory, so two on one file would each admit a whole quota.
/// Commands that only read or change accounts need no lock.
///
/// The lock is on the file of the database itself, so a file has one server under all of its names, and the lock cannot be
/// deleted. It differs from SQLite's locks; but a process that closes a file releases all of SQLite's locks on it. So take this
/// lock before the process opens the database, and drop it after the database is closed.
#[derive(Debug)]
pub struct ServerLock {
    _file: File,
}

/// The reason why this process is not the server of a database.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another process is.
    #[error("another server is running on the database {}; a SQLite file has one server", database.display())]
    Taken {
        /// The file.
        database: PathBuf,
    },
    /// The file cannot be locked.
    #[error("cannot lock {}", file.display())]
    Unusable {
        file: PathBuf,
        /// The system's own error.
        source: io::Error,
    },
}

impl ServerLock {
    /// Takes the place of the one server on a database file. One that is not there is made, empty; its folder must be
    /// there.
    ///
    /// # Errors
    ///
    /// [`LockError`] when another process has it, or the system does not say.
    pub fn take(file: &Path) -> Result<Self, LockError> {
        let locked = lockable(file);
        let taken = || LockError::Taken { database: file.canonicalize().unwrap_or_else(|_| file.to_owned()) };
        let unusable = |source| LockError::Unusable { file: locked.clone(), source };
        let opened = OpenOptions::new().create(true).append(true).open(&locked).map_err(unusable)?;
        match opened.try_lock() {
            // A restore that ends at this moment puts another file in its place.
            Ok(())
                if Identity::at(&locked).ok() != opened.metadata().ok().map(|file| Identity::from_metadata(&file)) =>
            {
                Err(taken())
            }
            Ok(()) => Ok(Self { _file: opened }),
            Err(TryLockError::WouldBlock) => Err(taken()),
            Err(TryLockError::Error(source)) => Err(unusable(source)),
        }
    }
}

/// Returns the file to lock for a database: on Linux the database itself, whose lock is separate from those of SQLite, on
/// other systems a file beside it.
fn lockable(database: &Path) -> PathBuf {
    if cfg!(target_os = "linux") {
        return database.to_owned();
    }
    beside(database, ".server")
}
