use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};
use sports_testkit::disks::HungDisk;
use tokio::time::Instant;

use crate::folder::Folder;
use crate::service::{Service, Site};

const CURRENT: &str = "/api/v1/results/nfl/over_under";
const OLDER: &str = "/api/v1/results/nfl/over_under?season=2023-24";
const OLDER_MONEYLINE: &str = "/api/v1/results/nfl/won_on_points?season=2023-24";
const UNAVAILABLE: &str = "This part of the service is temporarily unavailable, try again";

/// A folder that is unreachable until it is restored.
struct Outage {
    folder: PathBuf,
    kept: PathBuf,
}

impl Outage {
    /// Moves the folder away.
    fn gone(folder: &Path) -> Self {
        let kept = folder.with_extension("elsewhere");
        fs::rename(folder, &kept).expect("moved");
        Self { folder: folder.to_owned(), kept }
    }

    /// Moves the folder away and puts a file in its place, so that every read fails.
    fn unreadable(folder: &Path) -> Self {
        let outage = Self::gone(folder);
        fs::write(folder, "not a folder").expect("written");
        outage
    }

    fn end(self) {
        let _ = fs::remove_file(&self.folder);
        fs::rename(self.kept, self.folder).expect("moved");
    }
}

/// Serves both seasons after requests for the older one in one market only, then takes the store down. Asserts that
/// data in memory is served, that the rest is refused, and that everything recovers.
async fn outlives(site: &Site, take_down: impl FnOnce(&Path) -> Outage) {
    let service = site.serve().await;
    let (current, older) = (service.get(CURRENT).await, service.get(OLDER).await);
    assert_eq!((current.status, older.status), (200, 200));
    let outage = take_down(&site.place.store());

    let degraded = service.until("/api/v1/health", |health| health.json()["status"] == "degraded").await;
    assert_eq!(degraded.status, 200);
    let store = &degraded.json()["dependencies"]["object_storage"];
    assert_ne!(store["status"], "healthy");
    let detail = store["detail"].as_str().expect("a detail");
    assert!(!detail.contains(site.place.path().to_str().expect("text")), "{detail} is for anyone to read");
    assert_eq!(service.get("/api/v1/readiness").await.status, 200);
    assert_eq!(service.get("/api/v1/liveness").await.status, 200);

    assert_eq!(service.get(CURRENT).await.body, current.body);
    assert_eq!(service.get(OLDER).await.body, older.body);
    assert_eq!(
        service.get("/api/v1/results/nfl/over_under/seasons").await.json()["seasons"],
        json!(["2024-25", "2023-24"])
    );
    for path in
        [OLDER_MONEYLINE.to_owned(), format!("{OLDER_MONEYLINE}&format=csv"), format!("{OLDER_MONEYLINE}&limit=1")]
    {
        assert_eq!(service.get(&path).await.failure(503), UNAVAILABLE, "{path}");
    }
    // A malformed request is refused as such, whatever the state of the store.
    service.get("/api/v1/results/nfl/over_under?limit=0").await.failure(400);
    service.get("/api/v1/results/nfl/over_under?season=2019-20").await.failure(404);
    service.get("/api/v1/results/mlb/over_under").await.failure(404);

    outage.end();
    assert_eq!(service.get(OLDER_MONEYLINE).await.status, 200, "the next request finds the store back");
    let healthy = service.until("/api/v1/health", |health| health.json()["status"] == "healthy").await;
    assert_eq!(healthy.json()["dependencies"]["object_storage"]["detail"], Value::Null);
    follows(site, &service).await;
}

/// Asserts that a later release becomes current.
async fn follows(site: &Site, service: &Service) {
    let folder = Folder::copy_of("edge-cases").replace("games/2024-25.csv", "Invented Park", "Other Park");
    site.publish(folder.path());
    service.until(CURRENT, |page| page.text().contains("Other Park")).await;
}

