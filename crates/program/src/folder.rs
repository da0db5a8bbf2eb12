//! Folders that foreign programs fill: what is in them is opened relative to a descriptor, and no link in them is followed.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, Stat, openat, statat};
use rustix::io::Errno;

use crate::regular_file;

/// The depth to which a tree is walked. Release folders have three levels.
const DEEPEST: usize = 8;

/// To open a named pipe would block without the third flag, and a terminal would become that of the process without the last.
const READ: OFlags = OFlags::RDONLY.union(OFlags::CLOEXEC).union(OFlags::NONBLOCK).union(OFlags::NOCTTY);

/// An open folder. Whatever takes its path afterwards is not it.
#[derive(Debug)]
pub struct Folder(OwnedFd);

/// The type of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum EntryKind {
    Folder,
    /// A symbolic link.
    Link,
    /// Anything else: a file, a named pipe, a device.
    File,
}

/// The type, times of change, device, number, size and mode of an entry. A change of its content changes the state.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct EntryState {
    /// The type.
    pub kind: EntryKind,
    /// The last change of the entry or its content, in nanoseconds since 1970.
    pub changed: i128,
    others: [i128; 5],
}

/// The states of everything in a folder, by the path in it. Equal trees are of a folder that did not change.
pub type Tree = BTreeMap<PathBuf, EntryState>;

impl Folder {
    /// Opens the folder at a path that a person named, which may be a link.
    ///
    /// # Errors
    ///
    /// Errors of the system.
    pub fn open(path: &Path) -> io::Result<Self> {
        Ok(Self(openat(CWD, path, READ | OFlags::DIRECTORY, Mode::empty())?))
    }

    /// Opens a folder in this one.
    ///
    /// # Errors
    ///
    /// Errors of the system; a link is one.
    pub fn folder(&self, name: &OsStr) -> io::Result<Self> {
        Ok(Self(openat(&self.0, name, READ | OFlags::DIRECTORY | OFlags::NOFOLLOW, Mode::empty())?))
    }

    /// Reads a regular file in this folder, as [`regular_file::read`] does, and no link to one.
    ///
    /// # Errors
    ///
    /// The errors of [`regular_file::read`].
    pub fn read(&self, name: &OsStr, most: u64) -> io::Result<Vec<u8>> {
        regular_file::read_open(File::from(openat(&self.0, name, READ | OFlags::NOFOLLOW, Mode::empty())?), most)
    }

    /// Lists the entries in the order of names, without those that vanish meanwhile.
    ///
    /// # Errors
    ///
    /// Errors of the system.
    pub fn entries(&self) -> io::Result<BTreeMap<OsString, EntryState>> {
        let mut entries = BTreeMap::new();
        for entry in Dir::read_from(&self.0)? {
            let name = OsStr::from_bytes(entry?.file_name().to_bytes()).to_owned();
            if name == "." || name == ".." {
                continue;
            }
            if let Some(state) = self.state(&name)? {
                entries.insert(name, state);
            }
        }
        Ok(entries)
    }

    /// Returns the state of an entry; `None` if nothing has this name any more.
    fn state(&self, name: &OsStr) -> io::Result<Option<EntryState>> {
        match statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => Ok(Some(EntryState::of(&stat))),
            Err(Errno::NOENT) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Returns the states of all entries, up to eight levels deep.
    ///
    /// # Errors
    ///
    /// Errors of the system.
    pub fn tree(&self) -> io::Result<Tree> {
        let mut tree = Tree::new();
        self.add_to(&mut tree, Path::new(""), DEEPEST)?;
        Ok(tree)
    }

    fn add_to(&self, tree: &mut Tree, within: &Path, levels: usize) -> io::Result<()> {
        for (name, state) in self.entries()? {
            let path = within.join(&name);
            if state.kind == EntryKind::Folder && levels > 1 {
                self.folder(&name)?.add_to(tree, &path, levels - 1)?;
            }
            tree.insert(path, state);
        }
        Ok(())
    }
}

impl EntryState {
    fn of(stat: &Stat) -> Self {
        let kind = match FileType::from_raw_mode(stat.st_mode) {
            FileType::Directory => EntryKind::Folder,
            FileType::Symlink => EntryKind::Link,
            _ => EntryKind::File,
        };
        let nanoseconds = |seconds, nanos| i128::from(seconds) * 1_000_000_000 + i128::from(nanos);
        let modified = nanoseconds(stat.st_mtime, stat.st_mtime_nsec);
        let [device, number, mode] = [i128::from(stat.st_dev), i128::from(stat.st_ino), i128::from(stat.st_mode)];
        let others = [modified, device, number, i128::from(stat.st_size), mode];
        Self { kind, changed: nanoseconds(stat.st_ctime, stat.st_ctime_nsec), others }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn nothing_behind_a_link_is_opened_and_the_folder_itself_may_be_named_by_one() {
        let place = tempfile::tempdir().expect("a folder");
        let at = |name: &str| place.path().join(name);
        fs::create_dir_all(at("real/inner")).expect("made");
        fs::write(at("real/inner/file"), "12345").expect("written");
        symlink("real", at("named")).expect("linked");
        symlink("/etc/passwd", at("real/file")).expect("linked");
        symlink("inner", at("real/folder")).expect("linked");
        let folder = Folder::open(&at("named")).expect("opened");
        folder.read("file".as_ref(), 1 << 20).expect_err("a link to a file");
        folder.folder("folder".as_ref()).expect_err("a link to a folder");
        assert_eq!(folder.folder("inner".as_ref()).and_then(|it| it.read("file".as_ref(), 5)).expect("read"), b"12345");
        let kinds: Vec<_> = folder.entries().expect("listed").into_values().map(|state| state.kind).collect();
        assert_eq!(kinds, [EntryKind::Link, EntryKind::Link, EntryKind::Folder], "file, folder, inner");
    }

    #[test]
    fn an_entry_that_vanishes_while_they_are_listed_is_left_out() {
        let place = tempfile::tempdir().expect("a folder");
        let (hidden, shown) = (place.path().join(".today"), place.path().join("today"));
        fs::create_dir(&hidden).expect("made");
        let folder = Folder::open(place.path()).expect("opened");
        assert_eq!(folder.state("gone".as_ref()).expect("no error"), None);
        std::thread::scope(|scope| {
            let listing = scope.spawn(|| (0..5_000).try_for_each(|_| folder.entries().map(drop)));
            while !listing.is_finished() {
                fs::rename(&hidden, &shown).expect("renamed");
                fs::rename(&shown, &hidden).expect("renamed");
            }
            listing.join().expect("it ends").expect("each is listed");
        });
    }

    #[test]
    fn a_tree_differs_after_any_change_below_it() {
        let place = tempfile::tempdir().expect("a folder");
        let at = |name: &str| place.path().join(name);
        fs::create_dir_all(at("a/b")).expect("made");
        fs::write(at("a/b/file"), "12345").expect("written");
        let folder = Folder::open(place.path()).expect("opened");
        let whole = folder.tree().expect("read");
        assert_eq!(whole, folder.tree().expect("read"));
        assert_eq!(whole.len(), 3, "{whole:?}");
        fs::write(at("a/b/longer"), "1").expect("written");
        let grown = folder.tree().expect("read");
        assert_ne!(grown, whole);
        fs::write(at("a/b/file"), "123456").expect("written");
        assert_ne!(grown, folder.tree().expect("read"));
    }
}
