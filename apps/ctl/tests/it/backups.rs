use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::{Value, json};
use sports_testkit::disks::SmallDisk;
use sports_testkit::programs::{TestFolder, copy_folder, fixture};
use tokio::time::Instant;

use crate::league;
use crate::support::{Completed, entries, entry, files, objects, publish, run, run_json, verified};

/// A place with a customer, a key, a dataset and two entries in the log of the NFL.
fn a_service() -> TestFolder {
    let place = TestFolder::fresh();
    let _ = place.subscriber_key();
    for name in ["nfl-2023-week-18", "edge-cases"] {
        publish(&place, &fixture(name).join("release"));
    }
    let file = place.path().join("nfl.csv");
    fs::write(&file, "a,b\n1,2\n").expect("written");
    let _ = place.ctl([Path::new("dataset"), Path::new("add"), Path::new("odds"), Path::new("nfl"), &file]);
    place
}

fn folder_of(place: &TestFolder) -> PathBuf {
    place.path().join("backups/today")
}

fn on_folder(place: &TestFolder, command: &str, folder: &Path) -> Completed {
    run(place, [Path::new(command), folder])
}

/// Creates a service and its backup.
fn backed_up() -> (TestFolder, PathBuf) {
    let place = a_service();
    let folder = folder_of(&place);
    let output = on_folder(&place, "backup", &folder);
    assert_eq!(output.code, Some(0), "{output:?}");
    (place, folder)
}

/// Returns the accounts of a place: customers, keys, files on sale.
fn accounts(place: &TestFolder) -> [Value; 3] {
    let customers = run_json(place, ["customer", "list"]);
    let id = customers["customers"][0]["customer_id"].as_str().expect("an id").to_owned();
    [run_json(place, ["key", "list", "--customer", &id]), run_json(place, ["dataset", "list"]), customers]
}

/// Asserts that a place has none of the files that a restore would create.
fn expect_untouched(place: &TestFolder) {
    let left: Vec<_> = place.path().read_dir().expect("a folder").map(|name| name.expect("a name").path()).collect();
    assert_eq!(left, [] as [PathBuf; 0]);
}

#[test]
fn a_backup_restored_elsewhere_has_everything() {
    let place = a_service();
    let folder = folder_of(&place);
    let made = run_json(&place, [Path::new("backup"), &folder]);
    let contents = &made["backup"]["contents"];
    assert_eq!((&contents["customers"], &contents["datasets"]), (&json!(1), &json!(1)));
    assert_eq!(contents["record"].as_array().map(Vec::len), Some(6));
    let mut names: Vec<_> =
        folder.read_dir().expect("a folder").map(|name| name.expect("a name").file_name()).collect();
    names.sort();
    assert_eq!(names, ["backup.json", "sports.db", "store"]);

    let other = TestFolder::fresh();
    let restored = run_json(&other, [Path::new("restore"), &folder]);
    assert_eq!(restored["backup"], made["backup"]);
    assert_eq!(accounts(&other), accounts(&place));
    assert_eq!(verified(&other, "nfl"), verified(&place, "nfl"));
    assert_eq!(run_json(&other, ["dataset", "verify"])["datasets"], 1);
    publish(&other, &fixture("results-layout/release"));
}

#[test]
fn a_backup_is_readable_by_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let (_place, folder) = backed_up();
    let mode = |path: &Path| fs::metadata(path).expect("there").permissions().mode() & 0o777;
    let all = files(&folder);
    assert!(all.len() > 5);
    for file in all {
        assert_eq!(mode(&file), 0o600, "{}", file.display());
        for above in file.ancestors().skip(1).take_while(|above| above.starts_with(&folder)) {
            assert_eq!(mode(above), 0o700, "{}", above.display());
        }
    }
}

/// Publishes, creates customers and backs up at the same time: each backup is verified as it is made.
#[test]
fn backups_made_while_leagues_are_published_hold_and_can_be_restored() {
    let place = a_service();
    let years: Vec<u16> = (2001..=2008).collect();
    let releases = years.iter().map(|year| league::release(&place.path().join(year.to_string()), [*year], 0));
    let releases: Vec<_> = releases.collect();
    let mut folders = Vec::new();
    std::thread::scope(|scope| {
        let publishing = scope.spawn(|| releases.iter().for_each(|release| drop(publish(&place, release))));
        while !publishing.is_finished() {
            folders.push(place.path().join(format!("backup-{}", folders.len())));
            let output = on_folder(&place, "backup", folders.last().expect("one"));
            assert_eq!(output.code, Some(0), "{output:?}");
        }
    });
    assert_eq!(entries(&place, "nfl"), 10);
    for folder in folders {
        let other = TestFolder::fresh();
        let output = on_folder(&other, "restore", &folder);
        assert_eq!(output.code, Some(0), "{output:?}");
    }
}

