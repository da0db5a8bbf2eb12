//! Archives with a release: tar, gzipped tar and zip from anywhere, unpacked within bounds.
//!
//! Only files and folders below the archive's root are taken. Links, devices, names that lead elsewhere and names that some file
//! systems take for the same are refused, because they have no meaning in a release, and what they mean depends on the machine.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use flate2::read::MultiGzDecoder;
use sports_domain::content::{ObjectHash, ObjectHasher};
use tar::EntryType;
use zip::ZipArchive;
use zip::result::ZipError;

use crate::files::MANIFEST;

/// The most bytes of all files of an archive together.
pub const MOST_UNPACKED: u64 = 512 << 20;
/// The most files of an archive.
pub const MOST_FILES: usize = 2_000;
/// The most lines of all CSV files of an archive together.
pub const MOST_LINES: u64 = 2_000_000;

/// The most entries of an archive: its files, and the folders and headers beside them.
const MOST_ENTRIES: usize = 2 * MOST_FILES;
/// The most bytes of a tar stream: files, and their headers and paddings.
const LONGEST_STREAM: u64 = MOST_UNPACKED + (MOST_ENTRIES as u64) * 2048;
/// The most bytes of a header that gives the next entry a longer name.
const LARGEST_HEADER: u64 = 64 << 10;
/// The most bytes of a name, and the most folders in it.
const LONGEST_NAME: usize = 255;
const DEEPEST: usize = 8;
/// The most bytes of the directory of a zip file, which is kept in memory.
const LARGEST_DIRECTORY: u64 = 384 << 10;
/// The end of a zip file: its beginning, its length without a comment, and the place of the number of entries in it.
const ZIP_END: (&[u8], usize, usize) = (b"PK\x05\x06", 22, 10);
/// In place of the number of entries where a file of the later form has it elsewhere.
const MANY: usize = 0xffff;
/// The zeros that end a tar file.
const TAR_END: u64 = 1024;
/// The bits of a Unix mode that tell files, folders and others, and their values.
const MODE_KIND: u32 = 0o170_000;
const MODE_FILE: u32 = 0o100_000;
const MODE_FOLDER: u32 = 0o040_000;
/// The folder that Macs add to zip files.
const OF_MACS: &str = "__MACOSX";

/// The form of an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArchiveForm {
    Tar,
    /// A tar file that gzip has compressed.
    TarGz,
    Zip,
}

impl ArchiveForm {
    /// Tells the form by the first bytes; `None` if they begin no archive.
    pub fn of(begin: &[u8]) -> Option<Self> {
        match begin {
            [0x1f, 0x8b, ..] => Some(Self::TarGz),
            [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Some(Self::Zip),
            _ if begin.get(257..262) == Some(b"ustar") => Some(Self::Tar),
            _ => None,
        }
    }
}

/// An archive that is not unpacked.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// It has more than an archive may have.
    #[error("{0}")]
    TooLarge(String),
    /// It is no archive, or has what no release has.
    #[error("{0}")]
    Malformed(String),
    /// The machine cannot read or write its files.
    #[error("the archive cannot be unpacked")]
    Io(#[source] io::Error),
}

/// An archive that was unpacked.
#[derive(Debug, PartialEq, Eq)]
pub struct Unpacked {
    /// The folder that has `release.json`: the root of the archive, or its one folder.
    pub folder: PathBuf,
    /// The bytes of all its files.
    pub bytes: u64,
    /// The hash of the names and contents of its files but hidden ones, whatever the form of the archive.
    pub content: ObjectHash,
    /// Whether a file is called Parquet.
    pub has_parquet: bool,
}

/// Unpacks an archive into an empty folder. At most [`MOST_UNPACKED`] bytes in [`MOST_FILES`] files are written, in pieces of a few
/// KiB, whatever the archive states.
///
/// # Errors
///
/// [`ArchiveError`]; the folder may then have a part of the archive.
pub fn unpack(archive: &Path, into: &Path) -> Result<Unpacked, ArchiveError> {
    let mut file = File::open(archive).map_err(ArchiveError::Io)?;
    let mut begin = Vec::new();
    (&mut file).take(512).read_to_end(&mut begin).map_err(ArchiveError::Io)?;
    let form = ArchiveForm::of(&begin);
    let file = File::open(archive).map_err(ArchiveError::Io)?;
    let mut target = Target::new(into);
    match form {
        Some(ArchiveForm::Tar) => target.tar(Metered::new(BufReader::new(file)))?,
        Some(ArchiveForm::TarGz) => target.tar(Metered::new(MultiGzDecoder::new(BufReader::new(file))))?,
        Some(ArchiveForm::Zip) => target.zip(file)?,
        None => return malformed("this is no archive: send a tar, a gzipped tar or a zip file of a release folder"),
    }
    target.finish()
}

fn malformed<T>(sentence: impl Into<String>) -> Result<T, ArchiveError> {
    Err(ArchiveError::Malformed(sentence.into()))
}

fn too_many_files() -> ArchiveError {
    ArchiveError::TooLarge(format!("files: the archive has more than {MOST_FILES}, the most that are taken"))
}

fn too_many_bytes() -> ArchiveError {
    ArchiveError::TooLarge(format!(
        "unpacked: the archive has more than {} MiB of files, the most that are taken",
        MOST_UNPACKED >> 20
    ))
}

/// Returns the error of a read from an archive: its content is at fault.
fn unreadable(error: &io::Error) -> ArchiveError {
    match error.kind() {
        ErrorKind::FileTooLarge => too_many_bytes(),
        ErrorKind::UnexpectedEof => {
            ArchiveError::Malformed("the archive ends too early: it was cut off, so send it again".to_owned())
        }
        _ => ArchiveError::Malformed(format!("the archive cannot be read: {error}")),
    }
}

/// The folder that an archive is unpacked into.
struct Target<'a> {
    into: &'a Path,
    /// The names so far, in lower case: the name as it is, and whether it is of a file.
    names: BTreeMap<String, (String, bool)>,
    entries: usize,
    /// The hash of each file by its name.
    hashes: BTreeMap<String, ObjectHash>,
    files: usize,
    bytes: u64,
    lines: u64,
}

