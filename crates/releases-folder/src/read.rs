use std::collections::{BTreeMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use chrono::{DateTime, Utc};
use sports_content::ObjectHash;
use sports_domain::{ModelType, Season, Sport, TeamSlug};
use sports_publication::{Located, PredictionsFile, Problem, Release, SeasonHistory, SlateActivity};
use sports_slate::OddsGame;

use crate::findings::{Findings, in_order};
use crate::folder::{Content, DataFile, Listing, MANIFEST, SeasonContent};
use crate::key::{FileSeason, KeyRules, Times};
use crate::limits::{LARGEST_RELEASE, largest};
use crate::manifest::{self, Asked, Manifest, season_form};
use crate::rows::Rows;
use crate::table::Table;
use crate::teams::Names;
use crate::{odds, predictions};

/// A release without a problem.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadRelease {
    /// The content of the folder.
    pub release: Release,
    /// Warnings for its publisher, such as columns that were not used.
    pub warnings: Vec<String>,
}

/// Why a folder is no release.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The problems of its files, by file and row.
    #[error("problems in the release: {}", .0.len())]
    Problems(Vec<Problem>),
    /// The folder or file itself cannot be read.
    #[error("{what} {} cannot be read", path.display())]
    Io {
        /// What it was to be, such as `the release folder`.
        what: &'static str,
        /// Where it was looked for.
        path: PathBuf,
        /// Why it cannot be read.
        source: io::Error,
    },
}

/// Reads a release folder; `now` is when it is read, for a slate too far ahead.
///
/// # Errors
///
/// [`ReadError::Problems`] with every problem of every file, [`ReadError::Io`] when there is no such
/// folder.
pub fn read(folder: &Path, now: DateTime<Utc>) -> Result<ReadRelease, ReadError> {
    let what = "the release folder";
    let listing = Listing::at(folder).map_err(|source| ReadError::Io { what, path: folder.to_owned(), source })?;
    let asked = Asked { now, season: listing.has_predictions() };
    let mut reading = Reading { problems: listing.problems, ..Reading::default() };
    let manifest = reading.manifest(folder, asked);
    for file in &listing.files {
        reading.data(file, &manifest);
    }
    reading.check_slate(&manifest);
    reading.finish(manifest)
}

/// A release as far as it is read.
#[derive(Default)]
struct Reading {
    seasons: BTreeMap<Season, SeasonHistory>,
    odds: Option<Vec<Located<OddsGame>>>,
    predictions: BTreeMap<ModelType, PredictionsFile>,
    /// A file of the slate that has rows, by name.
    slate: Option<String>,
    /// Every file read, by name.
    files: BTreeMap<String, Bytes>,
    problems: Vec<Problem>,
    warnings: Vec<String>,
    /// Teams that a warning names already.
    unknown_teams: HashSet<TeamSlug>,
}

impl Reading {
    fn manifest(&mut self, folder: &Path, asked: Asked) -> Manifest {
        let mut found = Findings::in_file(MANIFEST);
        let path = folder.join(MANIFEST);
        let manifest = if path.is_dir() {
            // Among the listing's problems already.
            Manifest::default()
        } else if path.exists() {
            self.bytes(MANIFEST, &path, &mut found)
                .map(|bytes| manifest::read(&bytes, asked, &mut found))
                .unwrap_or_default()
        } else {
            found.file("this file, with at least the fields sport and slate_date");
            Manifest::default()
        };
        self.keep(found);
        manifest
    }

    fn data(&mut self, file: &DataFile, manifest: &Manifest) {
        let mut found = Findings::in_file(&file.name);
        match &file.content {
            Content::Season(content, label) => self.season(file, *content, label, manifest.sport, &mut found),
            Content::Odds => self.odds(file, manifest, &mut found),
            Content::Predictions(model_type) => self.predictions(file, *model_type, manifest, &mut found),
        }
        self.keep(found);
    }

