//! The store's contracts, in memory and in a folder, and its reactions to damaged files and folders.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bytes::Bytes;
use sports_domain::{ModelType, Season, Sport};
use sports_ports::PortError;
use sports_ports::contents::{Part, StoreContents};
use sports_ports::datasets::DatasetFiles;
use sports_ports::publication::{Appended, ObjectKind, Objects, PublicationLog, SlateCodec as _, Unopened};
use sports_publication::{Generation, Predictions, SlateArtifact};
use sports_store::{ArtifactStore, CopyError, JsonSlates, OpenError};
use sports_testkit::datasets::contract as dataset_contract;
use sports_testkit::disks::HungDisk;
use sports_testkit::publication::contract;
use tokio::time::Instant;

fn open(folder: &Path) -> ArtifactStore {
    ArtifactStore::open(&format!("file:{}", folder.display())).expect("the folder can be made")
}

fn only_file(folder: PathBuf) -> PathBuf {
    let mut files = fs::read_dir(folder).expect("a folder").map(|file| file.expect("a file").path());
    let file = files.next().expect("one file");
    assert!(files.next().is_none(), "only one file");
    file
}

/// A file system of a server that is gone: no call of it returns. The runtime has one thread, which none of them may block.
#[tokio::test]
async fn a_hung_mount_blocks_no_thread_and_opens_the_circuit_breaker() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let _ = store.append(&contract::a_catalog(1, "first")).await.expect("appended");
    let Some(hung) = HungDisk::mounted_over(folder.path()) else { return };
    let dataset = sports_domain::content::ObjectHash::from_bytes(b"any");
    let reads = async {
        tokio::join!(
            store.entry(contract::SPORT, Generation::FIRST),
            store.numbers(contract::SPORT),
            store.ping(),
            DatasetFiles::file_size(&store, &dataset),
            DatasetFiles::read_file(&store, &dataset, 0..1),
            StoreContents::leftovers(&store, Part::Datasets),
        )
    };
    let mut reads = std::pin::pin!(reads);
    let begun = Instant::now();
    let pending = tokio::time::timeout(Duration::from_millis(100), reads.as_mut()).await;
    assert!(pending.is_err() && begun.elapsed() < Duration::from_secs(1), "the thread is free: {:?}", begun.elapsed());
    let (entry, numbers, ping, size, file, left) = reads.await;
    for (what, failed) in [
        ("entry", entry.map(drop)),
        ("numbers", numbers.map(drop)),
        ("ping", ping),
        ("size", size.map(drop)),
        ("file", file.map(drop)),
        ("leftovers", left.map(drop)),
    ] {
        assert!(matches!(failed, Err(PortError::Unavailable { .. })), "{what}: {failed:?}");
    }
    let begun = Instant::now();
    assert!(store.entry(contract::SPORT, Generation::FIRST).await.is_err());
    assert!(begun.elapsed() < Duration::from_millis(100), "no call is made for a while: {:?}", begun.elapsed());
    drop(hung);
    let back = async {
        while store.entry(contract::SPORT, Generation::FIRST).await.is_err() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), back).await.expect("the store is back");
}

#[test]
fn slates_as_json_keep_the_contract() {
    contract::slate_codec(&JsonSlates);
}

#[test]
fn predictions_without_names_and_own_models_keep_their_bytes() {
    let season = Season::parse(Sport::Ncaab, "2024-25").expect("a season");
    let bare =
        SlateArtifact::Predictions(Predictions::new(ModelType::OverUnder, season, Vec::new()).expect("no key repeats"));
    let text = concat!(
        r#"{"schema_version":2,"sport":"ncaab","kind":"predictions","model_type":"over_under","season":"2024-25","games":[]}"#,
        "\n"
    );
    assert_eq!(JsonSlates.encode(Sport::Ncaab, &bare).expect("encodes"), text);
    assert_eq!(JsonSlates.decode(Sport::Ncaab, &Bytes::from(text)).expect("decodes"), bare);
    for form in ["1", "3", "4"] {
        let other = text.replace(":2,", &format!(":{form},"));
        assert!(JsonSlates.decode(Sport::Ncaab, &Bytes::from(other)).is_err(), "form {form}");
    }
    let named = text.replace("\"games\":[]", r#""games":[],"team_names":{"uconn":""}"#);
    assert!(JsonSlates.decode(Sport::Ncaab, &Bytes::from(named)).is_err(), "not a name");
}

#[test]
fn an_artifact_with_a_game_without_an_identity_is_corrupt() {
    for artifact in contract::slate_artifacts() {
        let bytes = JsonSlates.encode(contract::SPORT, &artifact).expect("encodes");
        let mut json: serde_json::Value = serde_json::from_slice(&bytes).expect("JSON");
        let Some(games) = json["games"].as_array_mut() else { continue };
        assert!(games[0].as_object_mut().expect("a game").remove("game_id").is_some());
        let read = JsonSlates.decode(contract::SPORT, &json.to_string().into());
        assert!(
            matches!(&read, Err(PortError::Corrupt { source, .. }) if source.to_string().contains("game_id")),
            "{read:?}"
        );
    }
}

#[test]
fn an_artifact_that_lists_a_game_twice_is_corrupt() {
    for artifact in contract::slate_artifacts() {
        let bytes = JsonSlates.encode(contract::SPORT, &artifact).expect("encodes");
        let mut json: serde_json::Value = serde_json::from_slice(&bytes).expect("JSON");
        let Some(games) = json["games"].as_array_mut() else { continue };
        let repeated = games[0].clone();
        games.push(repeated);
        let read = JsonSlates.decode(contract::SPORT, &json.to_string().into());
        assert!(
            matches!(&read, Err(PortError::Corrupt { source, .. }) if source.to_string().contains("twice")),
            "{read:?}"
        );
    }
}

#[tokio::test]
async fn files_of_datasets_keep_the_contract_in_memory_and_in_a_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    dataset_contract::files(&ArtifactStore::in_memory()).await;
    dataset_contract::files(&open(folder.path())).await;
}

