//! Warnings for a person: last, on standard error, counted, and with `--strict` a reason not to publish.

use serde_json::json;
use sports_testkit::programs::TestFolder;

use crate::slates::{CELTICS, SUNS, Slate};
use crate::support::{entries, run_json};

const MORNING: &str = "2025-12-10T15:00:00Z";
const NOON: &str = "2025-12-10T17:00:00Z";

fn published() -> TestFolder {
    let place = TestFolder::fresh();
    assert_eq!(Slate::of_games(&[CELTICS, SUNS]).publish(&place, MORNING).code, Some(0));
    place
}

#[test]
fn warnings_come_last_and_are_counted() {
    let place = published();
    let output = Slate::refresh(&[SUNS], 222.0).publish(&place, NOON);
    assert!(!output.out.contains("warning"), "they go to standard error: {output:?}");
    let folder = place.path().join("slate");
    let json = run_json(&place, ["publish", folder.to_str().expect("text"), "--as-of", "2025-12-10T17:01:00Z"]);
    let listed = json["warnings"].as_array().expect("a list").len();
    assert_eq!((&json["warning_count"], listed), (&json!(1), 1), "{json}");
}

#[test]
fn a_strict_publish_with_a_warning_does_nothing() {
    let place = published();
    let refresh = Slate::refresh(&[SUNS], 222.0);
    let output = refresh.publish_with(&place, &["--strict", "--as-of", NOON]);
    assert_eq!((output.code, entries(&place, "nba")), (Some(2), 1), "{output:?}");
    assert!(output.err.contains("--strict") && output.err.contains("warning: odds: "), "{output:?}");
    let output = refresh.publish_with(&place, &["--strict", "--json", "--as-of", NOON]);
    assert_eq!((output.code, &output.json()["warning_count"]), (Some(2), &json!(1)), "{output:?}");
    let output = Slate::refresh(&[CELTICS, SUNS], 222.0).publish_with(&place, &["--strict", "--as-of", NOON]);
    assert_eq!((output.code, entries(&place, "nba"), output.err.as_str()), (Some(0), 2, ""), "{output:?}");
    // The store is not even created.
    let place = TestFolder::fresh();
    let output = Slate::of_games(&[CELTICS]).publish_with(&place, &["--strict", "--as-of", MORNING]);
    assert_eq!((output.code, place.store().exists()), (Some(2), false), "{output:?}");
}
