//! Disks, locks and files that fail under a running server, and the permissions of its files.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use reqwest::Method;
use serde_json::json;
use sports_testkit::disks::SmallDisk;
use sports_testkit::programs::{TestFolder, fixture};

use crate::service::{Service, Site, eventually};

const SPORTS: &str = "/api/v1/sports";
const HEALTH: &str = "/api/v1/health";
const KEYS: &str = "/api/v1/customers/me/api-keys";

async fn until_database_is(service: &Service, status: &str) {
    service.until(HEALTH, |health| health.json()["dependencies"]["database"]["status"] == status).await;
}

/// Creates a site whose database is on a small disk, with a customer.
fn on_a_small_disk() -> Option<(SmallDisk, Site, String)> {
    let disk = SmallDisk::mounted(1024)?;
    let database = format!("sqlite:{}", disk.path().join("sports.db").display());
    let place = TestFolder::fresh();
    let flags = ["--database", &database];
    let created = place.ctl([&["customer", "create", "--email", "a@example.com", "--name", "A"][..], &flags].concat());
    let id = created.split_whitespace().next().expect("an id").to_owned();
    let key = place.ctl([&["key", "issue", "--customer", &id, "--name", "tests"][..], &flags].concat());
    Some((disk, Site::with_key(place, key.trim()), database))
}

#[tokio::test]
async fn a_full_disk_loses_no_count_and_the_server_recovers() {
    let Some((disk, site, database)) = on_a_small_disk() else { return };
    let service = site.serve_with(&[("SPORTS_DATABASE__URL", &database)]).await;
    service.send_requests(10).await;
    for round in 1..=3 {
        disk.fill();
        service.send_requests(20).await;
        until_database_is(&service, "degraded").await;
        let health = service.get(HEALTH).await;
        assert_eq!((health.status, &health.json()["status"]), (200, &json!("degraded")));
        assert!(health.json()["dependencies"]["database"]["detail"].is_string());
        assert_eq!(service.get("/api/v1/readiness").await.status, 200, "known keys are served");
        let name = json!({ "name": "while full" });
        let made = service.with_key(&site.key).request(Method::POST, KEYS).json(&name).send().await.expect("answers");
        assert_eq!(made.status(), 503);
        service.send_requests(20).await;
        disk.empty();
        until_database_is(&service, "healthy").await;
        assert_eq!(service.monthly_requests().await, 10 + 40 * round, "round {round}");
        let name = json!({ "name": "afterwards" });
        let made = service.with_key(&site.key).request(Method::POST, KEYS).json(&name).send().await.expect("answers");
        assert_eq!(made.status(), 200);
        let created = ["customer", "create", "--name", "B", "--database", &database, "--email"];
        let _ = site.place.ctl(created.into_iter().chain([format!("b{round}@example.com").as_str()]));
    }
    let before = service.monthly_requests().await;
    assert!(service.end("TERM").success());
    let service = site.serve_with(&[("SPORTS_DATABASE__URL", &database)]).await;
    assert_eq!(service.monthly_requests().await, before);
}

#[tokio::test]
async fn counts_made_on_a_full_disk_end_with_the_server_and_a_stopped_one_logs_it() {
    for signal in ["TERM", "KILL"] {
        let Some((disk, site, database)) = on_a_small_disk() else { return };
        let service = site.serve_with(&[("SPORTS_DATABASE__URL", &database)]).await;
        service.send_requests(10).await;
        tokio::time::sleep(std::time::Duration::from_secs(1)).await;
        disk.fill();
        service.send_requests(30).await;
        until_database_is(&service, "degraded").await;
        service.send_requests(5).await;
        tokio::time::sleep(std::time::Duration::from_secs(1)).await;
        let _ = service.end(signal);
        disk.empty();
        assert_eq!(site.log().contains("unrecorded calls are lost"), signal == "TERM", "{}", site.log());
        let service = site.serve_with(&[("SPORTS_DATABASE__URL", &database)]).await;
        let counted = service.monthly_requests().await;
        assert!((10..=45).contains(&counted), "{counted} after {signal}");
    }
}

/// The end of the last server before the next starts on a full disk.
#[derive(Debug, Clone, Copy)]
enum Before {
    Nothing,
    StoppedWithRoom,
    Stopped,
    KilledWithRoom,
    Killed,
}