#[test]
fn a_backup_goes_into_a_new_or_empty_folder() {
    let (place, folder) = backed_up();
    let before = files(&folder);
    let output = on_folder(&place, "backup", &folder);
    assert_eq!(output.code, Some(2), "{output:?}");
    assert!(output.err.ends_with("is not empty; a backup goes into a folder that is new or empty\n"), "{output:?}");
    assert_eq!(files(&folder), before);
    let empty = place.path().join("empty");
    fs::create_dir(&empty).expect("made");
    assert_eq!(on_folder(&place, "backup", &empty).code, Some(0));
    let file = place.path().join("nfl.csv");
    assert_eq!(on_folder(&place, "backup", &file).code, Some(2));
    let elsewhere = TestFolder::fresh();
    let output = on_folder(&elsewhere, "backup", &elsewhere.path().join("backup"));
    assert!(output.code == Some(1) && output.err.contains("there is no store folder"), "{output:?}");
    fs::create_dir(elsewhere.store()).expect("made");
    let output = on_folder(&elsewhere, "backup", &elsewhere.path().join("backup"));
    assert!(output.code == Some(2) && output.err.contains("there is no database"), "{output:?}");
    assert!(!elsewhere.path().join("backup").exists());
}

#[test]
fn a_backup_inside_the_store_is_refused() {
    let place = a_service();
    let before = files(&place.store());
    for folder in ["", "backup", "new/../backup/of/today"] {
        let output = on_folder(&place, "backup", &place.store().join(folder));
        assert!(output.code == Some(2) && output.err.contains("is in the store"), "{folder}: {output:?}");
    }
    assert_eq!(files(&place.store()), before);
    let output = run(&place, [Path::new("backup"), place.path()]);
    assert!(output.code == Some(2) && output.err.contains("is not empty"), "the database's own folder: {output:?}");
}

#[test]
fn a_backup_has_the_machines_time_whatever_as_of_is() {
    let place = a_service();
    let folder = folder_of(&place);
    let words = ["backup", folder.to_str().expect("Unicode"), "--as-of", "1999-01-01T00:00:00Z"];
    let made_at = run_json(&place, words)["backup"]["made_at"].as_str().expect("an instant").to_owned();
    assert!(made_at.as_str() > "2026", "{made_at}");
}

/// Runs statements on the database of a place, without the programs.
fn change(place: &TestFolder, statements: &str) {
    let (file, runtime) = (place.path().join("sports.db"), tokio::runtime::Runtime::new().expect("a runtime"));
    runtime.block_on(sports_accounts_sea_orm::testing::change(&file, statements)).expect(statements);
}

/// The database has only the tables of the first migration, as before an upgrade or after a return to the old
/// program.
#[test]
fn a_database_of_an_older_form_is_copied_and_restored_in_that_form() {
    let place = a_service();
    change(
        &place,
        "DROP TABLE secrets; DROP TABLE entitlements; DROP TABLE datasets; DROP TABLE dataset_refreshes; \
         DROP TABLE usage_counts; DELETE FROM seaql_migrations WHERE version LIKE 'm0002%'; VACUUM;",
    );
    let file = place.path().join("sports.db");
    let before = fs::read(&file).expect("read");
    let folder = folder_of(&place);
    let made = run_json(&place, [Path::new("backup"), &folder]);
    assert_eq!(
        (&made["backup"]["contents"]["customers"], &made["backup"]["contents"]["datasets"]),
        (&json!(1), &json!(0))
    );
    assert!(fs::read(&file).expect("read") == before, "the database is not changed by its backup");
    assert!(files(place.path()).iter().all(|file| !file.display().to_string().contains("sports.db-")));

    let other = TestFolder::fresh();
    let _ = run_json(&other, [Path::new("restore"), &folder]);
    let restored = fs::read(other.path().join("sports.db")).expect("read");
    assert!(restored == fs::read(folder.join("sports.db")).expect("read"), "nor by a restore");
    let has = |bytes: &[u8], name: &str| bytes.windows(name.len()).any(|window| window == name.as_bytes());
    assert!(has(&restored, "CREATE TABLE \"customers\"") && !has(&restored, "entitlements"));
    assert_eq!(run_json(&other, ["dataset", "list"])["datasets"], json!([]), "a later command brings it up to date");
    assert!(has(&fs::read(other.path().join("sports.db")).expect("read"), "entitlements"));
}

