use sports_transparency::{
    Node, Nodes as _, RightEdge, TileKind, TilePath, TileSet, Tree, TreeHash, bundle_bytes, consistency_nodes,
    consistency_path, inclusion_nodes, inclusion_path, read_bundle, tile_bytes,
};

fn tree(size: u64) -> Tree {
    (0..size).map(|index| TreeHash::of_leaf(&index.to_be_bytes())).collect()
}

fn path(text: &str) -> TilePath {
    text.parse().expect(text)
}

/// The tiles of a tree that are needed for some nodes, as a client fetches them.
fn fetched(tree: &Tree, nodes: &[Node], size: u64) -> TileSet {
    let mut tiles = TileSet::new();
    for path in TilePath::having(nodes, size) {
        assert!(path.is_within(size) && !tiles.has(path), "{path}");
        tiles.insert(path, &tile_bytes(tree, path).expect("a tile of the tree")).expect("a tile");
        assert!(tiles.has(path), "{path}");
    }
    tiles
}

#[test]
fn paths_are_those_of_c2sp_and_have_one_form() {
    for (text, kind, number, width) in [
        ("0/000", TileKind::Hashes { level: 0 }, 0, 256),
        ("1/255.p/1", TileKind::Hashes { level: 1 }, 255, 1),
        ("63/x001/x234/067", TileKind::Hashes { level: 63 }, 1_234_067, 256),
        ("entries/x001/067.p/255", TileKind::Entries, 1067, 255),
    ] {
        let path = path(text);
        assert_eq!((path.kind(), path.number(), path.width()), (kind, number, width));
        assert_eq!(path.to_string(), text);
    }
    let others = [
        "",
        "0",
        "0/",
        "0/0",
        "0/00",
        "0/0000",
        "00/000",
        "64/000",
        "-1/000",
        "+0/000",
        "0/x000",
        "0/x000/000",
        "0/001/067",
        "0/x001/67",
        "0/x001/x067",
        "0/X001/067",
        "0/000.p",
        "0/000.p/",
        "0/000.p/0",
        "0/000.p/256",
        "0/000.p/01",
        "0/000.p/+1",
        "0/000/",
        "/0/000",
        "entry/000",
        "Entries/000",
        "0/ 00",
        "0/000.p/1/",
        "0/000.p/1.p/1",
        "x0/000",
        "0/x184/x467/x440/x737/x095/x516/160",
    ];
    for text in others {
        assert!(text.parse::<TilePath>().is_err(), "{text}");
    }
}

/// The example of the format: a tree of 70,000.
#[test]
fn a_tree_of_70_000_has_the_tiles_of_the_format() {
    let size = 70_000;
    let hashes = |level| TileKind::Hashes { level };
    for (kind, last) in [
        (hashes(0), "0/273.p/112"),
        (hashes(1), "1/001.p/17"),
        (hashes(2), "2/000.p/1"),
        (TileKind::Entries, "entries/273.p/112"),
    ] {
        let last = path(last);
        assert_eq!(TilePath::widest(kind, last.number(), size), Some(last));
        assert_eq!(TilePath::widest(kind, last.number() + 1, size), None);
        assert!(last.is_within(size));
        assert!(!last.filled().is_within(size) && last.is_partial());
    }
    for full in ["0/000", "0/272", "1/000", "entries/272"] {
        assert!(path(full).is_within(size), "{full}");
        assert_eq!(TilePath::widest(path(full).kind(), path(full).number(), size), Some(path(full)));
    }
    for beyond in
        ["0/273", "0/273.p/113", "1/001.p/18", "2/000.p/2", "3/000.p/1", "8/000.p/1", "63/000.p/1", "entries/274"]
    {
        assert!(!path(beyond).is_within(size), "{beyond}");
    }
}

#[test]
fn growing_over_an_edge_completes_its_tiles() {
    let completed = |old, new| TilePath::completed(old, new).iter().map(ToString::to_string).collect::<Vec<_>>();
    assert!(completed(0, 255).is_empty());
    assert_eq!(completed(255, 256), ["0/000", "1/000.p/1", "entries/000"]);
    assert!(completed(256, 511).is_empty());
    assert_eq!(completed(200, 600), ["0/000", "0/001", "1/000.p/2", "entries/000", "entries/001"]);
    assert_eq!(completed(65_535, 65_536), ["0/255", "1/000", "2/000.p/1", "entries/255"]);
    assert_eq!(completed(65_536, 65_792), ["0/256", "1/001.p/1", "entries/256"]);
}

