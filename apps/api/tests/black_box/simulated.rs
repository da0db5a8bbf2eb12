//! A simulated league, published release by release as its publisher would.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use sports_demo::simulation::{ReleaseFiles, Settlement, World};
use sports_domain::{Sport, eastern_instant};

use crate::service::{Service, Site};

/// The world of all tests: every league plays on the day before, on [`TODAY`] and on the day after.
pub static WORLD: LazyLock<World> = LazyLock::new(|| World::new(7, eastern("12:00:00"), 1));

/// The date of most tests: no clock changes around it.
pub const TODAY: NaiveDate = NaiveDate::from_ymd_opt(2025, 2, 15).expect("a date");

/// Returns the instant of an Eastern time of today.
pub fn eastern(time: &str) -> DateTime<Utc> {
    on(TODAY, time)
}

/// Returns the instant of an Eastern time of any day.
pub fn on(date: NaiveDate, time: &str) -> DateTime<Utc> {
    eastern_instant(date, time.parse::<NaiveTime>().expect("a time"))
}

/// A publisher of one league, with a clock for the programs.
pub struct SimulatedSite {
    pub site: Site,
    pub sport: Sport,
}

impl SimulatedSite {
    pub fn for_sport(sport: Sport) -> Self {
        Self { site: Site::empty(), sport }
    }

    /// Publishes a folder at an instant; returns the output of the command.
    pub fn publish(&self, at: DateTime<Utc>, files: &ReleaseFiles) -> String {
        let folder = self.folder();
        files.write(&folder).expect("written");
        self.ctl(at, &[Path::new("publish"), &folder])
    }

    /// Publishes a release that has only this manifest.
    pub fn publish_manifest(&self, at: DateTime<Utc>, manifest: &str) -> String {
        let folder = self.folder();
        fs::create_dir_all(&folder).expect("made");
        fs::write(folder.join("release.json"), manifest).expect("written");
        self.ctl(at, &[Path::new("publish"), &folder])
    }

    /// Settles every game that ended between two instants, at the later one.
    pub fn settle(&self, from: DateTime<Utc>, to: DateTime<Utc>) -> String {
        let file = self.site.place.path().join("finals.csv");
        fs::write(&file, Settlement::file(&WORLD.finals(self.sport, from, to))).expect("written");
        self.ctl(to, &[Path::new("settle"), Path::new(self.sport.code()), &file, Path::new("--allow-unknown")])
    }

    /// Starts a server whose clock starts at an instant.
    pub async fn serve(&self, at: DateTime<Utc>) -> Service {
        self.site.serve_with(&[("SPORTS_CLOCK__AS_OF", &at.to_rfc3339())]).await
    }

    /// Wires the application with a clock that starts at an instant.
    pub async fn app(&self, at: DateTime<Utc>) -> Service {
        self.site.app_with(&[("SPORTS_CLOCK__AS_OF", &at.to_rfc3339())]).await
    }

    fn ctl(&self, at: DateTime<Utc>, arguments: &[&Path]) -> String {
        let clock = [Path::new("--as-of").to_owned(), PathBuf::from(at.to_rfc3339())];
        self.site.place.ctl(arguments.iter().map(|argument| argument.to_path_buf()).chain(clock))
    }

    /// Returns an empty folder for the next release.
    fn folder(&self) -> PathBuf {
        let folder = self.site.place.path().join("release");
        if folder.exists() {
            fs::remove_dir_all(&folder).expect("removed");
        }
        folder
    }
}
