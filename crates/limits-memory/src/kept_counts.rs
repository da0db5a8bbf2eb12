use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use sports_ports::PortError;
use sports_ports::metering::{UsageChange, UsageCount, UsageCounts};

/// A file with the counts that are not on record, for the next process should this one be killed.
///
/// It needs no lock and waits for no disk, so it is written whatever the record is doing. It has two places, of which the
/// older one is written each time: whenever the process ends, one of them is whole. Each is a line with a number, which
/// is higher in the newer one, the length and the checksum of what follows, and then a line for each count.
#[derive(Debug)]
pub struct KeptCounts {
    file: File,
    path: PathBuf,
    /// The newest number in the file.
    number: u64,
    changes: Vec<UsageChange>,
}

impl KeptCounts {
    /// Where the second place begins, in bytes: there is room for 100,000 customers in each. What is not written takes
    /// no room on the disk.
    const PLACE: u64 = 1 << 22;

    /// How much of each place is written ahead, in bytes, so that some 1,000 customers fit on a disk that is full.
    const AHEAD: usize = 1 << 16;

    /// Opens the file at a path, made if it is not there, with what the last process left in it.
    ///
    /// # Errors
    ///
    /// When it can be neither made nor read.
    pub fn open(path: PathBuf) -> io::Result<Self> {
        match Self::read_from(&path) {
            Ok((file, (number, changes))) => Ok(Self { file, path, number, changes }),
            Err(error) => Err(io::Error::new(error.kind(), format!("cannot use {}: {error}", path.display()))),
        }
    }

    /// What is kept in a file, if it is there: also while a process keeps counts in it. Nothing is changed.
    ///
    /// # Errors
    ///
    /// When it cannot be read.
    pub fn left_at(path: &Path) -> io::Result<Vec<UsageChange>> {
        let mut file = match fs::metadata(path).and_then(|found| sports_regular_files::check(&found)) {
            Ok(()) => File::open(path)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        Ok(newest(&mut file)?.1)
    }

    fn read_from(path: &Path) -> io::Result<(File, (u64, Vec<UsageChange>))> {
        let mut file = opened(path)?;
        let (number, changes) = newest(&mut file)?;
        if file.metadata()?.len() < Self::PLACE {
            // A full disk has no room to reserve; a write that does not fit is reported when it is made.
            drop(write_ahead(&mut file, text_of(number, &changes)));
        }
        Ok((file, (number, changes)))
    }

    /// Puts on record what the last process could not, and keeps nothing any more.
    ///
    /// # Errors
    ///
    /// [`PortError`] when it cannot be recorded, or the file cannot be written.
    pub async fn hand_over(&mut self, record: &dyn UsageCounts) -> Result<(), PortError> {
        if self.changes.is_empty() {
            return Ok(());
        }
        record.record(&self.changes).await?;
        self.keep(Vec::new()).map_err(|source| PortError::unavailable("kept counts", source))
    }

    /// Returns what is kept.
    #[must_use]
    pub fn changes(&self) -> &[UsageChange] {
        &self.changes
    }

    /// Keeps these in place of those before.
    ///
    /// # Errors
    ///
    /// When they cannot be written; those before are kept.
    pub fn keep(&mut self, changes: Vec<UsageChange>) -> io::Result<()> {
        if !is_at(&self.file, &self.path) {
            // The file was moved, deleted or replaced: counts written to it now would not be found at its path.
            self.file = opened(&self.path)?;
            self.changes = Vec::new();
            drop(write_ahead(&mut self.file, text_of(self.number, &self.changes)));
        }
        if changes != self.changes {
            self.write(&changes)?;
            self.changes = changes;
        }
        Ok(())
    }

    /// Removes the file, if it is there: everything is on record.
    ///
    /// # Errors
    ///
    /// When the system does not let us.
    pub fn remove(self) -> io::Result<()> {
        match fs::remove_file(self.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    fn write(&mut self, changes: &[UsageChange]) -> io::Result<()> {
        let number = self.number + 1;
        let text = text_of(number, changes);
        if text.len() as u64 > Self::PLACE {
            return Err(io::Error::from(io::ErrorKind::FileTooLarge));
        }
        self.file.seek(SeekFrom::Start(number % 2 * Self::PLACE))?;
        self.file.write_all(text.as_bytes())?;
        self.number = number;
        Ok(())
    }
}

/// Opens a file, made if it is not there. What a link leads to is none of ours, and opening a pipe could wait forever.
fn opened(path: &Path) -> io::Result<File> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() => {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is a link, not a file"));
        }
        Ok(found) => sports_regular_files::check(&found)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)
}

/// Whether a file that is open is still the one with its path.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |found: fs::Metadata| (found.dev(), found.ino());
    let open = file.metadata().map(identity);
    open.is_ok_and(|open| fs::symlink_metadata(path).map(identity).is_ok_and(|there| there == open))
}

