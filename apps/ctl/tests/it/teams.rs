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
fn invented_teams_are_published_with_one_warning_each() {
    let place = TestFolder::fresh();
    let folder = release(&place, "invented", "nfl", ["Canal Foxes", "Harbor Gulls"]);
    fs::copy(folder.join("games/2024-25.csv"), folder.join("odds.csv")).expect("copied");
    let output = run(&place, ["publish", folder.to_str().expect("text")]);
    assert_eq!(output.code, Some(0), "{output:?}");
    let remark = |team: &str| format!("warning: games/2024-25.csv: `{team}` is no team of nfl and is taken as it is\n");
    for team in ["Canal Foxes", "Harbor Gulls"] {
        assert_eq!(output.err.matches(team).count(), 1, "{}", output.err);
        assert!(output.err.contains(&remark(team)), "{}", output.err);
    }
}

#[test]
fn a_club_under_another_name_is_the_game_on_record() {
    let place = TestFolder::fresh();
    publish(&place, &release(&place, "first", "nba", ["Los Angeles Clippers", "Golden State Warriors"]));
    let again = publish(&place, &release(&place, "second", "nba", ["LA Clippers", "GS Warriors"]));
    assert_eq!((&again["outcome"], &again["seasons"][0]["games"]), (&json!("already_on_air"), &json!(1)));
    assert_eq!(again["warnings"], json!([]));
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

#[test]
fn a_club_under_two_names_in_a_past_season_is_one() {
    let place = TestFolder::fresh();
    let folder = release(&place, "past", "nfl", ["Oakland Raiders", "Buffalo Bills"]);
    fs::remove_file(folder.join("games/2024-25.csv")).expect("removed");
    let header = "date,time_est,away_team,home_team";
    let game = |team: &str| format!("2018-12-24,20:15:00,{team},Denver Broncos");
    fs::create_dir_all(folder.join("probabilities/over_under")).expect("folders");
    fs::write(folder.join("games/2018-19.csv"), format!("{header},over_under\n{},43\n", game("Oakland Raiders")))
        .expect("written");
    let forecast = format!("{header},BLEND\n{},0.5\n", game("Las Vegas Raiders"));
    fs::write(folder.join("probabilities/over_under/2018-19.csv"), forecast).expect("written");
    assert_eq!(publish(&place, &folder)["seasons"][0]["games"], json!(1));
}