impl<'a> Target<'a> {
    const fn new(into: &'a Path) -> Self {
        Self { into, names: BTreeMap::new(), hashes: BTreeMap::new(), entries: 0, files: 0, bytes: 0, lines: 0 }
    }

    fn tar(&mut self, stream: Metered<impl Read>) -> Result<(), ArchiveError> {
        let mut stream = stream;
        let mut archive = tar::Archive::new(&mut stream);
        // Raw, since the library reads headers of any length into memory.
        let entries = archive.entries().map_err(|error| unreadable(&error))?.raw(true);
        let (mut long_name, mut stated) = (None::<Vec<u8>>, None::<u64>);
        for entry in entries {
            let mut entry = entry.map_err(|error| unreadable(&error))?;
            self.count_entry()?;
            let size = entry.header().entry_size().map_err(|error| unreadable(&error))?;
            match entry.header().entry_type() {
                EntryType::GNULongName => {
                    let name = header(&mut entry)?;
                    long_name = Some(name.split(|byte| *byte == 0).next().unwrap_or_default().to_vec());
                }
                EntryType::XHeader => {
                    let (name, size) = described(&header(&mut entry)?)?;
                    (long_name, stated) = (name.or(long_name), size);
                }
                EntryType::XGlobalHeader => {}
                kind => {
                    match stated.take().filter(|stated| *stated != size) {
                        Some(stated) if stated > MOST_UNPACKED => return Err(too_many_bytes()),
                        Some(_) => return malformed("two headers of a file state different sizes"),
                        None => {}
                    }
                    let name = long_name.take().unwrap_or_else(|| entry.header().path_bytes().into_owned());
                    let name = text(&name)?;
                    // Before 1988 only the end of a name told folders from files.
                    if kind.is_dir() || (kind.is_file() && name.ends_with('/')) {
                        self.folder(&name)?;
                    } else if kind.is_file() || kind.is_contiguous() {
                        self.file(&name, size, &mut entry)?;
                    } else {
                        return malformed(not_a_file(&name));
                    }
                }
            }
        }
        stream.finish()
    }

