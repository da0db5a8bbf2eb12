//! Programs that end: killed, stopped, killed while they publish.

use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use reqwest::{Client, Method};
use serde_json::{Value, json};
use sports_accounts_sea_orm::testing::lock;
use tokio::task::{JoinHandle, spawn_blocking};
use tokio::time::{Instant, sleep};

use super::load::Load;
use super::scene::{CURRENT, Scene};
use super::{KEYS, SPORTS, at_most, pick};
use crate::connections::client::Client as RawClient;
use crate::service::Service;

/// The age from which an answered call is on record, and survives a kill.
const KEPT: Duration = Duration::from_secs(1);

/// The size of a download.
const DOWNLOAD: usize = 16 << 20;

/// A flag that is set when it is dropped, so that a test that fails ends as well.
struct Stopping(Arc<AtomicBool>);

impl Drop for Stopping {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Programs that create and revoke keys, by the API and by `sportsctl`.
struct KeyWriters {
    stopping: Stopping,
    by_api: Vec<JoinHandle<Option<String>>>,
    by_command: JoinHandle<()>,
}

impl KeyWriters {
    fn start(scene: &Arc<Scene>, service: &Service, customer: &(String, String)) -> Self {
        let stopping = Arc::new(AtomicBool::new(false));
        let (id, key) = customer;
        let (scene, id, until) = (Arc::clone(scene), id.clone(), Arc::clone(&stopping));
        let by_command = spawn_blocking(move || {
            while !until.load(Ordering::Relaxed) {
                let issue =
                    ["key", "issue", "--customer", &id, "--name", "beside", "--expires", "2000-01-01T00:00:00Z"];
                let _ = scene.site.place.sportsctl(issue).output().expect("it runs");
            }
        });
        let by_api = (0..2).map(|_| tokio::spawn(write_keys(service.url(KEYS), key.clone(), Arc::clone(&stopping))));
        Self { by_api: by_api.collect(), by_command, stopping: Stopping(stopping) }
    }

