//! What is on record when a server ends, however it ends.

use std::process::Command;

use tokio::time::{Duration, sleep};

use crate::service::{Service, Site, eventually};

const SPORTS: &str = "/api/v1/sports";

/// A server that is killed loses at most the last 100 ms of counts; the rest is for the kill to get there.
const ON_RECORD: Duration = Duration::from_millis(150);

async fn ask(service: &Service, times: usize) {
    for _ in 0..times {
        assert_eq!(service.get(SPORTS).await.status, 200);
    }
}

async fn counted(service: &Service) -> u64 {
    let usage = service.get("/api/v1/customers/me/usage").await.json();
    usage["monthly_requests"].as_u64().expect("a number")
}

#[tokio::test]
async fn a_server_that_is_told_to_stop_loses_no_count() {
    let site = Site::empty();
    let mut before = 0;
    for round in 1..=3 {
        let service = site.serve().await;
        assert_eq!(counted(&service).await, before, "round {round}");
        ask(&service, 40).await;
        before += 40;
        assert!(service.end("TERM").success());
    }
}

/// Of ten kills none should lose anything. A machine that is busy with other things may be late itself, once or twice;
/// a server that keeps its counts for longer loses most of the time.
#[tokio::test]
async fn a_killed_server_has_every_count_on_record_that_is_150_ms_old() {
    let site = Site::empty();
    let (mut recorded, mut lost) = (0, 0);
    for _ in 0..10 {
        let service = site.serve().await;
        ask(&service, 20).await;
        sleep(ON_RECORD).await;
        assert!(!service.end("KILL").success());
        let service = site.serve().await;
        let now = counted(&service).await;
        assert!(now <= recorded + 20, "{now} of at most {}", recorded + 20);
        lost += usize::from(now < recorded + 20);
        recorded = now;
        service.stop();
    }
    assert!(lost <= 2, "{lost} of ten kills lost counts");
}

#[tokio::test]
async fn a_server_that_is_killed_in_the_middle_counts_nothing_twice() {
    let site = Site::empty();
    let service = site.serve().await;
    ask(&service, 30).await;
    // Long enough for the busiest machine.
    sleep(4 * ON_RECORD).await;
    ask(&service, 20).await;
    assert!(!service.end("KILL").success());

    let service = site.serve().await;
    let counted = counted(&service).await;
    assert!((30..=50).contains(&counted), "{counted} of 30 to 50");
}

#[tokio::test]
async fn a_killed_server_leaves_the_database_to_the_next() {
    let site = Site::empty();
    for _ in 0..3 {
        let service = site.serve().await;
        assert!(!service.end("KILL").success());
    }
}

#[tokio::test]
async fn a_second_server_on_the_same_database_refuses_to_start_and_commands_go_on() {
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
async fn an_operator_reads_counts_beside_a_running_server() {
    let site = Site::empty();
    let service = site.serve().await;
    let (id, key) = site.customer("bob@example.com", "ai");
    for _ in 0..7 {
        assert_eq!(service.with_key(&key).get(SPORTS).await.status, 200);
    }
    let usage = || site.place.ctl(["customer", "usage", &id]);
    eventually("the counts of the running server", || usage().contains("  7 requests  0 dataset refreshes")).await;
}
