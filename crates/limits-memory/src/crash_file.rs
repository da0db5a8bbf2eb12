use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use sports_ports::PortError;
use sports_ports::metering::{UsageChange, UsageCount, UsageCounts};

/// A crash file: the counts that are not on record, for the next process if this one is killed.
///
/// Writing it needs no lock of the database and no sync of the disk. It has two slots, of which the older one is written each
/// time: whenever the process ends, one slot is whole. A slot is a line with a number, which is higher in the newer slot, and the
/// length and checksum of the rest, then a line for each count.
#[derive(Debug)]
pub struct CrashFile {
    file: File,
    path: PathBuf,
    /// The newest number in the file.
    number: u64,
    changes: Vec<UsageChange>,
}

impl CrashFile {
    /// The offset of the second slot, in bytes: each has room for 100,000 customers. The file is sparse: parts that are not
    /// written take no space on the disk.
    const SLOT: u64 = 1 << 22;

    /// The part of each slot that is written in advance, in bytes, so that some 1,000 customers fit on a full disk.
    const AHEAD: usize = 1 << 16;

    /// Opens or creates the file at a path, and reads the counts that the last process left in it.
    ///
    /// # Errors
    ///
    /// [`io::Error`] when the file cannot be created or read.
    pub fn open(path: PathBuf) -> io::Result<Self> {
        match Self::read_from(&path) {
            Ok((file, (number, changes))) => Ok(Self { file, path, number, changes }),
            Err(error) => Err(io::Error::new(error.kind(), format!("cannot use {}: {error}", path.display()))),
        }
    }