    /// Stops them; returns the keys that were handed out and not revoked.
    async fn end(self) -> Vec<String> {
        drop(self.stopping);
        self.by_command.await.expect("no panic");
        let mut keys = Vec::new();
        for writer in self.by_api {
            keys.extend(writer.await.expect("no panic"));
        }
        keys
    }
}

/// Creates keys, and revokes each once the next is there, until the server is gone; returns the last key.
async fn write_keys(url: String, key: String, stopping: Arc<AtomicBool>) -> Option<String> {
    let client = Client::builder().no_proxy().timeout(Duration::from_secs(15)).build().expect("a client");
    let request = |method, url: &str| client.request(method, url).header("X-API-Key", &key);
    let mut last: Option<String> = None;
    while !stopping.load(Ordering::Relaxed) {
        let Ok(made) = request(Method::POST, &url).json(&json!({ "name": "another" })).send().await else { break };
        let Ok(made) = made.json::<Value>().await else { break };
        let Some(made) = made["api_key"].as_str().map(str::to_owned) else { continue };
        if let Some(previous) = last.replace(made) {
            let _ = request(Method::DELETE, &format!("{url}/{previous}")).send().await;
        }
    }
    last
}

/// Asserts that the keys work that were handed out and not revoked, and revokes them.
async fn expect_kept(keys: &[String], service: &Service, customer: &(String, String)) {
    for key in keys {
        assert_eq!(service.with_key(key).get(SPORTS).await.status, 200, "a key that was handed out is lost");
        let revoked = service.with_key(&customer.1).request(Method::DELETE, &format!("{KEYS}/{key}")).send().await;
        assert_eq!(revoked.expect("an answer").status(), 200);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
#[ignore = "a drill: `just drill`"]
async fn a_killed_server_loses_no_key_and_no_call_that_is_a_second_old() {
    let scene = Arc::new(Scene::new());
    let writer = scene.site.customer("writer@example.com", "ai");
    let rounds = pick(5, 20);
    let (mut late, mut handed_out) = (0, 0);
    for round in 1..=rounds {
        let service = scene.site.serve().await;
        let load = Load::start(&scene, &service, Duration::ZERO);
        let writers = KeyWriters::start(&scene, &service, &writer);
        let (stopping, file) = (Arc::clone(&writers.stopping.0), scene.site.place.path().join("sports.db"));
        let locks = tokio::spawn(async move {
            while !stopping.load(Ordering::Relaxed) {
                let _ = lock(&file, Duration::from_millis(100)).await;
                // Counts that are waiting for the lock are not on record.
                sleep(Duration::from_millis(300)).await;
            }
        });
        sleep(Duration::from_secs(2)).await;
        let killed = Instant::now();
        assert!(!service.end("KILL").success());
        let (calls, keys) = (load.end().await, writers.end().await);
        locks.await.expect("no panic");
        let service = scene.site.serve().await;
        let loss = calls.lost(&scene);
        let age = loss.since.map_or(Duration::ZERO, |since| killed.saturating_duration_since(since));
        println!("kill {round}: {} answered, {} lost, the oldest {age:?} before", loss.answered, loss.calls);
        late += usize::from(age > KEPT);
        at_most("calls counted twice", loss.twice, 0);
        expect_kept(&keys, &service, &writer).await;
        handed_out += keys.len();
        let _ = service.end("KILL");
    }
    at_most("kills that lost older calls", late, 0);
    assert!(handed_out > 0, "keys were handed out while the database was locked now and then");
    scene.expect_logs(60);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
#[ignore = "a drill: `just drill`"]
async fn a_server_stopped_at_full_load_loses_no_call_key_or_download() {
    let scene = Arc::new(Scene::new());
    let content: Vec<u8> = (0..251).cycle().take(DOWNLOAD).collect();
    scene.site.add_dataset("history", "dataset.csv", &content);
    let owner = scene.site.customer("owner@example.com", "ai");
    scene.site.entitle(&owner.0, "history");
    for _ in 0..pick(1, 6) {
        let service = scene.site.serve().await;
        let refreshed = service.with_key(&owner.1).post("/api/v1/service-sports-data/refresh").await.json();
        let link = refreshed["downloads"][0]["url"].as_str().expect("a link");
        let path = link.splitn(4, '/').nth(3).expect("a path").to_owned();
        let client = RawClient::with_a_small_buffer(&service).await;
        let stopped = Arc::new(AtomicBool::new(false));
        let download = tokio::spawn(download(client, path, Arc::clone(&stopped)));
        let load = Load::start(&scene, &service, Duration::ZERO);
        let writers = KeyWriters::start(&scene, &service, &owner);
        sleep(Duration::from_secs(1)).await;
        service.signal("TERM");
        stopped.store(true, Ordering::Relaxed);
        let ended = spawn_blocking(move || service.ended());
        let downloaded = download.await.expect("no panic");
        assert!(downloaded == content, "{} of {DOWNLOAD} bytes were downloaded", downloaded.len());
        assert!(ended.await.expect("no panic").success());
        let (calls, keys) = (load.end().await, writers.end().await);
        at_most("answers cut short", calls.cut_short(), 0);
        calls.expect_counted(&scene).await;
        assert!(!scene.site.place.path().join("sports.db-wal").exists(), "the database is one file");
        let service = scene.site.serve().await;
        expect_kept(&keys, &service, &owner).await;
        service.stop();
    }
    scene.expect_logs(20);
}

/// Reads a download over a line of some megabytes a second, and the rest at full speed once the server is stopped: a server that
/// stops ends after ten seconds, however slow the machine is.
async fn download(mut client: RawClient, path: String, stopped: Arc<AtomicBool>) -> Vec<u8> {
    client.send(format!("GET /{path} HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n")).await;
    let (status, _) = client.head().await.expect("an answer");
    assert_eq!(status, 200);
    let mut content = Vec::new();
    while let Some(more) = client.some(1 << 18).await {
        content.extend(more);
        if !stopped.load(Ordering::Relaxed) {
            sleep(Duration::from_millis(1)).await;
        }
    }
    content
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
#[ignore = "a drill: `just drill`"]
async fn a_publisher_killed_at_any_instant_leaves_its_league_served() {
    let scene = Scene::new();
    let service = scene.site.serve().await;
    let started = Instant::now();
    scene.publishes(&service).await;
    let (whole, rounds) = (started.elapsed(), pick(8, 60));
    for round in 0..rounds {
        let (release, _) = scene.next_release();
        let mut command = scene.site.place.sportsctl(["publish".as_ref(), release.path().as_os_str()]);
        let mut publisher = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
        let delay = whole * round / rounds;
        sleep(delay).await;
        publisher.kill().expect("killed");
        publisher.wait().expect("ended");
        assert!(scene.verifies(), "killed after {delay:?}");
        assert_eq!(service.get(CURRENT).await.status, 200, "killed after {delay:?}");
    }
    scene.publishes(&service).await;
    service.stop();
    scene.expect_logs(0);
}
