//! Files that other programs read while we write them, and that several of us write at once.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use tempfile::Builder;

/// Writes a file so that no reader ever sees half of it, under a name of its own until it is whole.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = folder_of(path)?;
    let mut builder = Builder::new();
    // A release passes over hidden files, should a killed program leave one.
    builder.prefix(".").suffix(".partial");
    // Others may read it, as far as the process's mask lets them.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

/// Waits until no other program has its turn with a file, and takes it until the answer is dropped.
///
/// The file itself is replaced, so a hidden one beside it is locked. It is not removed: that
/// could leave two programs with a turn each.
pub fn turn(path: &Path) -> io::Result<File> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = format!(".{}.lock", name.trim_start_matches('.'));
    let lock = folder_of(path)?.join(name);
    // Opening a named pipe to write into it would wait for a reader.
    if let Ok(metadata) = fs::metadata(&lock) {
        sports_system::regular_file::check(&metadata)?;
    }
    let lock = File::options().create(true).truncate(false).write(true).open(lock)?;
    lock.lock()?;
    Ok(lock)
}

/// The folder a file is in, made where it is missing.
fn folder_of(path: &Path) -> io::Result<&Path> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    Ok(folder)
}