#[test]
fn a_publish_leaves_a_database_of_an_older_form_as_it_is() {
    let place = TestFolder::fresh();
    let _ = place.subscriber_key();
    let step = "DROP TABLE audit_log; DELETE FROM seaql_migrations WHERE version LIKE 'm0005%'; VACUUM;";
    for column in ["scope", "allowed_networks", "created_by", "last_used_at", "last_used_from"] {
        change(&place, &format!("ALTER TABLE api_keys DROP COLUMN {column};"));
    }
    change(&place, step);
    let file = place.path().join("sports.db");
    let before = fs::read(&file).expect("read");
    let output = run(&place, [Path::new("publish"), &fixture("nfl-2023-week-18").join("release")]);
    assert!(output.code == Some(0) && output.err.contains("the audit log lacks this publish: "), "{output:?}");
    assert!(output.err.contains("`sportsctl migrate`"), "{output:?}");
    assert!(fs::read(&file).expect("read") == before, "the database is not changed by a publish");
    let _ = run_json(&place, ["migrate"]);
    assert_eq!(run_json(&place, ["audit-log"])["audit_log"], json!([]), "it is up to date");
}

#[test]
fn a_database_of_a_newer_program_is_refused() {
    let place = a_service();
    change(&place, "INSERT INTO seaql_migrations (version, applied_at) VALUES ('m0999_later', 0);");
    for command in ["customer list", "migrate", &format!("backup {}", folder_of(&place).display())] {
        let output = run(&place, command.split(' '));
        assert_eq!(output.code, Some(2), "{command}: {output:?}");
        assert!(output.err.contains("sports.db was made by a newer version of this program"), "{command}: {output:?}");
    }
    assert!(!folder_of(&place).exists());
}

/// A backup that was killed leaves a folder named `unfinished`.
#[test]
fn an_unfinished_backup_is_not_restored() {
    let (place, folder) = backed_up();
    let broken = place.path().join("broken");
    copy_folder(&folder, &broken.join("unfinished"));
    let output = on_folder(&place, "backup", &broken);
    assert_eq!(output.code, Some(2), "{output:?}");
    assert!(
        output.err.contains("holds a backup that is being made, or was interrupted: unless one is running, remove it"),
        "{output:?}"
    );
    let other = TestFolder::fresh();
    for not_one in [broken, place.path().join("no-such-folder"), place.store()] {
        let output = on_folder(&other, "restore", &not_one);
        assert_eq!(output.code, Some(2), "{output:?}");
        assert!(output.err.contains("is not a finished backup: it has no backup.json"), "{output:?}");
    }
    expect_untouched(&other);
}

#[test]
fn a_record_that_does_not_hold_is_not_backed_up() {
    let place = a_service();
    fs::write(&objects(&place, "nfl")[0], "PAR1").expect("written");
    let folder = folder_of(&place);
    let output = on_folder(&place, "backup", &folder);
    assert!(output.code == Some(1) && output.err.contains("is missing, altered or unreadable"), "{output:?}");
    assert!(!folder.exists(), "nothing that could be taken for a backup");
}

#[test]
fn a_damaged_backup_is_not_restored() {
    let (_place, folder) = backed_up();
    let inside = |path: &Path| path.strip_prefix(&folder).expect("inside").to_owned();
    for file in files(&folder).iter().filter(|file| !file.ends_with("backup.json")) {
        let whole = fs::read(file).expect("read");
        let mut damaged = whole.clone();
        let middle = damaged.len() / 2;
        damaged[middle] ^= 1;
        fs::write(file, damaged).expect("written");
        let other = TestFolder::fresh();
        let output = on_folder(&other, "restore", &folder);
        assert_eq!(output.code, Some(1), "{}: {output:?}", inside(file).display());
        expect_untouched(&other);
        fs::write(file, whole).expect("written");
    }
    // A record that was cut short verifies, too, but is not the one that was backed up.
    fs::remove_file(folder.join("store/sports/nfl/log/000000000002.json")).expect("removed");
    let other = TestFolder::fresh();
    let output = on_folder(&other, "restore", &folder);
    assert!(output.code == Some(1) && output.err.contains("differs from the manifest of the backup"), "{output:?}");
    expect_untouched(&other);
}

