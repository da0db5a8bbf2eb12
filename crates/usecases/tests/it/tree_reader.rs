//! Tiles and leaves of a league's tree, as stored or computed, against a tree of all leaves in memory.

use std::sync::Arc;

use bytes::Bytes;
use sports_ports::publication::PublicationLog as _;
use sports_ports::record::{RecordFile, RecordFiles as _};
use sports_publication::registry::Change;
use sports_testkit::random::RandomFake;
use sports_transparency::{
    TilePath, Tree, TreeHash, WrittenLeaf, bundle_bytes, consistency_nodes, consistency_path, tile_bytes,
};
use sports_usecases::record::{TreeHead, TreeReader};
use sports_usecases::signing::{RecordSigner, TreeSigning};
use sports_usecases::verify::{StatedTrees, verify_record_files};

use crate::declared::{Folder, declarations, model};
use crate::world::{SPORT, World, games, generation};

/// The newest entry, which has five leaves; each other one has one.
const NEWEST: u64 = 306;

/// Publishes entries with a leaf each, and one that declares versions of four models.
async fn world() -> (World, Vec<WrittenLeaf>) {
    let world = World::new();
    for number in 1..NEWEST {
        world.publish(games(&[format!("team {number}").as_str()])).await;
    }
    let versioned = |name| (name, model(|declared| declared.version = Change::Set("2026.11".to_owned())));
    let declaring = declarations(["ELO", "XGB", "nn", "ours"].map(versioned), None);
    Folder::declaring(declaring).publish(&world.publisher()).await.expect("declared");
    let mut leaves = Vec::new();
    for number in 1..=NEWEST {
        let entry = world.store.entry(SPORT, generation(number)).await.expect("answers").expect("an entry");
        let tree = entry.catalog.tree.expect("a tree");
        leaves.extend(world.slates.leaves(SPORT, &tree.leaves).await.expect("reads").leaves);
    }
    (world, leaves)
}

fn reader(world: &World) -> TreeReader {
    TreeReader::new(Arc::clone(&world.store) as _, world.slates.clone(), Arc::clone(&world.store) as _)
}

fn path(text: &str) -> TilePath {
    text.parse().expect("a tile")
}

#[tokio::test]
async fn tiles_equal_those_of_all_leaves_below_numbers_that_cannot_be_read() {
    let (world, leaves) = world().await;
    assert_eq!(leaves.len(), 310);
    world.store.spoil_entry(SPORT, generation(NEWEST + 1));
    world.store.spoil_entry(SPORT, generation(400));
    let reader = reader(&world);
    let head = reader.newest(SPORT).await.expect("reads").expect("a tree");
    let tree: Tree = leaves.iter().map(WrittenLeaf::hash).collect();
    assert_eq!((head.generation, head.size), (generation(NEWEST), tree.size()));
    for tile in ["0/000", "0/000.p/1", "0/000.p/255", "0/001.p/54", "0/001.p/7", "1/000.p/1"] {
        let read = reader.tile(&head, path(tile)).await.expect("reads");
        assert_eq!(read.map(Vec::from), tile_bytes(&tree, path(tile)), "{tile}");
    }
    for beyond in ["0/001.p/55", "0/001", "0/002.p/1", "1/000.p/2", "2/000.p/1", "entries/001.p/55", "entries/001"] {
        assert_eq!(reader.tile(&head, path(beyond)).await.expect("reads"), None, "{beyond}");
    }
    for (tile, range) in [("entries/000", 0..256), ("entries/001.p/3", 256..259)] {
        let expected = bundle_bytes(leaves[range].iter().map(WrittenLeaf::text)).expect("short leaves");
        assert_eq!(reader.tile(&head, path(tile)).await.expect("reads").map(Vec::from), Some(expected), "{tile}");
    }
}

#[tokio::test]
async fn hashes_of_a_proof_are_read_from_the_tiles_that_have_them() {
    let (world, leaves) = world().await;
    let reader = reader(&world);
    let tree: Tree = leaves.iter().map(WrittenLeaf::hash).collect();
    let head = reader.newest(SPORT).await.expect("reads").expect("a tree");
    for old in [1, 255, 256, 257, 300, 309] {
        let nodes = consistency_nodes(old, head.size);
        let tiles = reader.nodes(&head, &nodes).await.expect("reads");
        let expected = consistency_path(&tree, old, head.size).expect("all hashes");
        assert_eq!(consistency_path(&tiles, old, head.size).expect("all hashes"), expected, "{old}");
    }
}

