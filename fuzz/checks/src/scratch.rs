//! Temporary files for code that reads files.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// The folder in which Linux keeps files in memory.
const IN_MEMORY: &str = "/dev/shm";

/// A temporary folder, which is removed with its thread. It is in memory if possible, because it is written
/// constantly.
pub struct Scratch(TempDir);

impl Scratch {
    pub fn new() -> Self {
        let folder = tempfile::tempdir_in(IN_MEMORY).or_else(|_| tempfile::tempdir());
        Self(folder.expect("a folder for files that are read back"))
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes a file, and creates the folders above it.
    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
        fs::write(&path, bytes).expect("a file");
        path
    }
}