    /// Reads the counts in a file, also while a process writes it; none if there is no file. Changes nothing.
    ///
    /// # Errors
    ///
    /// [`io::Error`] when the file cannot be read.
    pub fn read_at(path: &Path) -> io::Result<Vec<UsageChange>> {
        let mut file = match fs::metadata(path).and_then(|found| sports_system::regular_file::check(&found)) {
            Ok(()) => File::open(path)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        Ok(newest(&mut file)?.1)
    }

    fn read_from(path: &Path) -> io::Result<(File, (u64, Vec<UsageChange>))> {
        let mut file = opened(path)?;
        let (number, changes) = newest(&mut file)?;
        if file.metadata()?.len() < Self::SLOT {
            // A full disk has no room to reserve; a write that does not fit is reported when it is made.
            drop(write_ahead(&mut file, text_of(number, &changes)));
        }
        Ok((file, (number, changes)))
    }

    /// Records the counts that the last process could not record, and empties the file.
    ///
    /// # Errors
    ///
    /// [`PortError`] when they cannot be recorded, or the file cannot be written.
    pub async fn recover(&mut self, record: &dyn UsageCounts) -> Result<(), PortError> {
        if self.changes.is_empty() {
            return Ok(());
        }
        record.record(&self.changes).await?;
        self.replace(Vec::new()).map_err(|source| PortError::unavailable("crash file", source))
    }

    /// Returns the counts in the file.
    pub fn changes(&self) -> &[UsageChange] {
        &self.changes
    }

    /// Replaces the counts in the file.
    ///
    /// # Errors
    ///
    /// [`io::Error`] when they cannot be written; the file has the previous counts then.
    pub fn replace(&mut self, changes: Vec<UsageChange>) -> io::Result<()> {
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

    /// Removes the file, if there is one, when everything is on record.
    ///
    /// # Errors
    ///
    /// [`io::Error`] of the system.
    pub fn remove(self) -> io::Result<()> {
        match fs::remove_file(self.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    fn write(&mut self, changes: &[UsageChange]) -> io::Result<()> {
        let number = self.number + 1;
        let text = text_of(number, changes);
        if text.len() as u64 > Self::SLOT {
            return Err(io::Error::from(io::ErrorKind::FileTooLarge));
        }
        self.file.seek(SeekFrom::Start(number % 2 * Self::SLOT))?;
        self.file.write_all(text.as_bytes())?;
        self.number = number;
        Ok(())
    }
}

/// Opens or creates a file. Refuses a link, whose target belongs to another program, and anything else that is no file:
/// opening a pipe could block forever.
fn opened(path: &Path) -> io::Result<File> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() => {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is a link, not a file"));
        }
        Ok(found) => sports_system::regular_file::check(&found)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)
}

/// Returns true if an open file is still at its path.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |found: fs::Metadata| (found.dev(), found.ino());
    let open = file.metadata().map(identity);
    open.is_ok_and(|open| fs::symlink_metadata(path).map(identity).is_ok_and(|there| there == open))
}

/// Returns true if there is any file at the path: the system has no number that identifies a file.
#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}

/// Writes the advance part of both slots, each beginning with the same text.
fn write_ahead(file: &mut File, text: String) -> io::Result<()> {
    let mut ahead = text.into_bytes();
    ahead.resize(CrashFile::AHEAD.max(ahead.len()), b'\n');
    for at in [0, CrashFile::SLOT] {
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

/// Reads the number and counts of the newer whole slot.
fn newest(file: &mut File) -> io::Result<(u64, Vec<UsageChange>)> {
    let slots = [slot(file, 0)?, slot(file, CrashFile::SLOT)?].into_iter().flatten();
    Ok(slots.max_by_key(|(number, _)| *number).unwrap_or_default())
}

/// Reads the number and counts of a slot; `None` if it is not whole.
fn slot(file: &mut File, at: u64) -> io::Result<Option<(u64, Vec<UsageChange>)>> {
    file.seek(SeekFrom::Start(at))?;
    let mut text = Vec::new();
    file.take(CrashFile::SLOT).read_to_end(&mut text)?;
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
        CrashFile::open(path.to_owned()).expect("opens").changes
    }

    #[test]
    fn the_next_process_finds_the_last_counts() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("sports.db-counts");
        assert_eq!(reopened(&path), []);
        let mut kept = CrashFile::open(path.clone()).expect("opens");
        for calls in [&[7, 8, 9][..], &[10], &[], &[1, 2, 3, 4]] {
            kept.replace(counts(calls)).expect("kept");
            assert_eq!(reopened(&path), counts(calls));
        }
        kept.remove().expect("removed");
        assert!(!path.exists());
    }

    /// A process that is killed while it writes damages one slot only.
    #[test]
    fn an_unfinished_slot_leaves_the_one_before() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("sports.db-counts");
        let mut kept = CrashFile::open(path.clone()).expect("opens");
        for (before, last) in [(1, 2), (3, 4)] {
            kept.replace(counts(&[before, 100])).expect("kept");
            kept.replace(counts(&[last, 100, 200])).expect("kept");
            let at = kept.number % 2 * CrashFile::SLOT;
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
        let mut kept = CrashFile::open(path.clone()).expect("opens");
        kept.replace(counts(&[7])).expect("kept");
        fs::remove_file(&path).expect("removed");
        kept.replace(counts(&[7])).expect("kept");
        assert_eq!(reopened(&path), counts(&[7]));
        let other = folder.path().join("other");
        let mut newer = CrashFile::open(other.clone()).expect("opens");
        (1..9).for_each(|calls| newer.replace(counts(&[calls])).expect("kept"));
        fs::rename(&other, &path).expect("replaced");
        kept.replace(counts(&[9])).expect("kept");
        assert_eq!(reopened(&path), counts(&[9]));
        fs::remove_file(&path).expect("removed");
        kept.remove().expect("gone is gone");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_and_a_folder_are_refused_by_their_path() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("sports.db-counts");
        let target = folder.path().join("precious");
        fs::write(&target, "precious").expect("written");
        std::os::unix::fs::symlink(&target, &path).expect("linked");
        let refused = CrashFile::open(path.clone()).expect_err("a link").to_string();
        assert_eq!(refused, format!("cannot use {}: it is a link, not a file", path.display()));
        assert_eq!(fs::read(&target).expect("read"), b"precious");
        fs::remove_file(&path).expect("removed");
        fs::create_dir(&path).expect("made");
        let refused = CrashFile::open(path.clone()).expect_err("a folder").to_string();
        assert_eq!(refused, format!("cannot use {}: it is a folder, not a file", path.display()));
    }

    #[test]
    fn a_file_that_holds_no_counts_is_empty() {
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