#[tokio::test]
async fn each_leaf_is_found_in_the_entry_that_added_it() {
    let (world, leaves) = world().await;
    let reader = reader(&world);
    let head = reader.newest(SPORT).await.expect("reads").expect("a tree");
    for (place, number) in [(0, 1), (300, 301), (304, 305), (305, NEWEST), (309, NEWEST)] {
        let (entry, _) = reader.entry_of(&head, place).await.expect("found");
        assert_eq!(entry.generation, generation(number), "{place}");
    }
    assert!(reader.entry_of(&head, 310).await.is_err());
    assert_eq!(reader.leaves(&head, 298..304).await.expect("reads"), leaves[298..304]);
    // As of an earlier entry the tree is smaller.
    let earlier = world.store.entry(SPORT, generation(303)).await.expect("answers").expect("an entry");
    let earlier = TreeHead::of(&earlier.catalog).expect("a tree");
    assert_eq!(earlier.size, 303);
    assert!(reader.entry_of(&earlier, 303).await.is_err());
}

#[tokio::test]
async fn a_stored_tile_is_read_and_one_of_another_length_is_computed() {
    let (world, leaves) = world().await;
    let reader = reader(&world);
    let head = reader.newest(SPORT).await.expect("reads").expect("a tree");
    let tree: Tree = leaves.iter().map(WrittenLeaf::hash).collect();
    let full = path("0/000");
    let marked = Bytes::from(vec![7; 256 * TreeHash::LENGTH]);
    let _ = world.store.put_record_file(&RecordFile::Tile(SPORT, full), marked.clone()).await.expect("writable");
    assert_eq!(reader.tile(&head, full).await.expect("reads"), Some(marked.clone()));
    assert_eq!(reader.tile(&head, path("0/000.p/2")).await.expect("reads"), Some(marked.slice(..64)));
    assert_eq!(reader.computed_tile(&head, full).await.map(Vec::from).ok(), tile_bytes(&tree, full));
    let partial = path("1/000.p/1");
    let _ = world.store.put_record_file(&RecordFile::Tile(SPORT, partial), Bytes::from_static(b"cut")).await;
    let computed = reader.tile(&head, partial).await.expect("reads").expect("within the tree");
    assert_ne!(&computed[..], tile_bytes(&tree, partial).expect("within"), "of the stored tile below");
    assert_eq!(computed.len(), TreeHash::LENGTH);
}

#[tokio::test]
async fn completion_stores_the_tiles_that_became_full_and_computes_them_from_leaves() {
    let (world, leaves) = world().await;
    let tree: Tree = leaves.iter().map(WrittenLeaf::hash).collect();
    let signer = RecordSigner::new(
        reader(&world),
        Arc::clone(&world.clock) as _,
        Arc::new(RandomFake::default()),
        TreeSigning::Off,
    );
    let bundle = bundle_bytes(leaves[..256].iter().map(WrittenLeaf::text)).expect("short leaves");
    for _ in 0..2 {
        let done = signer.complete(SPORT).await;
        assert_eq!((done.warnings, done.checkpoint), (Vec::new(), None));
        for (tile, expected) in [
            ("0/000", tile_bytes(&tree, path("0/000"))),
            ("1/000.p/1", tile_bytes(&tree, path("1/000.p/1"))),
            ("entries/000", Some(bundle.clone())),
            ("0/001.p/54", None),
            ("entries/001.p/54", None),
            ("2/000.p/1", None),
        ] {
            let stored = world.store.record_file(&RecordFile::Tile(SPORT, path(tile))).await.expect("reads");
            assert_eq!(stored.map(Vec::from), expected, "{tile}");
        }
    }
    let reader = reader(&world);
    let verified =
        verify_record_files(&reader, SPORT, &StatedTrees::default(), &[]).await.expect("they follow from the leaves");
    assert_eq!((verified.tiles, verified.notes), (3, 0));
}

#[tokio::test]
async fn verification_names_a_stored_tile_that_does_not_follow_from_the_leaves() {
    let (world, _) = world().await;
    let partial = RecordFile::Tile(SPORT, path("1/000.p/1"));
    let _ = world.store.put_record_file(&partial, Bytes::from(vec![7; 32])).await.expect("writable");
    let found =
        verify_record_files(&reader(&world), SPORT, &StatedTrees::default(), &[]).await.expect_err("another tile");
    assert!(found.to_string().starts_with("tile 1/000.p/1, beside the record"), "{found}");
}
