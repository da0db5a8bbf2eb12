use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

use serde_json::Value;
use sports_testkit::programs::Place;

use crate::league::{self, GAMES, label};
use crate::support::{Said, catalog, entries, releases, verified};

fn start(place: &Place, folder: &Path) -> Child {
    let mut command = place.sportsctl([Path::new("publish"), folder, Path::new("--json")]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("sportsctl starts")
}

/// Publishes every folder in its own process, all at once; gives what each said.
fn at_once(place: &Place, folders: &[PathBuf]) -> Vec<Value> {
    let children: Vec<_> = folders.iter().map(|folder| start(place, folder)).collect();
    let ended = children.into_iter().map(|child| Said::from(child.wait_with_output().expect("it ends")));
    ended
        .map(|said| {
            assert_eq!(said.code, Some(0), "{said:?}");
            said.json()
        })
        .collect()
}

fn assert_all_land(publishers: u16) {
    let place = Place::fresh();
    let years = 2001..=2000 + publishers;
    let folder = |year: u16| league::release(&place.path().join(label(year)), [year], 0);
    let folders: Vec<_> = years.clone().map(folder).collect();
    let said = at_once(&place, &folders);
    let given: BTreeSet<_> = said.iter().map(|said| said["generation"].as_u64().expect("a number")).collect();
    assert_eq!(given, (1..=u64::from(publishers)).collect(), "each got a number of its own");
    let listed = releases(&place, "nfl");
    let named: BTreeSet<_> = listed.iter().map(|entry| entry["release_id"].to_string()).collect();
    assert_eq!(named, said.iter().map(|said| said["release_id"].to_string()).collect(), "none was lost");
    let newest = catalog(&place, "nfl", publishers.into());
    let results = newest["results"].as_array().expect("a list");
    for season in years.map(label) {
        let of_season = results.iter().filter(|entry| entry["season"] == season.as_str() && entry["rows"] == GAMES);
        assert_eq!(of_season.count(), 3, "{season} is published in three markets");
    }
    assert_eq!(verified(&place, "nfl")["entries"], publishers);
}

#[test]
fn two_publishers_at_once_both_land() {
    for _ in 0..3 {
        assert_all_land(2);
    }
}

#[test]
fn eight_publishers_at_once_all_land() {
    assert_all_land(8);
}

#[test]
fn the_same_release_eight_times_at_once_lands_once() {
    let place = Place::fresh();
    let folder = league::release(&place.path().join("release"), [2020], 0);
    let said = at_once(&place, &vec![folder; 8]);
    // Two of the same millisecond write the very same entry, and both are answered that it was written.
    let landed: Vec<_> = said.iter().filter(|said| said["outcome"] == "on_air").collect();
    let already_published = said.iter().filter(|said| said["outcome"] == "already_on_air").count();
    assert!(!landed.is_empty() && landed.len() + already_published == 8, "{said:?}");
    assert!(landed.iter().all(|said| said["head"] == landed[0]["head"]), "{said:?}");
    assert_eq!(entries(&place, "nfl"), 1);
    assert_eq!(verified(&place, "nfl")["objects"], 3);
}

#[test]
fn publishers_of_the_same_season_build_on_each_other() {
    let place = Place::fresh();
    let folder = |tick: usize| league::release(&place.path().join(tick.to_string()), [2020], tick);
    let folders: Vec<_> = (0..4).map(folder).collect();
    let said = at_once(&place, &folders);
    let first = said.iter().find(|said| said["generation"] == 1).expect("one was first");
    for said in &said {
        let (counted, games) = if said == first { ("added", GAMES) } else { ("changed", GAMES) };
        assert_eq!(said["seasons"][0][counted], games, "judged on top of the one before: {said}");
    }
    assert_eq!(verified(&place, "nfl")["entries"], 4);
}
