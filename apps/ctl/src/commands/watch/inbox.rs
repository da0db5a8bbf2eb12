//! The folder that is watched, its entries and its subfolders.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use serde_json::Value;
use sports_domain::content::ObjectHash;
use sports_domain::{is_hidden, printable_line};
use sports_program::folder::{EntryKind, Folder, Tree};
use sports_program::regular_file;
use sports_publisher_files::{MANIFEST, ReleaseFiles};
use tokio::time::Instant;

use crate::failure::Failure;
use crate::whole_file;

/// The folder for releases that were published.
pub const PUBLISHED: &str = "published";
/// The folder for releases that were refused.
pub const REFUSED: &str = "refused";
/// Folders that are no releases: ours, and the one that the root of a file system can have.
const OTHERS: [&str; 3] = [PUBLISHED, REFUSED, "lost+found"];
/// The room for reports without which nothing is published, in bytes.
const ROOM: usize = 64 << 10;
/// The folder of the files that were read, in a hidden folder, until it takes the place of a release folder that changed.
const FILES_READ: &str = "read";
/// The longest name of a folder beside whose number and endings a name of 255 bytes has room.
const LONGEST_NAME: usize = 230;
/// The largest list of hashes that is read, in bytes.
const LARGEST_HASHES: u64 = 1 << 20;

/// A folder that no other process watches.
#[derive(Debug)]
pub struct Inbox {
    folder: PathBuf,
    settle: Duration,
    /// The folders of the last look.
    seen: BTreeMap<OsString, Seen>,
    /// The system releases the lock however the process ends.
    _lock: File,
}

/// A folder, and since when it has not changed.
#[derive(Debug)]
struct Seen {
    tree: Tree,
    since: Instant,
}

/// A release folder that has settled.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Arrival {
    /// The instant at which it was moved in: the last change of its entry.
    at: i128,
    /// The name of the folder.
    pub name: OsString,
    tree: Tree,
}

/// The entries of a watched folder.
#[derive(Debug, Default)]
pub struct Look {
    /// The release folders to publish, in the order of arrival, then of names.
    pub arrivals: Vec<Arrival>,
    /// Sentences about release folders that are left in their place.
    pub left: Vec<String>,
    /// Sentences about folders that cannot be taken yet.
    pub warnings: Vec<String>,
    /// Sentences about folders that changed a moment ago.
    pub settling: Vec<String>,
}

