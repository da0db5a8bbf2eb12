use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

use bytes::Bytes;
use chrono::{DateTime, Utc};
use sports_domain::{Season, Sport};
use sports_publication::{ObjectHash, Problem, Release, SeasonHistory};

use crate::findings::Findings;
use crate::folder::{Content, DataFile, Listing, MANIFEST};
use crate::key::FileSeason;
use crate::manifest::{self, Manifest, season_form};
use crate::rows::Rows;

/// A release without a problem.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadRelease {
    /// What the folder says.
    pub release: Release,
    /// What its publisher may want to know, such as columns that were not used.
    pub warnings: Vec<String>,
}

/// Why a folder is no release.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// Everything wrong with what is in it, by file and row.
    #[error("problems in the release: {}", .0.len())]
    Problems(Vec<Problem>),
    /// The folder itself cannot be read.
    #[error("the release folder {} cannot be read", path.display())]
    Io {
        /// The folder.
        path: PathBuf,
        /// Why.
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
    let listing = Listing::of(folder).map_err(|source| ReadError::Io { path: folder.to_owned(), source })?;
    let mut reading = Reading { problems: listing.problems, ..Reading::default() };
    let manifest = reading.manifest(folder, now);
    for file in &listing.files {
        reading.data(file, manifest.sport);
    }
    reading.finish(manifest)
}

/// A release as far as it is read.
#[derive(Default)]
struct Reading {
    seasons: BTreeMap<Season, SeasonHistory>,
    /// Every file read, by name.
    files: BTreeMap<String, Bytes>,
    problems: Vec<Problem>,
    warnings: Vec<String>,
}

impl Reading {
    fn manifest(&mut self, folder: &Path, now: DateTime<Utc>) -> Manifest {
        let mut found = Findings::of(MANIFEST);
        let path = folder.join(MANIFEST);
        let manifest = if path.is_dir() {
            // Among the listing's problems already.
            Manifest::default()
        } else if path.exists() {
            self.bytes(MANIFEST, &path, &mut found)
                .map(|bytes| manifest::read(&bytes, now, &mut found))
                .unwrap_or_default()
        } else {
            found.file("this file, with at least the fields sport and slate_date");
            Manifest::default()
        };
        self.keep(found);
        manifest
    }

    fn data(&mut self, file: &DataFile, sport: Option<Sport>) {
        let mut found = Findings::of(&file.name);
        let Some(season) = season_of(file, sport) else {
            let form = sport.map_or_else(|| "a season, such as 2024-25 or 2024".to_owned(), season_form);
            found.file(format!("a file called by {form}"));
            return self.keep(found);
        };
        let bytes = self.bytes(&file.name, &file.path, &mut found);
        if let Some(table) = bytes.and_then(|bytes| file.format.read(bytes, &mut found)) {
            let told = Rows::of(&table, file.content.kind(), FileSeason::of(season), &mut found);
            self.add(season, file.content, told);
        }
        self.keep(found);
    }

    fn bytes(&mut self, name: &str, path: &Path, found: &mut Findings) -> Option<Bytes> {
        match fs::read(path) {
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

    fn add(&mut self, season: Season, content: Content, told: Rows) {
        let history = self.seasons.entry(season).or_insert_with(|| SeasonHistory::of(season));
        match content {
            Content::Games => history.shared.extend(told.games),
            Content::Probabilities(model_type) | Content::Results(model_type) => {
                let market = history.markets.entry(model_type).or_default();
                market.games.extend(told.games);
                market.forecasts.extend(told.forecasts);
            }
        }
    }

    fn keep(&mut self, found: Findings) {
        self.problems.extend(found.problems);
        self.warnings.extend(found.warnings);
    }

    fn finish(mut self, manifest: Manifest) -> Result<ReadRelease, ReadError> {
        // A stable sort: within a row, problems stay in the order of its columns.
        self.problems.sort_by(|a, b| a.place.cmp(&b.place));
        let Manifest { sport: Some(sport), slate_date: Some(slate_date), run, source_as_of } = manifest else {
            return Err(ReadError::Problems(self.problems));
        };
        if !self.problems.is_empty() {
            return Err(ReadError::Problems(self.problems));
        }
        let parts = self.files.iter().flat_map(|(name, bytes)| [name.as_bytes(), bytes.as_ref()]);
        let content = ObjectHash::of_parts(parts);
        let history = self.seasons.into_values().collect();
        let release = Release {
            sport,
            slate_date,
            run,
            source_as_of,
            season: None,
            odds: None,
            predictions: BTreeMap::new(),
            held_games: BTreeMap::new(),
            moved: Vec::new(),
            history,
            content,
        };
        Ok(ReadRelease { release, warnings: self.warnings })
    }
}

/// The season a file is called by. Where the league is not known either form will do, so that the
/// rows are checked all the same.
fn season_of(file: &DataFile, sport: Option<Sport>) -> Option<Season> {
    let either = [Sport::Nfl, Sport::Mlb];
    let leagues = sport.as_ref().map_or(either.as_slice(), std::slice::from_ref);
    leagues.iter().find_map(|sport| Season::parse(*sport, &file.label).ok())
}
