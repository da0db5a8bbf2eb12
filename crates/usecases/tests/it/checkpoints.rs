//! Signed checkpoints and published keys as they are read from the files of the record.

use bytes::Bytes;
use sports_domain::Sport;
use sports_domain::content::ObjectHash;
use sports_ports::record::{CheckpointFile, CheckpointKind, RecordFile, RecordFiles as _};
use sports_testkit::publication::StoreFake;
use sports_transparency::{
    Checkpoint, KeyKind, PublishedKey, ReplacedKey, SignatureLine, SignedCheckpoint, SigningKey, TreeHash,
};
use sports_usecases::record::{newest_checkpoint, published_keys, stored_checkpoints};

const SPORT: Sport = Sport::Nfl;

fn key(name: &str, kind: KeyKind, seed: u8) -> SigningKey {
    SigningKey::from_seed(name.parse().expect("a name"), kind, &[seed; SigningKey::SEED]).expect("a key")
}

fn checkpoint(origin: &str, size: u64) -> Checkpoint {
    Checkpoint { origin: origin.parse().expect("a name"), size, root: TreeHash::of_leaf(&size.to_be_bytes()) }
}

async fn store_file(store: &StoreFake, size: u64, kind: CheckpointKind, text: &str) -> ObjectHash {
    let content = ObjectHash::from_bytes(text.as_bytes());
    let file = RecordFile::Checkpoint(SPORT, CheckpointFile { size, kind, content });
    let _ = store.put_record_file(&file, Bytes::copy_from_slice(text.as_bytes())).await.expect("writable");
    content
}

async fn store_note(store: &StoreFake, checkpoint: &Checkpoint, signatures: &[SignatureLine]) -> SignedCheckpoint {
    let note = SignedCheckpoint::new(checkpoint.clone(), signatures);
    store_file(store, checkpoint.size, CheckpointKind::Note, &note.to_string()).await;
    note
}

#[tokio::test]
async fn notes_of_one_checkpoint_are_read_as_one_with_all_signatures() {
    let store = StoreFake::default();
    let log = key("example.com/nfl", KeyKind::Log, 1);
    let witnesses = [key("one.example", KeyKind::Witness, 2), key("two.example", KeyKind::Witness, 3)];
    let at_9 = checkpoint("example.com/nfl", 9);
    let signature = log.sign(&at_9);
    store_note(&store, &at_9, std::slice::from_ref(&signature)).await;
    for (witness, time) in witnesses.iter().zip(100..) {
        store_note(&store, &at_9, &[signature.clone(), witness.cosign(&at_9, time)]).await;
    }
    let token = store_file(&store, 9, CheckpointKind::Timestamp, "a token").await;
    store_file(&store, 9, CheckpointKind::Note, "no note").await;
    let read = stored_checkpoints(&store, SPORT, 0..=u64::MAX).await.expect("reads");
    let [found] = &read[..] else { panic!("one checkpoint: {read:?}") };
    assert_eq!(found.timestamps, [token]);
    let known: Vec<_> = witnesses.iter().map(|witness| witness.verifier().clone()).collect();
    let mut times: Vec<_> =
        found.note.verify(log.verifier(), &known).expect("signed").iter().map(|by| by.time).collect();
    times.sort_unstable();
    assert_eq!(times, [100, 101]);
    assert!(
        found.note.signatures().next().is_some_and(|line| line.name == *log.verifier().name()),
        "the log comes first"
    );
}

#[tokio::test]
async fn logs_of_two_names_have_checkpoints_of_their_own() {
    let store = StoreFake::default();
    for (name, seed) in [("example.com/nfl", 1), ("example.com/2/nfl", 2)] {
        let key = key(name, KeyKind::Log, seed);
        for size in [9, 12] {
            let checkpoint = checkpoint(name, size);
            store_note(&store, &checkpoint, &[key.sign(&checkpoint)]).await;
        }
    }
    store_file(&store, 20, CheckpointKind::Note, "no note").await;
    store_file(&store, 12, CheckpointKind::Timestamp, "of neither").await;
    let read = stored_checkpoints(&store, SPORT, 9..=12).await.expect("reads");
    let found: Vec<_> = read
        .iter()
        .map(|found| (found.note.checkpoint().size, found.note.checkpoint().origin.as_str(), found.timestamps.len()))
        .collect();
    let expected = [
        (9, "example.com/2/nfl", 0),
        (9, "example.com/nfl", 0),
        (12, "example.com/2/nfl", 0),
        (12, "example.com/nfl", 0),
    ];
    assert_eq!(found, expected);
    let newest = newest_checkpoint(&store, SPORT, 0..=u64::MAX).await.expect("reads").expect("a checkpoint");
    assert_eq!(newest.note.checkpoint().size, 12, "a file that is no note is passed over");
    assert_eq!(newest_checkpoint(&store, Sport::Nba, 0..=u64::MAX).await.expect("reads"), None);
}

#[tokio::test]
async fn a_replaced_key_has_the_end_that_its_successor_states() {
    let store = StoreFake::default();
    let (old, new) = (key("example.com/nfl", KeyKind::Log, 1), key("example.com/nfl", KeyKind::Log, 2));
    let instant = |text: &str| text.parse().expect("an instant");
    let until = instant("2026-12-24T15:00:00Z");
    let record = std::num::NonZeroU32::MIN;
    let replaces = Some(ReplacedKey { id: old.verifier().id(), until });
    let published = [
        PublishedKey { vkey: new.verifier().clone(), since: instant("2026-11-24T15:00:00Z"), record, replaces },
        PublishedKey { vkey: old.verifier().clone(), since: instant("2026-01-01T00:00:00Z"), record, replaces: None },
    ];
    for key in &published {
        let file = RecordFile::Key(key.vkey.id());
        let _ = store.put_record_file(&file, key.to_string().into()).await.expect("writable");
    }
    let listed = published_keys(&store).await.expect("reads");
    let ends: Vec<_> = listed.iter().map(|key| (key.sport, key.vkey.clone(), key.until)).collect();
    let expected = [(SPORT, old.verifier().clone(), Some(until)), (SPORT, new.verifier().clone(), None)];
    assert_eq!(ends, expected);
}
