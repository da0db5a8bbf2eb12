//! Verification of the files beside a record: tiles, signed checkpoints and timestamps.

use sports_domain::Sport;
use sports_domain::content::ObjectHash;
use sports_ports::PortError;
use sports_ports::record::{CheckpointFile, CheckpointKind, RecordFile, RecordFiles};
use sports_transparency::{
    NotSigned, RightEdge, SignedCheckpoint, TileKind, TilePath, TreeHash, VerifierKey, WrittenLeaf,
};

use super::difference::{Difference, VerifyError};
use super::trees::{StatedTrees, verify_losses};
use crate::record::{StoredKeys, TreeHead, TreeReader, stored_keys, tile_of};

/// The numbers of files beside a record that were verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct VerifiedFiles {
    pub tiles: usize,
    /// The signed checkpoints, with or without cosignatures.
    pub notes: usize,
    /// The timestamps. Their times and signatures are left to other programs.
    pub timestamps: usize,
}

/// Verifies the files beside a league's record, and the losses that its entries state.
///
/// Each stored tile is computed from the leaves, and no other is stored. Each note must be of the size and root of an entry and
/// signed by a key in the store, and each signature of such a key, or of one of these witnesses, must hold.
///
/// # Errors
///
/// [`VerifyError`] with the first difference, or if the store cannot be read.
pub async fn verify_record_files(
    tree: &TreeReader,
    sport: Sport,
    trees: &StatedTrees,
    witnesses: &[VerifierKey],
) -> Result<VerifiedFiles, VerifyError> {
    let (mut verified, files) = (VerifiedFiles::default(), tree.files());
    // Listed first: a tile is stored after the entry that completes it.
    let tiles = files.tiles(sport).await.map_err(VerifyError::Port)?;
    let head = tree.newest(sport).await.map_err(VerifyError::Port)?;
    if let Some(head) = &head {
        verified.tiles = verify_tiles(tree, head).await?;
    }
    expect_no_others(&tiles, head.map_or(0, |head| head.size))?;
    let StoredKeys { listed, damaged } = stored_keys(files).await.map_err(VerifyError::Port)?;
    if let Some(id) = damaged.first() {
        return Err(differs(format!("record/keys/{id}.vkey"), "it is not the key of that name"));
    }
    let listed: Vec<_> = listed.into_iter().filter(|key| key.sport == sport).collect();
    verify_losses(trees, &listed)?;
    let keys: Vec<_> = listed.into_iter().map(|key| key.vkey).collect();
    for file in files.checkpoints(sport, 0..=u64::MAX).await.map_err(VerifyError::Port)? {
        let checked = verify_file(files, sport, file, trees, (&keys, witnesses)).await.map_err(VerifyError::Port)?;
        let name = format!("{} of the tree of {} leaves", file.content, file.size);
        checked.map_err(|reason| Difference::RecordFile { name, reason })?;
        match file.kind {
            CheckpointKind::Note => verified.notes += 1,
            CheckpointKind::Timestamp => verified.timestamps += 1,
        }
    }
    Ok(verified)
}

/// Verifies a file about the tree of one size; the inner error is the reason for which it is not right.
async fn verify_file(
    files: &dyn RecordFiles,
    sport: Sport,
    file: CheckpointFile,
    trees: &StatedTrees,
    keys: (&[VerifierKey], &[VerifierKey]),
) -> Result<Result<(), String>, PortError> {
    let Some(bytes) = files.record_file(&RecordFile::Checkpoint(sport, file)).await? else {
        return Ok(Err("it has gone".to_owned()));
    };
    if ObjectHash::from_bytes(&bytes) != file.content {
        return Ok(Err("its bytes do not hash to its name".to_owned()));
    }
    let Some(root) = trees.roots.get(&file.size) else {
        return Ok(Err("no entry ends at this size".to_owned()));
    };
    Ok(match file.kind {
        CheckpointKind::Note => verify_note(&bytes, (file.size, *root), &trees.keys, keys),
        CheckpointKind::Timestamp => Ok(()),
    })
}

