//! Disks that are full, refuse writes, fail, or are read-only.

use std::process::Command;
use std::time::Duration;

use sports_testkit::disks::{FailingDisk, SmallDisk};
use sports_testkit::programs::TestFolder;
use tokio::time::{Instant, sleep};

use super::load::Load;
use super::scene::{CURRENT, OLDER, SOUND, Scene};
use super::{RECOVERED, at_most, health_names, make_key, pick, recovers};
use crate::service::Service;

/// Creates a place whose store and database are in another folder.
fn place_in(folder: &std::path::Path) -> TestFolder {
    let database = format!("sqlite:{}", folder.join("sports.db").display());
    let store = format!("file:{}", folder.join("store").display());
    TestFolder::fresh().with("SPORTS_DATABASE__URL", database).with("SPORTS_STORE__URL", store)
}

/// Keeps up load before, during and after a fault of the disk; asserts that everything recovers and nothing is lost.
async fn outlives(scene: &Scene, service: Service, begin: impl FnOnce(), end: impl FnOnce()) {
    let load = Load::start(scene, &service, Duration::ZERO);
    sleep(Duration::from_millis(500)).await;
    begin();
    let started = Instant::now();
    health_names(&service, "database").await;
    sleep(pick(Duration::from_millis(2_500), Duration::from_secs(15))).await;
    // The publish fails or succeeds; in either case nothing is published in part.
    let _ = scene.publish(&[]);
    assert!(scene.verifies(), "a publish during the fault is whole or absent");
    assert_eq!(service.get(CURRENT).await.status, 200);
    let lasted = started.elapsed();
    end();
    recovers(&service).await;
    sleep(Duration::from_millis(500)).await;
    assert_eq!(make_key(&service, &scene.site.key).await.status, 200);
    let calls = load.end().await;
    calls.expect_answered();
    calls.expect_counted(scene).await;
    scene.publishes(&service).await;
    service.stop();
    calls.expect_counted(scene).await;
    scene.expect_logs(usize::try_from(10 * lasted.as_secs()).expect("fits") + 20);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
#[ignore = "a drill: `just drill`"]
async fn a_disk_that_fills_up_under_load_loses_nothing() {
    let Some(disk) = SmallDisk::mounted(24 << 10) else { return };
    let scene = Scene::at(place_in(disk.path()));
    let service = scene.site.serve().await;
    outlives(&scene, service, || disk.fill(), || disk.empty()).await;
}

/// Sets the limit of a running process on the size of files that it writes.
fn limit_files(process: u32, limit: &str) {
    let mut prlimit = Command::new("prlimit");
    let limited = prlimit.args(["--pid", &process.to_string(), &format!("--fsize={limit}:unlimited")]).status();
    assert!(limited.expect("util-linux is there").success(), "prlimit --fsize={limit}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
#[ignore = "a drill: `just drill`"]
async fn a_disk_that_refuses_every_write_under_load_loses_nothing() {
    let scene = Scene::new();
    // Another process writes the log, to which the limit does not apply.
    let service = scene.site.serve_by(&["bash", "-c", r#"exec "$0" "$@" 2> >(exec cat >&2)"#], &[]).await;
    let process = service.id();
    outlives(&scene, service, || limit_files(process, "0"), || limit_files(process, "unlimited")).await;
}

/// An ext4 file system finds an error under load, so the kernel makes it read-only. This needs root and a loop device.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
#[ignore = "a drill: `just drill`"]
async fn a_disk_that_fails_under_load_leaves_a_whole_database_after_its_repair() {
    let Some(disk) = FailingDisk::mounted(64) else { return };
    let scene = Scene::at(place_in(&disk.path()));
    disk.sync();
    let service = scene.site.serve().await;
    let load = Load::start(&scene, &service, Duration::ZERO);
    sleep(Duration::from_secs(1)).await;
    disk.fail();
    health_names(&service, "database").await;
    sleep(Duration::from_secs(3)).await;
    let calls = load.end().await;
    calls.expect_answered();
    let (stopping, ended) = (Instant::now(), service.end("TERM"));
    at_most("seconds until the end", stopping.elapsed().as_secs(), 15);
    disk.repair();
    let lost = calls.lost(&scene).calls;
    let is_named = !ended.success() || scene.site.log().contains("ERROR");
    assert!(lost == 0 || is_named, "{lost} lost calls are neither in the log nor in the exit code");
    let backup = scene.site.place.path().join("backup");
    let _ = scene.site.place.ctl(["backup".as_ref(), backup.as_os_str()]);
    let service = scene.site.serve().await;
    scene.publishes(&service).await;
    service.stop();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
#[ignore = "a drill: `just drill`"]
async fn programs_started_on_a_read_only_disk_report_it_and_alter_nothing() {
    let Some(disk) = SmallDisk::mounted(24 << 10) else { return };
    let scene = Scene::at(place_in(disk.path()));
    let service = scene.site.serve().await;
    let load = Load::start(&scene, &service, Duration::ZERO);
    sleep(Duration::from_millis(500)).await;
    let calls = load.end().await;
    service.stop();

    disk.set_read_only(true);
    let started = scene.site.place.program("sports-api", ["serve", "--bind", "127.0.0.1:0"]).output().expect("it runs");
    let words = String::from_utf8_lossy(&started.stderr).into_owned();
    assert!(matches!(started.status.code(), Some(1 | 2)) && words.contains("sports.db"), "{words}");
    assert_eq!(scene.publish(&[]).0.status.code(), Some(1));
    let issue = ["key", "issue", "--customer", &scene.customers[0].0, "--name", "drill"];
    assert_eq!(scene.site.place.sportsctl(issue).output().expect("it runs").status.code(), Some(1));

    disk.set_read_only(false);
    calls.expect_counted(&scene).await;
    let started = Instant::now();
    let service = scene.site.serve().await;
    at_most("seconds until it is ready", started.elapsed().as_secs_f64(), RECOVERED.as_secs_f64());
    for page in [CURRENT, OLDER, SOUND] {
        assert_eq!(service.get(page).await.status, 200, "{page}");
    }
    assert!(scene.verifies());
    service.stop();
    scene.expect_logs(20);
}
