//! Warnings for a person: last, on standard error, counted, and with `--strict` a reason not to publish.

use serde_json::json;
use sports_testkit::programs::TestFolder;

use crate::slates::{CELTICS, JAZZ, SUNS, Slate, at};
use crate::support::{Completed, entries, run_json};

const MORNING: &str = "2025-12-10T15:00:00Z";
const NOON: &str = "2025-12-10T17:00:00Z";

fn published() -> TestFolder {
    let place = TestFolder::fresh();
    assert_eq!(Slate::of_games(&[CELTICS, SUNS]).publish(&place, MORNING).code, Some(0));
    place
}

fn warned(output: &Completed, expected: &str) {
    assert_eq!(output.code, Some(0), "{output:?}");
    assert!(output.err.lines().any(|line| line.starts_with("warning: ") && line.contains(expected)), "{output:?}");
}

/// Returns a slate whose run ended at `completed_at`.
fn run_of<'g>(slate: Slate<'g>, completed_at: &str) -> Slate<'g> {
    let run = format!(
        r#""season":"2025-26","run":{{"id":"r","started_at":"{completed_at}","completed_at":"{completed_at}"}}"#
    );
    slate.with_fields(&run)
}

#[test]
fn likely_mistakes_are_warnings() {
    let again = |games: &[_]| run_of(Slate::of_games(games), "2025-12-10T16:50:00Z");
    let place = TestFolder::fresh();
    warned(&Slate::of_games(&[CELTICS, SUNS]).publish(&place, MORNING), "nothing was published in this store before");
    let output = Slate::of_games(&[CELTICS, SUNS]).publish(&published(), "2025-12-10T15:01:00Z");
    assert_eq!((output.code, output.err.as_str()), (Some(0), ""), "the same again is no mistake");
    let other_date = at(CELTICS, "2025-12-11", "19:10");
    warned(&again(&[other_date, SUNS]).publish(&published(), NOON), "rescheduled to another date: 2025-12-10 19:00:00");
    warned(&again(&[SUNS]).publish(&published(), NOON), "no longer served: 2025-12-10 19:00:00 boston_celtics");
    warned(&Slate::refresh(&[SUNS], 222.0).publish(&published(), NOON), "no longer quoted: 2025-12-10 19:00:00 boston");
    let unpredicted = Slate::refresh(&[CELTICS, SUNS, JAZZ], 222.0).publish(&published(), NOON);
    warned(&unpredicted, "no market predicts 2025-12-10 22:00:00 utah_jazz at los_angeles_lakers");
    let late = run_of(Slate::of_games(&[CELTICS, SUNS]), "2025-12-11T04:00:00Z");
    warned(&late.publish(&published(), "2025-12-11T04:05:00Z"), "every game (2) has started");
    let without_run = Slate::of_games(&[CELTICS, SUNS]).with_fields(r#""season":"2025-26""#);
    warned(&without_run.publish(&TestFolder::fresh(), MORNING), "names no `run`");
    let july = ("g9", "2026-07-10", "19:00", "Boston Celtics", "Utah Jazz");
    warned(&again(&[CELTICS, SUNS, july]).publish(&published(), NOON), "outside the usual months of nba 2025-26");
    let older = run_of(Slate::of_games(&[CELTICS, SUNS]).forecasting(0.6), "2025-12-10T12:00:00Z");
    let output = older.publish(&published(), NOON);
    warned(&output, "these odds are of 2025-12-10T12:00:00Z, older than those of 2025-12-10T14:00:00Z");
    warned(&output, "these predictions are of 2025-12-10T12:00:00Z");
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
