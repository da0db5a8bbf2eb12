//! Counts on record after a server ended, in any way.

use std::path::Path;
use std::process::Command;

use futures::future::join_all;
use reqwest::Method;
use serde_json::json;
use sports_testkit::programs::TestFolder;
use tokio::time::{Duration, sleep};

use crate::service::{Site, eventually};

const SPORTS: &str = "/api/v1/sports";
const KEYS: &str = "/api/v1/customers/me/api-keys";

/// The age from which counts survive a kill.
const ON_RECORD: Duration = Duration::from_secs(1);

#[tokio::test]
async fn a_server_that_is_stopped_loses_no_count() {
    let site = Site::empty();
    let mut before = 0;
    for round in 1..=3 {
        let service = site.serve().await;
        assert_eq!(service.monthly_requests().await, before, "round {round}");
        service.send_requests(40).await;
        before += 40;
        assert!(service.end("TERM").success());
    }
}

#[tokio::test]
async fn a_killed_server_has_every_count_on_record_that_is_a_second_old() {
    let site = Site::empty();
    let mut recorded = 0;
    for round in 1..=5 {
        let service = site.serve().await;
        service.send_requests(20).await;
        sleep(ON_RECORD).await;
        let older = recorded + 20;
        service.send_requests(20).await;
        assert!(!service.end("KILL").success());
        let service = site.serve().await;
        recorded = service.monthly_requests().await;
        assert!((older..=older + 20).contains(&recorded), "{recorded} of {older} to {}, kill {round}", older + 20);
        service.stop();
    }
}

/// There are no files beside the database: a copy of the file is complete.
#[tokio::test]
async fn the_database_of_a_stopped_server_is_one_complete_file() {
    for signal in ["TERM", "INT"] {
        let site = Site::empty();
        let service = site.serve().await;
        let (id, key) = site.customer("ann@example.com", "ai");
        let request_until_gone = async || {
            // Until the server is gone.
            while let Ok(answer) = service.with_key(&key).request(Method::GET, SPORTS).send().await {
                assert_eq!(answer.status(), 200);
            }
        };
        let stopping = async {
            for number in 1..=10 {
                let name = json!({ "name": format!("key {number}") });
                let made = service.with_key(&key).request(Method::POST, KEYS).json(&name).send().await;
                assert_eq!(made.expect("answers").status(), 200);
            }
            service.signal(signal);
        };
        futures::join!(join_all((0..8).map(|_| request_until_gone())), stopping);
        assert!(service.ended().success(), "{signal}");
        for left in ["sports.db-wal", "sports.db-shm"] {
            assert!(!site.place.path().join(left).exists(), "{left} after {signal}");
        }

        let copy = site.place.path().join("copy.db");
        std::fs::copy(site.place.path().join("sports.db"), &copy).expect("copied");
        let copy = format!("sqlite:{}", copy.display());
        for command in
            [vec!["customer", "list"], vec!["key", "list", "--customer", &id], vec!["customer", "usage", &id]]
        {
            let original = site.place.ctl(&command);
            assert_eq!(site.place.ctl(command.iter().chain(&["--database", copy.as_str()])), original);
        }
        let keys = site.place.ctl(["key", "list", "--customer", &id, "--database", &copy]);
        assert_eq!(keys.lines().count(), 11, "{keys}");
    }
}

#[tokio::test]
async fn a_backup_beside_a_running_server_has_every_answered_change() {
    let site = Site::publishing(&["edge-cases"]);
    let service = site.serve().await;
    let (id, key) = site.customer("ann@example.com", "ai");
    let ann = service.with_key(&key);
    for _ in 0..20 {
        assert_eq!(ann.get(SPORTS).await.status, 200);
    }
    eventually("the counts on record", || site.place.ctl(["customer", "usage", &id]).contains("  20 requests  ")).await;
    let backup = site.place.path().join("backup");
    let printed = site.place.ctl([Path::new("backup"), &backup]);
    assert!(printed.contains("2 customers and 0 datasets verified"), "{printed}");
    assert_eq!(ann.get(SPORTS).await.header("x-ratelimit-remaining"), Some("199979"), "the server goes on");

    let refused = site.place.sportsctl([Path::new("restore"), &backup]).output().expect("it runs");
    let words = String::from_utf8(refused.stderr).expect("text");
    assert_eq!(refused.status.code(), Some(1), "{words}");
    assert!(
        words.contains("a server or another restore is using the database ") && words.contains(": stop it, or wait"),
        "{words}"
    );

    let other = Site::with_key(TestFolder::fresh(), &key);
    let _ = other.place.ctl([Path::new("restore"), &backup]);
    let restored = other.serve().await;
    assert_eq!(restored.get(SPORTS).await.header("x-ratelimit-remaining"), Some("199979"));
    assert_eq!(restored.get("/api/v1/results/nfl/over_under").await.status, 200);
}

#[tokio::test]
async fn a_killed_server_leaves_its_database_unlocked() {
    let site = Site::empty();
    for _ in 0..3 {
        let service = site.serve().await;
        assert!(!service.end("KILL").success());
    }
}

#[tokio::test]
async fn a_second_server_on_a_database_refuses_to_start_and_commands_work() {
    let site = Site::empty();
    let service = site.serve().await;
    let mut second: Command = site.place.program("sports-api", ["serve", "--bind", "127.0.0.1:0"]);
    let refused = second.output().expect("it starts");
    let words = String::from_utf8(refused.stderr).expect("text");
    assert!(!refused.status.success());
    assert!(words.contains("sports-api: another server is running on the database "), "{words}");

    let (id, key) = site.customer("bob@example.com", "ai");
    assert_eq!(service.with_key(&key).get(SPORTS).await.status, 200, "sportsctl works beside the server");
    assert!(site.place.ctl(["customer", "usage", &id]).contains(" requests  0 dataset refreshes"));
    service.stop();
    assert_eq!(site.serve().await.get(SPORTS).await.status, 200);
}

#[tokio::test]
async fn counts_can_be_read_beside_a_running_server() {
    let site = Site::empty();
    let service = site.serve().await;
    let (id, key) = site.customer("bob@example.com", "ai");
    for _ in 0..7 {
        assert_eq!(service.with_key(&key).get(SPORTS).await.status, 200);
    }
    let usage = || site.place.ctl(["customer", "usage", &id]);
    eventually("the counts of the running server", || usage().contains("  7 requests  0 dataset refreshes")).await;
}
