use std::collections::HashMap;
use std::path::Path;

use bytes::Bytes;
use sports_domain::ModelType;
use sports_publication::{Place, Problem};

use crate::columns::FileKind;
use crate::files::{Entries, FileEntry, MANIFEST};
use crate::format::Format;
use crate::names;

/// Names that must be folders in a release.
const FOLDERS: [&str; 4] =
    [FileKind::Games.word(), FileKind::Probabilities.word(), FileKind::Results.word(), FileKind::Predictions.word()];

/// The expectation in place of a link.
const LINK: &str = "a file or a folder of its own: links in a release folder are not followed";

/// A table of a release folder.
#[derive(Debug)]
pub(crate) struct DataFile {
    /// The path relative to the folder, with forward slashes.
    pub(crate) name: String,
    /// The bytes, or the reason why they cannot be read.
    pub(crate) bytes: Result<Bytes, String>,
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

impl Listing {
    /// Lists the entries of a release folder.
    pub(crate) fn of(entries: &Entries) -> Self {
        let mut listing = Self::default();
        for (name, entry) in entries {
            match (FileKind::ALL.into_iter().find(|kind| kind.word() == name), entry) {
                (_, FileEntry::Link) => listing.refuse(name, LINK),
                (Some(FileKind::Games), FileEntry::Folder(_)) => listing.seasons(SeasonContent::Games, name, entry),
                (Some(FileKind::Probabilities), FileEntry::Folder(_)) => {
                    listing.markets(SeasonContent::Probabilities, name, entry);
                }
                (Some(FileKind::Results), FileEntry::Folder(_)) => listing.markets(SeasonContent::Results, name, entry),
                (Some(FileKind::Predictions), FileEntry::Folder(_)) => listing.predictions(name, entry),
                _ => listing.root_entry(name, entry),
            }
        }
        listing.refuse_duplicate_tables();
        listing
    }

    fn root_entry(&mut self, name: &str, entry: &FileEntry) {
        let stem = name.split('.').next().unwrap_or(name);
        let is_folder = matches!(entry, FileEntry::Folder(_));
        if stem == FileKind::Odds.word() {
            match table(name, entry) {
                Some((stem, format, bytes)) if stem == FileKind::Odds.word() => {
                    self.file(name.to_owned(), bytes, Content::Odds, format);
                }
                _ => self.refuse(name, "one file: odds.csv, odds.parquet or odds.json"),
            }
        } else if FOLDERS.contains(&stem) && !is_folder {
            self.refuse(name, format!("a folder called {stem}, not a file"));
        } else if name == MANIFEST && is_folder {
            self.refuse(name, "a file of this name, not a folder");
        } else if stem == FileKind::Finals.word() {
            self.refuse(name, "no finals in a release: `sportsctl settle` takes them");
        } else if name != MANIFEST {
            let hint = names::did_you_mean(name, FOLDERS.into_iter().chain([MANIFEST, "odds.csv"]));
            self.refuse(name, format!("{MANIFEST}, odds, predictions/, games/, probabilities/ or results/{hint}"));
        }
    }

    fn markets(&mut self, content: fn(ModelType) -> SeasonContent, folder: &str, entry: &FileEntry) {
        for (entry_name, entry) in self.entries_of(folder, entry) {
            let name = format!("{folder}/{entry_name}");
            match (model_type(entry_name), entry) {
                (Some(model_type), FileEntry::Folder(_)) => self.seasons(content(model_type), &name, entry),
                _ => self.refuse(&name, format!("a folder called {}", model_types(entry_name, &[]))),
            }
        }
    }

    fn seasons(&mut self, content: SeasonContent, folder: &str, entry: &FileEntry) {
        for (entry_name, entry) in self.entries_of(folder, entry) {
            let name = format!("{folder}/{entry_name}");
            match table(entry_name, entry) {
                Some((_, Format::Json, _)) => {
                    self.refuse(&name, "a season as .csv or .parquet; JSON is for odds and predictions");
                }
                Some((label, format, bytes)) => self.file(name, bytes, Content::Season(content, label), format),
                None => self.refuse(&name, "a file called by its season, such as 2024-25.csv or 2024-25.parquet"),
            }
        }
    }

    fn predictions(&mut self, folder: &str, entry: &FileEntry) {
        for (entry_name, entry) in self.entries_of(folder, entry) {
            let name = format!("{folder}/{entry_name}");
            let known = table(entry_name, entry)
                .and_then(|(stem, format, bytes)| Some((model_type(&stem).or(usual(&stem))?, format, bytes)));
            if let Some((model_type, format, bytes)) = known {
                self.file(name, bytes, Content::Predictions(model_type), format);
            } else {
                let stem = entry_name.split('.').next().unwrap_or_default();
                let names = model_types(stem, &MARKETS.map(|(usual, _)| usual));
                self.refuse(&name, format!("a .csv, .parquet or .json file called {names}"));
            }
        }
    }

    fn file(&mut self, name: String, bytes: &Result<Bytes, String>, content: Content, format: Format) {
        self.files.push(DataFile { name, bytes: bytes.clone(), content, format });
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

    /// Returns the entries of a folder in name order; reports its links.
    fn entries_of<'e>(&mut self, folder: &str, entry: &'e FileEntry) -> Vec<(&'e str, &'e FileEntry)> {
        let FileEntry::Folder(Ok(entries)) = entry else {
            if let FileEntry::Folder(Err(error)) = entry {
                self.refuse(folder, format!("a folder that can be read; reading it failed: {error}"));
            }
            return Vec::new();
        };
        let (links, others): (Vec<_>, Vec<_>) = entries
            .iter()
            .map(|(name, entry)| (name.as_str(), entry))
            .partition(|(_, entry)| *entry == &FileEntry::Link);
        for (name, _) in links {
            self.refuse(&format!("{folder}/{name}"), LINK);
        }
        others
    }

    fn refuse(&mut self, name: &str, expected: impl Into<String>) {
        self.problems.push(problem(name, expected));
    }
}

/// Returns the name of a table without its extension, its format and its bytes; `None` if the entry is not a table.
fn table<'e>(name: &str, entry: &'e FileEntry) -> Option<(String, Format, &'e Result<Bytes, String>)> {
    let FileEntry::File(bytes) = entry else { return None };
    let path = Path::new(name);
    Some((path.file_stem()?.to_str()?.to_owned(), Format::from_extension(path)?, bytes))
}

/// The usual names of markets, which files of predictions may have as well.
const MARKETS: [(&str, ModelType); 3] =
    [("total", ModelType::OverUnder), ("moneyline", ModelType::WonOnPoints), ("spread", ModelType::WonOnSpread)];

fn model_type(name: &str) -> Option<ModelType> {
    ModelType::ALL.into_iter().find(|model_type| model_type.code() == name)
}

fn usual(name: &str) -> Option<ModelType> {
    MARKETS.into_iter().find(|(usual, _)| *usual == name).map(|(_, model_type)| model_type)
}

/// Returns the valid names of files or folders of a market, with a hint if `given` looks like a misspelling or is the
/// usual name of a market.
fn model_types(given: &str, others: &[&str]) -> String {
    let known: Vec<_> = ModelType::ALL.map(ModelType::code).into_iter().chain(others.iter().copied()).collect();
    let meant = if let Some(market) = usual(given) { market.code() } else { given };
    known.join(", ") + &names::did_you_mean(meant, known.iter().copied())
}

fn problem(name: &str, expected: impl Into<String>) -> Problem {
    Problem::at(Place { file: name.into(), row: None }, expected)
}
