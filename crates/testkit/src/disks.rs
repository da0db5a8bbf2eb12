//! A disk that is small enough for a test to fill.

use std::env;
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A separate file system in memory, unmounted when it is dropped.
pub struct SmallDisk {
    folder: tempfile::TempDir,
}

impl SmallDisk {
    /// Mounts a disk of this many kibibytes. If the user may not mount one, prints a note and returns `None`, or fails
    /// if `REQUIRE_SERVICES` is 1.
    ///
    /// # Panics
    ///
    /// Panics if no disk can be mounted although it is required.
    #[must_use]
    pub fn mounted(kibibytes: u32) -> Option<Self> {
        let folder = tempfile::tempdir().expect("a folder");
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", &format!("size={kibibytes}k,mode=700"), "none"]).arg(folder.path());
        let is_mounted = mount.output().is_ok_and(|mounted| mounted.status.success());
        if is_mounted {
            return Some(Self { folder });
        }
        assert!(env::var_os("REQUIRE_SERVICES").is_none_or(|set| set != "1"), "no small disk can be mounted here");
        eprintln!("skipped: no small disk can be mounted here");
        None
    }

    /// Returns the mount point.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Fills the disk to the last byte.
    ///
    /// # Panics
    ///
    /// Panics if a write fails for another reason than a full disk.
    pub fn fill(&self) {
        let mut file = OpenOptions::new().create(true).append(true).open(self.filling()).expect("a file");
        let filled = Self::fill_with(&mut file);
        assert_eq!(filled, ErrorKind::StorageFull);
    }

    fn fill_with(file: &mut File) -> ErrorKind {
        loop {
            if let Err(error) = file.write_all(&[0; 512]) {
                return error.kind();
            }
        }
    }

    /// Frees the space taken by [`Self::fill`].
    ///
    /// # Panics
    ///
    /// Panics if the disk was not filled.
    pub fn empty(&self) {
        fs::remove_file(self.filling()).expect("it was filled");
    }

    fn filling(&self) -> PathBuf {
        self.path().join("filling")
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(self.path()).status();
    }
}