fn verify_note(
    bytes: &[u8],
    (size, root): (u64, TreeHash),
    announced: &[(u64, VerifierKey)],
    (keys, witnesses): (&[VerifierKey], &[VerifierKey]),
) -> Result<(), String> {
    let note = std::str::from_utf8(bytes).ok().and_then(|text| text.parse::<SignedCheckpoint>().ok());
    let note = note.ok_or("it is not a signed checkpoint")?;
    if note.checkpoint().size != size || note.checkpoint().root != root {
        return Err("its size or root is not the entry's".to_owned());
    }
    let mut is_signed = false;
    for key in keys.iter().filter(|key| *key.name() == note.checkpoint().origin) {
        match note.verify(key, witnesses) {
            Ok(_) if announces_another(announced, size, key) => {
                return Err(format!("{key} signed it before a leaf announced this key"));
            }
            Ok(_) => is_signed = true,
            // A rotation has notes of either key.
            Err(NotSigned::Unsigned(_)) => {}
            Err(reason) => return Err(reason.to_string()),
        }
    }
    if is_signed { Ok(()) } else { Err("no key in record/keys has signed it".to_owned()) }
}

/// Returns `true` if the first leaves of a tree announce a key of the name of this one, and not this one.
fn announces_another(announced: &[(u64, VerifierKey)], size: u64, key: &VerifierKey) -> bool {
    let mut of_name = announced.iter().filter(|(place, of)| *place < size && of.name() == key.name()).peekable();
    of_name.peek().is_some() && !of_name.any(|(_, of)| of == key)
}

/// Verifies the stored tiles, from the leaves up; returns their number.
async fn verify_tiles(tree: &TreeReader, head: &TreeHead) -> Result<usize, VerifyError> {
    let (mut tiles, mut hashes) = (0, Vec::new());
    for number in 0..TileKind::Entries.items(head.size) / u64::from(TilePath::FULL) {
        let [bundle, of_hashes] =
            [TileKind::Entries, TileKind::Hashes { level: 0 }].map(|kind| TilePath::full(kind, number));
        let leaves = tree.leaves(head, bundle.items().unwrap_or_default()).await.map_err(VerifyError::Port)?;
        for path in [bundle, of_hashes] {
            let expected = tile_of(path.kind(), &leaves).map_err(VerifyError::Port)?;
            tiles += verify_tile(tree, head, path, &expected).await?;
        }
        hashes.push(leaves.iter().map(WrittenLeaf::hash).collect::<RightEdge>().root());
    }
    for level in 1..8 {
        for (path, of_tile) in tiles_above(level, &hashes) {
            let expected: Vec<_> = of_tile.iter().flat_map(|hash| *hash.as_bytes()).collect();
            tiles += verify_tile(tree, head, path, &expected).await?;
        }
        let full = hashes.chunks_exact(usize::from(TilePath::FULL));
        hashes = full.map(|of_tile| of_tile.iter().copied().collect::<RightEdge>().root()).collect();
    }
    Ok(tiles)
}

/// Compares a tile that may be stored with its bytes; returns the number of tiles that were compared.
async fn verify_tile(
    tree: &TreeReader,
    head: &TreeHead,
    path: TilePath,
    expected: &[u8],
) -> Result<usize, VerifyError> {
    let stored = tree.files().record_file(&RecordFile::Tile(head.sport, path)).await.map_err(VerifyError::Port)?;
    match stored {
        None => Ok(0),
        Some(stored) if stored == expected => Ok(1),
        Some(_) => Err(differs(format!("tile {path}"), "it does not follow from the leaves")),
    }
}

/// Refuses tiles that a tree of this size does not have, and partial ones of leaves, which are never stored.
fn expect_no_others(stored: &[TilePath], size: u64) -> Result<(), VerifyError> {
    for path in stored {
        let is_of_leaves = matches!(path.kind(), TileKind::Entries | TileKind::Hashes { level: 0 });
        if !path.is_within(size) {
            return Err(differs(format!("tile {path}"), format!("the tree has {size} leaves")));
        }
        if is_of_leaves && path.is_partial() {
            return Err(differs(format!("tile {path}"), "a tile of leaves is stored when it is full"));
        }
    }
    Ok(())
}

fn differs(name: String, reason: impl Into<String>) -> VerifyError {
    Difference::RecordFile { name, reason: reason.into() }.into()
}

/// Returns the tiles of a level above the leaves that can be stored, with their hashes: full ones, and partial ones of each width.
fn tiles_above(level: u8, hashes: &[TreeHash]) -> impl Iterator<Item = (TilePath, &[TreeHash])> {
    let chunks = (0..).zip(hashes.chunks(usize::from(TilePath::FULL)));
    chunks.flat_map(move |(number, chunk)| {
        let full = TilePath::full(TileKind::Hashes { level }, number);
        let tiles = std::iter::successors(Some(full), |path| path.narrower());
        tiles.filter_map(|path| Some((path, chunk.get(..usize::from(path.width()))?)))
    })
}
