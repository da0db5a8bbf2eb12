use std::fs;
use std::time::Duration;

use serde_json::{Value, json};
use sports_testkit::programs::copy_folder;
use tokio::time::sleep;

use crate::folder::{Folder, League};
use crate::rows;
use crate::service::{Service, Site};

const OLDER: &str = "/api/v1/results/nfl/over_under?season=2023-24";
const NEWER: &str = "/api/v1/results/nfl/over_under?season=2024-25";

/// Waits for some polls.
async fn later() {
    sleep(Duration::from_millis(400)).await;
}

/// A second copy of the record, as it was before the test damaged the first.
struct Elsewhere(Site);

impl Elsewhere {
    /// Copies the log entry of that number here, after the archives it names.
    fn bring(&self, generation: u64, here: &Site) {
        let (from, to) = (self.0.place.store(), here.place.store());
        for (_, _, archive) in League::nfl(&from).archives(generation) {
            let name = archive.file_name().expect("a name");
            fs::copy(&archive, League::nfl(&to).objects().join(name)).expect("copied");
        }
        // A node checks the leaves of an entry before it adopts it.
        let catalog: Value =
            serde_json::from_slice(&fs::read(League::nfl(&from).entry(generation)).expect("an entry")).expect("JSON");
        let leaves = catalog["record"]["leaves"]["object"].as_str().expect("a name");
        fs::copy(League::nfl(&from).objects().join(leaves), League::nfl(&to).objects().join(leaves)).expect("copied");
        self.bring_entry(generation, here);
    }

    /// Copies the log entry alone.
    fn bring_entry(&self, generation: u64, here: &Site) {
        let (from, to) = (self.0.place.store(), here.place.store());
        fs::copy(League::nfl(&from).entry(generation), League::nfl(&to).entry(generation)).expect("copied");
    }
}

/// Creates a site whose current entry is week 18, and a second copy with two more entries: the edge cases and a
/// correction of them.
fn behind() -> (Site, Elsewhere) {
    let (here, elsewhere) = (Site::publishing(&["nfl-2023-week-18"]), Site::empty());
    copy_folder(&here.place.store(), &elsewhere.place.store());
    elsewhere.publish_fixture("edge-cases");
    elsewhere.publish(Folder::copy_of("edge-cases").replace("games/2024-25.csv", "Invented Park", "Other Park").path());
    (here, Elsewhere(elsewhere))
}

/// Waits until the store's health is `degraded` or not; returns the store's detail.
pub async fn health(service: &Service, degraded: bool) -> Value {
    let status = if degraded { "degraded" } else { "healthy" };
    let answer = service.until("/api/v1/health", |health| health.json()["status"] == status).await;
    assert_eq!(answer.status, 200);
    let store = answer.json()["dependencies"]["object_storage"].clone();
    assert_eq!(store["status"], status);
    assert_eq!(service.get("/api/v1/readiness").await.status, 200);
    store["detail"].clone()
}

#[tokio::test]
async fn the_first_publish_to_an_empty_store_is_served_without_a_restart() {
    let site = Site::empty();
    let service = site.serve().await;
    let nothing = "No results are published for nfl over_under";
    for path in ["/api/v1/results/nfl/over_under", OLDER] {
        assert_eq!(service.get(path).await.failure(404), nothing);
    }
    let list = "/api/v1/results/nfl/over_under/seasons";
    assert_eq!(service.get(list).await.json()["seasons"], json!([]));

    site.publish_fixture("nfl-2023-week-18");
    let page = service.until(OLDER, |page| page.status != 404).await;
    assert_eq!((page.status, rows::texts(&page).len()), (200, 16));
    assert_eq!(service.get(list).await.json()["seasons"], json!(["2023-24"]));
    assert_eq!(service.page("nfl/over_under").await.json()["season"], "2023-24");
    // The other leagues are still empty.
    service.get("/api/v1/results/mlb/over_under").await.failure(404);

    site.publish_fixture("edge-cases");
    service.until(list, |list| list.json()["seasons"] == json!(["2024-25", "2023-24"])).await;
    assert_eq!(service.page("nfl/over_under").await.json()["season"], "2024-25");
    assert_eq!(service.get(OLDER).await.body, page.body, "what was current before is what it was");
}