/// Whether there is a file with its path: where the system has no number for it, any is taken for it.
#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}

/// Fills both places as far as they are to be written ahead, each beginning with the same text.
fn write_ahead(file: &mut File, text: String) -> io::Result<()> {
    let mut ahead = text.into_bytes();
    ahead.resize(KeptCounts::AHEAD.max(ahead.len()), b'\n');
    for at in [0, KeptCounts::PLACE] {
        file.seek(SeekFrom::Start(at))?;
        file.write_all(&ahead)?;
    }
    Ok(())
}

fn text_of(number: u64, changes: &[UsageChange]) -> String {
    let mut lines = String::with_capacity(changes.len() * 40);
    for UsageChange { count: UsageCount { customer, month, calls }, given_back } in changes {
        let _ = writeln!(lines, "{customer} {month} {calls} {given_back}");
    }
    format!("{number} {} {}\n{lines}", lines.len(), crc32fast::hash(lines.as_bytes()))
}

/// What the newer place holds that is whole.
fn newest(file: &mut File) -> io::Result<(u64, Vec<UsageChange>)> {
    let places = [place(file, 0)?, place(file, KeptCounts::PLACE)?].into_iter().flatten();
    Ok(places.max_by_key(|(number, _)| *number).unwrap_or_default())
}

/// What a place holds: its number and what is kept, where it is whole.
fn place(file: &mut File, at: u64) -> io::Result<Option<(u64, Vec<UsageChange>)>> {
    file.seek(SeekFrom::Start(at))?;
    let mut text = Vec::new();
    file.take(KeptCounts::PLACE).read_to_end(&mut text)?;
    Ok(read(&String::from_utf8_lossy(&text)))
}

fn read(text: &str) -> Option<(u64, Vec<UsageChange>)> {
    let (head, lines) = text.split_once('\n')?;
    let mut head = head.split(' ');
    let (number, length, checksum) = (head.next()?, head.next()?.parse().ok()?, head.next()?.parse().ok()?);
    let lines = lines.get(..length)?;
    let is_whole = crc32fast::hash(lines.as_bytes()) == checksum;
    let changes = lines.lines().map(change);
    is_whole.then(|| Some((number.parse().ok()?, changes.collect::<Option<_>>()?))).flatten()
}

fn change(line: &str) -> Option<UsageChange> {
    let mut words = line.split(' ');
    let count = UsageCount {
        customer: words.next()?.parse().ok()?,
        month: words.next()?.parse().ok()?,
        calls: words.next()?.parse().ok()?,
    };
    Some(UsageChange { count, given_back: words.next()?.parse().ok()? })
}

#[cfg(test)]
mod tests {
    use sports_accounts::CalendarMonth;
    use sports_accounts::testing::{a_customer, second};

    use super::*;

    fn counts(calls: &[u64]) -> Vec<UsageChange> {
        let month = CalendarMonth::containing(second(0));
        let count = |seed, calls| UsageCount { customer: a_customer().seeded(seed).build().id, month, calls };
        let seeded = (1..).zip(calls);
        seeded.map(|(seed, calls)| UsageChange { count: count(seed, *calls), given_back: calls % 3 }).collect()
    }

