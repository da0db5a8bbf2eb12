//! Disks that are full, databases that are locked, files that are gone: while it lasts, and afterwards.

use std::fs;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::time::Duration;

use sea_orm::{ConnectOptions, ConnectionTrait, Database, DatabaseConnection};
use sports_accounts::testing::{a_customer, a_key_record};
use sports_accounts_sea_orm::{AccountsDatabase, ConnectError, SqliteFile, make_folder};
use sports_ports::accounts::{CustomerCreation, Customers, KeyIssue, KeyRing};
use sports_ports::metering::UsageCounts as _;
use sports_ports::{PortError, error_chain};
use sports_testkit::disks::SmallDisk;
use sports_testkit::metering::contract::counts_outlast_an_unavailable_record;
use tokio::sync::Mutex;
use tokio::time::timeout;

fn address(folder: &Path) -> String {
    format!("sqlite:{}", folder.join("sports.db").display())
}

async fn in_folder(folder: &Path) -> AccountsDatabase {
    AccountsDatabase::connect(&address(folder)).await.expect("a database")
}

/// Another program with the file open.
async fn beside(address: &str) -> DatabaseConnection {
    let mut one = ConnectOptions::new(address);
    one.max_connections(1);
    Database::connect(one).await.expect("a database")
}

async fn keys_can_be_made(database: &AccountsDatabase, seed: u8) {
    let customer = a_customer().seeded(seed).build();
    assert_eq!(database.create(&customer).await.expect("create answers"), CustomerCreation::Created);
    let issued = database.issue(customer.id, &a_key_record().seeded(seed).build()).await.expect("issue answers");
    assert_eq!(issued, KeyIssue::Issued);
}

#[tokio::test]
async fn counts_outlast_a_full_disk() {
    let Some(disk) = SmallDisk::mounted(1024) else { return };
    let database = in_folder(disk.path()).await;
    counts_outlast_an_unavailable_record(
        &database,
        async || {
            database.ping_writing().await.expect("all is well");
            disk.fill();
            assert!(matches!(database.ping_writing().await, Err(PortError::Unavailable { .. })));
            database.ping().await.expect("it can be read");
        },
        async || disk.empty(),
    )
    .await;
    database.ping_writing().await.expect("all is well again");
    keys_can_be_made(&database, 1).await;
    // No connection was left with a lock.
    keys_can_be_made(&in_folder(disk.path()).await, 2).await;
}

#[tokio::test]
async fn a_full_disk_under_many_writers_leaves_none_of_them_with_a_lock() {
    let Some(disk) = SmallDisk::mounted(1024) else { return };
    let database = in_folder(disk.path()).await;
    disk.fill();
    for seed in 1..=20 {
        let customer = a_customer().seeded(seed).build();
        assert!(database.create(&customer).await.is_err());
        assert!(database.secret_or("links", "fresh").await.is_err());
    }
    disk.empty();
    keys_can_be_made(&database, 30).await;
    keys_can_be_made(&in_folder(disk.path()).await, 31).await;
}

#[tokio::test]
async fn counts_outlast_a_database_that_another_program_has_locked() {
    let folder = tempfile::tempdir().expect("a folder");
    let database = in_folder(folder.path()).await;
    let other = Mutex::new(None);
    counts_outlast_an_unavailable_record(
        &database,
        async || {
            let locking = beside(&address(folder.path())).await;
            locking.execute_unprepared("BEGIN IMMEDIATE").await.expect("locked");
            *other.lock().await = Some(locking);
            database.ping().await.expect("it can be read");
        },
        async || {
            let locking = other.lock().await.take().expect("locked");
            locking.execute_unprepared("ROLLBACK").await.expect("unlocked");
        },
    )
    .await;
}

/// Callers go away while their write waits; the next caller is not held up by what they left.
#[tokio::test]
async fn abandoned_writes_leave_no_lock() {
    let folder = tempfile::tempdir().expect("a folder");
    let database = in_folder(folder.path()).await;
    for micros in (0..40).map(|step| step * 150) {
        let impatient = timeout(Duration::from_micros(micros), database.ping_writing());
        let _ = impatient.await;
    }
    keys_can_be_made(&database, 1).await;
    keys_can_be_made(&in_folder(folder.path()).await, 2).await;
}

#[tokio::test]
async fn a_new_program_waits_for_a_locked_database_and_then_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let locking = beside(&format!("{}?mode=rwc", address(folder.path()))).await;
    locking.execute_unprepared("BEGIN EXCLUSIVE").await.expect("locked");
    let error = AccountsDatabase::connect(&address(folder.path())).await.expect_err("locked");
    assert!(matches!(error, ConnectError::Locked { .. }) && !error.blames_the_address(), "{error:?}");
    locking.execute_unprepared("COMMIT").await.expect("unlocked");
    in_folder(folder.path()).await;
}

