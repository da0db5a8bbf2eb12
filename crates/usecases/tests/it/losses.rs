//! Losses that entries state, compared with the keys and the tree of the store.

use std::sync::Arc;

use sports_domain::content::ObjectHash;
use sports_ports::record::{RecordFile, RecordFiles as _};
use sports_ports::signing::TreeLoss;
use sports_publication::testing::a_release;
use sports_transparency::{Checkpoint, KeyKind, PublishedKey, SigningKey, TreeHash};
use sports_usecases::publish::Mode;
use sports_usecases::record::TreeReader;
use sports_usecases::verify::{Verified, verify, verify_record_files};

use crate::world::{SEASON, SPORT, World, games};

/// Publishes an entry, and another one that states a loss; verifies the log.
async fn stating(world: &World, loss: impl FnOnce(u64, TreeHash) -> ObjectHash) -> Verified {
    world.publish(games(&["a"])).await;
    let tree = world.head().await.tree.expect("a tree").edge;
    let after = TreeLoss { checkpoint: loss(tree.size(), tree.root()), size: tree.size() };
    let publisher = world.publisher().restarting(Some(after));
    let release = a_release(SPORT, SEASON, games(&["a", "b"]));
    let _ = publisher.publish(&release, Mode::Commit).await.expect("publishes");
    verify(&*world.store, &world.archives, &world.slates, SPORT).await.expect("holds")
}

/// Names a key of a record in the store.
async fn put_key(world: &World, origin: &str, record: u32) {
    let name = format!("{origin}/{SPORT}").parse().expect("a name");
    let key = SigningKey::from_seed(name, KeyKind::Log, &[5; SigningKey::SEED]).expect("a key");
    let (vkey, since) = (key.verifier().clone(), "2024-01-06T15:00:00Z".parse().expect("an instant"));
    let file = RecordFile::Key(vkey.id());
    let key = PublishedKey { vkey, since, record: record.try_into().expect("from 1"), replaces: None };
    let _ = world.store.put_record_file(&file, key.to_string().into()).await.expect("writable");
}

/// Verifies the files beside the record; returns the difference.
async fn difference(world: &World, verified: &Verified) -> Option<String> {
    let tree = TreeReader::new(Arc::clone(&world.store) as _, world.slates.clone(), Arc::clone(&world.store) as _);
    verify_record_files(&tree, SPORT, &verified.trees, &[]).await.err().map(|error| error.to_string())
}

#[tokio::test]
async fn a_loss_needs_a_key_of_a_record_that_began_anew() {
    let world = World::new();
    let lost = ObjectHash::from_bytes(b"a lost checkpoint");
    let verified = stating(&world, |_, _| lost).await;
    put_key(&world, "example.com", 1).await;
    let expected =
        format!("entry 2 states the loss of the checkpoint {lost}: no key in the store signs a record that began anew");
    assert_eq!(difference(&world, &verified).await, Some(expected));
    put_key(&world, "example.com/2", 2).await;
    assert_eq!(difference(&world, &verified).await, None);
}

#[tokio::test]
async fn a_tree_with_which_the_log_goes_on_is_not_lost() {
    let world = World::new();
    let origin = format!("example.com/{SPORT}").parse().expect("a name");
    let verified =
        stating(&world, |size, root| ObjectHash::from_bytes(Checkpoint { origin, size, root }.to_string().as_bytes()))
            .await;
    put_key(&world, "example.com/2", 2).await;
    assert_eq!(difference(&world, &verified).await, None, "another log may have had another tree");
    put_key(&world, "example.com", 1).await;
    let found = difference(&world, &verified).await.expect("a difference");
    assert!(found.ends_with(&format!("the log goes on with this tree of 1 leaves of example.com/{SPORT}")), "{found}");
}
