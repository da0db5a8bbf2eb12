use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use sports_artifacts_object_store::LocalStore;

use super::files::{create_folder, create_new_folder, fingerprint, unusable};
use super::manifest::Manifest;
use crate::failure::Failure;

const DATABASE: &str = "sports.db";
const STORE: &str = "store";

/// A finished backup.
#[derive(Debug)]
pub struct Backup {
    folder: PathBuf,
    /// The manifest of the backup.
    pub manifest: Manifest,
}

impl Backup {
    /// Opens a backup. A folder without a manifest is not a backup, or an unfinished one.
    pub fn open(folder: &Path) -> Result<Self, Failure> {
        Ok(Self { folder: folder.to_owned(), manifest: Manifest::read(folder)? })
    }

    /// Returns the backup's database file, after a comparison of its hash with the manifest.
    pub fn database(&self) -> Result<PathBuf, Failure> {
        let file = self.folder.join(DATABASE);
        if self.manifest.names_database(fingerprint(&file)?) {
            return Ok(file);
        }
        Err(Failure::other(format!("{} is not the file that was backed up: it was changed or damaged", file.display())))
    }

    /// Returns the backup's store.
    pub fn store(&self) -> LocalStore {
        LocalStore::in_folder(self.folder.join(STORE))
    }
}

/// A backup in progress, in a subfolder of its target. Dropping it removes its files.
#[derive(Debug)]
pub struct Unfinished {
    folder: PathBuf,
    inside: PathBuf,
    /// True if the target existed before.
    existed: bool,
    finished: bool,
}

impl Unfinished {
    const NAME: &'static str = "unfinished";

    /// Begins a backup in a folder that does not exist or is empty.
    pub fn begin(folder: &Path) -> Result<Self, Failure> {
        let existed = match folder.read_dir() {
            Ok(mut names) => match names.next() {
                None => true,
                Some(_) if folder.join(Self::NAME).exists() => return Err(refused(folder, UNFINISHED)),
                Some(_) => return Err(refused(folder, "is not empty")),
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => false,
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => return Err(refused(folder, "is a file")),
            Err(error) => return Err(unusable(folder, &error)),
        };
        let inside = folder.join(Self::NAME);
        create_folder(folder)?;
        // If two begin at once, only one of them creates the folder.
        create_new_folder(&inside)
            .map_err(|error| if inside.exists() { refused(folder, UNFINISHED) } else { error })?;
        Ok(Self { folder: folder.to_owned(), inside, existed, finished: false })
    }

    /// Returns the path for the copy of the database.
    pub fn database(&self) -> PathBuf {
        self.inside.join(DATABASE)
    }

    /// Returns the path for the copy of the store.
    pub fn store(&self) -> PathBuf {
        self.inside.join(STORE)
    }

    /// Moves the copies to their final paths, the manifest last: it marks the backup as finished.
    pub fn finish(mut self, manifest: &Manifest) -> Result<(), Failure> {
        manifest.write(&self.inside)?;
        for name in [DATABASE, STORE, Manifest::NAME] {
            fs::rename(self.inside.join(name), self.folder.join(name))
                .map_err(|error| unusable(&self.folder, &error))?;
        }
        self.finished = true;
        fs::remove_dir(&self.inside).map_err(|error| unusable(&self.inside, &error))
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if self.finished {
            return;
        }
        for name in [DATABASE, STORE] {
            let moved = self.folder.join(name);
            drop(fs::remove_dir_all(&moved).or_else(|_| fs::remove_file(&moved)));
        }
        drop(fs::remove_dir_all(&self.inside));
        if !self.existed {
            drop(fs::remove_dir(&self.folder));
        }
    }
}

const UNFINISHED: &str = "holds a backup that is being made, or was interrupted: unless one is running, remove it";

fn refused(folder: &Path, why: &str) -> Failure {
    Failure::bad_input(format!("{} {why}; a backup goes into a folder that is new or empty", folder.display()))
}