#[tokio::test]
async fn a_server_that_starts_on_a_full_disk_reads_and_counts_until_there_is_room() {
    for before in [Before::Nothing, Before::StoppedWithRoom, Before::Stopped, Before::KilledWithRoom, Before::Killed] {
        let Some((disk, site, database)) = on_a_small_disk() else { return };
        let variables = [("SPORTS_DATABASE__URL", database.as_str())];
        let earlier = match before {
            Before::Nothing => 0..=0,
            Before::StoppedWithRoom | Before::KilledWithRoom => 30..=30,
            // What was counted on the full disk may be lost.
            Before::Stopped | Before::Killed => 10..=30,
        };
        if !matches!(before, Before::Nothing) {
            let service = site.serve_with(&variables).await;
            service.send_requests(10).await;
            tokio::time::sleep(std::time::Duration::from_secs(1)).await;
            if matches!(before, Before::Stopped | Before::Killed) {
                disk.fill();
            }
            service.send_requests(20).await;
            tokio::time::sleep(std::time::Duration::from_secs(1)).await;
            let is_killed = matches!(before, Before::KilledWithRoom | Before::Killed);
            let _ = service.end(if is_killed { "KILL" } else { "TERM" });
        }
        // The space that a stopped server freed is filled as well.
        disk.fill();
        let service = site.serve_with(&variables).await;
        let counted = service.monthly_requests().await;
        assert!(earlier.contains(&counted), "{before:?}: {counted}");
        service.send_requests(10).await;
        until_database_is(&service, "degraded").await;
        let health = service.get(HEALTH).await;
        assert_eq!((health.status, &health.json()["status"]), (200, &json!("degraded")), "{before:?}");
        let detail = health.json()["dependencies"]["database"]["detail"].clone();
        assert!(detail.as_str().is_some_and(|detail| detail.ends_with("its disk is full")), "{before:?}: {detail}");
        assert!(site.log().contains("full"), "{before:?}: {}", site.log());
        assert_eq!(service.get("/api/v1/readiness").await.status, 200, "{before:?}");
        assert_eq!(service.monthly_requests().await, counted + 10, "{before:?}");
        disk.empty();
        until_database_is(&service, "healthy").await;
        let made = ["customer", "create", "--name", "B", "--email", "b@example.com", "--database", &database];
        let _ = site.place.ctl(made);
        let last = service.monthly_requests().await;
        assert_eq!(last, counted + 10, "{before:?}");
        assert!(service.end("TERM").success(), "{before:?}");
        let service = site.serve_with(&variables).await;
        assert_eq!(service.monthly_requests().await, last, "{before:?}");
    }
}

#[tokio::test]
async fn neither_program_opens_a_database_whose_restore_was_interrupted() {
    let site = Site::on_one_machine();
    let file = site.place.path().join("sports.db");
    let staging = site.place.path().join("sports.db.restoring");
    fs::create_dir(&staging).expect("made");
    for database in ["whole", "empty", "missing"] {
        match database {
            "empty" => fs::write(&file, "").expect("emptied"),
            "missing" => fs::remove_file(&file).expect("removed"),
            _ => {}
        }
        let (code, words) = refused(&site.place, &file);
        assert_eq!(code, Some(1), "{words}");
        assert!(words.contains("sportsctl restore"), "{words}");
        fs::create_dir_all(site.place.store()).expect("made");
        for command in [&["customer", "list"][..], &["migrate"], &["backup", "elsewhere"]] {
            let printed = site.place.sportsctl(command).output().expect("it runs");
            let words = String::from_utf8_lossy(&printed.stderr);
            assert!(printed.status.code() == Some(1) && words.contains("sportsctl restore"), "{command:?}: {words}");
        }
        assert_eq!(file.exists(), database != "missing", "nothing is made");
    }
}

#[tokio::test]
async fn a_moved_database_is_reported_and_reopened_on_its_return() {
    let site = Site::empty();
    let service = site.serve().await;
    service.send_requests(5).await;
    let (file, elsewhere) = (site.place.path().join("sports.db"), site.place.path().join("elsewhere.db"));
    fs::rename(&file, &elsewhere).expect("moved");
    until_database_is(&service, "unhealthy").await;
    assert_eq!(service.get("/api/v1/readiness").await.status, 503);
    service.send_requests(5).await;
    assert!(!file.exists(), "no other one is made");
    fs::rename(&elsewhere, &file).expect("moved");
    until_database_is(&service, "healthy").await;
    service.send_requests(5).await;
    assert!(service.end("TERM").success());
    let service = site.serve().await;
    assert_eq!(service.monthly_requests().await, 15);
}

fn refused(place: &TestFolder, database: &Path) -> (Option<i32>, String) {
    let database = format!("sqlite:{}", database.display());
    let mut second = place.program("sports-api", ["serve", "--bind", "127.0.0.1:0", "--database", &database]);
    let Output { status, stderr, .. } = second.output().expect("it runs");
    (status.code(), String::from_utf8(stderr).expect("text"))
}