    fn reopened(path: &std::path::Path) -> Vec<UsageChange> {
        KeptCounts::open(path.to_owned()).expect("opens").changes
    }

    #[test]
    fn the_next_process_finds_what_was_kept_last() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("sports.db-counts");
        assert_eq!(reopened(&path), []);
        let mut kept = KeptCounts::open(path.clone()).expect("opens");
        for calls in [&[7, 8, 9][..], &[10], &[], &[1, 2, 3, 4]] {
            kept.keep(counts(calls)).expect("kept");
            assert_eq!(reopened(&path), counts(calls));
        }
        kept.remove().expect("removed");
        assert!(!path.exists());
    }

    /// A process that is killed while it writes spoils one place, whichever and however far it came.
    #[test]
    fn a_place_that_was_not_finished_leaves_the_one_before() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("sports.db-counts");
        let mut kept = KeptCounts::open(path.clone()).expect("opens");
        for (before, last) in [(1, 2), (3, 4)] {
            kept.keep(counts(&[before, 100])).expect("kept");
            kept.keep(counts(&[last, 100, 200])).expect("kept");
            let at = kept.number % 2 * KeptCounts::PLACE;
            let whole = fs::read(&path).expect("read");
            for cut in [0, 1, 5, 20, 60, 100] {
                let mut spoilt = whole.clone();
                let begins = usize::try_from(at).expect("fits") + cut;
                spoilt[begins..begins + 100].fill(b'x');
                fs::write(&path, spoilt).expect("written");
                assert_eq!(reopened(&path), counts(&[before, 100]), "{last} from byte {cut}");
            }
            fs::write(&path, whole).expect("written");
        }
    }

    #[test]
    fn a_file_that_is_deleted_or_replaced_is_made_anew() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("sports.db-counts");
        let mut kept = KeptCounts::open(path.clone()).expect("opens");
        kept.keep(counts(&[7])).expect("kept");
        fs::remove_file(&path).expect("removed");
        kept.keep(counts(&[7])).expect("kept");
        assert_eq!(reopened(&path), counts(&[7]));
        let other = folder.path().join("other");
        let mut newer = KeptCounts::open(other.clone()).expect("opens");
        (1..9).for_each(|calls| newer.keep(counts(&[calls])).expect("kept"));
        fs::rename(&other, &path).expect("replaced");
        kept.keep(counts(&[9])).expect("kept");
        assert_eq!(reopened(&path), counts(&[9]));
        fs::remove_file(&path).expect("removed");
        kept.remove().expect("gone is gone");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_and_what_is_no_file_are_refused_by_their_path() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("sports.db-counts");
        let target = folder.path().join("precious");
        fs::write(&target, "precious").expect("written");
        std::os::unix::fs::symlink(&target, &path).expect("linked");
        let refused = KeptCounts::open(path.clone()).expect_err("a link").to_string();
        assert_eq!(refused, format!("cannot use {}: it is a link, not a file", path.display()));
        assert_eq!(fs::read(&target).expect("read"), b"precious");
        fs::remove_file(&path).expect("removed");
        fs::create_dir(&path).expect("made");
        let refused = KeptCounts::open(path.clone()).expect_err("a folder").to_string();
        assert_eq!(refused, format!("cannot use {}: it is a folder, not a file", path.display()));
    }

    #[test]
    fn a_file_that_holds_no_counts_has_none() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("sports.db-counts");
        for bytes in
            [&b""[..], b"\n", b"1 0\n", b"1 2 3\nab\n", b"\xff\xff\n\n", b"x 0 0\n", b"1 99999999999999999999 0\n"]
        {
            fs::write(&path, bytes).expect("written");
            assert_eq!(reopened(&path), [], "{bytes:?}");
        }
    }
}