    fn zip(&mut self, file: File) -> Result<(), ArchiveError> {
        let stated = entries_of_zip(&file).map_err(|error| unreadable(&error))?;
        if stated.is_some_and(|stated| (MOST_ENTRIES + 1..MANY).contains(&stated)) {
            return Err(too_many_files());
        }
        let left = Rc::new(Cell::new(LARGEST_DIRECTORY));
        let directory = ZipReader { file: BufReader::new(file), left: Rc::clone(&left) };
        let opened = ZipArchive::new(directory).map_err(|error| match error {
            ZipError::Io(error) if error.kind() == ErrorKind::FileTooLarge => too_many_files(),
            error => zip_error(error),
        });
        let mut archive = opened?;
        // Files are bounded as they are written.
        left.set(u64::MAX);
        // The library keeps one entry of each name.
        if archive.offset() != 0 || stated.is_none_or(|stated| stated != archive.len() && stated != MANY) {
            return malformed("the archive has a file twice, or more than one directory of its files: pack it again");
        }
        for index in 0..archive.len() {
            self.count_entry()?;
            let mut entry = archive.by_index(index).map_err(zip_error)?;
            let name = text(entry.name_raw())?;
            match entry.unix_mode().map(|mode| mode & MODE_KIND) {
                _ if entry.is_dir() => self.folder(&name)?,
                None | Some(0 | MODE_FILE) => {
                    let size = entry.size();
                    self.file(&name, size, &mut entry)?;
                }
                Some(MODE_FOLDER) => self.folder(&name)?,
                Some(_) => return malformed(not_a_file(&name)),
            }
        }
        Ok(())
    }

    fn count_entry(&mut self) -> Result<(), ArchiveError> {
        self.entries += 1;
        if self.entries > MOST_ENTRIES { Err(too_many_files()) } else { Ok(()) }
    }

    fn folder(&mut self, name: &str) -> Result<(), ArchiveError> {
        let Some(path) = self.admit(name, false)? else { return Ok(()) };
        fs::create_dir_all(path).map_err(ArchiveError::Io)
    }

    /// Writes a file whose header states its size, which may be wrong.
    fn file(&mut self, name: &str, size: u64, content: &mut impl Read) -> Result<(), ArchiveError> {
        let Some(path) = self.admit(name, true)? else { return malformed(format!("`{name}` is no name of a file")) };
        self.files += 1;
        if self.files > MOST_FILES {
            return Err(too_many_files());
        }
        if self.bytes.saturating_add(size) > MOST_UNPACKED {
            return Err(too_many_bytes());
        }
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(ArchiveError::Io)?;
        }
        let mut file = BufWriter::new(File::create_new(path).map_err(ArchiveError::Io)?);
        let has_lines = Path::new(name).extension().is_some_and(|ending| ending.eq_ignore_ascii_case("csv"));
        let (mut piece, mut written, mut hasher) = (vec![0; 64 << 10], 0, ObjectHasher::default());
        loop {
            let read = match content.read(&mut piece) {
                Ok(0) => break,
                Ok(read) => read,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(unreadable(&error)),
            };
            written += read as u64;
            self.bytes += read as u64;
            if self.bytes > MOST_UNPACKED {
                return Err(too_many_bytes());
            }
            if has_lines {
                self.lines += memchr::memchr_iter(b'\n', &piece[..read]).count() as u64;
                if self.lines > MOST_LINES {
                    return Err(ArchiveError::TooLarge(format!(
                        "rows: the CSV files have more than {MOST_LINES} lines, the most that are taken"
                    )));
                }
            }
            hasher.update(&piece[..read]);
            file.write_all(&piece[..read]).map_err(ArchiveError::Io)?;
        }
        if written < size {
            return Err(unreadable(&ErrorKind::UnexpectedEof.into()));
        }
        self.hashes.insert(parts_of(name).join("/"), hasher.finish());
        file.flush().map_err(ArchiveError::Io)
    }

    /// Checks a name and returns its path; `None` for the root itself.
    fn admit(&mut self, name: &str, is_file: bool) -> Result<Option<PathBuf>, ArchiveError> {
        if name.len() > LONGEST_NAME || name.contains(char::is_control) || name.split('/').count() > DEEPEST {
            let shown: String = name.chars().take(60).collect();
            return malformed(format!("{shown:?} is a name that no file of a release has"));
        }
        if name.starts_with('/') || name.contains('\\') || name.as_bytes().get(1) == Some(&b':') {
            return malformed(format!("`{name}` is no name below the release folder: make the archive inside of it"));
        }
        let parts = parts_of(name);
        if parts.contains(&"..") {
            return malformed(format!("`{name}` leads out of the release folder: leave `..` out of the archive"));
        }
        for last in 1..=parts.len() {
            let (path, is_file) = (parts[..last].join("/"), is_file && last == parts.len());
            match self.names.get(&path.to_lowercase()) {
                Some((known, _)) if *known != path => {
                    return malformed(format!("`{known}` and `{path}` differ in case only: rename one"));
                }
                Some((known, was_file)) if *was_file || is_file => {
                    return malformed(format!("`{known}` is in the archive twice: leave one out"));
                }
                Some(_) => {}
                None => drop(self.names.insert(path.to_lowercase(), (path, is_file))),
            }
        }
        // Each folder of a name takes memory, too.
        if self.names.len() > MOST_ENTRIES {
            return Err(too_many_files());
        }
        Ok((!parts.is_empty()).then(|| self.into.join(parts.join("/"))))
    }

    fn finish(self) -> Result<Unpacked, ArchiveError> {
        if self.files == 0 {
            return malformed(
                "the archive has no files: send the release folder with release.json and the files beside it",
            );
        }
        let is_top = |name: &str| !name.contains('/') && !name.starts_with('.') && name != OF_MACS;
        let mut top = self.names.values().filter(|(name, _)| is_top(name));
        let within = match (top.next(), top.next()) {
            (Some((name, false)), None) if self.names.contains_key(&format!("{name}/{MANIFEST}").to_lowercase()) => {
                format!("{name}/")
            }
            _ => String::new(),
        };
        let files = self.hashes.iter().filter_map(|(name, hash)| Some((name.strip_prefix(&within)?, hash)));
        let shown = files.filter(|(name, _)| !name.split('/').any(|part| part.starts_with('.')));
        let lines: Vec<_> = shown.map(|(name, hash)| format!("{hash}  {name}\n")).collect();
        Ok(Unpacked {
            folder: self.into.join(within),
            bytes: self.bytes,
            content: ObjectHash::from_bytes(lines.concat().as_bytes()),
            has_parquet: self.hashes.keys().any(|name| name.to_lowercase().ends_with(".parquet")),
        })
    }
}