#[test]
fn a_backup_that_lost_a_signed_checkpoint_is_not_restored() {
    let place = TestFolder::fresh();
    let key = place.path().join("record.key").display().to_string();
    let place = place.with("SPORTS_RECORD__KEY_FILE", key).with("SPORTS_RECORD__ORIGIN", "example.com/record");
    assert_eq!(run(&place, ["record", "init"]).code, Some(0));
    let _ = place.subscriber_key();
    publish(&place, &fixture("nfl-2023-week-18").join("release"));
    let folder = folder_of(&place);
    assert_eq!(on_folder(&place, "backup", &folder).code, Some(0));
    let signed: Vec<_> =
        files(&folder).into_iter().filter(|file| file.to_string_lossy().contains("/record/")).collect();
    assert!(signed.len() >= 2, "a key and a checkpoint: {signed:?}");
    for file in signed {
        let whole = fs::read(&file).expect("read");
        fs::remove_file(&file).expect("removed");
        let other = TestFolder::fresh();
        let output = on_folder(&other, "restore", &folder);
        assert_eq!(output.code, Some(1), "{}: {output:?}", file.display());
        expect_untouched(&other);
        fs::write(&file, whole).expect("written");
    }
    assert_eq!(on_folder(&TestFolder::fresh(), "restore", &folder).code, Some(0));
}

#[test]
fn a_backup_of_a_newer_program_is_refused() {
    let (_place, folder) = backed_up();
    let manifest = folder.join("backup.json");
    let text = fs::read_to_string(&manifest).expect("read");
    for (format, code) in [("2", 2), ("\"one\"", 1)] {
        fs::write(&manifest, text.replace("\"format\": 1", &format!("\"format\": {format}"))).expect("written");
        let other = TestFolder::fresh();
        assert_eq!(on_folder(&other, "restore", &folder).code, Some(code), "{format}");
        expect_untouched(&other);
    }
}

/// The existing files may be all that is left of changes since the backup.
#[test]
fn a_restore_replaces_nothing() {
    let (place, folder) = backed_up();
    let entry = entry(&place, "nfl", 2);
    let before = (accounts(&place), fs::read(&entry).expect("read"));
    let refused = |place: &TestFolder, what: &str| {
        let output = on_folder(place, "restore", &folder);
        assert_eq!((output.code, output.out.as_str()), (Some(2), ""), "{output:?}");
        assert!(
            output.err.contains(what) && output.err.contains("a restore replaces nothing: move it away"),
            "{output:?}"
        );
    };
    refused(&place, "sports.db is there already");
    assert_eq!((accounts(&place), fs::read(&entry).expect("read")), before);

    let other = TestFolder::fresh();
    for left in ["sports.db-wal", "sports.db-shm", "sports.db-journal"] {
        let file = other.path().join(left);
        fs::write(&file, "what was left of another database").expect("written");
        refused(&other, &format!("{left} is there already"));
        fs::remove_file(file).expect("removed");
    }
    fs::write(other.store(), "").expect("written");
    refused(&other, "store is not a folder");
    fs::remove_file(other.store()).expect("removed");
    fs::create_dir(other.store()).expect("made");
    fs::write(other.store().join("something"), "").expect("written");
    refused(&other, "store is not empty");
    fs::remove_file(other.store().join("something")).expect("removed");
    assert_eq!(on_folder(&other, "restore", &folder).code, Some(0), "an empty folder is a place for a store");
}

