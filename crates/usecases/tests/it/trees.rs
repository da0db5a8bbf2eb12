//! The tree of a league: its leaves after a publish, and each difference that `verify` finds in it.

use sports_ports::publication::{LogEntry, ObjectKind, Objects as _, PublicationLog as _, SlateCodec as _};
use sports_publication::{Catalog, EntryLeaves, LeavesEntry, SlateArtifact, TreeEntry};
use sports_transparency::{KeyKind, Leaf, LeafFact, RightEdge, SigningKey, TreeHash, VerifierKey, WrittenLeaf};
use sports_usecases::verify::{Difference, Verified, VerifyError, verify};

use crate::declared::{Folder, declarations, model};
use crate::world::{SPORT, World, games, generation};

async fn verified(world: &World) -> Result<Verified, Difference> {
    verify(&*world.store, &world.archives, &world.slates, SPORT).await.map_err(|error| match error {
        VerifyError::Differs(difference) => *difference,
        VerifyError::Port(error) => panic!("the store answers: {error}"),
    })
}

/// Returns an entry with its leaves.
async fn entry(world: &World, number: u64) -> (LogEntry, EntryLeaves) {
    let entry = world.store.entry(SPORT, generation(number)).await.expect("answers").expect("an entry");
    let tree = entry.catalog.tree.clone().expect("a tree");
    let leaves = world.slates.leaves(SPORT, &tree.leaves).await.expect("reads");
    (entry, leaves)
}

async fn world_with_two_entries() -> World {
    let world = World::new();
    for visitors in [&["a"][..], &["a", "b"]] {
        world.publish(games(visitors)).await;
    }
    world
}

#[tokio::test]
async fn imported_history_adds_one_leaf_an_entry_which_names_the_entry_before() {
    let world = world_with_two_entries().await;
    let (first, leaves) = entry(&world, 1).await;
    assert_eq!((leaves.first, leaves.leaves.len()), (0, 1));
    assert!(
        matches!(*leaves.leaves[0], Leaf { generation: 1, fact: LeafFact::Release { continues: None, .. }, .. }),
        "{leaves:?}"
    );
    let (second, leaves) = entry(&world, 2).await;
    let Catalog { published_at, clock, .. } = second.catalog;
    let continues = Some(first.digest);
    let expected = WrittenLeaf::from(Leaf {
        sport: SPORT,
        generation: 2,
        fact: LeafFact::Release { published_at, clock, continues },
    });
    assert_eq!(leaves, EntryLeaves { first: 1, leaves: vec![expected.clone()] });
    let [before, after] = [first, second].map(|entry| entry.catalog.tree.expect("a tree"));
    assert_ne!(before.nonce, after.nonce, "each entry has a nonce of its own");
    let root = TreeHash::of_children(before.edge.root(), expected.hash());
    assert_eq!(verified(&world).await.expect("holds").tree, Some((2, root)));
}

#[tokio::test]
async fn a_version_of_a_model_is_a_leaf_once() {
    let world = World::new();
    let with_version = |version: &str| {
        let version = version.to_owned();
        let declared = model(|declared| declared.version = sports_publication::registry::Change::Set(version));
        Folder::declaring(declarations([("ELO", declared), ("bare", model(|_| {}))], None))
    };
    for version in ["2026.11", "2026.12"] {
        with_version(version).publish(&world.publisher()).await.expect("declared");
    }
    let history = Folder { seasons: vec!["2023"], ..Folder::default() };
    history.publish(&world.publisher()).await.expect("published");
    for (number, expected) in [(1, Some("2026.11")), (2, Some("2026.12")), (3, None)] {
        let leaves = entry(&world, number).await.1.leaves;
        let versions: Vec<_> = leaves.iter().filter(|leaf| matches!(leaf.fact, LeafFact::Model { .. })).collect();
        let named = |leaf: &WrittenLeaf| matches!(&leaf.fact, LeafFact::Model { model, version, sha256: None, .. } if model.as_str() == "ELO" && version.as_deref() == expected);
        assert_eq!(versions.len(), usize::from(expected.is_some()), "entry {number}: {leaves:?}");
        assert!(versions.into_iter().all(named), "entry {number}: {leaves:?}");
    }
    assert!(verified(&world).await.is_ok());
}

