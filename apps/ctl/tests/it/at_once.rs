use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

use serde_json::Value;
use sports_testkit::programs::TestFolder;

use crate::league::{self, GAMES, label};
use crate::support::{Completed, catalog, entries, releases, verified};

fn start(place: &TestFolder, folder: &Path) -> Child {
    let mut command = place.sportsctl([Path::new("publish"), folder, Path::new("--json")]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("sportsctl starts")
}

/// Publishes every folder in a process of its own, all at once; returns the reports.
fn at_once(place: &TestFolder, folders: &[PathBuf]) -> Vec<Value> {
    let children: Vec<_> = folders.iter().map(|folder| start(place, folder)).collect();
    let ended = children.into_iter().map(|child| Completed::from(child.wait_with_output().expect("it ends")));
    ended
        .map(|output| {
            assert_eq!(output.code, Some(0), "{output:?}");
            output.json()
        })
        .collect()
}

fn assert_all_land(publishers: u16) {
    let place = TestFolder::fresh();
    let years = 2001..=2000 + publishers;
    let folder = |year: u16| league::release(&place.path().join(label(year)), [year], 0);
    let folders: Vec<_> = years.clone().map(folder).collect();
    let output = at_once(&place, &folders);
    let given: BTreeSet<_> = output.iter().map(|output| output["generation"].as_u64().expect("a number")).collect();
    assert_eq!(given, (1..=u64::from(publishers)).collect(), "each got a number of its own");
    let listed = releases(&place, "nfl");
    let named: BTreeSet<_> = listed.iter().map(|entry| entry["release_id"].to_string()).collect();
    assert_eq!(named, output.iter().map(|output| output["release_id"].to_string()).collect(), "none was lost");
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
    let place = TestFolder::fresh();
    let folder = league::release(&place.path().join("release"), [2020], 0);
    let output = at_once(&place, &vec![folder; 8]);
    let landed: Vec<_> = output.iter().filter(|output| output["outcome"] == "on_air").collect();
    let already_published = output.iter().filter(|output| output["outcome"] == "already_on_air").count();
    assert!(landed.len() == 1 && already_published == 7, "{output:?}");
    assert_eq!(entries(&place, "nfl"), 1);
    assert_eq!(verified(&place, "nfl")["objects"], 4, "three archives and the leaves");
}

#[test]
fn publishers_of_the_same_season_build_on_each_other() {
    let place = TestFolder::fresh();
    let folder = |tick: usize| league::release(&place.path().join(tick.to_string()), [2020], tick);
    let folders: Vec<_> = (0..4).map(folder).collect();
    let output = at_once(&place, &folders);
    let first = output.iter().find(|output| output["generation"] == 1).expect("one was first");
    for output in &output {
        let (counted, games) = if output == first { ("added", GAMES) } else { ("changed", GAMES) };
        assert_eq!(output["seasons"][0][counted], games, "judged on top of the one before: {output}");
    }
    assert_eq!(verified(&place, "nfl")["entries"], 4);
}
