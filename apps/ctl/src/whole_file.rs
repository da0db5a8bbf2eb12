//! Files that other programs read during a write, and that several processes write at once.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use tempfile::Builder;

/// Writes a file so that no reader ever sees a part of it: under a temporary name until it is complete.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = folder_of(path)?;
    let mut builder = Builder::new();
    // A release folder skips hidden files, in case a killed program leaves one.
    builder.prefix(".").suffix(".partial");
    // Others may read the file, as far as the process's mask permits.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

/// Locks a file against other processes until the returned file is dropped.
///
/// The file itself is replaced, so a hidden file beside it is locked. The hidden file is not removed: otherwise two
/// programs could hold the lock at once.
pub fn turn(path: &Path) -> io::Result<File> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = format!(".{}.lock", name.trim_start_matches('.'));
    let lock = folder_of(path)?.join(name);
    // Opening a named pipe for writing would block until a reader opens it.
    if let Ok(metadata) = fs::metadata(&lock) {
        sports_program::regular_file::check(&metadata)?;
    }
    let lock = File::options().create(true).truncate(false).write(true).open(lock)?;
    lock.lock()?;
    Ok(lock)
}

/// Returns the folder of a file; creates it if it is missing.
fn folder_of(path: &Path) -> io::Result<&Path> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    Ok(folder)
}