/// The files of a killed restore do not prevent the next.
#[test]
fn a_restore_that_was_interrupted_is_begun_anew() {
    let (place, folder) = backed_up();
    let other = TestFolder::fresh();
    copy_folder(&folder.join("store/sports/nfl/log"), &other.store().join("restoring/sports/nfl/log"));
    let staging = other.path().join("sports.db.restoring");
    fs::create_dir(&staging).expect("made");
    fs::write(staging.join("sports.db"), "half of a database").expect("written");
    assert_eq!(on_folder(&other, "restore", &folder).code, Some(0));
    assert_eq!(accounts(&other), accounts(&place));
    let left = files(other.path());
    assert!(left.iter().all(|file| !file.display().to_string().contains("restoring")), "{left:?}");
}

/// Starts a restore and kills it once `is_time` is true; `None` if it ended before.
fn killed(place: &TestFolder, folder: &Path, is_time: impl Fn() -> bool) -> Option<()> {
    let mut command = place.sportsctl([Path::new("restore"), folder]);
    let mut restore = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
    while !is_time() {
        if restore.try_wait().expect("polled").is_some() {
            return None;
        }
        std::thread::yield_now();
    }
    restore.kill().expect("killed");
    (!restore.wait().expect("ends").success()).then_some(())
}

/// Asserts that no command takes the files of a killed restore for a database, and that the next restore finishes it.
fn expect_finished_by_another(place: &TestFolder, folder: &Path, original: &TestFolder) {
    let staging = place.path().join("sports.db.restoring");
    let database = place.path().join("sports.db");
    if database.exists() && !staging.exists() {
        // It was killed after its last step; an empty database would be taken for a new installation.
        assert_eq!(accounts(place), accounts(original));
        return;
    }
    if staging.exists() {
        for command in [&["customer", "list"][..], &["migrate"], &["backup", "elsewhere"]] {
            let output = run(place, command);
            assert!(
                output.code == Some(1) && output.err.contains("its restore was interrupted"),
                "{command:?}: {output:?}"
            );
        }
    }
    let output = on_folder(place, "restore", folder);
    assert_eq!(output.code, Some(0), "{output:?}");
    assert_eq!(accounts(place), accounts(original));
    assert_eq!(verified(place, "nfl"), verified(original, "nfl"));
    assert!(!staging.exists() && !place.store().join("restoring").exists());
}

#[test]
fn the_next_restore_finishes_one_that_was_killed_at_any_moment() {
    let (original, folder) = backed_up();
    let whole = TestFolder::fresh();
    let started = Instant::now();
    assert_eq!(on_folder(&whole, "restore", &folder).code, Some(0));
    let duration = started.elapsed();
    for step in 1..=10 {
        let (place, started) = (TestFolder::fresh(), Instant::now());
        if killed(&place, &folder, || started.elapsed() >= duration * step / 10).is_some() {
            expect_finished_by_another(&place, &folder, &original);
        }
    }
    // While the copies are moved to their final paths, at the latest before the folder is removed.
    let mut seen = 0;
    for _ in 0..10 {
        let place = TestFolder::fresh();
        let note = place.path().join("sports.db.restoring/placing.json");
        if killed(&place, &folder, || note.exists()).is_some() {
            seen += 1;
            expect_finished_by_another(&place, &folder, &original);
        }
    }
    assert!(seen > 0, "no restore was killed in time");
}

#[test]
fn a_restore_that_fails_on_a_full_disk_leaves_nothing() {
    let (_original, folder) = backed_up();
    let Some(disk) = SmallDisk::mounted(64) else { return };
    let place = TestFolder::fresh();
    for (database, store) in [
        (disk.path().join("deep/er/sports.db"), place.path().join("a/store")),
        (place.path().join("deep/er/sports.db"), disk.path().join("a/store")),
    ] {
        let (database, store) = (format!("sqlite:{}", database.display()), format!("file:{}", store.display()));
        let output =
            run(&place, ["restore", folder.to_str().expect("text"), "--database", &database, "--store", &store]);
        assert!(output.code == Some(1) && output.err.contains("No space left"), "{output:?}");
        expect_untouched(&place);
        assert_eq!(disk.path().read_dir().expect("a folder").count(), 0);
    }
}

#[test]
fn a_command_leaves_the_database_in_one_file() {
    let place = TestFolder::fresh();
    let _ = place.subscriber_key();
    assert_eq!(files(place.path()), [place.path().join("sports.db")]);
    assert_ne!(run(&place, ["customer", "show", "cus_0000000000000000"]).code, Some(0));
    assert_eq!(files(place.path()), [place.path().join("sports.db")]);
}