#[tokio::test]
async fn a_dataset_damaged_on_disk_is_written_again_by_adding_it_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(&folder.path().join("store"));
    let file = folder.path().join("nfl.csv");
    fs::write(&file, "a,b\n1,2\n").expect("written");
    let stored = store.put_file(&file).await.expect("stored");
    let kept = folder.path().join(format!("store/datasets/objects/{}", stored.object));
    assert_eq!(fs::read(&kept).expect("kept"), b"a,b\n1,2\n");
    for damaged in ["a,b", "a,b\n1,3\n", "a,b\n1,2\n1,2\n"] {
        fs::write(&kept, damaged).expect("damaged");
        assert_eq!(store.put_file(&file).await.expect("stored"), stored, "{damaged}");
        assert_eq!(fs::read(&kept).expect("kept"), b"a,b\n1,2\n");
    }
}

#[tokio::test]
async fn a_store_in_memory_keeps_the_contracts() {
    contract::log(async || ArtifactStore::in_memory()).await;
    contract::objects(&ArtifactStore::in_memory()).await;
    contract::record_files(&ArtifactStore::in_memory()).await;
    contract::contents(&ArtifactStore::in_memory()).await;
    contract::repairs(&ArtifactStore::in_memory()).await;
}

#[tokio::test]
async fn a_store_in_a_folder_keeps_the_contracts() {
    let folder = tempfile::tempdir().expect("a folder");
    let next = std::sync::atomic::AtomicUsize::new(0);
    contract::log(async || {
        let number = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        open(&folder.path().join(number.to_string()))
    })
    .await;
    contract::objects(&open(&folder.path().join("objects"))).await;
    contract::record_files(&open(&folder.path().join("record"))).await;
    contract::contents(&open(&folder.path().join("contents"))).await;
    contract::repairs(&open(&folder.path().join("repairs"))).await;
}

#[tokio::test]
async fn an_altered_object_is_corrupt_and_putting_it_again_mends_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let bytes = Bytes::from_static(b"some bytes");
    let hash = store.put(Sport::Nfl, ObjectKind::Parquet, bytes.clone()).await.expect("stored");
    fs::write(only_file(folder.path().join("sports/nfl/objects")), b"other bytes").expect("altered");

    let read = store.get(Sport::Nfl, ObjectKind::Parquet, &hash).await;
    assert!(matches!(read, Err(PortError::Corrupt { .. })), "{read:?}");
    store.put(Sport::Nfl, ObjectKind::Parquet, bytes.clone()).await.expect("stored");
    let mended = store.get(Sport::Nfl, ObjectKind::Parquet, &hash).await.expect("readable");
    assert_eq!(mended, Some(bytes));
}

#[tokio::test]
async fn an_altered_entry_is_corrupt_and_files_that_are_no_entries_are_passed_over() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let _ = store.append(&contract::a_catalog(1, "first")).await.expect("appended");
    let log = folder.path().join("sports/nfl/log");
    fs::write(log.join("notes.txt"), b"hello").expect("written");
    assert_eq!(store.numbers(Sport::Nfl).await.expect("answers"), [Generation::FIRST]);

    fs::write(log.join("000000000001.json"), b"{\"schema_version\": 1}").expect("altered");
    let read = store.entry(Sport::Nfl, Generation::FIRST).await;
    assert!(matches!(read, Err(PortError::Corrupt { .. })), "{read:?}");
}