impl Inbox {
    /// Locks the folder for this process; `None` if another process has the lock. Folders are taken that did not change for a
    /// time.
    pub fn lock(folder: &Path, settle: Duration) -> Result<Option<Self>, Failure> {
        expect_folder(folder)?;
        let failed = |error: io::Error| cannot(folder, &error);
        let lock = lockable(folder).map_err(failed)?;
        match lock.try_lock() {
            Ok(()) => Ok(Some(Self { folder: folder.to_owned(), settle, seen: BTreeMap::new(), _lock: lock })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(failed(error)),
        }
    }

    /// Returns the path of an entry.
    pub fn path(&self, name: &OsStr) -> PathBuf {
        self.folder.join(name)
    }

    /// Reads the entries, without the arrivals that are done, and creates the subfolders if they are missing.
    pub fn look(&mut self, is_done: impl Fn(&Arrival) -> bool) -> Result<Look, Failure> {
        let mut look = self.entries().map_err(|error| cannot(&self.folder, &error))?;
        let Look { arrivals, left, .. } = &mut look;
        arrivals.retain(|arrival| !is_done(arrival));
        arrivals.sort();
        let unusable = [PUBLISHED, REFUSED].map(|name| self.unusable(name, !arrivals.is_empty()));
        if let Some(sentence) = unusable.into_iter().flatten().next() {
            arrivals.clear();
            left.push(sentence);
        }
        Ok(look)
    }

    fn entries(&mut self) -> io::Result<Look> {
        let (mut look, mut seen) = (Look::default(), BTreeMap::new());
        let inbox = Folder::open(&self.folder)?;
        for (name, state) in inbox.entries()? {
            let (path, is_hidden) = (self.path(&name), name.as_encoded_bytes().starts_with(b"."));
            if is_hidden || OTHERS.iter().any(|other| name == *other) {
                continue;
            }
            match state.kind {
                EntryKind::Link if path.join(MANIFEST).is_file() => look.left.push(format!(
                    "{} was not published, since it is a symbolic link: move the release folder itself",
                    shown(&path)
                )),
                EntryKind::Folder => match inbox.folder(&name).and_then(|folder| folder.tree()) {
                    Ok(tree) => {
                        let found = self.sort_in(name.clone(), state.changed, tree, &mut look);
                        seen.insert(name, found);
                    }
                    // It was moved away meanwhile.
                    Err(error) if error.kind() == ErrorKind::NotFound => {}
                    Err(error) => {
                        look.warnings.push(format!("{} was skipped, since it cannot be read: {error}", shown(&path)));
                    }
                },
                EntryKind::Link | EntryKind::File => {}
            }
        }
        self.seen = seen;
        Ok(look)
    }

    /// Adds a folder to the arrivals, if it has settled, or a sentence about it.
    fn sort_in(&self, name: OsString, changed: i128, tree: Tree, look: &mut Look) -> Seen {
        let path = shown(&self.path(&name));
        let known = self.seen.get(&name).filter(|seen| seen.tree == tree);
        let since = known.map_or_else(Instant::now, |seen| seen.since);
        let seen = Seen { tree: tree.clone(), since };
        if known.is_none() || since.elapsed() < self.settle {
            look.settling.push(format!("{path} was not taken yet, since it changed a moment ago"));
        } else if let Some(part) = tree.keys().find(|path| is_unfinished(path)) {
            look.warnings.push(format!(
                "{path} waits for {}, which a transfer has not finished: remove it if none is running",
                shown(part)
            ));
        } else if tree.contains_key(Path::new(MANIFEST)) {
            look.arrivals.push(Arrival { at: changed, name, tree });
        } else {
            look.warnings.push(format!("{path} has no {MANIFEST}, without which it is not taken"));
        }
        seen
    }

    /// Returns a sentence about a subfolder into which a release could not be moved, and beside it its report: then no release
    /// is published, since the next start would publish it again. The room is only tried if it is needed, since that writes.
    fn unusable(&self, name: &str, is_needed: bool) -> Option<String> {
        let into = self.folder.join(name);
        drop(fs::create_dir(&into));
        let until = "nothing is published until then";
        if !fs::symlink_metadata(&into).is_ok_and(|found| found.is_dir()) {
            return Some(format!("{} is no folder: move it away; {until}", shown(&into)));
        }
        let moved = if is_needed { self.move_a_file(&into) } else { Ok(()) };
        moved.err().map(|error| format!("no release can be moved to {}: mend that; {until}: {error}", shown(&into)))
    }

    fn move_a_file(&self, into: &Path) -> io::Result<()> {
        let mut file = tempfile::Builder::new().prefix(".").tempfile_in(&self.folder)?;
        file.write_all(&vec![0; ROOM])?;
        let moved = into.join(".room");
        file.persist(&moved)?;
        fs::remove_file(moved)
    }

    /// Returns true for a release folder that this user may not move: one that the user may not write to, or another user's in
    /// an inbox with the sticky bit. Other obstacles are only found by the move.
    pub fn is_fixed(&self, name: &OsStr) -> bool {
        let folder = self.path(name);
        match tempfile::tempfile_in(&folder) {
            Ok(written) => written.metadata().is_ok_and(|ours| is_held(&self.folder, &folder, &ours)),
            Err(error) => matches!(error.kind(), ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem),
        }
    }

    /// Returns true if these files were kept under the name of the folder since it was moved in.
    pub fn was_kept(&self, arrival: &Arrival, files: &ReleaseFiles) -> bool {
        let (name, hashes) = (kept_name(&arrival.name), files.hashes());
        [PUBLISHED, REFUSED].into_iter().any(|target| {
            let into = self.folder.join(target);
            let lists =
                numbered(&name).map(|name| with_ending(&into.join(name), HASHES)).take_while(|list| exists(list));
            lists.filter(|list| is_since(list, arrival.at)).any(|list| is_of(&list, &hashes))
        })
    }

    /// Reads the files of a folder; `None` if it changed since it was looked at.
    pub fn read(&self, arrival: &Arrival) -> Option<ReleaseFiles> {
        let folder = Folder::open(&self.folder).and_then(|inbox| inbox.folder(&arrival.name)).ok()?;
        let files = ReleaseFiles::in_folder(&folder).ok()?;
        folder.tree().is_ok_and(|tree| tree == arrival.tree).then_some(files)
    }

    /// Writes the report of a folder and the hashes of its files into a subfolder and moves the folder there, or copies a fixed
    /// one; a name that is taken gets a number. Returns a sentence about what went wrong beside the move.
    ///
    /// # Errors
    ///
    /// A sentence about a folder that is left in its place.
    pub fn keep(
        &self,
        arrival: &Arrival,
        is_fixed: bool,
        target: &str,
        files: &ReleaseFiles,
        report: &Value,
    ) -> Result<Option<String>, String> {
        let (folder, into, hashes) = (self.path(&arrival.name), self.folder.join(target), files.hashes());
        let kept = free_name(&into, &kept_name(&arrival.name), &hashes);
        let named = format!("{} was {target}, but", shown(&folder));
        let written = write_beside(&into.join(&kept), target, &hashes, report);
        let unwritten =
            written.err().map(|error| format!("{named} its report cannot be written to {target}/: {error}"));
        // A refusal changed nothing, and is repeated.
        if let (Some(sentence), REFUSED) = (&unwritten, target) {
            return Err(sentence.clone());
        }
        if is_fixed {
            let copied = copy(&into, &kept, files);
            return copied.map(|()| unwritten).map_err(|error| {
                format!("{named} cannot be copied to {target}/: {error}; its report is {target}/{kept}.report.json")
            });
        }
        fs::rename(&folder, into.join(&kept)).map_err(|error| {
            format!("{named} cannot be moved to {target}/: {error}; its report is {target}/{kept}.report.json")
        })?;
        Ok(self.put_back_if_changed(arrival, &into.join(&kept), files).or(unwritten))
    }

    /// Returns a folder that changed after it was read to its place, where it is taken again, and puts the files that were read
    /// in its stead.
    fn put_back_if_changed(&self, arrival: &Arrival, moved: &Path, files: &ReleaseFiles) -> Option<String> {
        let tree = Folder::open(moved).and_then(|folder| folder.tree());
        if !moved.is_symlink() && tree.is_ok_and(|tree| tree == arrival.tree) {
            return None;
        }
        let place = self.path(&arrival.name);
        let exchanged = exchange(moved, &place, files);
        let (place, kept) = (shown(&place), shown(moved));
        Some(match exchanged {
            Ok(()) => {
                format!("{place} changed after it was read: {kept} has the files that were read, and it is taken again")
            }
            Err(error) => format!("{place} changed after it was read, and {kept} is not what was read: {error}"),
        })
    }
}

/// Returns true if only the owner of a folder may move it, because of the sticky bit of the inbox, and the owner of a file of ours
/// is another user.
#[cfg(unix)]
fn is_held(inbox: &Path, folder: &Path, ours: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    const STICKY: u32 = 0o1000;
    let (Ok(inbox), Ok(folder)) = (fs::metadata(inbox), fs::metadata(folder)) else { return false };
    inbox.mode() & STICKY != 0 && ![0, inbox.uid(), folder.uid()].contains(&ours.uid())
}

#[cfg(not(unix))]
fn is_held(_: &Path, _: &Path, _: &fs::Metadata) -> bool {
    false
}

/// Returns true if a file was written at an instant, in nanoseconds since 1970, or later.
fn is_since(file: &Path, at: i128) -> bool {
    let modified = fs::metadata(file).and_then(|found| found.modified()).ok();
    let since = modified.and_then(|modified| modified.duration_since(UNIX_EPOCH).ok());
    since.is_some_and(|since| i128::try_from(since.as_nanos()).is_ok_and(|written| written >= at))
}

/// Writes the files that were read under a name of a subfolder, where nobody sees a part of them.
fn copy(into: &Path, kept: &str, files: &ReleaseFiles) -> io::Result<()> {
    let hidden = tempfile::Builder::new().prefix(".").tempdir_in(into)?;
    let written = hidden.path().join(FILES_READ);
    files.write_to(&written)?;
    fs::rename(written, into.join(kept))
}

/// Moves a folder back to its place, and puts files in its stead. They are written before that, in a hidden folder: a process that
/// is killed loses none.
fn exchange(moved: &Path, place: &Path, files: &ReleaseFiles) -> io::Result<()> {
    if exists(place) {
        return Err(ErrorKind::AlreadyExists.into());
    }
    let beside = moved.parent().unwrap_or(Path::new("."));
    let hidden = tempfile::Builder::new().prefix(".").tempdir_in(beside)?;
    let written = hidden.path().join(FILES_READ);
    files.write_to(&written)?;
    fs::rename(moved, place)?;
    // From here on nothing else has the files, so an error leaves the folder, too.
    let hidden = hidden.keep();
    fs::rename(written, moved)?;
    fs::remove_dir(hidden)
}

/// Writes the hashes and the report beside the place of a folder.
fn write_beside(kept: &Path, target: &str, hashes: &str, report: &Value) -> io::Result<()> {
    whole_file::write(&with_ending(kept, HASHES), hashes.as_bytes())?;
    let file = with_ending(kept, REPORT);
    // The report of a publish that was killed before the move stays: the next one has nothing to do.
    if target == PUBLISHED && exists(&file) {
        return Ok(());
    }
    whole_file::write(&file, format!("{report:#}\n").as_bytes())
}

/// The ending of the name of a report.
const REPORT: &str = ".report.json";
/// The ending of the name of a list of hashes.
const HASHES: &str = ".sha256";

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// Returns the name, with a number if a folder has it, or a report that is not of these files.
fn free_name(into: &Path, name: &str, hashes: &str) -> String {
    let is_free = |name: &String| {
        let path = into.join(name);
        let beside = [REPORT, HASHES].map(|ending| with_ending(&path, ending));
        !exists(&path) && (!beside.iter().any(|file| exists(file)) || is_of(&beside[1], hashes))
    };
    numbered(name).find(is_free).unwrap_or_else(|| name.to_owned())
}

/// Returns a name, then the name with each number from 2.
fn numbered(name: &str) -> impl Iterator<Item = String> {
    [name.to_owned()].into_iter().chain((2..).map(move |number| format!("{name}-{number}")))
}

/// Returns true if a list of hashes is this one.
fn is_of(list: &Path, hashes: &str) -> bool {
    regular_file::read(list, LARGEST_HASHES).is_ok_and(|found| found == hashes.as_bytes())
}

/// Returns the name under which a folder is kept: its own, or of one that is too long or no plain text, the beginning and a hash.
fn kept_name(name: &OsStr) -> String {
    let is_plain = |name: &&str| name.len() <= LONGEST_NAME && !name.contains(is_hidden);
    if let Some(name) = name.to_str().filter(is_plain) {
        return name.to_owned();
    }
    let plain = |letter: char| if is_hidden(letter) { '_' } else { letter };
    let begin: String = name.to_string_lossy().chars().map(plain).take(40).collect();
    format!("{begin}-{}", ObjectHash::from_bytes(name.as_encoded_bytes()).short(16))
}

/// Returns true for the names of files that programs are writing: `.NAME.XXXXXX` and two folders of rsync, and the endings that
/// SFTP clients use.
fn is_unfinished(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let (begin, ending) = name.rsplit_once('.').unwrap_or((&name, ""));
    let is_random = ending.len() == 6 && ending.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let is_of_rsync = begin.starts_with('.') && begin.len() > 1 && is_random;
    is_of_rsync || [".~tmp~", ".rsync-partial"].contains(&&*name) || ["filepart", "part", "partial"].contains(&ending)
}

fn exists(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

fn shown(path: &Path) -> String {
    printable_line(&path.as_os_str().to_string_lossy()).into_owned()
}

/// Refuses a path without a folder. It is not created, for its name may be mistyped.
fn expect_folder(folder: &Path) -> Result<(), Failure> {
    let named = folder.display();
    match fs::metadata(folder) {
        Ok(found) if found.is_dir() => Ok(()),
        Ok(_) => Err(Failure::bad_input(format!("{named} is a file: name the folder that releases are moved into"))),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            Err(Failure::bad_input(format!("{named} does not exist: correct the name, or create the folder")))
        }
        Err(error) => Err(cannot(folder, &error)),
    }
}

/// Opens the folder itself: a lock file of another user could not be opened.
#[cfg(unix)]
fn lockable(folder: &Path) -> io::Result<File> {
    File::open(folder)
}

/// Opens a file in the folder: folders cannot be locked on this system.
#[cfg(not(unix))]
fn lockable(folder: &Path) -> io::Result<File> {
    fs::OpenOptions::new().create(true).append(true).open(folder.join(".watch"))
}

fn cannot(folder: &Path, error: &io::Error) -> Failure {
    Failure::bad_input(format!("{} cannot be watched: {error}", folder.display()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use sports_testkit::programs::{copy_folder, fixture};
    use tempfile::TempDir;

    use super::*;

    const SETTLE: Duration = Duration::from_secs(3);

    /// An inbox with one whole release, `day`.
    fn inbox() -> (TempDir, Inbox) {
        let place = tempfile::tempdir().expect("a folder");
        copy_folder(&fixture("edge-cases/release"), &place.path().join("day"));
        let inbox = Inbox::lock(place.path(), SETTLE).expect("a folder").expect("not locked");
        (place, inbox)
    }

    async fn after(inbox: &mut Inbox, pause: Duration) -> Look {
        tokio::time::advance(pause).await;
        inbox.look(|_| false).expect("it can be read")
    }

    #[tokio::test(start_paused = true)]
    async fn a_folder_is_taken_once_nothing_in_its_tree_changed_for_the_settle_time() {
        let (place, mut inbox) = inbox();
        let second = Duration::from_secs(1);
        let is_settling = |look: &Look| look.arrivals.is_empty() && look.settling.len() == 1;
        assert!(is_settling(&after(&mut inbox, Duration::ZERO).await), "it was never seen");
        assert!(is_settling(&after(&mut inbox, second * 2).await));
        fs::write(place.path().join("day/games/2025-26.csv"), "date").expect("written");
        assert!(is_settling(&after(&mut inbox, second * 2).await), "it changed two levels down");
        assert!(is_settling(&after(&mut inbox, second * 2).await));
        let settled = after(&mut inbox, second).await;
        assert_eq!((settled.arrivals.len(), settled.settling.len()), (1, 0), "{settled:?}");
        fs::write(place.path().join("day/odds.csv"), "date").expect("written");
        assert_eq!(inbox.read(&settled.arrivals[0]), None, "it changed before it was read to its end");
        assert!(is_settling(&after(&mut inbox, SETTLE).await));
    }

    #[tokio::test(start_paused = true)]
    async fn a_folder_with_a_file_that_is_being_transferred_waits() {
        for part in ["games/.2025-26.csv.Zk3vQ9", "predictions/over_under.csv.filepart", ".~tmp~/odds.csv"] {
            let (place, mut inbox) = inbox();
            let part = place.path().join("day").join(part);
            fs::create_dir_all(part.parent().expect("a folder")).expect("made");
            fs::write(&part, "da").expect("written");
            fs::write(place.path().join("day/.DS_Store"), "").expect("written");
            after(&mut inbox, Duration::ZERO).await;
            let waits = after(&mut inbox, SETTLE * 100).await;
            assert!(waits.arrivals.is_empty(), "{waits:?}");
            assert!(waits.warnings[0].contains("which a transfer has not finished"), "{waits:?}");
            fs::remove_file(&part).expect("removed");
            drop(fs::remove_dir(place.path().join("day/.~tmp~")));
            after(&mut inbox, Duration::ZERO).await;
            assert_eq!(after(&mut inbox, SETTLE).await.arrivals.len(), 1, "{}", part.display());
        }
    }

    #[tokio::test(start_paused = true)]
    async fn files_that_came_after_the_reading_are_not_in_published_and_are_taken_again() {
        let (place, mut inbox) = inbox();
        after(&mut inbox, Duration::ZERO).await;
        let arrival = after(&mut inbox, SETTLE).await.arrivals.remove(0);
        let files = inbox.read(&arrival).expect("unchanged");
        let late = place.path().join("day/predictions/over_under.csv");
        fs::create_dir_all(late.parent().expect("a folder")).expect("made");
        fs::write(&late, "late").expect("written");
        let sentence = inbox.keep(&arrival, false, PUBLISHED, &files, &json!({})).expect("moved").expect("a sentence");
        assert!(sentence.contains("day changed after it was read"), "{sentence}");
        assert_eq!(fs::read(&late).expect("in its place"), b"late");
        let kept = place.path().join("published/day");
        assert_eq!(ReleaseFiles::at(&kept).expect("read"), files);
        assert!(!kept.join("predictions").exists());
        let names = fs::read_dir(place.path().join(PUBLISHED)).expect("a folder");
        assert_eq!(names.count(), 3, "the folder, its report and its hashes");
        after(&mut inbox, Duration::ZERO).await;
        assert_eq!(after(&mut inbox, SETTLE).await.arrivals.len(), 1, "it is taken again");
    }

    #[tokio::test(start_paused = true)]
    async fn files_that_cannot_be_written_leave_the_changed_folder_where_it_was_moved() {
        let (place, mut inbox) = inbox();
        after(&mut inbox, Duration::ZERO).await;
        let arrival = after(&mut inbox, SETTLE).await.arrivals.remove(0);
        let files = inbox.read(&arrival).expect("unchanged");
        let (moved, back) = (place.path().join("published/day"), place.path().join("day"));
        fs::rename(&back, &moved).expect("moved");
        fs::create_dir(&back).expect("another folder of its name");
        exchange(&moved, &back, &files).expect_err("the place is taken");
        let missing = place.path().join("missing/day");
        exchange(&missing, &place.path().join("free"), &files).expect_err("no folder to write to");
        assert_eq!(ReleaseFiles::at(&moved).expect("read"), files);
        assert_eq!(fs::read_dir(place.path().join(PUBLISHED)).expect("a folder").count(), 1, "nothing hidden");
    }

    #[tokio::test(start_paused = true)]
    async fn nothing_is_written_while_no_folder_can_be_published() {
        let (place, mut inbox) = inbox();
        after(&mut inbox, Duration::ZERO).await;
        let written =
            || fs::metadata(place.path().join(PUBLISHED)).and_then(|found| found.modified()).expect("a folder");
        let before = written();
        tokio::time::advance(SETTLE).await;
        assert_eq!(inbox.look(|_| true).expect("it can be read").arrivals, []);
        assert_eq!(written(), before, "the only folder is done");
        assert_eq!(after(&mut inbox, SETTLE).await.arrivals.len(), 1);
        assert_ne!(written(), before, "the room was tried");
    }
}
