//! Slates whose starts are placeholders or in universal time.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;
use sports_testkit::programs::TestFolder;

use crate::slates::{CELTICS, SUNS, Slate, at};
use crate::support::{Completed, catalog, entries, run, run_json};

const MORNING: &str = "2025-12-10T15:00:00Z";

/// A doubleheader of which the second start is not known: 03:33 in universal time.
const SCHEDULE: &str = "game_id,game_datetime,away_name,home_name,p_home,ml_home,ml_away\n\
                        1001,2026-08-07T17:10:00Z,Texas Rangers,Cleveland Guardians,0.55,-130,110\n\
                        1002,2026-08-08T03:33:00Z,Texas Rangers,Cleveland Guardians,0.54,-125,105\n";
const MAP: &str = "[columns]\nseason = { constant = \"2026\" }\nstart = { column = \"game_datetime\", zone = \"utc\" }\n\
                   away_team = \"away_name\"\nhome_team = \"home_name\"\nmatch_id = \"game_id\"\n\
                   home_money_line = \"ml_home\"\naway_money_line = \"ml_away\"\n\
                   [models.won_on_points]\nELO = { column = \"p_home\", of = \"home\" }\n";

/// Converts the schedule into a slate of a run.
fn slate(place: &TestFolder, schedule: &str, run_id: &str) -> PathBuf {
    let path = |name: &str| place.path().join(name);
    fs::write(path("schedule.csv"), schedule).expect("written");
    fs::write(path("map.toml"), MAP).expect("written");
    let folder = path(run_id);
    let [map, file, out] = [&path("map.toml"), &path("schedule.csv"), &folder].map(|path| path.display().to_string());
    let words = ["convert", "csv", "--map", &map, &file, "--sport", "mlb", "--slate", "--out", &out];
    let [started, completed] = ["2026-08-07T12:00:00Z", "2026-08-07T12:05:00Z"];
    let times = ["--run-id", run_id, "--run-started", started, "--run-completed", completed];
    let words = words.iter().chain(&times).chain(&["--as-of", "2026-08-07T13:10:00Z"]);
    let output = run(place, words);
    assert_eq!(output.code, Some(0), "{output:?}");
    folder
}

fn publish(place: &TestFolder, folder: &Path, as_of: &str) -> serde_json::Value {
    run_json(place, ["publish", folder.to_str().expect("text"), "--as-of", as_of])
}

#[test]
fn a_forecast_made_during_a_game_whose_start_was_a_placeholder_is_not_taken() {
    let place = TestFolder::fresh();
    let morning = publish(&place, &slate(&place, SCHEDULE, "morning"), "2026-08-07T13:10:00Z");
    assert_eq!(morning["slate"]["predictions"]["won_on_points"]["new"].as_array().map(Vec::len), Some(2), "{morning}");
    let found = &morning["findings"][0];
    assert_eq!((&found["finding"], &found["severity"]), (&json!("placeholder-start"), &json!("warning")), "{morning}");
    let evening = publish(&place, &slate(&place, &SCHEDULE.replace("0.54", "0.97"), "evening"), "2026-08-07T22:00:00Z");
    let frozen =
        ["2026-08-07 13:10:00 texas_rangers at cleveland_guardians", "2026-08-07 texas_rangers at cleveland_guardians"];
    assert_eq!(evening["slate"]["predictions"]["won_on_points"]["frozen"], json!(frozen), "{evening}");
    assert_eq!(evening["slate"]["predictions"]["won_on_points"]["changed"], json!([]), "{evening}");
}

#[test]
fn a_placeholder_that_is_a_start_is_allowed_by_name_and_on_record() {
    let place = TestFolder::fresh();
    let publish = |options: &[&str]| -> Completed {
        let slate = Slate::of_games(&[CELTICS, at(SUNS, "2025-12-10", "23:59")]);
        slate.publish_with(&place, &[options, &["--as-of", MORNING]].concat())
    };
    let allowed = publish(&["--allow", "placeholder-start"]);
    assert_eq!(allowed.code, Some(0), "{allowed:?}");
    assert_eq!(catalog(&place, "nba", 1)["overrides"], json!(["placeholder-start"]));
    let games = run_json(&place, ["games", "nba"]).to_string();
    assert!(games.contains(r#""time_est":"23:59:00""#), "{games}");
    let unneeded = Slate::of_games(&[CELTICS])
        .publish_with(&TestFolder::fresh(), &["--allow", "placeholder-start", "--as-of", MORNING]);
    assert!(unneeded.err.contains("--allow placeholder-start was not needed"), "{unneeded:?}");
}

#[test]
fn a_first_slate_in_universal_time_is_refused_with_the_eastern_start() {
    let place = TestFolder::fresh();
    let slate = Slate::of_games(&[at(CELTICS, "2025-12-11", "00:10"), at(SUNS, "2025-12-11", "03:40")]);
    let refused = slate.publish(&place, MORNING);
    assert_eq!((refused.code, entries(&place, "nba")), (Some(2), 0), "{refused:?}");
    assert!(refused.err.contains("boston_celtics at new_york_knicks is 2025-12-10 19:10 Eastern"), "{refused:?}");
    let allowed = slate.publish_with(&place, &["--allow", "time-zone", "--as-of", MORNING]);
    assert_eq!(
        (allowed.code, &catalog(&place, "nba", 1)["overrides"]),
        (Some(0), &json!(["time-zone"])),
        "{allowed:?}"
    );
}