fn parts_of(name: &str) -> Vec<&str> {
    name.split('/').filter(|part| !part.is_empty() && *part != ".").collect()
}

fn not_a_file(name: &str) -> String {
    format!("`{name}` is neither a file nor a folder: put files of its own in place of links, devices and sparse files")
}

fn text(name: &[u8]) -> Result<String, ArchiveError> {
    let text = str::from_utf8(name).map(str::to_owned);
    text.or_else(|_| malformed(format!("{:?} is no name in UTF-8", String::from_utf8_lossy(name))))
}

/// Reads the content of a header that describes the next entry.
fn header(entry: &mut impl Read) -> Result<Vec<u8>, ArchiveError> {
    let mut content = Vec::new();
    entry.take(LARGEST_HEADER + 1).read_to_end(&mut content).map_err(|error| unreadable(&error))?;
    if content.len() as u64 > LARGEST_HEADER {
        return malformed("a header of the archive is longer than 64 KiB");
    }
    Ok(content)
}

/// Returns the name and the size in a header of POSIX 2001.
fn described(content: &[u8]) -> Result<(Option<Vec<u8>>, Option<u64>), ArchiveError> {
    let (mut name, mut size) = (None, None);
    for extension in tar::PaxExtensions::new(content) {
        let extension = extension.map_err(|error| unreadable(&error))?;
        match extension.key_bytes() {
            b"path" => name = Some(extension.value_bytes().to_vec()),
            b"size" => size = Some(extension.value().ok().and_then(|text| text.parse().ok()).unwrap_or(u64::MAX)),
            key if key.starts_with(b"GNU.sparse.") => {
                return malformed("the archive has a sparse file: pack without --sparse");
            }
            _ => {}
        }
    }
    Ok((name, size))
}

fn zip_error(error: ZipError) -> ArchiveError {
    match error {
        ZipError::Io(error) => unreadable(&error),
        error => ArchiveError::Malformed(format!("the archive cannot be read: {error}")),
    }
}

/// Returns the number of entries that the end of a zip file states; `None` without such an end.
fn entries_of_zip(mut file: &File) -> io::Result<Option<usize>> {
    let (begin, length, place) = ZIP_END;
    // The comment behind it has 64 KiB at most.
    let window = file.metadata()?.len().min((length as u64) + u64::from(u16::MAX));
    file.seek(SeekFrom::End(-window.cast_signed()))?;
    let mut end = Vec::new();
    file.read_to_end(&mut end)?;
    file.rewind()?;
    let found = memchr::memmem::rfind(&end, begin).map(|start| &end[start..]);
    let number = found.and_then(|end| end.get(place..place + 2)?.try_into().ok());
    Ok(number.map(|number| usize::from(u16::from_le_bytes(number))))
}

