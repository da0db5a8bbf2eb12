//! Verification of the files beside a record: tiles, signed checkpoints and timestamps.

use std::collections::BTreeMap;

use sports_content::ObjectHash;
use sports_domain::Sport;
use sports_ports::PortError;
use sports_ports::record::{CheckpointFile, CheckpointKind, RecordFile, RecordFiles};
use sports_transparency::{NotSigned, SignedCheckpoint, TileKind, TilePath, TreeHash, VerifierKey};

use super::difference::{Difference, VerifyError};
use super::losses::{StatedTrees, verify_losses};
use crate::record::{TreeHead, TreeReader, published_keys};

/// The numbers of files beside a record that were verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct VerifiedFiles {
    /// The tiles.
    pub tiles: usize,
    /// The signed checkpoints, with or without cosignatures.
    pub notes: usize,
    /// The timestamps. Their times and signatures are left to other programs.
    pub timestamps: usize,
}

/// Verifies the files beside a league's record, and the losses that its entries state.
///
/// Each stored tile is computed from the leaves. Each note must be of the size and root of an entry, and each signature of a
/// key in the store, or of one of these witnesses, must hold.
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
    let mut verified = VerifiedFiles::default();
    if let Some(head) = tree.newest(sport).await.map_err(VerifyError::Port)? {
        verified.tiles = verify_tiles(tree, &head).await?;
    }
    let files = tree.files();
    let published = published_keys(files).await.map_err(VerifyError::Port)?;
    let listed: Vec<_> = published.into_iter().filter(|key| key.sport == sport).collect();
    verify_losses(trees, &listed)?;
    let keys: Vec<_> = listed.into_iter().map(|key| key.vkey).collect();
    for file in files.checkpoints(sport, 0..=u64::MAX).await.map_err(VerifyError::Port)? {
        let checked =
            verify_file(files, sport, file, &trees.roots, (&keys, witnesses)).await.map_err(VerifyError::Port)?;
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
    trees: &BTreeMap<u64, TreeHash>,
    keys: (&[VerifierKey], &[VerifierKey]),
) -> Result<Result<(), String>, PortError> {
    let Some(bytes) = files.record_file(&RecordFile::Checkpoint(sport, file)).await? else {
        return Ok(Err("it has gone".to_owned()));
    };
    if ObjectHash::from_bytes(&bytes) != file.content {
        return Ok(Err("its bytes do not hash to its name".to_owned()));
    }
    let Some(root) = trees.get(&file.size) else {
        return Ok(Err("no entry ends at this size".to_owned()));
    };
    Ok(match file.kind {
        CheckpointKind::Note => verify_note(&bytes, file.size, *root, keys),
        CheckpointKind::Timestamp => Ok(()),
    })
}

fn verify_note(
    bytes: &[u8],
    size: u64,
    root: TreeHash,
    (keys, witnesses): (&[VerifierKey], &[VerifierKey]),
) -> Result<(), String> {
    let note = std::str::from_utf8(bytes).ok().and_then(|text| text.parse::<SignedCheckpoint>().ok());
    let note = note.ok_or("it is not a signed checkpoint")?;
    if note.checkpoint().size != size || note.checkpoint().root != root {
        return Err("its size or root is not the entry's".to_owned());
    }
    for key in keys.iter().filter(|key| *key.name() == note.checkpoint().origin) {
        match note.verify(key, witnesses) {
            // A rotation has notes of either key.
            Ok(_) | Err(NotSigned::Unsigned(_)) => {}
            Err(reason) => return Err(reason.to_string()),
        }
    }
    Ok(())
}

/// Verifies the stored tiles, from the leaves up; returns their number.
async fn verify_tiles(tree: &TreeReader, head: &TreeHead) -> Result<usize, VerifyError> {
    let mut tiles = 0;
    for kind in (0..8).map(|level| TileKind::Hashes { level }).chain([TileKind::Entries]) {
        for path in tiles_of(kind, head.size) {
            let stored =
                tree.files().record_file(&RecordFile::Tile(head.sport, path)).await.map_err(VerifyError::Port)?;
            let Some(stored) = stored else { continue };
            tiles += 1;
            if tree.computed_tile(head, path).await.map_err(VerifyError::Port)? != stored {
                let (name, reason) = (format!("tile {path}"), "it does not follow from the leaves".to_owned());
                return Err(Difference::RecordFile { name, reason }.into());
            }
        }
    }
    Ok(tiles)
}

/// Returns the tiles of a level that can be stored: full ones and, above the leaves, partial ones of each width.
fn tiles_of(kind: TileKind, size: u64) -> Vec<TilePath> {
    let full = u64::from(TilePath::FULL);
    let items = kind.items(size);
    let is_above_leaves = !matches!(kind, TileKind::Entries | TileKind::Hashes { level: 0 });
    let partial = (1..=items).filter(|item| is_above_leaves && !item.is_multiple_of(full));
    // The size at which the level has this number of items names the partial tile of that time.
    let partial = partial.filter_map(|item| {
        let TileKind::Hashes { level } = kind else { return None };
        TilePath::widest(kind, item / full, item << (8 * u32::from(level)))
    });
    (0..items / full).map(|number| TilePath::full(kind, number)).chain(partial).collect()
}
