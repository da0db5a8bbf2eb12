use std::fs;
use std::path::Path;

use sports_publication::{MarketHistory, Problem, Release, ReportedGame, SeasonHistory};
use sports_publisher_files::{ReadError, ReadRelease, read};
use tempfile::TempDir;

/// A release folder under construction, which starts with a valid `release.json`.
pub struct Folder(TempDir);

impl Folder {
    pub fn for_sport(sport: &str) -> Self {
        let folder = Self(tempfile::tempdir().expect("a folder"));
        folder.with("release.json", format!(r#"{{"sport": "{sport}", "slate_date": "2024-09-10"}}"#))
    }

    /// Creates a folder that may hold predictions; `more` are further fields of its `release.json`.
    pub fn of_season(sport: &str, season: &str, more: &str) -> Self {
        let fields = format!(r#""sport": "{sport}", "slate_date": "2024-09-10", "season": "{season}"{more}"#);
        Self::for_sport(sport).with("release.json", format!("{{{fields}}}"))
    }

    pub fn with(self, name: &str, content: impl AsRef<[u8]>) -> Self {
        let path = self.0.path().join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        fs::write(path, content).expect("a file");
        self
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn read(&self) -> Result<ReadRelease, ReadError> {
        read(self.path(), "2024-09-10T12:00:00Z".parse().expect("an instant"))
    }

    pub fn problems(&self) -> Vec<Problem> {
        match self.read() {
            Ok(_) => Vec::new(),
            Err(ReadError::Problems(problems)) => problems,
            Err(error) => panic!("{error}"),
        }
    }

    pub fn sentences(&self) -> Vec<String> {
        self.problems().iter().map(ToString::to_string).collect()
    }

    /// Returns the release of a folder without problems.
    pub fn release(&self) -> Release {
        self.read().unwrap_or_else(|error| panic!("{error:?}: {:#?}", self.sentences())).release
    }

    /// Returns the only season of a folder without problems.
    pub fn season(&self) -> SeasonHistory {
        let read = self.read().expect("no problems");
        let [season] = read.release.history.try_into().expect("one season");
        season
    }

    /// Returns the rows of the only games file of a folder without problems.
    pub fn games(&self) -> Vec<ReportedGame> {
        let [file] = self.season().shared.try_into().expect("one file");
        file.rows.into_iter().map(|row| row.value).collect()
    }

    /// Returns the first market of the only season of a folder without problems.
    pub fn market(&self) -> MarketHistory {
        self.season().markets.into_values().next().expect("a market")
    }
}
