use std::collections::{BTreeMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use chrono::{DateTime, Utc};
use rayon::prelude::*;
use sports_domain::content::ObjectHash;
use sports_domain::{LineColumn, ModelColumn, ModelType, Season, Sport, TeamSlug, eastern_date};
use sports_program::folder::Folder;
use sports_publication::registry::{RegistryOnRecord, ReleaseModels};
use sports_publication::slate::OddsGame;
use sports_publication::{Located, PredictionsFile, Problem, Release, SeasonHistory, SlateActivity, ZeroSpreadOpeners};

use crate::files::{FileEntry, MANIFEST, ReleaseFiles};
use crate::findings::{Findings, in_order};
use crate::folder::{Content, DataFile, Listing, SeasonContent};
use crate::key::{FileSeason, KeyRules, Times};
use crate::layout::FileMarket;
use crate::manifest::{Manifest, ManifestContext, season_form};
use crate::rows::Rows;
use crate::table::{MOST_FINDINGS, Table};
use crate::teams::Names;
use crate::undeclared::UndeclaredColumns;
use crate::{manifest, odds};

/// A release without a problem.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadRelease {
    /// The content of the folder.
    pub release: Release,
    /// Warnings for its publisher, such as columns that were not used.
    pub warnings: Vec<String>,
}

/// An error in reading a release folder or a file of finals.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The problems of its files, by file and row.
    #[error("problems in the release: {}", .0.len())]
    Problems(Vec<Problem>),
    /// The folder or file itself cannot be read.
    #[error("{what} {} cannot be read", path.display())]
    Io {
        /// The role of the path, such as `the release folder`.
        what: &'static str,
        /// The path that could not be read.
        path: PathBuf,
        /// The I/O error.
        source: io::Error,
    },
}

/// Reads a release folder of a league without declared models, as [`read_under`] does.
///
/// # Errors
///
/// The errors of [`read_under`].
pub fn read(folder: &Path, now: DateTime<Utc>) -> Result<ReadRelease, ReadError> {
    read_under(folder, now, &RegistryOnRecord::default())
}

/// Reads a release folder. `now` is compared with the slate date, which may be at most a week ahead. Columns of models
/// are those of the registry on record and of the release's own declarations.
///
/// # Errors
///
/// [`ReadError::Problems`] with every problem of every file, or [`ReadError::Io`] if the folder cannot be listed.
pub fn read_under(folder: &Path, now: DateTime<Utc>, models: &RegistryOnRecord) -> Result<ReadRelease, ReadError> {
    ReleaseFiles::at(folder)?.release(now, models)
}

impl ReleaseFiles {
    /// Reads the folder at a path, or behind a link there.
    ///
    /// # Errors
    ///
    /// [`ReadError::Io`] if the folder cannot be listed. A file that cannot be read is a problem of the release.
    pub fn at(path: &Path) -> Result<Self, ReadError> {
        let failed = |source| ReadError::Io { what: "the release folder", path: path.to_owned(), source };
        Folder::open(path).and_then(|folder| Self::in_folder(&folder)).map_err(failed)
    }

    /// Reads the release, as [`read_under`] does.
    ///
    /// # Errors
    ///
    /// [`ReadError::Problems`] with every problem of every file.
    pub fn release(&self, now: DateTime<Utc>, models: &RegistryOnRecord) -> Result<ReadRelease, ReadError> {
        let (reading, manifest) = Reading::of(self, now, models);
        reading.finish(manifest)
    }

    /// Reads the games of a release whose only problems are prices, lines and probabilities, which are left out.
    ///
    /// Returns `None` if another value cannot be read: the row could be of any game, and change the games of other rows.
    pub fn games(&self, now: DateTime<Utc>, models: &RegistryOnRecord) -> Option<Release> {
        let (mut reading, manifest) = Reading::of(self, now, models);
        // Above the limit, problems of other values may be missing.
        if reading.problems.len() >= MOST_FINDINGS || !reading.problems.iter().all(is_of_value) {
            return None;
        }
        reading.problems.clear();
        reading.finish(manifest).ok().map(|read| read.release)
    }
}

/// Returns true if a problem is of a price, a line or a probability.
fn is_of_value(problem: &Problem) -> bool {
    let is_value = |column: &str| {
        LineColumn::ALL.iter().any(|line| line.name() == column)
            || ModelColumn::ALL.iter().any(|model| model.name() == column)
    };
    problem.place.row.is_some() && problem.column.as_deref().is_some_and(is_value)
}