#[tokio::test]
async fn a_file_that_is_moved_or_replaced_is_not_used_until_it_is_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("sports.db");
    let database = in_folder(folder.path()).await;
    keys_can_be_made(&database, 1).await;
    let elsewhere = folder.path().join("elsewhere");
    fs::rename(&file, &elsewhere).expect("moved");
    let expect_unavailable = async || {
        for asked in [database.ping().await, database.ping_writing().await, database.list().await.map(drop)] {
            assert!(matches!(asked, Err(PortError::Unavailable { .. })), "{asked:?}");
        }
    };
    expect_unavailable().await;
    assert!(!file.exists(), "no other is made");
    fs::write(&file, "").expect("written");
    expect_unavailable().await;
    assert_eq!(fs::read(&file).expect("there"), b"", "another file is left alone");

    fs::rename(&elsewhere, &file).expect("moved");
    database.ping().await.expect("it is back");
    database.ping_writing().await.expect("it is back");
    assert_eq!(database.list().await.expect("answers").len(), 1);
}

#[tokio::test]
async fn a_damaged_file_is_said_to_be_damaged() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("sports.db");
    let database = in_folder(folder.path()).await;
    keys_can_be_made(&database, 1).await;
    database.file().expect("a file").expect_undamaged().await.expect("all is well");
    database.close().await.expect("closed");

    let whole = fs::read(&file).expect("read");
    let pages = whole.len() / 4096;
    for page in 1..pages {
        fs::write(&file, &whole).expect("written");
        let damaging = fs::OpenOptions::new().write(true).open(&file).expect("opened");
        damaging.write_all_at(&[0xA5; 4096], u64::try_from(page * 4096).expect("fits")).expect("written");
        drop(damaging);
        let opened = match AccountsDatabase::connect(&address(folder.path())).await {
            Ok(opened) => {
                let found = opened.file().expect("a file").expect_undamaged().await;
                opened.close().await.expect("closed");
                found
            }
            Err(refused) => Err(refused),
        };
        let error = opened.expect_err("damaged");
        assert!(matches!(error, ConnectError::Damaged { .. }) && !error.blames_the_address(), "page {page}: {error:?}");
    }
}

#[tokio::test]
async fn files_of_a_linked_database_are_beside_the_file_itself() {
    let place = tempfile::tempdir().expect("a folder");
    let (real, linked) = (place.path().join("real"), place.path().join("linked"));
    for folder in [&real, &linked] {
        fs::create_dir(folder).expect("made");
    }
    drop(in_folder(&real).await.close().await);
    let link = linked.join("another.db");
    std::os::unix::fs::symlink(real.join("sports.db"), &link).expect("linked");
    let database = AccountsDatabase::connect(&format!("sqlite:{}", link.display())).await.expect("a database");
    let real = real.canonicalize().expect("there");
    for ending in ["", "-wal", "-counts"] {
        assert_eq!(database.file().expect("a file").beside(ending), real.join(format!("sports.db{ending}")));
    }
}

#[tokio::test]
async fn a_path_that_is_no_file_is_named_and_not_waited_for() {
    let place = tempfile::tempdir().expect("a folder");
    let (pipe, folder) = (place.path().join("pipe"), place.path().join("folder"));
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs").success());
    fs::create_dir(&folder).expect("made");
    for (file, what) in [(pipe, "a named pipe"), (folder, "a folder"), ("/dev/null".into(), "a device")] {
        let address = format!("sqlite:{}", file.display());
        let refused = [
            make_folder(&file).err(),
            AccountsDatabase::connect(&address).await.err(),
            AccountsDatabase::connect_existing(&address).await.err(),
            SqliteFile::open_as_it_is(file.clone()).await.err(),
        ];
        for refused in refused {
            let refused = refused.expect("refused");
            assert!(refused.blames_the_address(), "{refused}");
            let said = error_chain(&refused);
            assert!(said.contains(&file.display().to_string()) && said.contains(what), "{said}");
        }
    }
}

#[tokio::test]
async fn a_write_that_another_program_keeps_waiting_names_the_file_and_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let database = in_folder(folder.path()).await;
    let other = beside(&address(folder.path())).await;
    other.execute_unprepared("BEGIN IMMEDIATE").await.expect("locked");
    let failed = database.record(&[]).await.expect_err("locked");
    let said = error_chain(&failed);
    let file = folder.path().join("sports.db").display().to_string();
    assert!(said.contains(&format!("the database {file} is locked: another program")), "{said}");
}
