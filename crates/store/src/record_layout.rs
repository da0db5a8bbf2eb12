//! The names of the files of a record beside its log.

use object_store::path::Path;
use sports_domain::Sport;
use sports_ports::record::{CheckpointFile, CheckpointKind, RecordFile};
use sports_publication::Generation;
use sports_transparency::{KeyId, TilePath};

use crate::layout;

/// Returns the folder of the files about a league's tree.
pub fn folder(sport: Sport) -> Path {
    Path::from_iter(["sports", sport.code(), "record"])
}

/// Returns the folder of a league's tiles.
pub fn tiles(sport: Sport) -> Path {
    folder(sport).join("tile")
}

/// Returns the folder of a league's signed checkpoints.
pub fn checkpoints(sport: Sport) -> Path {
    folder(sport).join("checkpoints")
}

/// Returns the folder of the files about the tree of one size. Twelve digits make the order of names the order of sizes.
pub fn checkpoints_of(sport: Sport, size: u64) -> Path {
    checkpoints(sport).join(format!("{size:012}"))
}

/// Returns the folder of the public keys of all leagues.
pub fn keys() -> Path {
    Path::from_iter(["record", "keys"])
}

/// Returns the path of a file.
pub fn path(file: &RecordFile) -> Path {
    match file {
        RecordFile::Tile(sport, tile) => {
            let names = tile.to_string();
            names.split('/').fold(tiles(*sport), Path::join)
        }
        RecordFile::Checkpoint(sport, CheckpointFile { size, kind, content }) => {
            checkpoints_of(*sport, *size).join(format!("{content}.{}", ending(*kind)))
        }
        RecordFile::Key(id) => keys().join(format!("{id}.vkey")),
        RecordFile::Index(sport, last) => folder(*sport).join("index").join(index_name(*last)),
    }
}

/// Returns the name of the index that ends with a number.
fn index_name(last: Generation) -> String {
    format!("{:012}.txt", last.get())
}

/// Returns `true` for the name of an index.
fn is_index(name: &str) -> bool {
    let number = name.strip_suffix(".txt").and_then(|digits| digits.parse().ok()).and_then(Generation::new);
    number.is_some_and(|number| index_name(number) == name)
}

/// Parses the name of a tile in the folder of a league's tiles. Returns `None` for other names.
pub fn tile(folder: &Path, path: &Path) -> Option<TilePath> {
    path.as_ref().strip_prefix(folder.as_ref())?.strip_prefix('/')?.parse().ok()
}

/// Parses the size in the name of a folder of checkpoints. Returns `None` for other names.
pub fn size(name: &str) -> Option<u64> {
    let size = name.parse().ok()?;
    (format!("{size:012}") == name).then_some(size)
}

/// Parses the name of a file about the tree of a size. Returns `None` for other names.
pub fn checkpoint(size: u64, name: &str) -> Option<CheckpointFile> {
    let (content, found) = name.split_once('.')?;
    let kind = [CheckpointKind::Note, CheckpointKind::Timestamp].into_iter().find(|kind| ending(*kind) == found)?;
    Some(CheckpointFile { size, kind, content: content.parse().ok()? })
}

/// Parses the name of a key's file. Returns `None` for other names.
pub fn key(name: &str) -> Option<KeyId> {
    name.strip_suffix(".vkey")?.parse().ok()
}

/// Returns `true` for the name of an unfinished file of a record in a local store.
pub fn is_unfinished(name: &str) -> bool {
    let is_tile = |name: &str| matches!(name.len(), 1..=3) && name.bytes().all(|byte| byte.is_ascii_digit());
    let finished = layout::unfinished(name);
    finished.is_some_and(|name| is_tile(name) || checkpoint(0, name).is_some() || key(name).is_some() || is_index(name))
}

const fn ending(kind: CheckpointKind) -> &'static str {
    match kind {
        CheckpointKind::Note => "note",
        CheckpointKind::Timestamp => "tsr",
    }
}

#[cfg(test)]
mod tests {
    use sports_domain::content::ObjectHash;

    use super::*;

    #[test]
    fn files_have_the_names_of_the_format() {
        let content = ObjectHash::from_bytes(b"a note");
        let file = CheckpointFile { size: 4145, kind: CheckpointKind::Note, content };
        let tile = |text: &str| RecordFile::Tile(Sport::Nfl, text.parse().expect("a tile"));
        for (file, expected) in [
            (tile("0/x001/067"), "sports/nfl/record/tile/0/x001/067".to_owned()),
            (tile("1/000.p/3"), "sports/nfl/record/tile/1/000.p/3".to_owned()),
            (tile("entries/000"), "sports/nfl/record/tile/entries/000".to_owned()),
            (
                RecordFile::Checkpoint(Sport::Nfl, file),
                format!("sports/nfl/record/checkpoints/000000004145/{content}.note"),
            ),
            (RecordFile::Key(KeyId::new([0, 1, 2, 255])), "record/keys/000102ff.vkey".to_owned()),
            (
                RecordFile::Index(Sport::Nfl, Generation::new(256).expect("not zero")),
                "sports/nfl/record/index/000000000256.txt".to_owned(),
            ),
        ] {
            assert_eq!(path(&file).as_ref(), expected);
        }
        assert_eq!(checkpoint(4145, &format!("{content}.note")), Some(file));
        assert_eq!(key("000102ff.vkey"), Some(KeyId::new([0, 1, 2, 255])));
        let (folder, parsed) = (tiles(Sport::Nfl), "1/000.p/3".parse().expect("a tile"));
        assert_eq!(super::tile(&folder, &path(&RecordFile::Tile(Sport::Nfl, parsed))), Some(parsed));
    }

    #[test]
    fn only_a_name_of_a_file_of_a_record_with_a_number_is_unfinished() {
        let content = ObjectHash::from_bytes(b"a note");
        for name in [
            "067#1",
            "3#12",
            &format!("{content}.note#1"),
            &format!("{content}.tsr#2"),
            "000102ff.vkey#1",
            "000000000256.txt#1",
        ] {
            assert!(is_unfinished(name), "{name}");
        }
        for name in ["067", "0671#1", "a.note#1", "x001#1", "067#", "067#a", "#1", &format!("{content}.json#1")] {
            assert!(!is_unfinished(name), "{name}");
        }
    }

    #[test]
    fn other_names_are_no_files_of_a_record() {
        for name in ["4145", "0000000004145", "00000000414x", "", "+00000004145"] {
            assert_eq!(size(name), None, "{name}");
        }
        let content = ObjectHash::from_bytes(b"a note");
        for name in [format!("{content}.note#1"), format!("{content}.txt"), content.to_string(), "a.note".to_owned()] {
            assert_eq!(checkpoint(1, &name), None, "{name}");
        }
        for name in ["0/junk", "0", "0/000.p/256", "0/0000", "000", "0/000#1"] {
            let folder = tiles(Sport::Nfl);
            assert_eq!(tile(&folder, &Path::from(format!("{folder}/{name}"))), None, "{name}");
        }
        for name in ["000102FF.vkey", "000102ff", "102ff.vkey", "000102ff.vkey#1"] {
            assert_eq!(key(name), None, "{name}");
        }
    }
}