#[tokio::test]
async fn a_log_entry_that_cannot_be_read_is_named_and_skipped_once_a_good_one_follows() {
    let (here, elsewhere) = behind();
    let service = here.serve().await;
    let before = service.get(OLDER).await;
    let store = here.place.store();
    let second = League::nfl(&store).entry(2);
    fs::write(&second, "{\"schema_version\": 1, \"spor").expect("written");

    assert_eq!(health(&service, true).await, "Generations that cannot be loaded: nfl 2");
    later().await;
    assert_eq!(service.get(OLDER).await.body, before.body);
    service.get(NEWER).await.failure(404);
    elsewhere.bring(3, &here);
    let page = service.until(NEWER, |page| page.status == 200).await;
    assert!(rows::raw(&page).contains("Other Park"));
    assert_eq!(health(&service, false).await, Value::Null);
    assert_eq!(service.get(OLDER).await.body, before.body);
}

#[tokio::test]
async fn a_generation_becomes_current_once_its_missing_archive_is_back() {
    let (here, elsewhere) = behind();
    let service = here.serve().await;
    let store = here.place.store();
    let league = League::nfl(&store);
    elsewhere.bring(2, &here);
    later().await;
    let page = service.get(NEWER).await;
    drop(service);

    // A server that starts with the archive missing serves the generation before.
    let archive = league.archive(2, "won_on_spread", "2024-25");
    let bytes = fs::read(&archive).expect("an archive");
    fs::remove_file(&archive).expect("removed");
    let service = here.serve().await;
    assert_eq!(health(&service, true).await, "Generations that cannot be loaded: nfl 2");
    service.get(NEWER).await.failure(404);
    assert_eq!(service.get(OLDER).await.status, 200);

    // Bytes that do not match the name count as a missing archive.
    fs::write(&archive, &bytes[1..]).expect("written");
    later().await;
    assert_eq!(health(&service, true).await, "Generations that cannot be loaded: nfl 2");
    service.get(NEWER).await.failure(404);

    fs::write(&archive, &bytes).expect("written");
    let back = service.until(NEWER, |page| page.status == 200).await;
    assert_eq!(back.body, page.body);
    assert_eq!(health(&service, false).await, Value::Null);
}

/// Files in a log that continue nothing, with their numbers.
const UNLINKED: [(u64, &str); 4] = [(2, "{}"), (3, ""), (7, "not JSON"), (999_999_999_999, "{}")];

#[tokio::test]
async fn numbers_that_continue_nothing_degrade_health_and_stop_publishing_until_a_repair() {
    let site = Site::publishing(&["nfl-2023-week-18"]);
    let store = site.place.store();
    let league = League::nfl(&store);
    for (number, text) in UNLINKED {
        fs::write(league.entry(number), text).expect("written");
    }
    fs::copy(league.entry(1), league.entry(888_888_888_888)).expect("copied");
    fs::write(league.entry(1).with_file_name("1000000000000.json"), "{}").expect("written");
    let service = site.serve().await;
    let page = service.get(OLDER).await;
    assert_eq!((page.status, service.get("/api/v1/readiness").await.status), (200, 200));
    let named = health(&service, true).await;
    for (number, _) in UNLINKED {
        assert!(named.as_str().is_some_and(|named| named.contains(&format!("nfl {number}"))), "{named}");
    }
    let edge_cases = Folder::copy_of("edge-cases");
    let refused =
        site.place.sportsctl(["publish", edge_cases.path().to_str().expect("text")]).output().expect("it runs");
    assert_eq!(refused.status.code(), Some(1), "{refused:?}");
    let _ = site.place.ctl(["repair", "nfl", "--yes"]);
    site.publish_fixture("edge-cases");
    service.until(NEWER, |page| page.status == 200).await;
    assert!(league.entry(2).exists(), "the number after the head");
    drop(service);
    let service = site.serve().await;
    assert_eq!(service.get(NEWER).await.status, 200);
    assert_eq!(service.get(OLDER).await.body, page.body);
    assert_eq!(health(&service, false).await, Value::Null);
}

#[tokio::test]
async fn a_league_that_cannot_be_loaded_is_503_and_affects_no_other() {
    let site = Site::publishing(&["nfl-2023-week-18", "doubleheader"]);
    let store = site.place.store();
    fs::write(League::nfl(&store).entry(1), "{").expect("written");
    let service = site.serve().await;
    assert_eq!(service.get("/api/v1/readiness").await.status, 200);
    assert_eq!(service.get("/api/v1/results/mlb/over_under").await.status, 200);
    let answer = service.get(OLDER).await;
    assert_eq!((answer.status, answer.header("retry-after")), (503, Some("2")));
    let expected = "Leagues of which nothing can be served: nfl; Generations that cannot be loaded: nfl 1";
    assert_eq!(health(&service, true).await, expected);
}