#[test]
fn proofs_made_of_tiles_are_those_of_the_tree_at_the_edges_of_256_and_65_536() {
    let whole = tree(65_800);
    let sizes = [1, 2, 255, 256, 257, 511, 512, 513, 1000, 65_535, 65_536, 65_537, 65_791, 65_792, 65_793];
    for size in sizes {
        let edge = fetched(&whole, &RightEdge::nodes(size), size);
        assert_eq!(RightEdge::of(&edge, size).expect("all tiles"), RightEdge::of(&whole, size).expect("all hashes"));
        assert_eq!(TilePath::of_edge(size), TilePath::having(&RightEdge::nodes(size), size));
        for index in
            [0, 1, 254, 255, 256, 257, 511, 512, 65_535, 65_536, size - 1].into_iter().filter(|index| *index < size)
        {
            let tiles = fetched(&whole, &inclusion_nodes(index, size), size);
            assert_eq!(inclusion_path(&tiles, index, size), inclusion_path(&whole, index, size), "{index} of {size}");
            let tiles = fetched(&whole, &consistency_nodes(index, size), size);
            assert_eq!(
                consistency_path(&tiles, index, size),
                consistency_path(&whole, index, size),
                "{index} to {size}"
            );
        }
    }
}

#[test]
fn a_hash_of_a_tile_is_the_root_of_the_full_tile_below() {
    let whole = tree(600);
    let below = tile_bytes(&whole, path("0/001")).expect("a full tile");
    let mut edge = RightEdge::default();
    for hash in below.chunks(TreeHash::LENGTH) {
        edge.append(TreeHash::new(hash.try_into().expect("32 bytes")));
    }
    let above = tile_bytes(&whole, path("1/000.p/2")).expect("a partial tile");
    assert_eq!(above[TreeHash::LENGTH..], *edge.root().as_bytes());
    assert_eq!((below.len(), above.len()), (8192, 64));
    assert_eq!(tile_bytes(&whole, path("1/000.p/3")), None);
    assert_eq!(tile_bytes(&whole, path("entries/000")), None);
}

#[test]
fn a_tile_of_another_length_is_refused() {
    let mut tiles = TileSet::new();
    for bytes in [0, 31, 33, 64] {
        let refused = tiles.insert(path("0/000.p/1"), &vec![0; bytes]);
        let expected = format!("a tile of 1 hashes has 32 bytes, not {bytes}");
        assert_eq!(refused.map_err(|error| error.to_string()), Err(expected));
    }
    assert!(tiles.insert(path("entries/000.p/1"), &[0; 32]).is_err());
    assert_eq!(tiles.node(Node { height: 0, index: 0 }), None);
    tiles.insert(path("0/000.p/2"), &[7; 64]).expect("two hashes");
    tiles.insert(path("0/000.p/1"), &[7; 32]).expect("one hash");
    assert_eq!(tiles.node(Node { height: 0, index: 1 }), Some(TreeHash::new([7; 32])));
    for node in [Node { height: 64, index: 0 }, Node { height: 7, index: u64::MAX }, Node { height: 1, index: 1 }] {
        assert_eq!(tiles.node(node), None);
    }
}

#[test]
fn a_bundle_is_read_as_it_was_written() {
    let long = "x".repeat(65_535);
    let leaves = ["a\n", "", &long];
    let bytes = bundle_bytes(leaves).expect("leaves that fit");
    assert_eq!(bytes[..6], [0, 2, b'a', b'\n', 0, 0]);
    assert_eq!(read_bundle(&bytes), Ok(leaves.to_vec()));
    let refused = bundle_bytes([format!("{long}x").as_str()]).expect_err("too long");
    assert_eq!(refused.to_string(), "a leaf has 65536 bytes: at most 65535 fit");
    for cut in [&bytes[..bytes.len() - 1], &[0]] {
        assert_eq!(read_bundle(cut).expect_err("cut off").to_string(), "the bundle ends within a leaf");
    }
    let refused = read_bundle(&[0, 1, 0xff]).expect_err("not text").to_string();
    assert!(refused.starts_with("leaf 0 of the bundle is not UTF-8"), "{refused}");
}
