//! Tests that the seed and the instant determine every byte.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use chrono::Duration;
use sports_demo::simulation::{ReleaseFiles, Run, Settlement, World};
use sports_domain::Sport;

use crate::table::now;

/// Returns every release of a world now, by folder.
fn releases(world: &World) -> Vec<(String, ReleaseFiles)> {
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
    for (name, files) in releases(world) {
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
    // A release.json contains the time of its release, not its data.
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
fn a_season_does_not_depend_on_the_number_of_seasons() {
    let (few, many) = (World::new(3, now(), 1), World::new(3, now(), 3));
    for sport in Sport::ALL {
        let (few, many) = (few.history_release(sport, now()), many.history_release(sport, now()));
        assert!(few.iter().all(|(path, text)| many.get(path) == Some(text)), "{sport}");
        assert_eq!(many.iter().count(), 1 + 3 * 4, "{sport}");
    }
}

/// The hash (Fowler, Noll and Vo) of all bytes of one seed, which is equal on every platform and in every build. A
/// change that intends to alter the worlds must update this number and document the change.
#[test]
fn the_world_of_a_seed_does_not_change() {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for (_, files) in releases(&World::new(7, now(), 3)) {
        for byte in files.iter().flat_map(|(path, text)| path.bytes().chain(text.bytes())) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    assert_eq!(format!("{hash:016x}"), "18060650d54173cb");
}
