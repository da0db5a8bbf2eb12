//! The whole API in this process, over a store of its own.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use actix_web::test::{TestRequest, call_service, init_service, read_body};
use bytes::Bytes;
use chrono::{DateTime, Utc};
use futures::future::{FutureExt, LocalBoxFuture};
use serde_json::{Value, json};
use sports_accounts::testing::{a_customer, a_key, a_key_record, second};
use sports_api::api::Worker;
use sports_api::state::{AppState, StoredData};
use sports_domain::Sport;
use sports_ports::Clock;
use sports_ports::accounts::{Customers, KeyRing as _};
use sports_publication::settle::Permissions;
use sports_store::{ArtifactStore, JsonSlates};
use sports_tables::archive::ParquetArchives;
use sports_testkit::accounts::AccountsFake;
use sports_testkit::clock::ClockFake;
use sports_testkit::metering::contract::limits;
use sports_testkit::programs::real_data;
use sports_testkit::random::RandomFake;
use sports_usecases::publish::{Mode, Publisher, Settlement};
use sports_usecases::record::{Archives, Slates};
use tempfile::TempDir;

use crate::state;

/// A date after the last game of all the files.
const NOW: &str = "2026-12-01T12:00:00Z";

/// An answer: the body, and the publication time of its generation.
type Dated = (Bytes, Option<String>);

/// An API over one published release folder.
pub struct Site {
    answer: Box<dyn Fn(TestRequest) -> LocalBoxFuture<'static, Dated>>,
    clock: Arc<ClockFake>,
}

impl Site {
    /// Publishes a release folder as `sportsctl publish` does, and creates an API over it.
    pub async fn publishing(release: &Path) -> Self {
        Self::publishing_all(&[release]).await
    }

    /// Publishes release folders, one after the other, and creates an API over them.
    pub async fn publishing_all(releases: &[&Path]) -> Self {
        let published = PublishedStore::at(NOW);
        for release in releases {
            published.publish(release).await;
        }
        Self::over(published).await
    }

    /// Creates an API over what was published.
    pub async fn over(PublishedStore { clock, store, archives, slates, .. }: PublishedStore) -> Self {
        let accounts = Arc::new(AccountsFake::new());
        let (customer, key) = (a_customer().build(), a_key_record().issued(second(0)).build());
        let _ = accounts.create(&customer).await.expect("answers");
        let _ = accounts.issue(customer.id, &key).await.expect("answers");
        let stored = StoredData { files: Arc::new(store.clone()), log: Arc::new(store), archives, slates };
        // The clock does not advance during a thousand requests.
        let state = state::complete(clock.clone(), &stored, &accounts, limits(1_000_000, 1_000_000), 1 << 31);
        state.published.generations.poll().await;
        Self { answer: application(state).await, clock }
    }

    /// Returns the present instant.
    pub fn now(&self) -> DateTime<Utc> {
        self.clock.now()
    }

    /// Requests a path, and returns the answer.
    pub async fn get(&self, path: &str) -> Value {
        serde_json::from_slice(&self.bytes(path).await).expect("JSON")
    }

    /// Requests a path, and returns the body of the answer.
    pub async fn bytes(&self, path: &str) -> Bytes {
        self.fetch(path).await.0
    }

    /// Requests a path; returns the answer and the publication time of its generation.
    pub async fn get_dated(&self, path: &str) -> (Value, Option<String>) {
        let (body, published_at) = self.fetch(path).await;
        (serde_json::from_slice(&body).expect("JSON"), published_at)
    }

    async fn fetch(&self, path: &str) -> Dated {
        (self.answer)(TestRequest::get().uri(path).insert_header(("X-API-Key", a_key(1).reveal()))).await
    }
}

/// Creates the application, which takes longer than most answers.
async fn application(state: AppState) -> Box<dyn Fn(TestRequest) -> LocalBoxFuture<'static, Dated>> {
    let app = Rc::new(init_service(Worker::new(&Arc::new(state)).app()).await);
    Box::new(move |request| {
        let app = Rc::clone(&app);
        let answer = async move {
            let response = call_service(&*app, request.to_request()).await;
            assert!(response.status().is_success(), "{}: {}", response.request().uri(), response.status());
            let published_at =
                response.headers().get("x-published-at").and_then(|at| Some(at.to_str().ok()?.to_owned()));
            (read_body(response).await, published_at)
        };
        answer.boxed_local()
    })
}

/// A publisher, its clock and its store.
pub struct PublishedStore {
    clock: Arc<ClockFake>,
    store: ArtifactStore,
    archives: Archives,
    slates: Slates,
    publisher: Publisher,
}