fn a_key(seed: u8) -> VerifierKey {
    let name = "example.com/record/mlb".parse().expect("a name");
    SigningKey::from_seed(name, KeyKind::Log, &[seed; 32]).expect("a key").verifier().clone()
}

#[tokio::test]
async fn each_key_is_announced_once_behind_the_release_by_the_first_entry_that_has_it() {
    let world = World::new();
    let (old, new) = (a_key(1), a_key(2));
    let announced = [vec![], vec![old.clone()], vec![old.clone()], vec![old.clone(), new.clone()]];
    for (keys, visitors) in announced.into_iter().zip([&["a"][..], &["a", "b"], &["a", "b", "c"], &["a", "d"]]) {
        let release = sports_publication::testing::a_release(SPORT, "2024", games(visitors));
        let publisher = world.publisher().announcing(keys);
        publisher.publish(&release, sports_usecases::publish::Mode::Commit).await.expect("published");
    }
    for (number, expected) in [(1, None), (2, Some(&old)), (3, None), (4, Some(&new))] {
        let leaves = entry(&world, number).await.1.leaves;
        let expected = expected.map(|vkey| LeafFact::Key { vkey: vkey.clone() });
        assert_eq!(leaves.get(1).map(|leaf| leaf.fact.clone()), expected, "entry {number}");
    }
    let head = world.head().await;
    let tree = head.tree.clone().expect("a tree");
    assert_eq!(tree.keys, [old.clone(), new]);
    let announced = verified(&world).await.expect("holds").trees.keys;
    assert_eq!(announced.iter().map(|(place, _)| *place).collect::<Vec<_>>(), [2, 5]);

    for keys in [vec![], vec![old.clone()], vec![old, a_key(3)]] {
        let tree = Some(TreeEntry { keys: keys.clone(), ..tree.clone() });
        world.store.forge_entry(Catalog { tree, ..head.clone() });
        let found = verified(&world).await.expect_err("another key");
        let is_named =
            matches!(found, Difference::Keys(at) | Difference::Leaf { generation: at, .. } if at == generation(4));
        assert!(is_named, "{keys:?}: {found}");
    }
}

#[tokio::test]
async fn a_leaf_of_an_unknown_kind_is_counted_and_every_other_one_still_compared() {
    let world = world_with_two_entries().await;
    let release = entry(&world, 2).await.1.leaves.remove(0);
    let later = WrittenLeaf::parse("sports-record/v1 later\nmlb 2\n".to_owned()).expect("a leaf");
    forge_leaves(&world, EntryLeaves { first: 1, leaves: vec![release.clone(), later.clone()] }).await;
    let held = verified(&world).await.expect("holds");
    assert_eq!((held.trees.unknown, held.tree.map(|tree| tree.0)), ([("later".to_owned(), 1)].into(), Some(3)));
    forge_leaves(&world, EntryLeaves { first: 1, leaves: vec![later] }).await;
    assert!(matches!(verified(&world).await, Err(Difference::Leaf { .. })), "the release is missing");
}

/// Stores leaves and makes them those of the newest entry, with the edge that follows from them.
async fn forge_leaves(world: &World, forged: EntryLeaves) {
    let head = world.head().await;
    let before = world.store.entry(SPORT, generation(head.generation.get() - 1)).await.expect("answers");
    let before = before.and_then(|before| before.catalog.tree);
    let edge = forged.edge(before.as_ref());
    let bytes = world.codecs.1.encode(SPORT, &SlateArtifact::Leaves(forged)).expect("encodes");
    let size = bytes.len() as u64;
    let object = world.store.put(SPORT, ObjectKind::Json, bytes).await.expect("stored");
    let leaves = LeavesEntry { object, bytes: size };
    let tree = head.tree.clone().map(|tree| TreeEntry { edge, leaves, ..tree });
    world.store.forge_entry(Catalog { tree, ..head });
}

