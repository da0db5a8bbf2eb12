use std::fs::File;
use std::io;
use std::io::Read;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use sports_domain::Sport;

use crate::open_error::Address;
use crate::store::{existing, names_in};
use crate::{OpenError, layout, record_layout};

/// The folder of a local store, for copying its files.
///
/// For a complete copy, list and copy the files of the log first, and then the objects: objects are written before
/// the entry that names them, and files are never overwritten.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalStore {
    folder: PathBuf,
}

impl LocalStore {
    /// Returns the store at `url`; its folder need not exist.
    ///
    /// # Errors
    ///
    /// [`OpenError`] if the address does not name a folder.
    pub fn at(url: &str) -> Result<Self, OpenError> {
        Address::parse(url)?.folder().map(Self::in_folder)
    }

    /// Returns the store at `url`, whose folder must exist.
    ///
    /// # Errors
    ///
    /// [`OpenError`] if the address does not name a folder, or the folder does not exist.
    pub fn existing_at(url: &str) -> Result<Self, OpenError> {
        existing(Address::parse(url)?.folder()?).map(Self::in_folder)
    }

    /// Returns the store in a folder.
    pub const fn in_folder(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Returns the folder of the store.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Lists the entries of all logs, as paths in the folder, in the order of generations within each league.
    ///
    /// # Errors
    ///
    /// [`io::Error`] if a folder cannot be read.
    pub fn log_files(&self) -> io::Result<Vec<PathBuf>> {
        let mut files = Vec::new();
        for sport in Sport::ALL {
            let folder = layout::log(sport);
            let mut names = self.files(folder.as_ref())?;
            names.retain(|name| layout::generation(name).is_some());
            // Names have twelve digits, so they sort by number.
            names.sort_unstable();
            files.extend(names.into_iter().map(|name| Path::new(folder.as_ref()).join(name)));
        }
        Ok(files)
    }

    /// Lists the signed checkpoints, timestamps and keys of the records, as paths in the folder.
    ///
    /// # Errors
    ///
    /// [`io::Error`] if a folder cannot be read.
    pub fn signed_files(&self) -> io::Result<Vec<PathBuf>> {
        let mut files = Vec::new();
        for sport in Sport::ALL {
            let sizes = names_in(&self.folder.join(record_layout::checkpoints(sport).as_ref()))?;
            for size in sizes.iter().filter_map(|name| record_layout::size(name)) {
                let folder = record_layout::checkpoints_of(sport, size);
                let names = self.files(folder.as_ref())?.into_iter();
                let names = names.filter(|name| record_layout::checkpoint(size, name).is_some());
                files.extend(names.map(|name| Path::new(folder.as_ref()).join(name)));
            }
        }
        let keys = record_layout::keys();
        let names = self.files(keys.as_ref())?.into_iter().filter(|name| record_layout::key(name).is_some());
        files.extend(names.map(|name| Path::new(keys.as_ref()).join(name)));
        Ok(files)
    }

    /// Lists the files that are named by their content, as paths in the folder. Leftovers of interrupted writes are
    /// omitted.
    ///
    /// # Errors
    ///
    /// [`io::Error`] if a folder cannot be read.
    pub fn object_files(&self) -> io::Result<Vec<PathBuf>> {
        let leagues = Sport::ALL.into_iter().map(layout::objects);
        let mut files = Vec::new();
        for folder in leagues.chain([layout::datasets()]) {
            let names = self.files(folder.as_ref())?.into_iter().filter(|name| layout::content_named(name).is_some());
            files.extend(names.map(|name| Path::new(folder.as_ref()).join(name)));
        }
        Ok(files)
    }

    /// Returns the names of the regular files in a folder of the store; no names if the folder does not exist.
    fn files(&self, folder: &str) -> io::Result<Vec<String>> {
        let folder = self.folder.join(folder);
        let mut names = names_in(&folder)?;
        names.retain(|name| folder.join(name).is_file());
        Ok(names)
    }
}

/// A local file, read in pieces because it may be larger than memory.
pub struct LocalFile(File);

impl LocalFile {
    /// The size of a piece, in bytes. Parts of a multipart upload must have 5 MiB or more.
    pub const PIECE: usize = 8 << 20;

    pub fn open(path: &Path) -> io::Result<Self> {
        sports_program::regular_file::open(path).map(Self)
    }

    /// Reads the next piece. Returns `None` at the end.
    pub fn next(&mut self) -> io::Result<Option<Bytes>> {
        let mut piece = Vec::new();
        let most = u64::try_from(Self::PIECE).unwrap_or(u64::MAX);
        self.0.by_ref().take(most).read_to_end(&mut piece)?;
        Ok((!piece.is_empty()).then(|| piece.into()))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_store_lists_its_log_and_no_leftovers() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = LocalStore::in_folder(folder.path().to_owned());
        assert_eq!((store.log_files().expect("read"), store.object_files().expect("read")), (vec![], vec![]));
        let hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        let (log, objects) = ("sports/nfl/log", "sports/nfl/objects");
        let kept =
            [format!("{objects}/{hash}.json"), format!("{objects}/{hash}.parquet"), format!("datasets/objects/{hash}")];
        let entries = [1, 3].map(|number| format!("{log}/{number:012}.json"));
        let left = [format!("{objects}/{hash}.json#1"), format!("{log}/000000000004.json#1"), "probe-1".to_owned()];
        for file in kept.iter().chain(&entries).chain(&left) {
            let file = folder.path().join(file);
            fs::create_dir_all(file.parent().expect("a folder")).expect("made");
            fs::write(file, "").expect("written");
        }
        fs::create_dir(folder.path().join(format!("{log}/000000000007.json"))).expect("made");
        let listed: Vec<_> = entries.iter().map(PathBuf::from).collect();
        assert_eq!(store.log_files().expect("read"), listed);
        let mut found = store.object_files().expect("read");
        found.sort();
        let mut expected = kept.map(PathBuf::from);
        expected.sort();
        assert_eq!(found, expected);
    }
}
