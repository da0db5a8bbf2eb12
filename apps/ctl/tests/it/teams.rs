use std::fs;
use std::path::PathBuf;

use serde_json::json;
use sports_testkit::programs::{TestFolder, fixture};

use crate::support::{edited, entries, publish, run, run_json};

/// Writes a release folder with one game of the league's season.
fn release(place: &TestFolder, name: &str, sport: &str, [away, home]: [&str; 2]) -> PathBuf {
    let folder = place.path().join(name);
    fs::create_dir_all(folder.join("games")).expect("folders");
    let manifest = json!({ "sport": sport, "slate_date": "2024-12-22" });
    fs::write(folder.join("release.json"), manifest.to_string()).expect("written");
    let game = format!("date,time_est,away_team,home_team,over_under\n2024-12-20,13:00:00,{away},{home},44\n");
    fs::write(folder.join("games/2024-25.csv"), game).expect("written");
    folder
}

#[test]
fn a_misspelt_team_of_todays_games_keeps_the_release_off_the_record() {
    let place = TestFolder::fresh();
    let good = fixture("nfl-2023-week-18-slate").join("release");
    let misspelt = edited(&place, &good, ("predictions/over_under.csv", "pittsburgh_steelers", "pitsburgh_steelers"));
    let output = run(&place, ["publish", misspelt.to_str().expect("text"), "--as-of", "2024-01-06T15:00:00Z"]);
    assert_eq!((output.code, entries(&place, "nfl")), (Some(2), 0), "{output:?}");
    assert!(output.err.contains("(did you mean `Pittsburgh Steelers`?)"), "{}", output.err);
}

#[test]
fn swapped_finals_are_refused_with_the_game_on_record() {
    let place = TestFolder::fresh();
    publish(&place, &release(&place, "slate", "nba", ["Los Angeles Clippers", "Golden State Warriors"]));
    let finals = place.path().join("finals.csv");
    let finals_of = |away: &str, home: &str| {
        let row = format!("2024-12-20,13:00,{away},{home},101,99");
        fs::write(&finals, format!("date,time_est,away_team,home_team,away_score,home_score\n{row}\n"))
            .expect("written");
        finals.to_str().expect("text").to_owned()
    };
    let output = run(&place, ["settle", "nba", &finals_of("Warriors", "LA Clippers")]);
    assert_eq!(output.code, Some(2), "{output:?}");
    let game = "2024-12-20 13:00:00 los_angeles_clippers at golden_state_warriors";
    assert!(output.err.contains(&format!("{game} is, with home and away the other way round")), "{}", output.err);
    let passed = run_json(&place, ["settle", "nba", &finals_of("Warriors", "LA Clippers"), "--allow-unknown"]);
    let swapped = "2024-12-20 13:00:00 golden_state_warriors at los_angeles_clippers";
    let warning =
        format!("finals.csv, row 2: {swapped} is not on record; {game} is, with home and away the other way round");
    assert_eq!((&passed["warning_count"], &passed["warnings"]), (&json!(1), &json!([warning])));
    assert_eq!(run_json(&place, ["settle", "nba", &finals_of("LA Clippers", "Warriors")])["settled"], json!(1));
}

#[test]
fn finals_of_a_misnamed_team_are_refused_with_a_suggestion() {
    let place = TestFolder::fresh();
    publish(&place, &release(&place, "slate", "nba", ["Los Angeles Clippers", "Golden State Warriors"]));
    let finals = place.path().join("finals.csv");
    let table = [
        ("Golden State Warriers", "did you mean `Golden State Warriors`?"),
        ("Boston Bruins", "this is one of nhl"),
        ("Boston Bruin", "did you mean `Boston Bruins` of nhl?"),
    ];
    for (home, hint) in table {
        let row = format!("2024-12-20,13:00,LA Clippers,{home},101,99");
        fs::write(&finals, format!("date,time_est,away_team,home_team,away_score,home_score\n{row}\n"))
            .expect("written");
        let output = run(&place, ["settle", "nba", finals.to_str().expect("text")]);
        assert_eq!(output.code, Some(2), "{output:?}");
        assert!(
            output.err.contains(&format!("`{home}` is no team of nba")) && output.err.contains(hint),
            "{}",
            output.err
        );
    }
}
