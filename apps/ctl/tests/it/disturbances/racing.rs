//! Two publishers of one machine that race, each signing behind its entry.

use std::collections::BTreeSet;
use std::sync::Arc;

use sports_ports::attestation::Witness as _;
use sports_store::{ArtifactStore, JsonSlates};
use sports_tables::archive::ParquetArchives;
use sports_testkit::random::RandomFake;
use sports_testkit::services::S3Server;
use sports_testkit::signing::{TimestampServerFake, WitnessFake};
use sports_transparency::{Leaf, LeafFact, WrittenLeaf};
use sports_usecases::publish::Mode;
use sports_usecases::record::{Slates, TreeHead, TreeReader, newest_entry, stored_checkpoints};

use super::site::{Opened, SPORT, bucket, folder, new_memory, opened, publisher, signer, signing_key, slate, verified};

fn tree(opened: &Opened) -> TreeReader {
    let slates = Slates::new(Arc::clone(&opened.objects), Arc::new(JsonSlates));
    TreeReader::new(Arc::clone(&opened.log), slates, Arc::clone(&opened.files))
}

/// Publishes two slates at once, again and again, and completes the record behind each.
async fn race(store: &ArtifactStore, rounds: usize) {
    let machine = tempfile::tempdir().expect("a folder");
    let memories = Arc::new(new_memory(&machine.path().join("record.key")));
    let witness = Arc::new(WitnessFake::named("witness.example/1"));
    let server = Arc::new(TimestampServerFake::at("http://stamps.example"));
    let random = Arc::new(RandomFake::default());
    for round in 0..rounds {
        let racers = [2 * round, 2 * round + 1].map(|game| {
            let opened = opened(store);
            let publisher = publisher(&opened, &(Arc::new(ParquetArchives), Arc::new(JsonSlates)), Arc::clone(&random));
            let signer = signer(tree(&opened), memories.clone(), (witness.clone(), server.clone()));
            tokio::spawn(async move {
                publisher.publish(&slate(&[game], 0), Mode::Commit).await.expect("publishes");
                let done = signer.complete(SPORT).await;
                assert_eq!((done.unsigned, &done.warnings[..]), (None, &[][..]), "round {round}");
                assert!(done.checkpoint.is_some(), "round {round}");
            })
        });
        for racer in racers {
            racer.await.expect("it lands");
        }
    }
    assert_one_tree(&opened(store), 2 * rounds, &witness).await;
}

/// Asserts that the tree has each leaf once, and that everything signed is of it.
async fn assert_one_tree(opened: &Opened, entries: usize, witness: &WitnessFake) {
    let tree = tree(opened);
    let (found, of_head) = verified(opened, &tree, witness.key()).await;
    assert_eq!(usize::try_from(found).expect("few"), entries);
    let newest = newest_entry(&*opened.log, SPORT).await.expect("reads").expect("an entry");
    let head = TreeHead::of(&newest.catalog).expect("a tree");
    assert_eq!(of_head, Some((head.size, head.root)));
    let leaves = tree.leaves(&head, 0..head.size).await.expect("reads");
    assert_eq!(leaves.iter().map(WrittenLeaf::text).collect::<BTreeSet<_>>().len(), leaves.len(), "each leaf once");
    let of_kind = |is_it: fn(&Leaf) -> bool| leaves.iter().filter(|leaf| is_it(leaf)).count();
    assert_eq!(of_kind(|leaf| matches!(leaf.fact, LeafFact::Release { .. })), entries);
    assert_eq!(of_kind(|leaf| matches!(leaf.fact, LeafFact::Forecast { .. })), 3 * entries);
    let newest = stored_checkpoints(&*opened.files, SPORT, head.size..=head.size).await.expect("reads");
    let [newest] = &newest[..] else { panic!("one checkpoint of the newest tree: {newest:?}") };
    let cosigned = newest.note.verify(signing_key().verifier(), &[witness.key().clone()]).expect("it holds");
    assert_eq!((cosigned.len(), newest.note.checkpoint().root), (1, head.root));
}

async fn race_in_a_folder(rounds: usize) {
    let place = tempfile::tempdir().expect("a folder");
    race(&folder(&place.path().join("store")), rounds).await;
}

async fn race_in_a_bucket(rounds: usize) {
    let server = S3Server::start();
    race(&bucket(&server).0, rounds).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn publishers_that_race_sign_one_tree_with_each_leaf_once() {
    race_in_a_folder(6).await;
    race_in_a_bucket(4).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "100 publishes take half a minute: `just slow`"]
async fn publishers_that_race_fifty_times_in_a_folder_sign_one_tree() {
    race_in_a_folder(50).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "100 publishes into a bucket take a minute: `just slow`"]
async fn publishers_that_race_fifty_times_in_a_bucket_sign_one_tree() {
    race_in_a_bucket(50).await;
}
