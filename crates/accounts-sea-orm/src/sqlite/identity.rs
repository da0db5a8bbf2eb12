use std::fs::{self, Metadata};
use std::io;
use std::path::Path;

/// The identity of a file, independent of its path: a file that replaces another at the same path has another identity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Identity {
    device: u64,
    number: u64,
}

impl Identity {
    /// Returns the identity of the file at a path without opening it: closing it would release SQLite's locks of this process.
    ///
    /// # Errors
    ///
    /// [`io::Error`] when there is no file.
    pub fn at(path: &Path) -> io::Result<Self> {
        fs::metadata(path).map(|file| Self::from_metadata(&file))
    }

    /// Returns the identity in metadata, such as that of an open file.
    #[cfg(unix)]
    pub fn from_metadata(file: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt;
        Self { device: file.dev(), number: file.ino() }
    }

    /// Returns the same identity for every file: this system has no number for it.
    #[cfg(not(unix))]
    pub fn from_metadata(_: &Metadata) -> Self {
        Self { device: 0, number: 0 }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_file_keeps_its_identity_under_every_name_and_another_one_has_its_own() {
        let folder = tempfile::tempdir().expect("a folder");
        let (one, link, other) = (folder.path().join("one"), folder.path().join("link"), folder.path().join("other"));
        fs::write(&one, "1").expect("written");
        fs::write(&other, "2").expect("written");
        fs::hard_link(&one, &link).expect("linked");
        let of_one = Identity::at(&one).expect("there");
        assert_eq!(Identity::at(&link).expect("there"), of_one);
        assert_ne!(Identity::at(&other).expect("there"), of_one);
        fs::rename(&other, &one).expect("moved");
        assert_ne!(Identity::at(&one).expect("there"), of_one);
        fs::remove_file(&one).expect("removed");
        assert!(Identity::at(&one).is_err());
    }
}