    fn season(
        &mut self,
        file: &DataFile,
        content: SeasonContent,
        label: &str,
        sport: Option<Sport>,
        found: &mut Findings,
    ) {
        let Some(season) = season_of(label, sport) else {
            let form = sport.map_or_else(|| "a season, such as 2024-25 or 2024".to_owned(), season_form);
            return found.file(format!("a file called by {form}"));
        };
        if let Some(table) = self.table(file, found) {
            let season_of_file = Some(FileSeason::of_season(season, "the season of the file's name"));
            let keys = KeyRules { sport, names: Names::History, season: season_of_file, times: Times::MayBeMissing };
            let rows = Rows::from_table(&table, content.kind(), keys, found);
            self.add(season, content, rows);
        }
    }

    fn odds(&mut self, file: &DataFile, manifest: &Manifest, found: &mut Findings) {
        if let Some(table) = self.slate_table(file, found) {
            self.odds = Some(odds::read(&table, slate_keys(manifest), found));
        }
    }

    fn predictions(&mut self, file: &DataFile, model_type: ModelType, manifest: &Manifest, found: &mut Findings) {
        if let Some(table) = self.slate_table(file, found) {
            let predictions = predictions::read(&table, slate_keys(manifest), found);
            self.predictions.insert(model_type, predictions);
        }
    }

    fn table(&mut self, file: &DataFile, found: &mut Findings) -> Option<Table> {
        file.format.read(self.bytes(&file.name, &file.path, found)?, found)
    }

    fn slate_table(&mut self, file: &DataFile, found: &mut Findings) -> Option<Table> {
        let table = self.table(file, found)?;
        if table.has_rows() {
            self.slate.get_or_insert_with(|| file.name.clone());
        }
        Some(table)
    }

    /// A day without games has no games.
    fn check_slate(&mut self, manifest: &Manifest) {
        if let (Some(SlateActivity::None), Some(file)) = (manifest.slate, &self.slate) {
            let mut found = Findings::in_file(MANIFEST);
            let expected = format!("`active`, as {file} has games");
            found.column("slate", Some(SlateActivity::None.word().to_owned()), expected);
            self.keep(found);
        }
    }

    fn bytes(&mut self, name: &str, path: &Path, found: &mut Findings) -> Option<Bytes> {
        // What the other files leave of the largest release.
        let held: usize = self.files.values().map(Bytes::len).sum();
        let left = LARGEST_RELEASE.saturating_sub(held as u64);
        match sports_regular_files::read(path, largest(path).min(left)) {
            Ok(bytes) => {
                let bytes = Bytes::from(bytes);
                self.files.insert(name.to_owned(), bytes.clone());
                Some(bytes)
            }
            Err(error) => {
                found.file(format!("a file that can be read; reading it failed: {error}"));
                None
            }
        }
    }

    fn add(&mut self, season: Season, content: SeasonContent, rows: Rows) {
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
        self.warnings.extend(found.into_warnings(|team| self.unknown_teams.insert(team)));
    }

    fn finish(self, manifest: Manifest) -> Result<ReadRelease, ReadError> {
        let (Some(sport), Some(slate_date), true) = (manifest.sport, manifest.slate_date, self.problems.is_empty())
        else {
            return Err(ReadError::Problems(in_order(self.problems)));
        };
        let parts = self.files.iter().flat_map(|(name, bytes)| [name.as_bytes(), bytes.as_ref()]);
        let content = ObjectHash::from_parts(parts);
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
            history: self.seasons.into_values().collect(),
            content,
        };
        Ok(ReadRelease { release, warnings: self.warnings })
    }
}

/// The rules for the keys of odds and predictions.
fn slate_keys(manifest: &Manifest) -> KeyRules {
    KeyRules {
        sport: manifest.sport,
        names: Names::SlateActivity,
        season: manifest.file_season(),
        times: Times::InEveryRow,
    }
}

/// The season a file is called by. Where the league is not known either form will do, so that the
/// rows are checked all the same.
fn season_of(label: &str, sport: Option<Sport>) -> Option<Season> {
    let either = [Sport::Nfl, Sport::Mlb];
    let leagues = sport.as_ref().map_or(either.as_slice(), std::slice::from_ref);
    leagues.iter().find_map(|sport| Season::parse(*sport, label).ok())
}
