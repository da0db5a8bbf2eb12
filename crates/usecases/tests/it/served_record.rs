//! Requests without a key share readings of the store, and the beginnings of tiles.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use sports_domain::content::ObjectHash;
use sports_ports::record::{CheckpointFile, CheckpointKind, RecordFile, RecordFiles as _};
use sports_testkit::publication::StoreFake;
use sports_transparency::{Checkpoint, KeyKind, PublishedKey, SignatureLine, SignedCheckpoint, SigningKey, TreeHash};
use sports_usecases::record::{CheckpointListings, RecordName, ServedRecords, StoredCheckpoint, TreeReader};
use tokio::time::advance;

use crate::world::{SPORT, World, games};

const NFL: RecordName = RecordName::first(SPORT);

fn key(name: &str, kind: KeyKind) -> SigningKey {
    SigningKey::from_seed(name.parse().expect("a name"), kind, &[5; SigningKey::SEED]).expect("a key")
}

/// A league's log, its signing key and that of a witness.
struct Signer {
    store: Arc<StoreFake>,
    log: SigningKey,
    witness: SigningKey,
}

impl Signer {
    async fn of(store: &Arc<StoreFake>) -> Self {
        Self::at(store, "example.com", "2024-01-06T15:00:00Z").await
    }

    async fn at(store: &Arc<StoreFake>, host: &str, since: &str) -> Self {
        let log = key(&format!("{host}/{SPORT}"), KeyKind::Log);
        let since = since.parse().expect("an instant");
        let published = PublishedKey { vkey: log.verifier().clone(), since, record: NFL.number, replaces: None };
        let file = RecordFile::Key(log.verifier().id());
        let _ = store.put_record_file(&file, published.to_string().into()).await.expect("writable");
        Self { store: Arc::clone(store), log, witness: key("witness.example.org", KeyKind::Witness) }
    }

    async fn put(&self, size: u64, times: &[u64]) {
        let origin = self.log.verifier().name().clone();
        let checkpoint = Checkpoint { origin, size, root: TreeHash::of_leaf(&size.to_be_bytes()) };
        let cosigned = times.iter().map(|time| self.witness.cosign(&checkpoint, *time));
        let lines: Vec<SignatureLine> = [self.log.sign(&checkpoint)].into_iter().chain(cosigned).collect();
        let text = Bytes::from(SignedCheckpoint::new(checkpoint, &lines).to_string());
        let file = CheckpointFile { size, kind: CheckpointKind::Note, content: ObjectHash::from_bytes(&text) };
        let _ = self.store.put_record_file(&RecordFile::Checkpoint(SPORT, file), text).await.expect("writable");
    }
}

fn records(world: &World) -> ServedRecords {
    let reader = TreeReader::new(Arc::clone(&world.store) as _, world.slates.clone(), Arc::clone(&world.store) as _);
    let reader = Arc::new(reader);
    ServedRecords::new(Arc::clone(&reader), world.node(), Arc::new(CheckpointListings::new(reader)))
}

async fn signatures(records: &ServedRecords, size: u64) -> usize {
    let found = records.checkpoint(NFL, size).await.expect("reads");
    found.map_or(0, |found| found.note.signatures().count())
}

#[tokio::test(start_paused = true)]
async fn a_new_checkpoint_is_found_after_a_second_and_a_late_cosignature_after_ten() {
    let world = World::new();
    world.publish(games(&["one"])).await;
    let (signer, records) = (Signer::of(&world.store).await, records(&world));
    signer.put(1, &[]).await;
    assert_eq!((signatures(&records, 1).await, signatures(&records, 2).await), (1, 0));
    signer.put(2, &[]).await;
    assert_eq!(signatures(&records, 2).await, 0, "within the second nothing is read");
    advance(Duration::from_secs(1)).await;
    assert_eq!(signatures(&records, 2).await, 1);
    signer.put(2, &[100]).await;
    signer.put(1, &[100]).await;
    advance(Duration::from_secs(1)).await;
    assert_eq!((signatures(&records, 2).await, signatures(&records, 1).await), (2, 1));
    advance(Duration::from_secs(9)).await;
    assert_eq!((signatures(&records, 2).await, signatures(&records, 1).await), (2, 2));
}

/// After the loss of a key, its successor signs the newest tree once more, under another name.
#[tokio::test(start_paused = true)]
async fn a_size_has_the_first_cosignature_and_the_newest_checkpoint_the_newest_key() {
    let world = World::new();
    world.publish(games(&["one"])).await;
    let lost = Signer::of(&world.store).await;
    let successor = Signer::at(&world.store, "new.example.com", "2024-02-01T15:00:00Z").await;
    lost.put(1, &[100]).await;
    successor.put(1, &[200]).await;
    let records = records(&world);
    let origin = |found: Option<StoredCheckpoint>| found.map(|found| found.note.checkpoint().origin.to_string());
    let [first, newest] = ["example.com", "new.example.com"].map(|host| Some(format!("{host}/{SPORT}")));
    assert_eq!(origin(records.checkpoint(NFL, 1).await.expect("reads")), first);
    let page = records.checkpoints(NFL, 1, 10).await.expect("reads").checkpoints;
    assert_eq!(page.into_iter().map(|(found, _)| origin(Some(found))).collect::<Vec<_>>(), [first]);
    assert_eq!(origin(records.newest(NFL).await.expect("reads")), newest);
}

#[tokio::test(start_paused = true)]
async fn keys_that_were_read_stay_while_the_store_is_away() {
    let world = World::new();
    let (_signer, records) = (Signer::of(&world.store).await, records(&world));
    assert_eq!(records.keys().await.expect("reads").len(), 1);
    world.store.set_unavailable(true);
    advance(Duration::from_secs(1)).await;
    assert_eq!(records.keys().await.expect("kept").len(), 1);
    assert!(records.newest(NFL).await.is_err(), "checkpoints are not");
}

#[tokio::test]
async fn a_tile_is_found_as_the_widest_that_begins_with_it() {
    let world = World::new();
    for number in 1..=3 {
        world.publish(games(&[format!("team {number}").as_str()])).await;
    }
    let records = records(&world);
    for (asked, found) in [
        ("0/000.p/1", Some("0/000.p/3")),
        ("0/000.p/3", Some("0/000.p/3")),
        ("entries/000.p/2", Some("entries/000.p/3")),
        ("0/000.p/4", None),
        ("0/000", None),
        ("1/000.p/1", None),
    ] {
        let tile = records.tile(NFL, asked.parse().expect("a tile")).await.expect("reads");
        assert_eq!(tile.map(|tile| tile.path().to_string()).as_deref(), found, "{asked}");
    }
    let second = RecordName { number: 2.try_into().expect("from 1"), ..NFL };
    assert_eq!(records.tile(second, "0/000.p/1".parse().expect("a tile")).await.expect("reads"), None);
}