#[tokio::test]
async fn links_and_deleted_locks_admit_no_second_server() {
    let site = Site::empty();
    let _service = site.serve().await;
    let file = site.place.path().join("sports.db");
    let (hard, soft) = (site.place.path().join("hard.db"), site.place.path().join("soft.db"));
    fs::hard_link(&file, &hard).expect("linked");
    std::os::unix::fs::symlink(&file, &soft).expect("linked");
    for entry in fs::read_dir(site.place.path()).expect("a folder") {
        let path = entry.expect("an entry").path();
        let is_ours = path.to_string_lossy().contains("sports.db");
        if is_ours
            && !["", "-wal", "-shm"]
                .map(|ending| format!("{}{ending}", file.display()))
                .contains(&path.display().to_string())
        {
            fs::remove_file(path).expect("removed");
        }
    }
    for name in [&file, &hard, &soft] {
        let (code, words) = refused(&site.place, name);
        assert_eq!(code, Some(1), "{words}");
        assert!(words.contains("another server is running on the database"), "{words}");
    }
}

#[tokio::test]
async fn a_damaged_database_stops_the_start_with_a_message() {
    let site = Site::empty();
    let file = site.place.path().join("sports.db");
    let whole = fs::read(&file).expect("read");
    let mut damaged = whole.clone();
    damaged[4096..8192].fill(0xA5);
    for (bytes, expected) in [(damaged, "is damaged"), (b"date,home\n".repeat(900), "cannot open the database")] {
        fs::write(&file, bytes).expect("written");
        let (code, words) = refused(&site.place, &file);
        assert_eq!(code, Some(1), "{words}");
        assert!(words.contains(expected) && words.contains("sports.db"), "{words}");
    }
    fs::write(&file, whole).expect("written");
    site.serve().await.stop();
}

/// Returns every file below a folder that others than its owner may use.
fn exposed(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let known = path.symlink_metadata().expect("there");
        if known.permissions().mode() & 0o077 != 0 {
            found.push(path.clone());
        }
        if known.is_dir() {
            found.extend(exposed(&path));
        }
    }
    found
}

/// Returns the same command, run by a shell with a permissive umask.
fn open_handed(command: &Command) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", "umask 000; exec \"$0\" \"$@\""]).arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    shell
}

#[tokio::test]
async fn files_of_both_programs_are_readable_by_their_owner_alone() {
    let place = TestFolder::fresh();
    let state = place.path().join("deep/state");
    let ctl = |arguments: &[&str]| {
        let mut command = place.sportsctl(arguments);
        command.env("SPORTS_STORE__URL", format!("file:{}", state.join("store").display()));
        command.env("SPORTS_DATABASE__URL", format!("sqlite:{}", state.join("sports.db").display()));
        let output = open_handed(&command).output().expect("it runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("text")
    };
    let release = fixture("doubleheader").join("release");
    ctl(&["publish", release.to_str().expect("text")]);
    let id = ctl(&["customer", "create", "--email", "a@example.com", "--name", "A"]);
    let id = id.split_whitespace().next().expect("an id");
    let key = ctl(&["key", "issue", "--customer", id, "--name", "tests"]).trim().to_owned();
    let file = place.path().join("sold.csv");
    fs::write(&file, "a,b\n1,2\n").expect("written");
    ctl(&["dataset", "add", "odds", "nfl", file.to_str().expect("text")]);

    let mut command = place.program("sports-api", ["serve", "--bind", "127.0.0.1:0"]);
    command.env("SPORTS_STORE__URL", format!("file:{}", state.join("store").display()));
    command.env("SPORTS_DATABASE__URL", format!("sqlite:{}", state.join("sports.db").display()));
    let server = sports_testkit::programs::Server::start(open_handed(&command));
    let answer = reqwest::Client::new().get(server.url(SPORTS)).header("X-API-Key", key).send().await.expect("answers");
    assert_eq!(answer.status(), 200);
    ctl(&["backup", state.join("backup").to_str().expect("text")]);
    assert!(["-wal", "-shm"].iter().all(|ending| state.join(format!("sports.db{ending}")).exists()));
    assert_eq!(exposed(&place.path().join("deep")), [] as [PathBuf; 0]);
    assert_eq!(state.metadata().expect("there").permissions().mode() & 0o777, 0o700);
}

#[tokio::test]
async fn wider_file_modes_are_warned_of_and_not_changed() {
    let site = Site::empty();
    let (file, store) = (site.place.path().join("sports.db"), site.place.store());
    fs::set_permissions(&file, Permissions::from_mode(0o644)).expect("set");
    fs::create_dir_all(&store).expect("a folder");
    fs::set_permissions(&store, Permissions::from_mode(0o755)).expect("set");
    let service = site.serve().await;
    let printed = || site.log();
    eventually("a warning", || printed().contains(&format!("chmod go= '{}'", file.display()))).await;
    assert!(printed().contains(&format!("chmod -R go= '{}'", store.display())), "{}", printed());
    assert_eq!(file.metadata().expect("there").permissions().mode() & 0o777, 0o644);
    service.stop();

    for (path, mode) in [(&file, 0o600), (&store, 0o700)] {
        fs::set_permissions(path, Permissions::from_mode(mode)).expect("set");
    }
    site.serve().await.stop();
    assert!(!printed().contains("chmod"), "{}", printed());
}