#[test]
fn an_address_of_another_kind_is_refused_by_name() {
    let refused = ArtifactStore::open("ftp://somewhere").expect_err("unknown");
    assert!(matches!(&refused, OpenError::UnknownAddress(url) if url == "ftp://somewhere"));
    assert!(refused.to_string().contains("file:"));
}

#[test]
fn a_folder_that_cannot_be_made_is_refused() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    let refused =
        ArtifactStore::open(&format!("file:{}/store", file.path().display())).expect_err("a file is no folder");
    assert!(matches!(refused, OpenError::Folder { .. }));
}

#[tokio::test]
async fn a_folder_that_vanishes_is_unavailable_and_not_empty() {
    let place = tempfile::tempdir().expect("a folder");
    let (here, elsewhere) = (place.path().join("here"), place.path().join("elsewhere"));
    let store = open(&here);
    let _ = store.append(&contract::a_catalog(1, "first")).await.expect("appended");
    fs::rename(&here, &elsewhere).expect("moved");
    let unavailable =
        |answer: Result<(), PortError>| assert!(matches!(answer, Err(PortError::Unavailable { .. })), "{answer:?}");
    unavailable(store.ping().await);
    unavailable(store.numbers(Sport::Nfl).await.map(drop));
    unavailable(store.entry(Sport::Nfl, Generation::FIRST).await.map(drop));
    let hash = sports_domain::content::ObjectHash::from_bytes(b"any");
    unavailable(store.get(Sport::Nfl, ObjectKind::Parquet, &hash).await.map(drop));
    unavailable(store.file_size(&hash).await.map(drop));
    unavailable(store.read_file(&hash, 0..1).await.map(drop));
    fs::rename(&elsewhere, &here).expect("moved back");
    store.ping().await.expect("back");
}

#[tokio::test]
async fn reading_makes_no_folder_and_a_probe_leaves_nothing_behind() {
    let place = tempfile::tempdir().expect("a folder");
    let folder = place.path().join("store");
    let refused = ArtifactStore::open_existing(&format!("file:{}", folder.display())).expect_err("not there");
    assert!(matches!(refused, OpenError::NoFolder(_)) && !folder.exists());
    assert!(open(&folder).honours_put_if_absent().await.expect("answers"));
    assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 0);
}

/// The unreadable file is a link to itself, which no user can open.
#[cfg(unix)]
#[tokio::test]
async fn a_file_that_cannot_be_opened_is_unreadable_and_the_store_is_available() {
    let place = tempfile::tempdir().expect("a folder");
    let store = open(place.path());
    let _ = store.append(&contract::a_catalog(1, "first")).await.expect("appended");
    let second = Generation::FIRST.next();
    let link = place.path().join("sports/nfl/log/000000000002.json");
    std::os::unix::fs::symlink(&link, &link).expect("linked");
    assert_eq!(store.numbers(Sport::Nfl).await.expect("answers"), [Generation::FIRST, second]);
    match store.entry(Sport::Nfl, second).await {
        Err(PortError::Corrupt { source, .. }) => assert!(source.is::<Unopened>(), "{source}"),
        other => panic!("{other:?}"),
    }
    let appended = store.append(&contract::a_catalog(2, "second")).await.expect("answers");
    assert_eq!(appended, Appended::Taken);
    let sign = place.path().join("sign-of-life");
    std::os::unix::fs::symlink(&sign, &sign).expect("linked");
    store.ping().await.expect("answers");
    // The same link in place of the log's folder.
    let log = place.path().join("sports/nfl/log");
    fs::rename(&log, place.path().join("sports/nfl/moved")).expect("moved");
    std::os::unix::fs::symlink(&log, &log).expect("linked");
    let unavailable = store.entry(Sport::Nfl, second).await;
    assert!(matches!(unavailable, Err(PortError::Unavailable { .. })), "{unavailable:?}");
}

#[tokio::test]
async fn a_store_with_nothing_in_it_is_not_copied() {
    let (source, target) = (ArtifactStore::in_memory(), ArtifactStore::in_memory());
    let refused = source.copy_into(&target, |_| {}).await;
    assert!(matches!(refused, Err(CopyError::EmptySource)), "{refused:?}");
    let _ = source.append(&contract::a_catalog(1, "first")).await.expect("appended");
    assert_eq!(source.copy_into(&target, |_| {}).await.expect("copied").entries, 1);
    assert_eq!(source.copy_into(&target, |_| {}).await.expect("repeated").present, 1);
}
