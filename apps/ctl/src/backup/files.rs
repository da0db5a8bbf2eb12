use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

use sports_artifacts_object_store::LocalStore;
use sports_publication::{ObjectHash, ObjectHasher};

use crate::failure::Failure;

/// Who may read new files and folders.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Readable {
    /// Their owner alone: a database holds the secret of download links.
    ByOwner,
    /// Whoever may read what the server writes: a service goes on with what it did not write itself.
    AsUsual,
}

/// Copies a store into a folder: the log first, so that each of its entries finds its objects whatever is published
/// meanwhile.
pub fn copy_store(from: &LocalStore, to: &Path, readable: Readable) -> Result<(), Failure> {
    create_folder(to, readable)?;
    let copy = |files: io::Result<Vec<_>>| {
        let files = files.map_err(|error| unusable(from.folder(), &error))?;
        files.iter().try_for_each(|file| {
            let target = to.join(file);
            create_folder(target.parent().unwrap_or(to), readable)?;
            copy_file(&from.folder().join(file), &target, readable)
        })
    };
    copy(from.log_files())?;
    copy(from.object_files())
}

/// Copies one file to where none is, down to the disk.
pub fn copy_file(from: &Path, to: &Path, readable: Readable) -> Result<(), Failure> {
    let mut source = sports_regular_files::open(from).map_err(|error| unusable(from, &error))?;
    let mut target = create_file(to, readable)?;
    let copied = io::copy(&mut source, &mut target).and_then(|_| target.sync_all());
    copied.map_err(|error| unusable(to, &error))
}

/// Makes a file where none is.
pub fn create_file(file: &Path, readable: Readable) -> Result<File, Failure> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if readable == Readable::ByOwner {
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    options.open(file).map_err(|error| unusable(file, &error))
}

/// Makes a folder and those above it where they are not there.
pub fn create_folder(folder: &Path, readable: Readable) -> Result<(), Failure> {
    folders(readable).recursive(true).create(folder).map_err(|error| unusable(folder, &error))
}

/// Makes a folder that is not there yet.
pub(super) fn create_new_folder(folder: &Path, readable: Readable) -> Result<(), Failure> {
    folders(readable).create(folder).map_err(|error| unusable(folder, &error))
}

fn folders(readable: Readable) -> DirBuilder {
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    if readable == Readable::ByOwner {
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    }
    builder
}

/// The SHA-256 of a file.
pub fn fingerprint(file: &Path) -> Result<ObjectHash, Failure> {
    let hash = || -> io::Result<ObjectHash> {
        let mut source = sports_regular_files::open(file)?;
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

/// A file or folder that the system does not let us use.
pub fn unusable(path: &Path, error: &io::Error) -> Failure {
    Failure::other(format!("{} cannot be used: {error}", path.display()))
}
