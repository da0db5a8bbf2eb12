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
    /// What it says about itself.
    pub manifest: Manifest,
}

impl Backup {
    /// Opens one. A folder without a manifest is none, or one that was not finished.
    pub fn open(folder: &Path) -> Result<Self, Failure> {
        Ok(Self { folder: folder.to_owned(), manifest: Manifest::read(folder)? })
    }

    /// The file of its database, read and found to be the one that was backed up.
    pub fn database(&self) -> Result<PathBuf, Failure> {
        let file = self.folder.join(DATABASE);
        if self.manifest.names(fingerprint(&file)?) {
            return Ok(file);
        }
        Err(Failure::other(format!("{} is not the file that was backed up: it was changed or damaged", file.display())))
    }

    /// Its store.
    pub fn store(&self) -> LocalStore {
        LocalStore::in_folder(self.folder.join(STORE))
    }
}

/// A backup that is being made, in a folder of its own inside the one it is for. Dropped, it leaves nothing.
#[derive(Debug)]
pub struct Unfinished {
    folder: PathBuf,
    inside: PathBuf,
    /// Whether the folder was there before.
    was_there: bool,
    finished: bool,
}

impl Unfinished {
    const NAME: &'static str = "unfinished";

    /// Begins a backup in a folder that is not there, or is empty.
    pub fn begin(folder: &Path) -> Result<Self, Failure> {
        let was_there = match folder.read_dir() {
            Ok(mut names) => match names.next() {
                None => true,
                Some(_) if folder.join(Self::NAME).exists() => return Err(refused(folder, LEFT)),
                Some(_) => return Err(refused(folder, "is not empty")),
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => false,
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => return Err(refused(folder, "is a file")),
            Err(error) => return Err(unusable(folder, &error)),
        };
        let inside = folder.join(Self::NAME);
        create_folder(folder)?;
        // Of two that begin at once, one does.
        create_new_folder(&inside).map_err(|error| if inside.exists() { refused(folder, LEFT) } else { error })?;
        Ok(Self { folder: folder.to_owned(), inside, was_there, finished: false })
    }

    /// Where the copy of the database goes.
    pub fn database(&self) -> PathBuf {
        self.inside.join(DATABASE)
    }

    /// Where the copy of the store goes.
    pub fn store(&self) -> PathBuf {
        self.inside.join(STORE)
    }

    /// Gives everything its place, the manifest last: with it, the backup is one.
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
        if !self.was_there {
            drop(fs::remove_dir(&self.folder));
        }
    }
}

const LEFT: &str = "holds a backup that is being made, or was interrupted: unless one is running, remove it";

fn refused(folder: &Path, why: &str) -> Failure {
    Failure::bad_input(format!("{} {why}; a backup goes into a folder that is new or empty", folder.display()))
}
