//! Storing the tiles of a tree: full ones, and the widest partial one of each level above the leaves.

use std::collections::BTreeSet;

use bytes::Bytes;
use sports_ports::record::{RecordFile, StoredAs};
use sports_ports::{PortError, error_chain};
use sports_transparency::{TileKind, TilePath};

use crate::record::{NewestTree, TreeHead, TreeReader, tile_of};

/// The kinds of tiles that are made of leaves.
const OF_LEAVES: [TileKind; 2] = [TileKind::Hashes { level: 0 }, TileKind::Entries];

/// Stores the tiles that the store lacks; returns what went wrong.
///
/// Each level is searched from its end down to a tile that is stored. Tiles are stored from the lowest number up, so all below
/// that one are there, whoever was killed on the way.
pub(super) async fn store(tree: &TreeReader, newest: &NewestTree) -> Vec<String> {
    let (mut different, sport) = (BTreeSet::new(), newest.head.sport);
    let stored = store_missing(tree, newest, &mut different).await;
    let different = different.iter().map(|path| {
        format!("tile {path} of {sport} is stored with other bytes; it was left as it is: run `sportsctl verify`")
    });
    let failed = stored.err().map(|error| format!("tiles of {sport} are not stored: {}", error_chain(&error)));
    different.chain(failed).collect()
}

/// Stores the missing tiles, and adds those that are there with other bytes to `different`.
async fn store_missing(
    tree: &TreeReader,
    newest: &NewestTree,
    different: &mut BTreeSet<TilePath>,
) -> Result<(), PortError> {
    let head = &newest.head;
    let mut of_leaves = BTreeSet::new();
    for kind in OF_LEAVES {
        of_leaves.extend(missing(tree, head, kind).await?.iter().map(|path| (path.number(), *path)));
    }
    // The hashes and the texts of the same leaves, which are read once.
    for of_number in Vec::from_iter(of_leaves).chunk_by(|one, next| one.0 == next.0) {
        let Some(items) = of_number[0].1.items() else { continue };
        let leaves = newest.leaves(tree, items).await?;
        for (_, path) in of_number {
            put(tree, head, *path, tile_of(path.kind(), &leaves)?, different).await?;
        }
    }
    for level in 1..8 {
        for path in missing(tree, head, TileKind::Hashes { level }).await? {
            put(tree, head, path, newest.tile(tree, path).await?, different).await?;
        }
    }
    Ok(())
}

/// Returns the tiles of a kind that the store lacks, the lowest number first.
async fn missing(tree: &TreeReader, head: &TreeHead, kind: TileKind) -> Result<Vec<TilePath>, PortError> {
    let full = kind.items(head.size) / u64::from(TilePath::FULL);
    let mut missing = Vec::new();
    // The widest tile of the last number is partial, unless the level ends with a full one.
    let partial = TilePath::widest(kind, full, head.size).filter(|_| !OF_LEAVES.contains(&kind));
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
    missing.reverse();
    Ok(missing)
}

async fn put(
    tree: &TreeReader,
    head: &TreeHead,
    path: TilePath,
    bytes: Bytes,
    different: &mut BTreeSet<TilePath>,
) -> Result<(), PortError> {
    if tree.files().put_record_file(&RecordFile::Tile(head.sport, path), bytes).await? == StoredAs::Different {
        different.insert(path);
    }
    Ok(())
}

async fn is_stored(tree: &TreeReader, head: &TreeHead, path: TilePath) -> Result<bool, PortError> {
    match tree.files().record_file(&RecordFile::Tile(head.sport, path)).await {
        Ok(found) => Ok(found.is_some()),
        Err(PortError::Corrupt { .. }) => Ok(false),
        Err(error) => Err(error),
    }
}