/// A zip file of which no more is read than is left, while the library keeps what it reads.
struct ZipReader {
    file: BufReader<File>,
    left: Rc<Cell<u64>>,
}

impl Read for ZipReader {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(into)?;
        self.left.set(self.left.get().checked_sub(read as u64).ok_or(ErrorKind::FileTooLarge)?);
        Ok(read)
    }
}

impl Seek for ZipReader {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

/// A stream of a tar file, which ends with an error after the most bytes that an archive may have.
struct Metered<R> {
    stream: R,
    left: u64,
    /// The zeros at the end of what was read.
    zeros: u64,
}

impl<R: Read> Metered<R> {
    const fn new(stream: R) -> Self {
        Self { stream, left: LONGEST_STREAM, zeros: 0 }
    }

    /// Reads the rest, which has zeros alone, and with it the checksum of a compressed stream. A stream that was cut off between two
    /// files lacks the zeros.
    fn finish(mut self) -> Result<(), ArchiveError> {
        let mut piece = [0; 8 << 10];
        loop {
            match self.read(&mut piece) {
                Ok(0) if self.zeros < TAR_END => return Err(unreadable(&ErrorKind::UnexpectedEof.into())),
                Ok(0) => return Ok(()),
                Ok(read) if piece[..read].iter().any(|byte| *byte != 0) => {
                    return malformed("the archive goes on behind its end: pack it anew, not onto another");
                }
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(unreadable(&error)),
            }
        }
    }
}

impl<R: Read> Read for Metered<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.stream.read(into)?;
        self.left = self.left.checked_sub(read as u64).ok_or(ErrorKind::FileTooLarge)?;
        let at_end = into[..read].iter().rev().take_while(|byte| **byte == 0).count() as u64;
        self.zeros = if at_end == read as u64 { self.zeros + at_end } else { at_end };
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Unpacks bytes and returns the names of what was written.
    fn unpacked(bytes: &[u8]) -> Result<(String, Vec<String>), String> {
        let place = tempfile::tempdir().expect("a folder");
        let (archive, into) = (place.path().join("archive"), place.path().join("into"));
        fs::write(&archive, bytes).expect("written");
        fs::create_dir(&into).expect("made");
        let result = unpack(&archive, &into).map_err(|error| error.to_string())?;
        let mut names = Vec::new();
        list(&into, &into, &mut names);
        names.sort();
        Ok((result.folder.strip_prefix(&into).expect("within").display().to_string(), names))
    }

