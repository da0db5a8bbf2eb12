//! The folder that is watched, its entries and its subfolders.

use std::fs::{self, DirEntry, File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde_json::Value;

use crate::failure::Failure;

/// The folder for releases that were published.
pub const PUBLISHED: &str = "published";
/// The folder for releases that were refused.
pub const REFUSED: &str = "refused";
/// Folders that are no releases: ours, and the one that the root of a file system can have.
const OTHERS: [&str; 3] = [PUBLISHED, REFUSED, "lost+found"];

/// A folder that no other process watches.
#[derive(Debug)]
pub struct Inbox {
    folder: PathBuf,
    /// The system releases the lock however the process ends.
    _lock: File,
}

/// A release folder that was moved in.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Arrival {
    at: SystemTime,
    /// The name of the folder.
    pub name: String,
}

/// The entries of a watched folder.
#[derive(Debug, Default)]
pub struct Look {
    /// The release folders to publish, in the order of arrival, then of names.
    pub arrivals: Vec<Arrival>,
    /// Sentences about release folders that are left in their place.
    pub left: Vec<String>,
    /// Sentences about folders that cannot be read, which may be releases.
    pub warnings: Vec<String>,
}

impl Inbox {
    /// Locks the folder for this process and creates its subfolders; `None` if another process has the lock.
    pub fn lock(folder: &Path) -> Result<Option<Self>, Failure> {
        expect_folder(folder)?;
        let failed = |error: io::Error| cannot(folder, &error);
        let lock = lockable(folder).map_err(failed)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        for name in [PUBLISHED, REFUSED] {
            fs::create_dir_all(folder.join(name)).map_err(failed)?;
        }
        // A release is not published into a store if it could not be moved afterwards.
        for written in [folder.to_owned(), folder.join(PUBLISHED), folder.join(REFUSED)] {
            drop(
                tempfile::tempfile_in(&written).map_err(|error| {
                    Failure::bad_input(format!("{} cannot be written to: {error}", written.display()))
                })?,
            );
        }
        Ok(Some(Self { folder: folder.to_owned(), _lock: lock }))
    }

    /// Returns the path of an entry.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Reads the entries. A folder without `release.json` is still being filled.
    pub fn look(&self) -> Result<Look, Failure> {
        let mut look = self.entries().map_err(|error| cannot(&self.folder, &error))?;
        let Look { arrivals, left, .. } = &mut look;
        arrivals.sort();
        arrivals.retain(|arrival| {
            let immovable = self.immovable(&arrival.name);
            let is_movable = immovable.is_none();
            left.extend(immovable);
            is_movable
        });
        Ok(look)
    }

    fn entries(&self) -> io::Result<Look> {
        let mut look = Look::default();
        for entry in fs::read_dir(&self.folder)? {
            let entry = entry?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            if name.starts_with('.') || OTHERS.contains(&&*name) {
                continue;
            }
            let path = entry.path();
            match fs::metadata(path.join("release.json")) {
                Ok(found) if !found.is_file() => {}
                Ok(_) if path.is_symlink() => look.left.push(format!(
                    "{} was not published, since it is a symbolic link: move the release folder itself",
                    path.display()
                )),
                // A folder that was moved away meanwhile has not arrived.
                Ok(_) => look.arrivals.extend(arrival(&entry).ok().map(|at| Arrival { at, name })),
                Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {}
                Err(error) => {
                    look.warnings.push(format!("{} was skipped, since it cannot be read: {error}", path.display()));
                }
            }
        }
        Ok(look)
    }

    /// Returns a sentence about a release folder that this user may not write to: such a folder cannot be moved. Other
    /// obstacles are only found by the move.
    fn immovable(&self, name: &str) -> Option<String> {
        let folder = self.path(name);
        let error = tempfile::tempfile_in(&folder).err()?;
        matches!(error.kind(), ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem).then(|| {
            let folder = folder.display();
            format!("{folder} was not published, since this user may not write to it, and so not move it: {error}")
        })
    }

    /// Writes the report of a folder into a subfolder and moves the folder there; a name that is taken gets a number.
    /// Returns a sentence about a folder that cannot be moved; its report replaces that of an earlier attempt.
    pub fn keep(&self, name: &str, target: &str, report: &Value) -> Result<Option<String>, Failure> {
        let (folder, into) = (self.path(name), self.folder.join(target));
        let kept = free_name(&into, name);
        let file = into.join(format!("{kept}.report.json"));
        if let Err(error) = fs::write(&file, format!("{report:#}\n")) {
            // A part of a report would take the name.
            drop(fs::remove_file(&file));
            let (folder, file) = (folder.display(), file.display());
            return Err(Failure::other(format!("{folder} was {target}, but {file} cannot be written: {error}")));
        }
        let unmoved = format!("{name}.unmoved.json");
        if let Err(error) = fs::rename(&folder, into.join(kept)) {
            drop(fs::rename(&file, into.join(&unmoved)));
            let folder = folder.display();
            return Ok(Some(format!(
                "{folder} was {target}, but cannot be moved to {target}/: {error}; its report is {target}/{unmoved}"
            )));
        }
        drop(fs::remove_file(into.join(unmoved)));
        Ok(None)
    }
}

/// Returns the name, with a number if a folder or a report has it.
fn free_name(into: &Path, name: &str) -> String {
    let is_free = |name: &String| !into.join(name).exists() && !into.join(format!("{name}.report.json")).exists();
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    [name.to_owned()].into_iter().chain(numbered).find(is_free).unwrap_or_else(|| name.to_owned())
}

/// Refuses a path without a folder. It is not created, for its name may be mistyped.
fn expect_folder(folder: &Path) -> Result<(), Failure> {
    let named = folder.display();
    match fs::metadata(folder) {
        Ok(found) if found.is_dir() => Ok(()),
        Ok(_) => Err(Failure::bad_input(format!("{named} is a file: name the folder that releases are moved into"))),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            Err(Failure::bad_input(format!("{named} does not exist: correct the name, or create the folder")))
        }
        Err(error) => Err(cannot(folder, &error)),
    }
}

/// Opens the folder itself: a lock file of another user could not be opened.
#[cfg(unix)]
fn lockable(folder: &Path) -> io::Result<File> {
    File::open(folder)
}

/// Opens a file in the folder: folders cannot be locked on this system.
#[cfg(not(unix))]
fn lockable(folder: &Path) -> io::Result<File> {
    fs::OpenOptions::new().create(true).append(true).open(folder.join(".watch"))
}

/// Returns the instant at which a folder was moved in: the last change of its entry.
fn arrival(entry: &DirEntry) -> io::Result<SystemTime> {
    let metadata = entry.metadata()?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        use std::time::Duration;
        let seconds = Duration::from_secs(metadata.ctime().try_into().unwrap_or_default());
        let nanos = Duration::from_nanos(metadata.ctime_nsec().try_into().unwrap_or_default());
        Ok(SystemTime::UNIX_EPOCH + seconds + nanos)
    }
    #[cfg(not(unix))]
    metadata.modified()
}

fn cannot(folder: &Path, error: &io::Error) -> Failure {
    Failure::bad_input(format!("{} cannot be watched: {error}", folder.display()))
}