/// The part of a release read so far.
#[derive(Default)]
struct Reading {
    seasons: BTreeMap<Season, SeasonHistory>,
    odds: Option<Vec<Located<OddsGame>>>,
    predictions: BTreeMap<ModelType, PredictionsFile>,
    /// The name of the first file of the slate that has rows.
    slate: Option<String>,
    /// The bytes of every file read, by file name.
    files: BTreeMap<String, Bytes>,
    problems: Vec<Problem>,
    warnings: Vec<String>,
    /// Unknown teams that already have a warning.
    unknown_teams: HashSet<TeamSlug>,
    /// The extra columns of all files.
    undeclared: UndeclaredColumns,
}

impl Reading {
    /// Reads every file of a folder, and its manifest.
    fn of(files: &ReleaseFiles, now: DateTime<Utc>, models: &RegistryOnRecord) -> (Self, Manifest) {
        let listing = Listing::of(&files.0);
        let asked = ManifestContext { now, season: listing.has_predictions(), models };
        let mut reading = Self { problems: listing.problems, ..Self::default() };
        let manifest = reading.manifest(files.0.get(MANIFEST), asked);
        let files = listing.files.iter().filter_map(|file| Some((file, reading.load(file, manifest.sport)?)));
        let files: Vec<_> = files.collect();
        let tables = files.par_iter().map(|(file, bytes)| {
            let mut found = Findings::in_file(&file.name);
            (file.read(bytes, &manifest, &mut found), found)
        });
        for ((file, _), (data, found)) in files.iter().zip(tables.collect::<Vec<_>>()) {
            if let Some(data) = data {
                reading.add(file, data);
            }
            reading.keep(found);
        }
        reading.check_slate(&manifest);
        let today = eastern_date(now);
        for history in reading.seasons.values() {
            let twice = history.listed_twice(today).into_iter();
            reading.warnings.extend(twice.map(|twice| format!("{}: {twice}", history.season)));
        }
        (reading, manifest)
    }

    fn manifest(&mut self, entry: Option<&FileEntry>, asked: ManifestContext<'_>) -> Manifest {
        let mut found = Findings::in_file(MANIFEST);
        let manifest = match entry {
            Some(FileEntry::File(bytes)) => {
                let bytes = self.bytes(MANIFEST, bytes, &mut found);
                bytes.map(|bytes| manifest::read(&bytes, asked, &mut found)).unwrap_or_default()
            }
            // The listing already reported this.
            Some(FileEntry::Folder(_) | FileEntry::Link) => Manifest::default(),
            None => {
                found.file("this file, with at least the fields sport and slate_date");
                Manifest::default()
            }
        };
        self.keep(found);
        manifest
    }

    /// Returns the bytes of a table; records a problem and returns `None` if the name or the file is invalid.
    fn load(&mut self, file: &DataFile, sport: Option<Sport>) -> Option<Bytes> {
        let mut found = Findings::in_file(&file.name);
        let bytes = match file.check_name(sport) {
            Ok(()) => self.bytes(&file.name, &file.bytes, &mut found),
            Err(expected) => {
                found.file(expected);
                None
            }
        };
        self.keep(found);
        bytes
    }

    fn add(&mut self, file: &DataFile, data: Data) {
        match data {
            Data::Season(season, content, rows) => self.add_season(season, content, rows),
            Data::Slate { part, has_rows } => {
                if has_rows {
                    self.slate.get_or_insert_with(|| file.name.clone());
                }
                match part {
                    SlatePart::Odds(odds) => self.odds = Some(odds),
                    SlatePart::Predictions(model_type, predictions) => {
                        self.predictions.insert(model_type, predictions);
                    }
                }
            }
        }
    }

    /// Reports a slate declared as `none` in a release whose odds or predictions have games.
    fn check_slate(&mut self, manifest: &Manifest) {
        if let (Some(SlateActivity::None), Some(file)) = (manifest.slate, &self.slate) {
            let mut found = Findings::in_file(MANIFEST);
            let expected = format!("`active`, as {file} has games");
            found.column("slate", Some(SlateActivity::None.word().to_owned()), expected);
            self.keep(found);
        }
    }

    fn bytes(&mut self, name: &str, bytes: &Result<Bytes, String>, found: &mut Findings) -> Option<Bytes> {
        match bytes {
            Ok(bytes) => {
                self.files.insert(name.to_owned(), bytes.clone());
                Some(bytes.clone())
            }
            Err(error) => {
                found.file(format!("a file that can be read; reading it failed: {error}"));
                None
            }
        }
    }

    fn add_season(&mut self, season: Season, content: SeasonContent, rows: Rows) {
        let history = self.seasons.entry(season).or_insert_with(|| SeasonHistory::empty(season));
        match content {
            SeasonContent::Games => history.shared.extend(rows.games),
            SeasonContent::Probabilities(model_type) | SeasonContent::Results(model_type) => {
                let market = history.markets.entry(model_type).or_default();
                market.games.extend(rows.games);
                market.forecasts.extend(rows.forecasts);
            }
        }
    }