    fn list(root: &Path, folder: &Path, names: &mut Vec<String>) {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                list(root, &path, names);
            } else {
                names.push(path.strip_prefix(root).expect("within").display().to_string());
            }
        }
    }

    fn tar_of(entries: &[(&str, EntryType, &[u8])]) -> Vec<u8> {
        let mut builder = tar::Builder::new(Vec::new());
        for (name, kind, content) in entries {
            let mut header = tar::Header::new_gnu();
            header.as_gnu_mut().expect("gnu").name[..name.len()].copy_from_slice(name.as_bytes());
            header.set_entry_type(*kind);
            header.set_size(content.len() as u64);
            header.set_cksum();
            builder.append(&header, *content).expect("appended");
        }
        builder.into_inner().expect("bytes")
    }

    fn zip_of(entries: &[(&str, u32, &[u8])]) -> Vec<u8> {
        let mut writer = zip::ZipWriter::new(io::Cursor::new(Vec::new()));
        for (name, mode, content) in entries {
            let options = zip::write::SimpleFileOptions::default().unix_permissions(*mode);
            writer.start_file(*name, options).expect("started");
            writer.write_all(content).expect("written");
        }
        writer.finish().expect("finished").into_inner()
    }

    fn gzipped(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(bytes).expect("written");
        encoder.finish().expect("finished")
    }

    const FILE: EntryType = EntryType::Regular;

    #[test]
    fn a_release_lies_at_the_root_or_in_the_one_folder() {
        let root: [(&str, EntryType, &[u8]); 2] = [("./release.json", FILE, b"{}"), ("games/2025.csv", FILE, b"a\n")];
        let whole = Ok((String::new(), vec!["games/2025.csv".to_owned(), "release.json".to_owned()]));
        assert_eq!(unpacked(&tar_of(&root)), whole);
        assert_eq!(unpacked(&gzipped(&tar_of(&root))), whole);
        assert_eq!(unpacked(&zip_of(&[("release.json", 0o644, b"{}"), ("games/2025.csv", 0o600, b"a\n")])), whole);
        let within: [(&str, EntryType, &[u8]); 3] =
            [("day/", EntryType::Directory, b""), ("day/release.json", FILE, b"{}"), ("._day", FILE, b"mac")];
        let (folder, names) = unpacked(&tar_of(&within)).expect("unpacked");
        assert_eq!((folder.as_str(), names.len()), ("day", 2));
    }

    #[test]
    fn long_names_are_read_and_bounded() {
        let long = format!("games/{}.csv", "x".repeat(150));
        let mut builder = tar::Builder::new(Vec::new());
        let mut header = tar::Header::new_gnu();
        header.set_size(2);
        builder.append_data(&mut header, &long, &b"a\n"[..]).expect("appended");
        assert_eq!(unpacked(&builder.into_inner().expect("bytes")).expect("unpacked").1, [long]);
        let pax = b"26 path=games/2025-26.csv\n";
        let named: [(&str, EntryType, &[u8]); 2] = [("x", EntryType::XHeader, pax), ("short", FILE, b"a\n")];
        assert_eq!(unpacked(&tar_of(&named)).expect("unpacked").1, ["games/2025-26.csv"]);
        let bomb = vec![b'a'; 70 << 10];
        assert!(unpacked(&tar_of(&[("x", EntryType::GNULongName, &bomb)])).expect_err("refused").contains("64 KiB"));
        let sparse: [(&str, EntryType, &[u8]); 1] = [("x", EntryType::XHeader, b"22 GNU.sparse.major=1\n")];
        assert!(unpacked(&tar_of(&sparse)).expect_err("refused").contains("sparse"));
    }

    #[test]
    fn what_no_release_has_is_refused_by_name() {
        let table: [(&str, EntryType, &str); 13] = [
            ("../odds.csv", FILE, "leads out"),
            ("games/../../odds.csv", FILE, "leads out"),
            ("/etc/passwd", FILE, "no name below"),
            ("games\\2025.csv", FILE, "no name below"),
            ("C:odds.csv", FILE, "no name below"),
            ("odds\n.csv", FILE, "no file of a release"),
            ("odds.csv", EntryType::Symlink, "neither a file nor a folder"),
            ("odds.csv", EntryType::Link, "neither a file nor a folder"),
            ("odds.csv", EntryType::Char, "neither a file nor a folder"),
            ("odds.csv", EntryType::Fifo, "neither a file nor a folder"),
            ("odds.csv", EntryType::GNUSparse, "neither a file nor a folder"),
            ("./", FILE, "no files"),
            ("a/b/c/d/e/f/g/h/odds.csv", FILE, "no file of a release"),
        ];
        for (name, kind, expected) in table {
            let refused = unpacked(&tar_of(&[(name, kind, b"")])).expect_err(name);
            assert!(refused.contains(expected), "{name}: {refused}");
        }
        let mut linking = zip::ZipWriter::new(io::Cursor::new(Vec::new()));
        let options = zip::write::SimpleFileOptions::default();
        linking.add_symlink("odds.csv", "/etc/passwd", options).expect("added");
        let linking = linking.finish().expect("finished").into_inner();
        assert!(unpacked(&linking).expect_err("refused").contains("neither a file nor a folder"));
        for twice in [["odds.csv", "odds.csv"], ["odds.csv", "ODDS.csv"], ["games/a", "Games/b"], ["games", "games/a"]]
        {
            let refused = unpacked(&tar_of(&twice.map(|name| (name, FILE, &b"x"[..])))).expect_err(twice[1]);
            assert!(refused.contains("twice") || refused.contains("case only"), "{refused}");
        }
        for (bytes, expected) in [
            (Vec::new(), "no archive"),
            (b"date,home\n".to_vec(), "no archive"),
            (gzipped(b""), "too early"),
            (gzipped(&tar_of(&[("odds.csv", FILE, &[b'x'; 4096])]))[..30].to_vec(), "too early"),
            (tar_of(&[("odds.csv", FILE, &[b'x'; 4096])])[..2000].to_vec(), "too early"),
            (zip_of(&[("odds.csv", 0o644, b"x")])[..40].to_vec(), "cannot be read"),
        ] {
            let refused = unpacked(&bytes).expect_err(expected);
            assert!(refused.contains(expected), "{refused}, not {expected}");
        }
    }

    #[test]
    fn an_archive_that_was_damaged_or_cut_off_is_refused() {
        let files: [(&str, EntryType, &[u8]); 2] =
            [("release.json", FILE, b"{}"), ("games/2025.csv", FILE, b"17,10\n")];
        let whole = tar_of(&files);
        // Between two files nothing but the end is missing.
        assert!(unpacked(&whole[..1024]).expect_err("refused").contains("too early"));
        let mut packed = Vec::new();
        let mut stored = flate2::write::GzEncoder::new(&mut packed, flate2::Compression::none());
        stored.write_all(&whole).expect("written");
        stored.finish().expect("finished");
        let score = packed.windows(5).position(|bytes| bytes == b"17,10").expect("the score");
        packed[score] = b'2';
        assert!(unpacked(&packed).expect_err("refused").contains("cannot be read"), "another checksum");
        let whole = gzipped(&whole);
        assert!(unpacked(&whole[..whole.len() - 4]).expect_err("refused").contains("too early"));
        let behind = [tar_of(&files), tar_of(&files)].concat();
        assert!(unpacked(&behind).expect_err("refused").contains("behind its end"));
    }

    #[test]
    fn a_zip_file_has_each_name_once_and_one_directory() {
        let once = zip_of(&[("odds.csv", 0o644, b"a")]);
        // The same name in place of another of its length.
        let mut twice = zip_of(&[("odds.csv", 0o644, b"a"), ("ODDS_csv", 0o644, b"b")]);
        while let Some(place) = twice.windows(8).position(|bytes| bytes == b"ODDS_csv") {
            twice[place..place + 8].copy_from_slice(b"odds.csv");
        }
        for bytes in [twice, [once.clone(), once].concat()] {
            assert!(unpacked(&bytes).expect_err("refused").contains("twice"));
        }
        let name = "x".repeat(60_000);
        let names: Vec<_> = (0..100).map(|number| format!("{name}{number}")).collect();
        let long: Vec<_> = names.iter().map(|name| (name.as_str(), 0o644, &b""[..])).collect();
        assert!(unpacked(&zip_of(&long)).expect_err("refused").starts_with("files: "));
    }

    #[test]
    fn archives_above_a_bound_are_refused_by_its_name() {
        let many: Vec<_> = (0..=MOST_FILES).map(|number| format!("games/{number}")).collect();
        let many: Vec<_> = many.iter().map(|name| (name.as_str(), FILE, &b""[..])).collect();
        assert!(unpacked(&tar_of(&many)).expect_err("refused").starts_with("files: "));
        let folders: Vec<_> = (0..=MOST_ENTRIES).map(|number| format!("{number}/")).collect();
        let folders: Vec<_> = folders.iter().map(|name| (name.as_str(), EntryType::Directory, &b""[..])).collect();
        assert!(unpacked(&tar_of(&folders)).expect_err("refused").starts_with("files: "));
        let lines = vec![b'\n'; usize::try_from(MOST_LINES).expect("fits") + 1];
        assert!(unpacked(&gzipped(&tar_of(&[("odds.csv", FILE, &lines)]))).expect_err("refused").starts_with("rows: "));
        // A header that states ten gigabytes, and a stream of zeros above the bound.
        let mut header = tar::Header::new_gnu();
        header.as_gnu_mut().expect("gnu").name[..8].copy_from_slice(b"odds.csv");
        header.set_entry_type(FILE);
        header.set_size(10 << 30);
        header.set_cksum();
        assert!(unpacked(header.as_bytes()).expect_err("refused").starts_with("unpacked: "));
        header.set_entry_type(EntryType::XGlobalHeader);
        header.set_cksum();
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(header.as_bytes()).expect("written");
        io::copy(&mut io::repeat(0).take(LONGEST_STREAM), &mut encoder).expect("written");
        let bomb = encoder.finish().expect("finished");
        assert!(unpacked(&bomb).expect_err("refused").starts_with("unpacked: "));
    }
}
