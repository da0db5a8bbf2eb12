use sports_testkit::programs::{TestFolder, fixture};

use crate::support::{edited, files, publish, run, run_json};

fn week_18() -> String {
    fixture("nfl-2023-week-18/release").to_str().expect("text").to_owned()
}

#[test]
fn a_dry_run_of_a_first_release_counts_its_games_and_writes_nothing() {
    let place = TestFolder::fresh();
    let output = run(&place, ["publish", &week_18(), "--dry-run"]);
    assert_eq!(output.code, Some(0), "{output:?}");
    assert!(output.out.contains("won_on_spread: 16 games (16 new)"), "{output:?}");
    assert!(output.out.ends_with("\ndry run, nothing was written: it would be nfl generation 1\n"), "{output:?}");
    assert!(files(place.path()).is_empty(), "{:?}", files(place.path()));
    assert!(!place.store().exists(), "a dry run does not even try the store");
}

#[test]
fn a_dry_run_counts_what_would_change_and_writes_nothing() {
    let place = TestFolder::fresh();
    let release = fixture("nfl-2023-week-18/release");
    publish(&place, &release);
    let folder = edited(&place, &release, ("games/2023-24.csv", "17,10,130,-155,", "17,10,135,-160,"));
    let before = files(&place.store());
    let output = run(&place, ["publish", folder.to_str().expect("text"), "--dry-run"]);
    assert!(output.out.contains("over_under: 16 games (1 changed)"), "{output:?}");
    assert!(output.out.ends_with("it would be nfl generation 2\n"), "{output:?}");
    let report = run_json(&place, ["publish", folder.to_str().expect("text"), "--dry-run"]);
    assert_eq!((report["outcome"].as_str(), report["generation"].as_u64()), (Some("would_be"), Some(2)));
    assert_eq!(report.get("release_id"), None, "nothing has a name before it is published");
    assert_eq!(files(&place.store()), before);
}

#[test]
fn a_dry_run_of_the_current_content_has_nothing_to_do() {
    let place = TestFolder::fresh();
    publish(&place, &fixture("nfl-2023-week-18/release"));
    let output = run(&place, ["publish", &week_18(), "--dry-run"]);
    assert!(output.out.ends_with("\nnothing to do: nfl generation 1 already has this content\n"), "{output:?}");
}
