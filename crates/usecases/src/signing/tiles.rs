//! Storing the tiles of a tree: full ones, and the widest partial one of each level above the leaves.

use std::collections::BTreeSet;

use sports_ports::record::{RecordFile, StoredAs};
use sports_ports::{PortError, in_one_line};
use sports_transparency::{TileKind, TilePath};

use crate::record::{TreeHead, TreeReader};

/// Stores the tiles that the store lacks; returns what went wrong.
///
/// Each level is searched from its end down to a tile that is stored. Tiles are stored from the lowest number up, so all below
/// that one are there, whoever was killed on the way.
pub(super) async fn store(tree: &TreeReader, head: &TreeHead) -> Vec<String> {
    let mut warnings = Vec::new();
    for kind in (0..8).map(|level| TileKind::Hashes { level }).chain([TileKind::Entries]) {
        match store_kind(tree, head, kind).await {
            Ok(different) => warnings.extend(different.iter().map(|path| {
                let sport = head.sport;
                format!(
                    "tile {path} of {sport} is stored with other bytes; it was left as it is: run `sportsctl verify`"
                )
            })),
            Err(error) => {
                warnings.push(format!("tiles of {} are not stored: {}", head.sport, in_one_line(&error)));
                break;
            }
        }
    }
    warnings
}

/// Stores the tiles of a level, or the bundles; returns those that are there with other bytes.
async fn store_kind(tree: &TreeReader, head: &TreeHead, kind: TileKind) -> Result<BTreeSet<TilePath>, PortError> {
    let full = kind.items(head.size) / u64::from(TilePath::FULL);
    let is_above_leaves = !matches!(kind, TileKind::Entries | TileKind::Hashes { level: 0 });
    let mut missing = Vec::new();
    // The widest tile of the last number is partial, unless the level ends with a full one.
    let partial = TilePath::widest(kind, full, head.size).filter(|_| is_above_leaves);
    if let Some(path) = partial
        && !is_stored(tree, head, path).await?
    {
        missing.push(path);
    }
    for number in (0..full).rev() {
        let path = TilePath::full(kind, number);
        if is_stored(tree, head, path).await? {
            break;
        }
        missing.push(path);
    }
    let mut different = BTreeSet::new();
    for path in missing.into_iter().rev() {
        let bytes = tree.computed_tile(head, path).await?;
        if tree.files().put_record_file(&RecordFile::Tile(head.sport, path), bytes).await? == StoredAs::Different {
            different.insert(path);
        }
    }
    Ok(different)
}

async fn is_stored(tree: &TreeReader, head: &TreeHead, path: TilePath) -> Result<bool, PortError> {
    match tree.files().record_file(&RecordFile::Tile(head.sport, path)).await {
        Ok(found) => Ok(found.is_some()),
        Err(PortError::Corrupt { .. }) => Ok(false),
        Err(error) => Err(error),
    }
}