    fn keep(&mut self, mut found: Findings) {
        self.problems.append(&mut found.problems);
        self.undeclared.add(std::mem::take(&mut found.undeclared));
        self.warnings.extend(found.into_warnings(|team| self.unknown_teams.insert(team)));
    }

    fn finish(mut self, manifest: Manifest) -> Result<ReadRelease, ReadError> {
        self.warnings.extend(self.undeclared.warnings(&manifest.registry));
        let (Some(sport), Some(slate_date), true) = (manifest.sport, manifest.slate_date, self.problems.is_empty())
        else {
            return Err(ReadError::Problems(in_order(self.problems)));
        };
        let parts = self.files.iter().flat_map(|(name, bytes)| [name.as_bytes(), bytes.as_ref()]);
        let content = ObjectHash::from_parts(parts);
        let seasons = self.seasons.into_values();
        let history = match manifest.zero_spread_openers {
            Some(ZeroSpreadOpeners::Placeholder) => seasons.map(SeasonHistory::without_placeholder_openers).collect(),
            Some(ZeroSpreadOpeners::PickEm) | None => seasons.collect(),
        };
        let release = Release {
            sport,
            slate_date,
            run: manifest.run,
            source_as_of: manifest.source_as_of,
            season: manifest.season,
            odds: self.odds,
            predictions: self.predictions,
            held_games: manifest.held_games,
            moved: manifest.moved,
            history,
            zero_spread_openers: manifest.zero_spread_openers,
            models: ReleaseModels { declarations: manifest.declarations, read_under: manifest.registry },
            content,
        };
        Ok(ReadRelease { release, warnings: self.warnings })
    }
}

// The content of one table of the folder. Tables are read independently of each other.

/// The content of one table.
pub(crate) enum Data {
    Season(Season, SeasonContent, Rows),
    Slate { part: SlatePart, has_rows: bool },
}

/// A table of the slate.
pub(crate) enum SlatePart {
    Odds(Vec<Located<OddsGame>>),
    Predictions(ModelType, PredictionsFile),
}

impl DataFile {
    /// Parses the bytes of the file; records a problem and returns `None` if its rows cannot be checked.
    pub(crate) fn read(&self, bytes: &Bytes, manifest: &Manifest, found: &mut Findings) -> Option<Data> {
        let table = self.format.read(bytes.clone(), found)?;
        let part = match &self.content {
            Content::Season(content, label) => {
                return Some(season(&table, *content, season_of(label, manifest.sport)?, manifest, found));
            }
            Content::Odds => SlatePart::Odds(odds::read(&table, slate_keys(manifest), found)),
            Content::Predictions(model_type) => {
                let market = FileMarket { registry: &manifest.registry, model_type: Some(*model_type) };
                SlatePart::Predictions(*model_type, odds::read_predictions(&table, market, slate_keys(manifest), found))
            }
        };
        Some(Data::Slate { part, has_rows: table.has_rows() })
    }

    /// Checks the file by its name alone; a file with an invalid name is not opened.
    pub(crate) fn check_name(&self, sport: Option<Sport>) -> Result<(), String> {
        match &self.content {
            Content::Season(_, label) if season_of(label, sport).is_none() => {
                let form = sport.map_or_else(|| "a season, such as 2024-25 or 2024".to_owned(), season_form);
                Err(format!("a file called by {form}"))
            }
            _ => Ok(()),
        }
    }
}

fn season(table: &Table, content: SeasonContent, season: Season, manifest: &Manifest, found: &mut Findings) -> Data {
    let season_of_file = Some(FileSeason::of_season(season, "the season of the file's name"));
    let keys =
        KeyRules { sport: manifest.sport, names: Names::History, season: season_of_file, times: Times::MayBeMissing };
    let market = FileMarket { registry: &manifest.registry, model_type: content.model_type() };
    Data::Season(season, content, Rows::from_table(table, content.kind(), market, keys, found))
}

/// Returns the rules for the keys of odds and predictions.
fn slate_keys(manifest: &Manifest) -> KeyRules {
    KeyRules {
        sport: manifest.sport,
        names: Names::SlateActivity,
        season: manifest.file_season(),
        times: Times::InEveryRow,
    }
}

/// Parses the season in a file name. While the league is unknown, accepts either form of season, so that the rows are
/// still checked.
fn season_of(label: &str, sport: Option<Sport>) -> Option<Season> {
    let either = [Sport::Nfl, Sport::Mlb];
    let leagues = sport.as_ref().map_or(either.as_slice(), std::slice::from_ref);
    leagues.iter().find_map(|sport| Season::parse(*sport, label).ok())
}
