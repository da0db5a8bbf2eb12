use std::fs;
use std::process::Output;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;
use sports_testkit::programs::TestFolder;
use tokio::time::Instant;

use super::{RECOVERED, at_most};
use crate::folder::Folder;
use crate::service::{Service, Site};

/// The season that a server loads before its generation is current, and one that is loaded when it is first requested.
pub const CURRENT: &str = "/api/v1/results/nfl/over_under?season=2024-25";
pub const OLDER: &str = "/api/v1/results/nfl/over_under?season=2023-24";

/// A page of a league that no fault is about.
pub const SOUND: &str = "/api/v1/results/mlb/over_under";

/// Published leagues, and customers whose calls are counted and compared.
pub struct Scene {
    pub site: Site,
    /// The id and a key of each customer.
    pub customers: Vec<(String, String)>,
    releases: AtomicUsize,
}

impl Scene {
    pub fn new() -> Self {
        Self::at(TestFolder::fresh())
    }

    /// Creates a scene at a place that may have its store and its database elsewhere.
    pub fn at(place: TestFolder) -> Self {
        let site = Site::at(place);
        for fixture in ["doubleheader", "nfl-2023-week-18", "edge-cases"] {
            site.publish_fixture(fixture);
        }
        let customers = (0..3).map(|number| site.customer(&format!("caller{number}@example.com"), "ai")).collect();
        Self { site, customers, releases: AtomicUsize::new(0) }
    }

    /// Returns a release that differs from all before it in the name of a stadium.
    pub fn next_release(&self) -> (Folder, String) {
        let stadium = format!("Park {}", self.releases.fetch_add(1, Ordering::Relaxed) + 1);
        (Folder::copy_of("edge-cases").replace("games/2024-25.csv", "Invented Park", &stadium), stadium)
    }

    /// Publishes the next release with these variables; returns the output, and the stadium that shows it.
    pub fn publish(&self, variables: &[(&str, String)]) -> (Output, String) {
        let (release, stadium) = self.next_release();
        let mut command = self.site.place.sportsctl(["publish".as_ref(), release.path().as_os_str()]);
        (command.envs(variables.iter().cloned()).output().expect("it runs"), stadium)
    }

    /// Publishes the next release, and asserts that a server serves it in time and the record verifies.
    pub async fn publishes(&self, service: &Service) {
        let (published, stadium) = self.publish(&[]);
        assert!(published.status.success(), "{}", String::from_utf8_lossy(&published.stderr));
        shows(service, &stadium).await;
        assert!(self.verifies(), "the record verifies");
    }

    pub fn verifies(&self) -> bool {
        self.site.place.sportsctl(["verify"]).output().expect("it runs").status.success()
    }

    /// Returns a customer's recorded calls of all months; `None` if the database cannot be read.
    pub fn on_record(&self, customer: usize) -> Option<usize> {
        let usage = ["customer", "usage", &self.customers[customer].0, "--json"];
        let usage = self.site.place.sportsctl(usage).output().expect("it runs");
        let months: Value = serde_json::from_slice(&usage.stdout).ok().filter(|_| usage.status.success())?;
        let requests = months["months"].as_array()?.iter().filter_map(|month| month["requests"].as_u64());
        usize::try_from(requests.sum::<u64>()).ok()
    }

    /// Asserts what no log may have, whatever happened: a panic, a key, or more errors than a fault may cause.
    pub fn expect_logs(&self, errors: usize) {
        let files = fs::read_dir(self.site.place.path()).expect("a folder").map(|file| file.expect("a file").path());
        for file in files.filter(|file| file.extension().is_some_and(|ending| ending == "log")) {
            let log = String::from_utf8_lossy(&fs::read(&file).expect("read")).into_owned();
            assert!(!log.contains("panicked at"), "{log}");
            let keys = self.customers.iter().map(|(_, key)| key).chain([&self.site.key]);
            assert!(keys.into_iter().all(|key| !log.contains(key.as_str())), "a key is in the log");
            at_most("log lines of level ERROR", log.matches("ERROR").count(), errors);
        }
    }
}

/// Waits until a server serves the release with that stadium; asserts that it came in time.
pub async fn shows(service: &Service, stadium: &str) {
    let started = Instant::now();
    service.until(CURRENT, |page| page.text().contains(stadium)).await;
    at_most("seconds until a publish is served", started.elapsed().as_secs_f64(), RECOVERED.as_secs_f64());
}
