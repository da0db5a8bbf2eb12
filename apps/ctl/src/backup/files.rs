use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use sports_artifacts_object_store::LocalStore;
use sports_content::{ObjectHash, ObjectHasher};

use crate::failure::Failure;

/// Copies a store into a folder: first what is signed, then the log, then the objects. So each signed tree is one of an entry,
/// and the objects of each entry are found, even if a release is published meanwhile. Tiles are left behind: they follow from
/// the leaves.
pub fn copy_store(from: &LocalStore, to: &Path) -> Result<(), Failure> {
    create_folder(to)?;
    let copy = |files: io::Result<Vec<_>>| {
        let files = files.map_err(|error| unusable(from.folder(), &error))?;
        files.iter().try_for_each(|file| {
            let target = to.join(file);
            create_folder(target.parent().unwrap_or(to))?;
            copy_file(&from.folder().join(file), &target)
        })
    };
    copy(from.signed_files())?;
    copy(from.log_files())?;
    copy(from.object_files())
}

/// Copies one file to a path without a file, and flushes the copy to the disk.
pub fn copy_file(from: &Path, to: &Path) -> Result<(), Failure> {
    let mut source = sports_system::regular_file::open(from).map_err(|error| unusable(from, &error))?;
    let mut target = create_file(to)?;
    let copied = io::copy(&mut source, &mut target).and_then(|_| target.sync_all());
    copied.map_err(|error| unusable(to, &error))
}

/// Creates a file at a path without a file.
pub fn create_file(file: &Path) -> Result<File, Failure> {
    File::create_new(file).map_err(|error| unusable(file, &error))
}

/// Creates a folder and its missing parents.
pub fn create_folder(folder: &Path) -> Result<(), Failure> {
    fs::create_dir_all(folder).map_err(|error| unusable(folder, &error))
}

/// Creates a folder that must not exist yet.
pub(super) fn create_new_folder(folder: &Path) -> Result<(), Failure> {
    fs::create_dir(folder).map_err(|error| unusable(folder, &error))
}

/// Returns the SHA-256 of a file.
pub fn fingerprint(file: &Path) -> Result<ObjectHash, Failure> {
    let hash = || -> io::Result<ObjectHash> {
        let mut source = sports_system::regular_file::open(file)?;
        let (mut hasher, mut piece) = (ObjectHasher::default(), vec![0; 1 << 20]);
        loop {
            match source.read(&mut piece)? {
                0 => return Ok(hasher.finish()),
                read => hasher.update(&piece[..read]),
            }
        }
    };
    hash().map_err(|error| unusable(file, &error))
}

/// Returns the failure of a file or folder that the system does not make available.
pub fn unusable(path: &Path, error: &io::Error) -> Failure {
    Failure::other(format!("{} cannot be used: {error}", path.display()))
}