impl PublishedStore {
    /// Creates a publisher with an empty store, at an instant.
    pub fn at(now: &str) -> Self {
        let clock = Arc::new(ClockFake::at(now));
        let store = ArtifactStore::in_memory();
        let archives = Archives::new(Arc::new(store.clone()), Arc::new(ParquetArchives));
        let slates = Slates::new(Arc::new(store.clone()), Arc::new(JsonSlates));
        let log = Arc::new(store.clone());
        let random = Arc::new(RandomFake::default());
        let publisher = Publisher::new(log, archives.clone(), slates.clone(), clock.clone(), random);
        Self { clock, store, archives, slates, publisher }
    }

    /// Advances the clock to an instant.
    pub fn wait_until(&self, instant: DateTime<Utc>) {
        self.clock.advance(instant - self.clock.now());
    }

    /// Publishes a release folder as `sportsctl publish` does.
    pub async fn publish(&self, release: &Path) {
        let text = fs::read(release.join("release.json")).expect("a manifest");
        let manifest: Value = serde_json::from_slice(&text).expect("JSON");
        let sport = manifest["sport"].as_str().and_then(|code| code.parse().ok()).expect("a league");
        let models = self.publisher.models(sport).await.expect("a registry");
        let read = sports_publisher_files::read_under(release, self.clock.now(), &models).expect("a good release");
        self.publisher.publish(&read.release, Mode::Commit).await.expect("publishes");
    }

    /// Adds the finals of a file to the games on record, as `sportsctl settle` does.
    pub async fn settle(&self, sport: Sport, file: &Path) {
        let read = sports_publisher_files::read_finals(file, sport).expect("a file of finals");
        let permissions = Permissions { allow_unknown: true, correct: false };
        let settlement = Settlement { sport, finals: read.rows, content: read.content, permissions };
        self.publisher.settle(&settlement, Mode::Commit).await.expect("settles");
    }
}

/// The folders of a release with tables of seasons.
const PARTS: [&str; 4] =
    ["games", "probabilities/over_under", "probabilities/won_on_points", "probabilities/won_on_spread"];

/// Creates a release folder in `folder` of a league's files; of one season only, if one is named.
pub fn release_of(data: &Path, sport: &str, season: Option<&str>, folder: &Path) {
    for part in PARTS {
        let (area, market) = part.split_once('/').unwrap_or((part, ""));
        let from = data.join(area).join(sport).join(market);
        copy_seasons(&from, &folder.join(part), |found| season.is_none_or(|season| found == season));
    }
    let manifest = json!({ "sport": sport, "slate_date": "2024-12-01" });
    fs::write(folder.join("release.json"), manifest.to_string()).expect("written");
}

/// Creates a folder with the last season of each league of the real data, or with every season if `SPORTS_EVERY_SEASON` is set.
pub fn real_seasons() -> Option<TempDir> {
    let data = real_data()?;
    let folder = tempfile::tempdir().expect("a folder");
    for league in fs::read_dir(data.join("games")).expect("leagues") {
        let sport = league.expect("a league").file_name().into_string().expect("a code");
        let last = last_seasons(&data.join("games").join(&sport));
        for part in PARTS {
            let (area, market) = part.split_once('/').unwrap_or((part, ""));
            let place = Path::new(area).join(&sport).join(market);
            copy_seasons(&data.join(&place), &folder.path().join(&place), |season| {
                last.iter().any(|last| last == season)
            });
        }
    }
    Some(folder)
}

fn last_seasons(games: &Path) -> Vec<OsString> {
    let mut seasons: Vec<_> = csv_files(games).filter_map(|file| Some(file.file_stem()?.to_owned())).collect();
    seasons.sort();
    let count = if std::env::var_os("SPORTS_EVERY_SEASON").is_some() { seasons.len() } else { 1 };
    seasons.split_off(seasons.len().saturating_sub(count))
}

fn csv_files(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let files = fs::read_dir(folder).into_iter().flatten().map(|file| file.expect("a file").path());
    files.filter(|file| file.extension().is_some_and(|ending| ending == "csv"))
}

/// Copies the tables of the wanted seasons.
fn copy_seasons(from: &Path, to: &Path, is_wanted: impl Fn(&OsStr) -> bool) {
    for file in csv_files(from).filter(|file| file.file_stem().is_some_and(&is_wanted)) {
        fs::create_dir_all(to).expect("a folder");
        fs::copy(&file, to.join(file.file_name().expect("a name"))).expect("copied");
    }
}
