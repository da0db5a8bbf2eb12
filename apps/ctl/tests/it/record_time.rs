//! Time in a record: it goes forward only, and an entry names the kind of its clock.

use std::fs;

use serde_json::json;
use sports_testkit::programs::TestFolder;

use crate::slates::{CELTICS, SUNS, Slate};
use crate::support::{catalog, entries, run, run_json, write_entry};

const MORNING: &str = "2025-12-10T15:00:00Z";
/// Five minutes after the Celtics' game began.
const UNDER_WAY: &str = "2025-12-11T00:05:00Z";

#[test]
fn a_publish_by_a_clock_that_was_set_back_cannot_rewrite_a_started_game() {
    let place = TestFolder::fresh();
    let slate = Slate::of_games(&[CELTICS, SUNS]);
    assert_eq!(slate.publish(&place, MORNING).code, Some(0));
    let frozen = slate.clone().forecasting(0.6).with_fields(
        r#""season":"2025-26","run":{"id":"evening","started_at":"2025-12-10T23:50:00Z","completed_at":"2025-12-11T00:00:00Z"}"#,
    );
    assert_eq!(frozen.publish(&place, UNDER_WAY).code, Some(0));
    let rewriting = frozen.clone().forecasting(0.9);
    let output = rewriting.publish(&place, "2025-12-10T22:50:00Z");
    assert_eq!(output.code, Some(2), "{output:?}");
    assert!(output.err.contains("2025-12-10T22:50:00.") && output.err.contains("2025-12-11T00:05:00."), "{output:?}");
    assert_eq!(entries(&place, "nba"), 2, "nothing was added");
    // Within five minutes the record's own time counts, and the started game stays unchanged.
    let output = rewriting.publish(&place, "2025-12-11T00:01:00Z");
    assert_eq!(output.code, Some(0), "{output:?}");
    assert!(output.out.contains("1 changed, 1 frozen"), "{output:?}");
    let published_at = |generation| catalog(&place, "nba", generation)["published_at"].as_str().map(str::to_owned);
    assert!(published_at(3) > published_at(2), "{:?} after {:?}", published_at(3), published_at(2));
    // A settlement follows the same rule.
    let finals = place.path().join("finals.csv");
    fs::write(
        &finals,
        "date,away_team,home_team,away_score,home_score\n2025-12-10,Boston Celtics,New York Knicks,101,99\n",
    )
    .expect("written");
    let output = run(&place, ["settle", "nba", finals.to_str().expect("text"), "--as-of", "2025-12-10T20:00:00Z"]);
    assert_eq!(output.code, Some(2), "{output:?}");
}

#[test]
fn verify_reports_time_that_does_not_run_forward() {
    let place = TestFolder::fresh();
    let first = Slate::of_games(&[CELTICS]);
    assert_eq!(first.publish(&place, MORNING).code, Some(0));
    // An older program, which compared with no other clock than its own, could leave such a record.
    let mut second = catalog(&place, "nba", 1);
    let digest = run_json(&place, ["releases", "nba"])["releases"][0]["digest"].clone();
    second["generation"] = json!(2);
    second["previous"] = digest;
    let the_same = second["published_at"].clone();
    for (published_at, found) in [
        (json!("2025-12-10T14:59:59Z"), "time runs backward: entry 2 was published at 2025-12-10 14:59:59"),
        (the_same, "time stands still: entry 2 and the entry before it were both published at 2025-12-10 15:00:0"),
    ] {
        second["published_at"] = published_at;
        write_entry(&place, "nba", second.clone());
        let output = run(&place, ["verify", "nba"]);
        assert_eq!(output.code, Some(1), "{output:?}");
        assert!(output.err.contains(found), "{output:?}");
    }
}

#[test]
fn a_time_set_by_hand_makes_a_record_simulated_and_is_refused_in_a_real_one() {
    let place = TestFolder::fresh();
    let slate = Slate::of_games(&[CELTICS]);
    let output = slate.publish(&place, MORNING);
    assert!(output.out.contains("nba generation 1 (simulated)"), "{output:?}");
    assert_eq!(catalog(&place, "nba", 1)["clock"], "set");
    let releases = run_json(&place, ["releases", "nba"]);
    assert_eq!((&releases["simulated"], &releases["releases"][0]["clock"]), (&json!(true), &json!("set")));
    let verified = run_json(&place, ["verify", "nba"]);
    assert_eq!((&verified["simulated"], &verified["verified"][0]["simulated"]), (&json!(true), &json!(true)));
    for command in ["releases", "verify"] {
        assert!(run(&place, [command, "nba"]).out.contains("simulated"), "{command}");
    }
    // The machine's own clock may continue the record; from then on no other time is accepted.
    let later = Slate::refresh(&[CELTICS], 222.5).with_fields(r#""source_as_of":{"odds":"2026-01-05T12:00:00Z"}"#);
    assert_eq!(later.publish_with(&place, &[]).code, Some(0));
    assert_eq!(catalog(&place, "nba", 2)["clock"], "system");
    let output = later.publish(&place, "2099-01-01T00:00:00Z");
    assert_eq!(output.code, Some(2), "{output:?}");
    assert!(output.err.contains("--as-of"), "{output:?}");
    assert_eq!(run_json(&place, ["releases", "nba", "--limit", "1"])["simulated"], true, "its first entry still is");
    assert_eq!(entries(&place, "nba"), 2);
}
