use std::fs;

use serde_json::{Value, json};
use sports_testkit::programs::{TestFolder, fixture};

use crate::support::{edited, files, publish, releases, run, run_json, verified};

/// A season, and the numbers of its games that are kept and left out.
type Season = (&'static str, u64, u64);

/// Fixtures with their league and seasons.
const GOOD: [(&str, &str, &[Season]); 4] = [
    ("nfl-2023-week-18", "nfl", &[("2023-24", 16, 0)]),
    ("edge-cases", "nfl", &[("2024-25", 20, 1)]),
    ("doubleheader", "mlb", &[("2016", 3, 0), ("2017", 5, 0)]),
    ("results-layout", "nfl", &[("2023-24", 4, 0)]),
];

fn path(name: &str) -> String {
    fixture(name).join("release").to_str().expect("text").to_owned()
}

/// Returns season, model type, and the numbers of games, new, changed and left-out ones.
fn counts(published: &Value) -> Vec<(String, String, [u64; 4])> {
    let seasons = published["seasons"].as_array().expect("a list").iter();
    seasons
        .map(|season| {
            let text = |field: &str| season[field].as_str().expect("text").to_owned();
            let numbers = ["games", "added", "changed", "left_out"].map(|of| season[of].as_u64().expect("a count"));
            (text("season"), text("model_type"), numbers)
        })
        .collect()
}

#[test]
fn a_good_folder_is_published_listed_and_verified() {
    for (name, sport, seasons) in GOOD {
        let place = TestFolder::fresh();
        let published = publish(&place, &fixture(name).join("release"));
        assert_eq!((&published["outcome"], &published["generation"]), (&json!("on_air"), &json!(1)), "{name}");
        for (season, games, left_out) in seasons {
            let of_season = counts(&published).into_iter().filter(|(of, ..)| of == season);
            let of_season: Vec<_> = of_season.map(|(_, _, numbers)| numbers).collect();
            assert_eq!(of_season, [[*games, *games, 0, *left_out]; 3], "{name} {season}: three markets");
        }
        let listed = releases(&place, sport);
        assert_eq!(listed.len(), 1, "{name}");
        assert_eq!(listed[0]["release_id"], published["release_id"], "{name}");
        assert_eq!(listed[0]["previous"], Value::Null, "{name}");
        let held = verified(&place, sport);
        assert_eq!(held["head"], published["head"], "{name}");
        assert_eq!((&held["entries"], &held["objects"]), (&json!(1), &json!(3 * seasons.len() + 1)), "{name}");
    }
}

#[test]
fn a_publish_is_reported_as_text() {
    let place = TestFolder::fresh();
    let output = run(&place, ["publish", &path("edge-cases")]);
    let market = |name: &str| format!("{name}: 20 games (20 new, 1 left out)");
    let line = ["over_under", "won_on_points", "won_on_spread"].map(market).join(", ");
    assert!(output.out.starts_with("2024-25 over_under: 20 games, 19 times, 18 lines,"), "{output:?}");
    assert!(output.out.contains(&format!("\n2024-25  {line}\n")), "{output:?}");
    assert!(output.out.contains("\npublished: nfl generation 1, release 2025-01-17."), "{output:?}");
    let head = verified(&place, "nfl")["head"].as_str().expect("a head").to_owned();
    assert!(output.out.ends_with(&format!("\nhead of the record: {head}\n")), "the head is worth keeping: {output:?}");
    let listed = place.ctl(["releases", "nfl"]);
    assert!(
        listed.starts_with("     1  ") && listed.contains("  slate 2025-01-17  3 archives  2025-01-17."),
        "{listed}"
    );
    let leagues = place.ctl(["verify"]);
    assert!(leagues.contains(&format!("nfl: 1 log entries and 4 objects verified; head {head}\n")), "{leagues}");
    assert!(leagues.contains("nba: nothing published\n"), "{leagues}");
}

#[test]
fn columns_the_service_computes_are_ignored_with_a_warning_each() {
    let expected = fs::read(fixture("results-layout/expected.json")).expect("expected.json");
    let expected: Value = serde_json::from_slice(&expected).expect("JSON");
    let place = TestFolder::fresh();
    let people = run(&place, ["publish", &path("results-layout"), "--dry-run"]).err;
    let programs = run_json(&place, ["publish", &path("results-layout")]);
    let programs: Vec<_> = programs["warnings"].as_array().expect("a list").iter().map(Value::to_string).collect();
    let mut ignored_columns = 0;
    for file in expected["warnings"].as_array().expect("a list") {
        for column in file["columns"].as_array().expect("a list") {
            let (file, column) = (file["file"].as_str().expect("text"), column.as_str().expect("text"));
            let warning = format!("{file}: column {column} is ignored: the service computes it");
            assert!(people.contains(&format!("warning: {warning}\n")), "{warning} in {people}");
            assert!(programs.contains(&format!("\"{warning}\"")), "{warning} in {programs:?}");
            ignored_columns += 1;
        }
    }
    assert!(people.contains("warning: nothing was published in this store before"), "{people}");
    assert_eq!(
        (people.lines().count(), programs.len()),
        (ignored_columns + 1, ignored_columns + 1),
        "and nothing else"
    );
}

#[test]
fn publishing_the_same_again_is_reported_and_writes_nothing() {
    for (name, sport, _) in GOOD {
        let place = TestFolder::fresh();
        let first = publish(&place, &fixture(name).join("release"));
        let before = files(&place.store());
        let output = run(&place, ["publish", &path(name)]);
        assert_eq!(output.code, Some(0), "{output:?}");
        let last = output.out.lines().last();
        assert_eq!(last, Some(format!("nothing to do: {sport} generation 1 already has this content").as_str()));
        assert_eq!(publish(&place, &fixture(name).join("release"))["outcome"], "already_on_air");
        assert_eq!(files(&place.store()), before, "{name}");
        assert_eq!(verified(&place, sport)["head"], first["head"], "{name}");
    }
}

#[test]
fn a_changed_price_is_one_changed_game_in_each_market() {
    let place = TestFolder::fresh();
    let release = fixture("nfl-2023-week-18/release");
    let first = publish(&place, &release);
    let folder = edited(&place, &release, ("games/2023-24.csv", "17,10,130,-155,", "17,10,135,-160,"));
    let second = publish(&place, &folder);
    assert_eq!((&second["outcome"], &second["generation"]), (&json!("on_air"), &json!(2)));
    assert!(counts(&second).iter().all(|(_, _, numbers)| *numbers == [16, 0, 1, 0]), "{second}");
    let listed = releases(&place, "nfl");
    assert_eq!(listed.iter().map(|entry| entry["generation"].as_u64()).collect::<Vec<_>>(), [Some(2), Some(1)]);
    assert_eq!(listed[0]["previous"], first["head"]);
    let held = verified(&place, "nfl");
    assert_eq!((&held["entries"], &held["objects"]), (&json!(2), &json!(8)), "what was published is still there");
}

#[test]
fn releases_lists_the_requested_number_newest_first() {
    let place = TestFolder::fresh();
    for name in ["nfl-2023-week-18", "edge-cases", "results-layout"] {
        publish(&place, &fixture(name).join("release"));
    }
    let two = run_json(&place, ["releases", "nfl", "--limit", "2"]);
    let numbers: Vec<_> =
        two["releases"].as_array().expect("a list").iter().map(|entry| entry["generation"].as_u64()).collect();
    assert_eq!(numbers, [Some(3), Some(2)]);
    assert_eq!(run(&place, ["releases", "nfl", "--limit", "0"]).code, Some(2), "none is no list");
}

#[test]
fn a_publish_is_in_the_audit_log_if_there_is_a_database_and_does_not_fail_without() {
    let release = path("nfl-2023-week-18");
    let alone = TestFolder::fresh();
    let output = run(&alone, ["publish", &release]);
    assert!(output.code == Some(0) && !output.err.contains("audit"), "{output:?}");
    assert!(!alone.path().join("sports.db").exists());

    let place = TestFolder::fresh();
    let _ = place.ctl(["migrate"]);
    let published = publish(&place, &fixture("nfl-2023-week-18").join("release"));
    let log = run_json(&place, ["audit-log"])["audit_log"].clone();
    let release_id = published["release_id"].as_str().expect("an id");
    assert_eq!(log[0]["detail"], format!("nfl generation 1, release {release_id}"), "{log}");
    assert_eq!((&log[0]["action"], log.as_array().map(Vec::len)), (&json!("publish"), Some(1)));

    let away = TestFolder::fresh().with("SPORTS_DATABASE__URL", "postgres://ann:hunter2@localhost:1/sports");
    let output = run(&away, ["publish", &release]);
    assert_eq!(output.code, Some(0), "{output:?}");
    assert!(output.err.contains("the audit log lacks this publish") && !output.err.contains("hunter2"), "{output:?}");
}
