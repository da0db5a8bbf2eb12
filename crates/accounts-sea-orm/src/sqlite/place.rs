use std::fs;
use std::path::{Path, PathBuf};

use sports_system::permissions;

use crate::ConnectError;

/// The endings of the names of a database's files.
pub const FILES: [&str; 4] = ["", "-wal", "-shm", "-journal"];

/// The suffix of the folder that is beside a database while it is restored.
pub const RESTORING: &str = ".restoring";

/// Checks that no restore of a database is running, and that none was interrupted.
///
/// # Errors
///
/// [`ConnectError::Restoring`].
pub fn expect_restored(database: &Path) -> Result<(), ConnectError> {
    let folder = beside(database, RESTORING);
    if folder.exists() { Err(ConnectError::Restoring { file: database.into(), folder }) } else { Ok(()) }
}

/// Makes the folder that a database is in, and those above it, where they are not there.
///
/// # Errors
///
/// [`ConnectError::Folder`], and [`ConnectError::NotAFile`] where something else has the name of the database: to open
/// that could wait forever.
pub fn make_folder(database: &Path) -> Result<(), ConnectError> {
    expect_file(database)?;
    match database.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        Some(folder) => {
            fs::create_dir_all(folder).map_err(|source| ConnectError::Folder { folder: folder.into(), source })
        }
        None => Ok(()),
    }
}

/// Checks that a database can have this path: it is free or that of a file. Other errors are left to the opening.
pub(super) fn expect_file(database: &Path) -> Result<(), ConnectError> {
    let checked = fs::metadata(database).map_or(Ok(()), |found| sports_system::regular_file::check(&found));
    checked.map_err(|source| ConnectError::NotAFile { file: database.into(), source })
}

/// Checks that the files of a database that are there belong to the user of this process. One that is not there is not refused.
///
/// # Errors
///
/// [`ConnectError::OtherOwner`] for the first file of another user.
pub fn expect_own_files(database: &Path) -> Result<(), ConnectError> {
    FILES.iter().try_for_each(|ending| permissions::expect_own(&beside(database, ending)).map_err(ConnectError::from))
}

/// Returns true if a file has a database: an empty file only reserves its path.
pub fn is_made(database: &Path) -> bool {
    fs::metadata(database).is_ok_and(|file| file.len() > 0)
}

/// Returns the path of a file of the same name as a database, with another ending. Behind a link it is beside the file
/// itself, where SQLite has its own: one database has one of each, whatever it is called.
pub fn beside(database: &Path, ending: &str) -> PathBuf {
    let file = if database.is_symlink() { database.canonicalize().ok() } else { None };
    let mut name = file.unwrap_or_else(|| database.to_owned()).into_os_string();
    name.push(ending);
    name.into()
}
