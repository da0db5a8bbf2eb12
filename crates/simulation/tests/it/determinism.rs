//! A seed and an instant decide every byte.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use chrono::Duration;
use sports_domain::Sport;
use sports_simulation::{ReleaseFiles, Run, Settlement, World};

use crate::table::now;

/// Everything a world says about now, by folder.
fn said(world: &World) -> Vec<(String, ReleaseFiles)> {
    let releases = |sport| {
        [
            (format!("{sport}/history"), world.history_release(sport, now())),
            (format!("{sport}/day"), world.day_release(sport, now(), Run::Rebuild)),
            (format!("{sport}/odds"), world.odds_refresh(sport, now() + Duration::hours(5)).expect("games today")),
        ]
    };
    Sport::ALL.into_iter().flat_map(releases).collect()
}

fn bytes_of(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if path.is_dir() {
            found.extend(bytes_of(&path).into_iter().map(|(inner, bytes)| (format!("{name}/{inner}"), bytes)));
        } else {
            found.insert(name, fs::read(&path).expect("bytes"));
        }
    }
    found
}

fn written(world: &World) -> BTreeMap<String, Vec<u8>> {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, files) in said(world) {
        files.write(&folder.path().join(name)).expect("written");
    }
    bytes_of(folder.path())
}

#[test]
fn equal_seeds_write_equal_bytes_and_other_seeds_others() {
    let world = |seed| World::new(seed, now(), 2);
    let (first, again, other) = (written(&world(1)), written(&world(1)), written(&world(2)));
    assert!(first.len() > 6 * 10);
    assert!(first == again);
    // A release.json says when it is of, not what is in it.
    for (path, bytes) in first.iter().filter(|(path, _)| !path.ends_with("/release.json")) {
        assert_ne!(Some(bytes), other.get(path), "{path}");
    }
}

#[test]
fn finals_are_equal_for_equal_seeds() {
    let finals = |seed| {
        let world = World::new(seed, now(), 1);
        Settlement::file(&world.finals(Sport::Nba, now() - Duration::days(9), now()))
    };
    assert_eq!(finals(4), finals(4));
    assert_ne!(finals(4), finals(5));
}

#[test]
fn a_season_does_not_depend_on_how_many_there_are() {
    let (few, many) = (World::new(3, now(), 1), World::new(3, now(), 3));
    for sport in Sport::ALL {
        let (few, many) = (few.history_release(sport, now()), many.history_release(sport, now()));
        assert!(few.iter().all(|(path, text)| many.get(path) == Some(text)), "{sport}");
        assert_eq!(many.iter().count(), 1 + 3 * 4, "{sport}");
    }
}

/// The bytes of one seed, by the hash of Fowler, Noll and Vo: the same on every platform and in every
/// build. A change that means to make other worlds changes this number too, and says so.
#[test]
fn the_worlds_of_old_seeds_stay_as_they_were() {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for (_, files) in said(&World::new(7, now(), 3)) {
        for byte in files.iter().flat_map(|(path, text)| path.bytes().chain(text.bytes())) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    assert_eq!(format!("{hash:016x}"), "104b3e4cc42b3c15");
}