#[tokio::test]
async fn the_first_leaf_that_differs_is_named() {
    let world = world_with_two_entries().await;
    let (second, leaves) = entry(&world, 2).await;
    let another = entry(&world, 1).await.1.leaves.remove(0);
    let table = [
        (vec![another.clone()], 1),
        (vec![leaves.leaves[0].clone(), another.clone()], 2),
        (vec![another, leaves.leaves[0].clone()], 1),
    ];
    for (forged, place) in table {
        forge_leaves(&world, EntryLeaves { first: 1, leaves: forged }).await;
        let found = verified(&world).await.expect_err("a leaf differs");
        let Difference::Leaf { generation: at, index, .. } = found else { panic!("{found}") };
        assert_eq!((at, index), (generation(2), place));
    }
    world.store.forge_entry(second.catalog.clone());
    assert!(verified(&world).await.is_ok());

    forge_leaves(&world, EntryLeaves { first: 7, leaves: leaves.leaves.clone() }).await;
    let found = verified(&world).await.expect_err("the leaves begin elsewhere");
    assert!(matches!(found, Difference::TreeStart { found: 7, expected: 1, .. }), "{found}");
}

#[tokio::test]
async fn an_edge_that_its_leaves_do_not_make_is_named() {
    let world = world_with_two_entries().await;
    let head = world.head().await;
    let tree = head.tree.clone().expect("a tree");
    let mut edge = RightEdge::default();
    for leaf in [b"one", b"two"] {
        edge.append(TreeHash::of_leaf(leaf));
    }
    world.store.forge_entry(Catalog { tree: Some(TreeEntry { edge: edge.clone(), ..tree.clone() }), ..head.clone() });
    let found = verified(&world).await.expect_err("another edge");
    assert!(found.to_string().contains(&edge.root().to_string()), "{found}");
    assert!(matches!(found, Difference::Tree { generation: at, .. } if at == generation(2)), "{found}");

    world.store.forge_entry(Catalog { tree: Some(TreeEntry { first: 0, ..tree }), ..head });
    let found = verified(&world).await.expect_err("another beginning");
    assert!(matches!(found, Difference::TreeStart { found: 0, expected: 1, .. }), "{found}");
}

#[tokio::test]
async fn an_entry_without_a_tree_is_named() {
    let world = world_with_two_entries().await;
    world.store.forge_entry(Catalog { tree: None, ..world.head().await });
    let found = verified(&world).await.expect_err("no tree");
    assert!(matches!(found, Difference::NoTree(at) if at == generation(2)), "{found}");
}

#[tokio::test]
async fn lost_leaves_are_named() {
    let world = world_with_two_entries().await;
    let mut head = world.head().await;
    let tree = head.tree.as_mut().expect("a tree");
    tree.leaves.object = sports_domain::content::ObjectHash::from_bytes(b"nothing");
    world.store.forge_entry(head);
    let found = verified(&world).await.expect_err("no leaves");
    assert_eq!(found.to_string(), "entry 2: its leaves are missing, altered or unreadable");
}

#[tokio::test]
async fn a_publisher_that_loses_the_race_continues_the_winners_tree() {
    let world = World::new();
    let publishers = (0..50).map(|number| {
        let (publisher, visitors) = (world.publisher(), format!("team {number}"));
        async move {
            let release = sports_publication::testing::a_release(SPORT, "2024", games(&[visitors.as_str()]));
            publisher.publish(&release, sports_usecases::publish::Mode::Commit).await.expect("published")
        }
    });
    futures::future::join_all(publishers).await;
    let held = verified(&world).await.expect("holds");
    assert_eq!((held.entries, held.tree.map(|tree| tree.0)), (50, Some(50)));
}
