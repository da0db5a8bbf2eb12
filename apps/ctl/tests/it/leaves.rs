//! The leaves of a league's tree: against a program that shares nothing with this one, and in copies of a store.

use std::env;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use sports_testkit::programs::{TestFolder, fixture};

use crate::support::{catalog, run, run_json, verified};

const SLATE: &str = "nfl-2023-week-18-slate";

/// Publishes the slate of a week, and its finals.
fn a_week() -> TestFolder {
    let place = TestFolder::fresh();
    let (release, finals) = (fixture(SLATE).join("release"), fixture(SLATE).join("finals.csv"));
    let _ = place.ctl(["publish", release.to_str().expect("text"), "--as-of", "2024-01-06T15:00:00Z"]);
    let _ = place.ctl(["settle", "nfl", finals.to_str().expect("text"), "--as-of", "2024-01-08T15:00:00Z"]);
    place
}

/// Returns the report of the script; `None`, with a message, if Python is missing and not required.
fn checked(store: &Path) -> Option<Value> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/check_leaves.py");
    let (release, finals) = (fixture(SLATE).join("release"), fixture(SLATE).join("finals.csv"));
    let mut command = Command::new("python3");
    match command.arg(script).arg(store).args([release, finals]).stderr(Stdio::inherit()).output() {
        Ok(output) => {
            assert!(output.status.success(), "the leaves differ from the published files");
            Some(serde_json::from_slice(&output.stdout).expect("JSON"))
        }
        Err(error) if env::var_os("REQUIRE_SERVICES").is_some() => panic!("python3 is required: {error}"),
        Err(error) => {
            eprintln!("skipped: the script needs python3: {error}");
            None
        }
    }
}

#[test]
fn every_leaf_of_a_week_follows_from_the_published_files() {
    let place = a_week();
    if let Some(opinion) = checked(&place.store()) {
        assert_eq!(opinion, json!({ "forecasts": 48, "finals": 16 }), "sixteen games in three markets");
    }
    let tree = verified(&place, "nfl")["tree"].clone();
    assert_eq!(tree, json!({ "size": 66, "root": catalog(&place, "nfl", 2)["record"]["root"] }));
}

#[test]
fn a_changed_byte_of_the_leaves_is_found_and_each_copy_has_them() {
    let place = a_week();
    let copy = place.path().join("copy");
    let to = format!("file:{}", copy.display());
    let copied = run(&place, ["store", "copy", "--from", &format!("file:{}", place.store().display()), "--to", &to]);
    assert_eq!(copied.code, Some(0), "{copied:?}");
    let there = run_json(&place, ["verify", "nfl", "--store", &to]);
    assert_eq!(there["verified"][0]["tree"], verified(&place, "nfl")["tree"]);
    let unused = run(&place, ["verify", "nfl", "--unused"]);
    assert!(unused.out.ends_with("every object is named by an entry\n"), "{unused:?}");
    for generation in [1, 2] {
        let name = catalog(&place, "nfl", generation)["record"]["leaves"]["object"].clone();
        let path = place.store().join("sports/nfl/objects").join(name.as_str().expect("a name"));
        let whole = fs::read_to_string(&path).expect("the leaves");
        fs::write(&path, whole.replacen("sports-record", "sports-recorD", 1)).expect("written");
        let found = run(&place, ["verify", "nfl"]);
        let expected = format!("sportsctl: nfl: entry {generation}: its leaves are missing, altered or unreadable: ");
        assert!(found.code == Some(1) && found.err.starts_with(&expected), "{found:?}");
        fs::write(&path, whole).expect("written");
    }
}
