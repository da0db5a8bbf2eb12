use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{fs, io};

use sports_domain::ModelType;
use sports_publication::{Place, Problem};

use crate::columns::FileKind;
use crate::hint;
use crate::table::Format;

/// The file that says what a release is of.
pub(crate) const MANIFEST: &str = "release.json";
/// Files a person or a test may keep beside a release.
const PASSED_OVER: [&str; 3] = ["README.md", "README", "expected.json"];

/// A table of a release folder.
#[derive(Debug)]
pub(crate) struct DataFile {
    /// Relative to the folder, with forward slashes.
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    pub(crate) content: Content,
    pub(crate) format: Format,
    /// The season's label, unchecked.
    pub(crate) label: String,
}

/// What a table tells of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Content {
    Games,
    Probabilities(ModelType),
    Results(ModelType),
}

impl Content {
    pub(crate) const fn kind(self) -> FileKind {
        match self {
            Self::Games => FileKind::Games,
            Self::Probabilities(_) => FileKind::Probabilities,
            Self::Results(_) => FileKind::Results,
        }
    }

    const fn of(kind: FileKind, model_type: ModelType) -> Self {
        match kind {
            FileKind::Games => Self::Games,
            FileKind::Probabilities => Self::Probabilities(model_type),
            FileKind::Results => Self::Results(model_type),
        }
    }
}

/// What a folder holds, by name, and what in it does not belong there.
#[derive(Debug, Default)]
pub(crate) struct Listing {
    pub(crate) files: Vec<DataFile>,
    pub(crate) problems: Vec<Problem>,
}

struct Entry {
    name: String,
    path: PathBuf,
    is_folder: bool,
}

impl Listing {
    /// # Errors
    ///
    /// When the folder itself cannot be listed.
    pub(crate) fn of(folder: &Path) -> io::Result<Self> {
        let mut listing = Self::default();
        for entry in entries(folder)? {
            match FileKind::ALL.into_iter().find(|kind| kind.folder() == entry.name) {
                Some(kind) if entry.is_folder && kind.is_of_one_market() => listing.markets(kind, &entry),
                Some(_) if entry.is_folder => listing.seasons(Content::Games, &entry.name, &entry.path),
                Some(_) => listing.refuse(&entry.name, "a folder of this name, not a file"),
                None => listing.root_entry(&entry),
            }
        }
        listing.refuse_twins();
        Ok(listing)
    }

    fn root_entry(&mut self, entry: &Entry) {
        let name = entry.name.as_str();
        if name == MANIFEST && entry.is_folder {
            self.refuse(name, "a file of this name, not a folder");
        } else if matches!(name.split('.').next(), Some("odds" | "predictions")) {
            let history = "a folder of history: games/, probabilities/ or results/";
            self.refuse(name, format!("{history}; this version does not publish odds and predictions yet"));
        } else if name != MANIFEST && !PASSED_OVER.contains(&name) {
            let folders = FileKind::ALL.map(FileKind::folder);
            let hint = hint::did_you_mean(name, folders.into_iter().chain([MANIFEST]));
            self.refuse(name, format!("{MANIFEST}, games/, probabilities/ or results/{hint}"));
        }
    }

    fn markets(&mut self, kind: FileKind, folder: &Entry) {
        for entry in self.entries_of(&folder.name, &folder.path) {
            let name = format!("{}/{}", folder.name, entry.name);
            match ModelType::ALL.into_iter().find(|model_type| model_type.code() == entry.name) {
                Some(model_type) if entry.is_folder => self.seasons(Content::of(kind, model_type), &name, &entry.path),
                _ => {
                    let known = ModelType::ALL.map(ModelType::code);
                    let hint = hint::did_you_mean(&entry.name, known);
                    self.refuse(&name, format!("a folder called {}{hint}", known.join(", ")));
                }
            }
        }
    }

    fn seasons(&mut self, content: Content, folder: &str, path: &Path) {
        for entry in self.entries_of(folder, path) {
            let name = format!("{folder}/{}", entry.name);
            let format = Format::of(&entry.path).filter(|_| !entry.is_folder);
            match (format, entry.path.file_stem().and_then(|stem| stem.to_str())) {
                (Some(format), Some(label)) => {
                    let label = label.to_owned();
                    self.files.push(DataFile { name, path: entry.path, content, format, label });
                }
                _ => self.refuse(&name, "a file called by its season, such as 2024-25.csv or 2024-25.parquet"),
            }
        }
    }

    /// A season told in two formats: nobody could say which one counts.
    fn refuse_twins(&mut self) {
        let mut seen = BTreeSet::new();
        let twins: Vec<_> = self
            .files
            .iter()
            .filter(|file| !seen.insert((file.content, &file.label)))
            .map(|file| problem(&file.name, format!("one file a season; {} is there as csv too", file.label)))
            .collect();
        self.problems.extend(twins);
    }

    fn entries_of(&mut self, name: &str, path: &Path) -> Vec<Entry> {
        entries(path).unwrap_or_else(|error| {
            self.refuse(name, format!("a folder that can be read; reading it failed: {error}"));
            Vec::new()
        })
    }

    fn refuse(&mut self, name: &str, expected: impl Into<String>) {
        self.problems.push(problem(name, expected));
    }
}

fn problem(name: &str, expected: impl Into<String>) -> Problem {
    Problem::at(Place { file: name.into(), row: None }, expected)
}

/// What is in a folder, by name; hidden files are nobody's.
fn entries(folder: &Path) -> io::Result<Vec<Entry>> {
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if !name.starts_with('.') {
            let path = entry.path();
            entries.push(Entry { name, is_folder: path.is_dir(), path });
        }
    }
    entries.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(entries)
}