/// The folder of the store is on a file system whose server is gone, and one worker answers all requests.
#[tokio::test]
async fn a_hung_mount_hangs_neither_health_nor_cached_answers() {
    let site = Site::on_one_machine();
    site.publish_fixture("edge-cases");
    let service = site.serve_with(&[("SPORTS_HTTP__WORKERS", "1")]).await;
    let current = service.get(CURRENT).await;
    assert_eq!(current.status, 200);
    let Some(hung) = HungDisk::mounted_over(&site.place.store()) else { return };
    let begun = Instant::now();
    let mut degraded = false;
    while begun.elapsed() < Duration::from_secs(12) {
        // Neither waits for the other: both are on the same worker.
        let request = Instant::now();
        let (health, cached) = tokio::join!(service.get("/api/v1/health"), service.get(CURRENT));
        assert!(request.elapsed() < Duration::from_secs(3), "{:?} after {:?}", request.elapsed(), begun.elapsed());
        assert_eq!((health.status, cached.status, &cached.body), (200, 200, &current.body));
        degraded |= health.json()["dependencies"]["object_storage"]["status"] == "unhealthy";
        let request = Instant::now();
        assert_eq!(service.get("/api/v1/liveness").await.status, 200);
        assert!(request.elapsed() < Duration::from_secs(1), "{:?}", request.elapsed());
    }
    assert!(degraded, "health names the store");
    drop(hung);
    service.until("/api/v1/health", |health| health.json()["status"] == "healthy").await;
    let hung = HungDisk::mounted_over(&site.place.store());
    tokio::time::sleep(Duration::from_secs(1)).await;
    let ending = Instant::now();
    service.stop();
    assert!(ending.elapsed() < Duration::from_secs(15), "{:?}", ending.elapsed());
    drop(hung);
}

#[tokio::test]
async fn an_unreadable_store_affects_only_data_that_is_not_in_memory() {
    let site = Site::publishing(&["nfl-2023-week-18", "edge-cases"]);
    outlives(&site, |store| Outage::unreadable(&store.join("sports"))).await;
}

#[tokio::test]
async fn a_missing_store_affects_only_data_that_is_not_in_memory() {
    let site = Site::publishing(&["nfl-2023-week-18", "edge-cases"]);
    outlives(&site, Outage::gone).await;
}

#[tokio::test]
async fn a_store_unavailable_at_the_start_is_503_and_not_an_empty_history() {
    let site = Site::publishing(&["nfl-2023-week-18"]);
    let outage = Outage::unreadable(&site.place.store().join("sports"));
    let service = site.start(&[]);
    for path in [CURRENT, OLDER, "/api/v1/results/nfl/over_under/seasons", "/api/v1/results/mlb/over_under"] {
        assert_eq!(service.get(path).await.failure(503), UNAVAILABLE, "{path}");
    }
    let readiness = service.get("/api/v1/readiness").await;
    assert_eq!((readiness.status, &readiness.json()["status"]), (503, &json!("not_ready")));
    assert_eq!(readiness.json()["checks"], json!({ "database": true, "catalogs": false, "running": true }));
    let health = service.until("/api/v1/health", |health| health.json()["status"] == "degraded").await;
    assert_eq!(health.status, 200);
    assert_eq!(service.get("/api/v1/liveness").await.status, 200);
    assert_eq!(service.get("/api/v1/sports").await.status, 200);

    outage.end();
    service.until("/api/v1/readiness", |readiness| readiness.status == 200).await;
    // The server is ready once one league's log answers; the other logs are polled one by one.
    service.until(OLDER, |page| page.status == 200).await;
    service.until("/api/v1/results/mlb/over_under", |page| page.status == 404).await;
}

/// Names of files and folders, causes and hashes belong in the log only.
#[tokio::test]
async fn a_damaged_archive_is_a_failure_without_details() {
    let site = Site::publishing(&["nfl-2023-week-18", "edge-cases"]);
    let service = site.serve().await;
    let store = site.place.store();
    let archive = crate::folder::League::nfl(&store).archive(2, "over_under", "2023-24");
    let bytes = fs::read(&archive).expect("an archive");
    fs::write(&archive, b"PAR1").expect("written");
    assert_eq!(service.get(OLDER).await.failure(500), "Something went wrong on our side");
    assert_eq!(service.get(CURRENT).await.status, 200);
    let log = site.log();
    assert!(log.contains("do not hash to its name"), "{log}");
    // Failures are not cached.
    fs::write(&archive, bytes).expect("written");
    assert_eq!(service.get(OLDER).await.status, 200);
}
