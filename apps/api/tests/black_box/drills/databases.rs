//! A database that another program has locked, and one that is damaged or replaced.

use std::fs::{self, File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use sports_accounts_sea_orm::testing::lock;
use tempfile::TempDir;
use tokio::time::{Instant, sleep};

use super::load::{Calls, Load};
use super::scene::Scene;
use super::{HEALTH, at_most, make_key, pick, recovers};
use crate::service::Service;

const USAGE: &str = "/api/v1/customers/me/usage";
const PUBLIC: &str = "/api/v1/data-status/nfl";
const PAGE: usize = 4096;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
#[ignore = "a drill: `just drill`"]
async fn a_locked_database_loses_no_call_and_delays_no_answer() {
    let scene = Scene::new();
    let service = scene.site.serve().await;
    let load = Load::start(&scene, &service, Duration::ZERO);
    sleep(Duration::from_millis(500)).await;
    let file = scene.site.place.path().join("sports.db");
    for seconds in [2, pick(4, 20)] {
        let file = file.clone();
        let locked = tokio::spawn(async move { lock(&file, Duration::from_secs(seconds)).await });
        sleep(Duration::from_millis(200)).await;
        let asked = Instant::now();
        let status = make_key(&service, &scene.site.key).await.status;
        assert!(matches!(status, 200 | 503), "{status}");
        at_most("seconds until a key is made or refused", asked.elapsed().as_secs_f64(), 10.0);
        locked.await.expect("no panic").expect("it was locked");
        recovers(&service).await;
    }
    assert_eq!(make_key(&service, &scene.site.key).await.status, 200);
    let calls = load.end().await;
    calls.expect_answered();
    at_most("seconds of the slowest answer", calls.slowest().as_secs_f64(), 5.0);
    calls.expect_counted(&scene).await;
    service.stop();
    calls.expect_counted(&scene).await;
    scene.expect_logs(pick(80, 240));
}

/// A database with calls on record, and a backup of it.
struct BackedUp {
    scene: Scene,
    backup: TempDir,
    counted: usize,
}

impl BackedUp {
    async fn new() -> Self {
        let scene = Scene::new();
        let service = scene.site.serve().await;
        let load = Load::start(&scene, &service, Duration::from_millis(5));
        sleep(Duration::from_millis(500)).await;
        load.end().await;
        service.stop();
        let backup = tempfile::tempdir().expect("a folder");
        let _ = scene.site.place.ctl(["backup".as_ref(), backup.path().as_os_str()]);
        let counted = scene.on_record(0).expect("readable");
        Self { scene, backup, counted }
    }

    fn file(&self) -> PathBuf {
        self.scene.site.place.path().join("sports.db")
    }

    /// Replaces what is there by the backup, as docs/operations.md has it; asserts that it is complete.
    fn restore(&self, case: &str) {
        let place = &self.scene.site.place;
        for file in fs::read_dir(place.path()).expect("a folder").map(|file| file.expect("a file")) {
            if file.file_name().to_string_lossy().starts_with("sports.db") {
                fs::remove_file(file.path()).expect("removed");
            }
        }
        fs::remove_dir_all(place.store()).expect("removed");
        let _ = place.ctl(["restore".as_ref(), self.backup.path().as_os_str()]);
        assert_eq!(self.scene.on_record(0), Some(self.counted), "{case}: counts after a restore");
        assert!(self.is_whole(), "{case}: a restored database is whole");
    }

    /// Returns true if `sportsctl backup` finds no damage in the database.
    fn is_whole(&self) -> bool {
        let folder = tempfile::tempdir().expect("a folder");
        let mut backup = self.scene.site.place.sportsctl(["backup".as_ref(), folder.path().as_os_str()]);
        backup.output().expect("it runs").status.success()
    }
}

/// Overwrites a part of a file with bytes that mean nothing; its length stays.
fn noise(file: &Path, from: usize, length: usize) {
    let size = usize::try_from(file.metadata().expect("there").len()).expect("fits");
    let mut opened = OpenOptions::new().write(true).open(file).expect("opened");
    opened.seek(SeekFrom::Start(from as u64)).expect("positioned");
    let noise = (0..=u8::MAX)
        .cycle()
        .map(|byte| byte.wrapping_mul(167).wrapping_add(89))
        .take(length.min(size.saturating_sub(from)));
    opened.write_all(&noise.collect::<Vec<_>>()).expect("written");
}

fn cut(file: &Path) {
    let opened = File::options().write(true).open(file).expect("opened");
    opened.set_len(file.metadata().expect("there").len() / 2).expect("cut");
}

fn log_of(file: &Path) -> PathBuf {
    file.with_file_name("sports.db-wal")
}

/// A way to damage a database.
type Damage = fn(&Path);

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
#[ignore = "a drill: `just drill`"]
async fn a_server_started_on_a_damaged_database_reports_it_or_answers_correctly() {
    let ways: [(&str, Damage); 5] = [
        ("noise over its header", |file| noise(file, 0, 100)),
        ("noise over its middle", |file| noise(file, 8 * PAGE, 16 * PAGE)),
        ("cut to half", cut),
        ("another file in its place", |file| fs::write(file, "customer,key\nann,1\n".repeat(500)).expect("written")),
        ("noise in place of its log", |file| {
            fs::write(log_of(file), vec![0; 8 * PAGE]).expect("written");
            noise(&log_of(file), 0, 8 * PAGE);
        }),
    ];
    let backed_up = BackedUp::new().await;
    let site = &backed_up.scene.site;
    for (case, damage) in ways {
        println!("{case}");
        damage(&backed_up.file());
        // A server that serves is stopped after two seconds.
        let mut command = std::process::Command::new("timeout");
        let serve = site.place.program("sports-api", ["serve", "--bind", "127.0.0.1:0"]);
        command.arg("2").arg(serve.get_program()).args(serve.get_args());
        serve.get_envs().for_each(|(name, value)| {
            command.env(name, value.unwrap_or_default());
        });
        let ended = command.output().expect("it runs");
        if String::from_utf8_lossy(&ended.stdout).contains("listening on") {
            let service = site.start(&[]);
            sleep(Duration::from_secs(1)).await;
            expect_truth(&backed_up, &service, case).await;
            let _ = service.end("TERM");
        } else {
            let words = String::from_utf8_lossy(&ended.stderr).into_owned();
            assert!(matches!(ended.status.code(), Some(1 | 2)) && words.contains("database"), "{case}: {words}");
        }
        backed_up.restore(case);
    }
    backed_up.scene.expect_logs(50);
}

/// Asserts that a server with a damaged database answers correctly, or that it cannot.
async fn expect_truth(backed_up: &BackedUp, service: &Service, case: &str) {
    let usage = service.with_key(&backed_up.scene.customers[0].1).get(USAGE).await;
    assert!(!matches!(usage.status, 401 | 403), "{case}: a valid key is refused with {}", usage.status);
    if usage.status == 200 {
        assert_eq!(usage.json()["monthly_requests"], backed_up.counted, "{case}: a wrong count");
    } else {
        assert_ne!(service.get(HEALTH).await.json()["status"], "healthy", "{case}");
    }
    assert_eq!(service.get(PUBLIC).await.status, 200, "{case}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
#[ignore = "a drill: `just drill`"]
async fn damage_under_a_running_server_is_named_and_a_backup_restores_all() {
    let ways: [(&str, Damage); 5] = [
        ("another in its place", |file| {
            let beside = file.with_file_name("other.db");
            fs::copy(file.with_file_name("backed-up.db"), &beside).expect("copied");
            fs::rename(beside, file).expect("replaced");
        }),
        ("noise over its header", |file| noise(file, 0, 100)),
        ("noise over all but its first page", |file| noise(file, PAGE, usize::MAX)),
        ("noise over its log", |file| noise(&log_of(file), 0, usize::MAX)),
        ("cut to half", cut),
    ];
    let backed_up = BackedUp::new().await;
    fs::copy(backed_up.backup.path().join("sports.db"), backed_up.file().with_file_name("backed-up.db"))
        .expect("copied");
    for (case, damage) in ways.into_iter().take(pick(2, 5)) {
        println!("{case}");
        let service = backed_up.scene.site.serve().await;
        let load = Load::start(&backed_up.scene, &service, Duration::from_millis(2));
        sleep(Duration::from_millis(300)).await;
        damage(&backed_up.file());
        sleep(pick(Duration::from_millis(1_500), Duration::from_secs(8))).await;
        assert_eq!(service.get(PUBLIC).await.status, 200, "{case}");
        let health = service.get(HEALTH).await.json();
        let is_named = health["dependencies"]["database"]["status"] != "healthy";
        let calls = load.end().await;
        at_most("valid keys refused", calls.with_status(|status| matches!(status, 401 | 403)), 0);
        let _ = service.end("TERM");
        // The next backup finds what cannot be seen while the server runs.
        assert!(
            is_named || is_harmless(&backed_up, &calls) || !backed_up.is_whole(),
            "{case}: nothing names the damage"
        );
        backed_up.restore(case);
    }
    backed_up.scene.expect_logs(2_000);
}

fn is_harmless(backed_up: &BackedUp, calls: &Calls) -> bool {
    backed_up.is_whole() && calls.lost(&backed_up.scene).calls == 0
}
