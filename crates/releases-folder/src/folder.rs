use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

use sports_domain::ModelType;
use sports_publication::{Place, Problem};

use crate::file_kind::FileKind;
use crate::hint;
use crate::table::Format;

/// The manifest, with the league, the date and the run of a release.
pub(crate) const MANIFEST: &str = "release.json";
/// Names that must be folders in a release.
const FOLDERS: [&str; 4] =
    [FileKind::Games.word(), FileKind::Probabilities.word(), FileKind::Results.word(), FileKind::Predictions.word()];
/// Files that people or tests may keep beside a release; they are ignored.
const IGNORED: [&str; 3] = ["README.md", "README", "expected.json"];

/// A table of a release folder.
#[derive(Debug)]
pub(crate) struct DataFile {
    /// The path relative to the folder, with forward slashes.
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    pub(crate) content: Content,
    pub(crate) format: Format,
}

/// The content of a table.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Content {
    /// A table of a season, with the unchecked season label of its file name.
    Season(SeasonContent, String),
    Odds,
    Predictions(ModelType),
}

/// The content of a table of a season.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum SeasonContent {
    Games,
    Probabilities(ModelType),
    Results(ModelType),
}

impl SeasonContent {
    pub(crate) const fn kind(self) -> FileKind {
        match self {
            Self::Games => FileKind::Games,
            Self::Probabilities(_) => FileKind::Probabilities,
            Self::Results(_) => FileKind::Results,
        }
    }

    /// Returns the market of the table; `None` for a table of all markets.
    pub(crate) const fn model_type(self) -> Option<ModelType> {
        match self {
            Self::Games => None,
            Self::Probabilities(model_type) | Self::Results(model_type) => Some(model_type),
        }
    }
}

/// The tables of a folder in name order, and a problem for each entry that does not belong there.
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
    /// Lists a release folder.
    ///
    /// # Errors
    ///
    /// The I/O error if the folder itself cannot be listed.
    pub(crate) fn at(folder: &Path) -> io::Result<Self> {
        let mut listing = Self::default();
        for entry in entries(folder)? {
            match FileKind::ALL.into_iter().find(|kind| kind.word() == entry.name && entry.is_folder) {
                Some(FileKind::Games) => listing.seasons(SeasonContent::Games, &entry.name, &entry.path),
                Some(FileKind::Probabilities) => listing.markets(SeasonContent::Probabilities, &entry),
                Some(FileKind::Results) => listing.markets(SeasonContent::Results, &entry),
                Some(FileKind::Predictions) => listing.predictions(&entry),
                Some(FileKind::Odds | FileKind::Finals) | None => listing.root_entry(entry),
            }
        }
        listing.refuse_duplicate_tables();
        Ok(listing)
    }

    fn root_entry(&mut self, entry: Entry) {
        let name = entry.name.as_str();
        let stem = name.split('.').next().unwrap_or(name);
        let is_file = !entry.is_folder;
        if stem == FileKind::Odds.word() {
            match entry.table() {
                Some((stem, format)) if stem == FileKind::Odds.word() => {
                    self.file(entry.name, entry.path, Content::Odds, format);
                }
                _ => self.refuse(name, "one file: odds.csv, odds.parquet or odds.json"),
            }
        } else if FOLDERS.contains(&stem) && is_file {
            self.refuse(name, format!("a folder called {stem}, not a file"));
        } else if name == MANIFEST && entry.is_folder {
            self.refuse(name, "a file of this name, not a folder");
        } else if stem == FileKind::Finals.word() {
            self.refuse(name, "no finals in a release: `sportsctl settle` takes them");
        } else if name != MANIFEST && !IGNORED.contains(&name) {
            let hint = hint::did_you_mean(name, FOLDERS.into_iter().chain([MANIFEST, "odds.csv"]));
            self.refuse(name, format!("{MANIFEST}, odds, predictions/, games/, probabilities/ or results/{hint}"));
        }
    }

    fn markets(&mut self, content: fn(ModelType) -> SeasonContent, folder: &Entry) {
        for entry in self.entries_of(&folder.name, &folder.path) {
            let name = format!("{}/{}", folder.name, entry.name);
            match model_type(&entry.name) {
                Some(model_type) if entry.is_folder => self.seasons(content(model_type), &name, &entry.path),
                _ => self.refuse(&name, format!("a folder called {}", model_types(&entry.name))),
            }
        }
    }

    fn seasons(&mut self, content: SeasonContent, folder: &str, path: &Path) {
        for entry in self.entries_of(folder, path) {
            let name = format!("{folder}/{}", entry.name);
            match entry.table() {
                Some((_, Format::Json)) => {
                    self.refuse(&name, "a season as .csv or .parquet; JSON is for odds and predictions");
                }
                Some((label, format)) => self.file(name, entry.path, Content::Season(content, label), format),
                None => self.refuse(&name, "a file called by its season, such as 2024-25.csv or 2024-25.parquet"),
            }
        }
    }

    fn predictions(&mut self, folder: &Entry) {
        for entry in self.entries_of(&folder.name, &folder.path) {
            let name = format!("{}/{}", folder.name, entry.name);
            let known = entry.table().and_then(|(stem, format)| Some((model_type(&stem)?, format)));
            if let Some((model_type, format)) = known {
                self.file(name, entry.path, Content::Predictions(model_type), format);
            } else {
                let stem = entry.name.split('.').next().unwrap_or_default();
                self.refuse(&name, format!("a .csv, .parquet or .json file called {}", model_types(stem)));
            }
        }
    }

    fn file(&mut self, name: String, path: PathBuf, content: Content, format: Format) {
        self.files.push(DataFile { name, path, content, format });
    }

    /// Reports tables that exist in two formats, since it would be unclear which file counts.
    fn refuse_duplicate_tables(&mut self) {
        let mut first = HashMap::new();
        let mut duplicates = Vec::new();
        for file in &self.files {
            let known = *first.entry(&file.content).or_insert(&file.name);
            if *known != file.name {
                duplicates.push(problem(&file.name, format!("one file per table; {known} is there too")));
            }
        }
        self.problems.extend(duplicates);
    }

    /// Returns true if the folder has files of predictions, even empty ones.
    pub(crate) fn has_predictions(&self) -> bool {
        self.files.iter().any(|file| matches!(file.content, Content::Predictions(_)))
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

impl Entry {
    /// Returns the name without its extension, and the format of the extension; `None` if the entry is not a table.
    fn table(&self) -> Option<(String, Format)> {
        let format = Format::from_extension(&self.path).filter(|_| !self.is_folder)?;
        Some((self.path.file_stem()?.to_str()?.to_owned(), format))
    }
}

fn model_type(name: &str) -> Option<ModelType> {
    ModelType::ALL.into_iter().find(|model_type| model_type.code() == name)
}

/// Returns the valid names of files and folders of a market, with a hint if `given` looks like a misspelling.
fn model_types(given: &str) -> String {
    let known = ModelType::ALL.map(ModelType::code);
    known.join(", ") + &hint::did_you_mean(given, known)
}

fn problem(name: &str, expected: impl Into<String>) -> Problem {
    Problem::at(Place { file: name.into(), row: None }, expected)
}

/// Lists a folder in name order, without hidden files.
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
