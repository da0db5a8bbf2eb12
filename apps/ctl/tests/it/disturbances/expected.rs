//! The files that completion stores: as they are found, and as they follow from the leaves.

use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;
use sports_ports::record::{CheckpointKind, RecordFile};
use sports_transparency::{SignedCheckpoint, TileKind, TilePath, TreeHash};

use super::site::{Machine, SPORT, SigningSite, log_key, witness_key};

/// The files of a record, without the times of cosignatures and tokens.
#[derive(Debug, PartialEq, Eq)]
pub struct Signed {
    pub tiles: BTreeMap<TilePath, Bytes>,
    /// The size, checkpoint and signatures of the log in each note, and the witnesses that cosigned it.
    notes: BTreeSet<(u64, Vec<String>, BTreeSet<String>)>,
    /// The sizes that have a token.
    stamped: BTreeSet<u64>,
    keys: BTreeMap<String, Bytes>,
}

pub async fn signed(machine: &Machine) -> Signed {
    let files = &*machine.files;
    let (mut notes, mut stamped, mut keys) = (BTreeSet::new(), BTreeSet::new(), BTreeMap::new());
    for file in files.checkpoints(SPORT, 0..=u64::MAX).await.expect("lists") {
        let bytes = files.record_file(&RecordFile::Checkpoint(SPORT, file)).await.expect("reads").expect("a file");
        match file.kind {
            CheckpointKind::Note => _ = notes.insert(note(file.size, &bytes)),
            CheckpointKind::Timestamp => _ = stamped.insert(file.size),
        }
    }
    for id in files.record_keys().await.expect("lists") {
        let bytes = files.record_file(&RecordFile::Key(id)).await.expect("reads").expect("a key");
        keys.insert(id.to_string(), bytes);
    }
    Signed { tiles: tiles(machine).await, notes, stamped, keys }
}

fn note(size: u64, bytes: &Bytes) -> (u64, Vec<String>, BTreeSet<String>) {
    let text = std::str::from_utf8(bytes).expect("text");
    let note: SignedCheckpoint = text.parse().expect("a note");
    let cosigned = note.verify(&log_key(), &[witness_key()]).expect("every signature holds");
    let log = log_key().name().to_string();
    let of_log = text.lines().filter(|line| !line.starts_with('\u{2014}') || line.contains(&format!(" {log} ")));
    let of_log = of_log.map(str::to_owned).collect();
    (size, of_log, cosigned.iter().map(|one| one.witness.name().to_string()).collect())
}

/// Returns the stored tiles of the levels that a tree of so few leaves has.
pub async fn tiles(machine: &Machine) -> BTreeMap<TilePath, Bytes> {
    let mut found = BTreeMap::new();
    for path in machine.tile_paths() {
        let bytes = machine.files.record_file(&RecordFile::Tile(SPORT, path)).await.expect("reads");
        found.insert(path, bytes.expect("a tile"));
    }
    found
}

/// Computes the tiles that completions after each entry up to one store, from the texts of the leaves: the full ones of hashes
/// and texts, and after each entry the widest partial one of level 1.
pub fn expected_tiles(site: &SigningSite, generation: u64) -> BTreeMap<TilePath, Bytes> {
    let heads = &site.heads[..usize::try_from(generation).expect("few")];
    let leaves = usize::try_from(heads.last().expect("an entry").size).expect("few");
    let (mut tiles, mut roots) = (BTreeMap::new(), Vec::new());
    for (number, texts) in (0..).zip(site.leaves[..leaves].chunks_exact(256)) {
        let hashes: Vec<_> = texts.iter().map(|text| TreeHash::of_leaf(text.as_bytes())).collect();
        tiles.insert(TilePath::full(TileKind::Hashes { level: 0 }, number), bytes_of(&hashes));
        let bundle = texts.iter().flat_map(|text| {
            let length = u16::try_from(text.len()).expect("a short leaf");
            [&length.to_be_bytes(), text.as_bytes()].concat()
        });
        tiles.insert(TilePath::full(TileKind::Entries, number), bundle.collect());
        roots.push(root_of(hashes));
    }
    for head in heads {
        let width = usize::try_from(head.size / 256).expect("few");
        let path = format!("1/000.p/{width}").parse().expect("a tile");
        tiles.insert(path, bytes_of(&roots[..width]));
    }
    tiles
}

fn bytes_of(hashes: &[TreeHash]) -> Bytes {
    hashes.iter().flat_map(|hash| *hash.as_bytes()).collect()
}

/// Returns the root of a tree whose leaves are a power of two.
fn root_of(mut hashes: Vec<TreeHash>) -> TreeHash {
    while hashes.len() > 1 {
        hashes = hashes.chunks(2).map(|pair| TreeHash::of_children(pair[0], pair[1])).collect();
    }
    hashes[0]
}
