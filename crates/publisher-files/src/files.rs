use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{fs, io};

use bytes::Bytes;
use sports_domain::Sport;
use sports_domain::content::ObjectHash;
use sports_program::folder::{EntryKind, Folder};

use crate::format::Format;
use crate::table::{LARGEST_RELEASE, largest, without_mark};

/// The manifest, with the league, the date and the run of a release.
pub const MANIFEST: &str = "release.json";

/// Files that people or tests may keep beside a release; they are ignored.
const IGNORED: [&str; 3] = ["README.md", "README", "expected.json"];

/// The levels of a release folder, such as `results/over_under/2024-25.csv`.
const LEVELS: usize = 3;

/// The entries of a folder by name, without hidden and ignored ones.
pub(crate) type Entries = BTreeMap<String, FileEntry>;

/// An entry of a release folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum FileEntry {
    /// A folder, or the reason why it cannot be listed.
    Folder(Result<Entries, String>),
    /// A file, or the reason why it cannot be read. Files that are no tables have no bytes.
    File(Result<Bytes, String>),
    /// A link, which is not followed.
    Link,
}

/// The files of a release folder, read once. Later changes of the folder do not change them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReleaseFiles(pub(crate) Entries);

impl ReleaseFiles {
    /// Reads an open folder. Links in it are not followed.
    ///
    /// # Errors
    ///
    /// The error of the system if the folder cannot be listed.
    pub fn in_folder(folder: &Folder) -> io::Result<Self> {
        let mut files = Self(entries(folder, LEVELS, &mut LARGEST_RELEASE.clone())?);
        files.0.retain(|name, _| !IGNORED.contains(&name.as_str()));
        Ok(files)
    }

    /// Takes files by their paths in a folder, with forward slashes.
    #[must_use]
    pub fn of(files: impl IntoIterator<Item = (String, Bytes)>) -> Self {
        let mut all = Entries::new();
        for (path, bytes) in files {
            let (folders, name) = path.rsplit_once('/').map_or(("", &*path), |(folders, name)| (folders, name));
            let within =
                folders.split('/').filter(|folder| !folder.is_empty()).try_fold(&mut all, |entries, folder| {
                    match entries.entry(folder.to_owned()).or_insert_with(|| FileEntry::Folder(Ok(Entries::new()))) {
                        FileEntry::Folder(Ok(within)) => Some(within),
                        _ => None,
                    }
                });
            if let Some(within) = within {
                within.insert(name.to_owned(), FileEntry::File(Ok(bytes)));
            }
        }
        Self(all)
    }

    /// Returns the league, as far as `release.json` can be read.
    pub fn league(&self) -> Option<Sport> {
        self.manifest()?["sport"].as_str()?.parse().ok()
    }

    /// Returns the content of `release.json` without checks, if it is JSON.
    pub fn manifest(&self) -> Option<serde_json::Value> {
        serde_json::from_slice(without_mark(self.bytes(MANIFEST)?)).ok()
    }

    /// Returns the files as those of a league, which `release.json` may leave out.
    #[must_use]
    pub fn in_league(mut self, sport: Sport) -> Self {
        let Some(FileEntry::File(Ok(bytes))) = self.0.get_mut(MANIFEST) else { return self };
        let text = without_mark(bytes);
        let Ok(serde_json::Value::Object(fields)) = serde_json::from_slice(text) else { return self };
        if !fields.contains_key("sport") {
            // Written into the text, so that problems in the rest of it are found as they are.
            let start = text.iter().position(|byte| *byte == b'{').map_or(0, |brace| brace + 1);
            let comma = if fields.is_empty() { "" } else { "," };
            let league = format!("\"sport\":\"{}\"{comma}", sport.code());
            *bytes = [&text[..start], league.as_bytes(), &text[start..]].concat().into();
        }
        self
    }

    /// Returns the bytes of a file by its path in the folder, with forward slashes; `None` if it was not read.
    pub fn bytes(&self, path: &str) -> Option<&Bytes> {
        let (folders, name) = path.rsplit_once('/').map_or((None, path), |(folders, name)| (Some(folders), name));
        let mut entries = &self.0;
        for folder in folders.into_iter().flat_map(|folders| folders.split('/')) {
            let Some(FileEntry::Folder(Ok(within))) = entries.get(folder) else { return None };
            entries = within;
        }
        let Some(FileEntry::File(Ok(bytes))) = entries.get(name) else { return None };
        Some(bytes)
    }

    /// Returns the SHA-256 and the path of each file that was read, in the form of `sha256sum`. Of a release without
    /// problems these are its files.
    pub fn hashes(&self) -> String {
        let mut lines = String::new();
        for (path, bytes) in self.all() {
            // Writing to a text does not fail.
            let _ = writeln!(lines, "{}  {}", ObjectHash::from_bytes(bytes), path.display());
        }
        lines
    }

    /// Writes the files that were read into a new folder.
    ///
    /// # Errors
    ///
    /// Errors of the system.
    pub fn write_to(&self, folder: &Path) -> io::Result<()> {
        fs::create_dir(folder)?;
        for (path, bytes) in self.all() {
            let path = folder.join(path);
            path.parent().map_or(Ok(()), fs::create_dir_all)?;
            fs::write(path, bytes)?;
        }
        Ok(())
    }

    fn all(&self) -> Vec<(PathBuf, &Bytes)> {
        let mut files = Vec::new();
        add_files(&self.0, Path::new(""), &mut files);
        files
    }
}

fn add_files<'e>(entries: &'e Entries, within: &Path, files: &mut Vec<(PathBuf, &'e Bytes)>) {
    for (name, entry) in entries {
        match entry {
            FileEntry::Folder(Ok(entries)) => add_files(entries, &within.join(name), files),
            FileEntry::File(Ok(bytes)) if is_read(name) => files.push((within.join(name), bytes)),
            FileEntry::Folder(Err(_)) | FileEntry::File(_) | FileEntry::Link => {}
        }
    }
}

/// Reads the entries of a folder and of those in it. The size limit is the part of the largest release that the files before
/// leave.
fn entries(folder: &Folder, levels: usize, left: &mut u64) -> io::Result<Entries> {
    let mut entries = Entries::new();
    for (name, state) in folder.entries()? {
        let text = name.to_string_lossy();
        if text.starts_with('.') {
            continue;
        }
        let entry = match state.kind {
            EntryKind::Link => FileEntry::Link,
            EntryKind::Folder if levels == 1 => FileEntry::Folder(Ok(Entries::new())),
            EntryKind::Folder => {
                let within = folder.folder(&name).and_then(|within| self::entries(&within, levels - 1, left));
                FileEntry::Folder(within.map_err(|error| error.to_string()))
            }
            EntryKind::File => FileEntry::File(file(folder, &name, left)),
        };
        // A line break in a name would look like another line of the report.
        let text = if text.contains(char::is_control) { text.escape_debug().to_string() } else { text.into_owned() };
        entries.insert(text, entry);
    }
    Ok(entries)
}

fn file(folder: &Folder, name: &OsStr, left: &mut u64) -> Result<Bytes, String> {
    if !name.to_str().is_some_and(is_read) {
        return Ok(Bytes::new());
    }
    let most = largest(Path::new(name)).min(*left);
    let bytes = folder.read(name, most).map_err(|error| error.to_string())?;
    *left = left.saturating_sub(bytes.len() as u64);
    Ok(bytes.into())
}

/// Returns true for the names of tables and of `release.json`.
fn is_read(name: &str) -> bool {
    Format::from_extension(Path::new(name)).is_some() && !IGNORED.contains(&name)
}
