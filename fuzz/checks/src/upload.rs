//! Archives that the publishers' door unpacks.

use std::fs;
use std::path::Path;

use sports_publisher_files::archive::{MOST_FILES, MOST_UNPACKED, unpack};

use crate::scratch::Scratch;

/// Unpacks any bytes. What is written lies within the folder, is made of files and folders alone, and is counted.
pub fn unpack_archive(bytes: &[u8]) {
    let scratch = Scratch::new();
    let archive = scratch.write("outer/archive", bytes);
    let into = scratch.path().join("outer/into");
    fs::create_dir(&into).expect("a folder");
    let unpacked = unpack(&archive, &into);
    let outside = fs::read_dir(scratch.path().join("outer")).expect("a folder").count();
    assert_eq!((outside, fs::read_dir(scratch.path()).expect("a folder").count()), (2, 1), "written elsewhere");
    let (files, bytes) = measured(&into);
    assert!(files <= MOST_FILES && bytes <= MOST_UNPACKED + (64 << 10), "above the bounds");
    if let Ok(unpacked) = unpacked {
        assert_eq!(unpacked.bytes, bytes);
        assert!(unpacked.folder.starts_with(&into) && unpacked.folder.is_dir());
    }
}

/// Returns the number of files in a folder and their bytes.
fn measured(folder: &Path) -> (usize, u64) {
    let (mut files, mut bytes) = (0, 0);
    for entry in fs::read_dir(folder).expect("a folder") {
        let entry = entry.expect("an entry");
        let kind = entry.file_type().expect("a type");
        assert!(kind.is_file() || kind.is_dir(), "{} is a link or a device", entry.path().display());
        if kind.is_dir() {
            let (more_files, more_bytes) = measured(&entry.path());
            files += more_files;
            bytes += more_bytes;
        } else {
            files += 1;
            bytes += entry.metadata().expect("metadata").len();
        }
    }
    (files, bytes)
}
