//! Lists of the games on record, and of those that await a final.

use serde_json::{Value, json};
use sports_testkit::programs::{TestFolder, fixture};

use crate::support::Completed;

/// Instants of the test: before the week's games, and the noon after its last day.
const BEFORE: &str = "2024-01-06T15:00:00Z";
const MONDAY: &str = "2024-01-08T17:00:00Z";

fn run_at(place: &TestFolder, arguments: &[&str], at: &str) -> Completed {
    let clock = ["--as-of", at];
    Completed::from(place.sportsctl(arguments.iter().chain(&clock)).output().expect("sportsctl runs"))
}

fn games(place: &TestFolder, arguments: &[&str], at: &str) -> Value {
    let output = run_at(place, &[&["games", "nfl", "--json"], arguments].concat(), at);
    assert_eq!((output.code, output.err.as_str()), (Some(0), ""), "{output:?}");
    serde_json::from_str(&output.out).expect("one JSON object")
}

/// Publishes a week of sixteen games and settles a part: two finals and a postponement.
fn half_settled() -> TestFolder {
    let place = TestFolder::fresh();
    let folder = fixture("nfl-2023-week-18-slate/release");
    let published = run_at(&place, &["publish", folder.to_str().expect("text")], BEFORE);
    assert_eq!(published.code, Some(0), "{published:?}");
    let finals = place.path().join("finals.csv");
    let rows = "date,time_est,away_team,home_team,away_score,home_score,settlement_status\n\
                2024-01-06,16:30:00,pittsburgh_steelers,baltimore_ravens,17,10,\n\
                2024-01-06,20:15:00,houston_texans,indianapolis_colts,23,19,\n\
                2024-01-07,20:20:00,buffalo_bills,miami_dolphins,,,postponed\n";
    std::fs::write(&finals, rows).expect("written");
    let settled = run_at(&place, &["settle", "nfl", finals.to_str().expect("text")], "2024-01-08T05:00:00Z");
    assert_eq!(settled.code, Some(0), "{settled:?}");
    place
}

#[test]
fn games_before_today_without_an_ending_await_settlement() {
    let place = half_settled();
    let all = games(&place, &[], MONDAY);
    assert_eq!((&all["sport"], &all["season"]), (&json!("nfl"), &json!("2023-24")));
    let all = all["games"].as_array().expect("games").clone();
    assert_eq!(all.len(), 16);
    let awaiting = games(&place, &["--awaiting"], MONDAY);
    let awaiting = awaiting["games"].as_array().expect("games").clone();
    assert_eq!(awaiting, all.iter().filter(|game| game["awaiting"] == true).cloned().collect::<Vec<_>>());
    // Sixteen games, of which three have ended; all three endings are those of the file.
    assert_eq!(awaiting.len(), 13);
    assert!(awaiting.iter().all(|game| game["settlement_status"].is_null() && game["home_score"].is_null()));
    let bills = all.iter().find(|game| game["away_team"] == "buffalo_bills").expect("on record");
    assert_eq!((&bills["settlement_status"], &bills["awaiting"]), (&json!("postponed"), &json!(false)));

    // Sunday's games are of today until the Eastern day ends, at 05:00 UTC.
    assert_eq!(games(&place, &["--awaiting"], "2024-01-08T04:59:00Z")["games"], json!([]));
}

#[test]
fn the_text_has_one_line_a_game() {
    let place = half_settled();
    let listed = run_at(&place, &["games", "nfl", "--awaiting"], MONDAY);
    let lines: Vec<_> = listed.out.lines().collect();
    assert_eq!((lines.len(), lines[0]), (14, "nfl 2023-24: 13 games awaiting settlement"));
    assert!(lines[1..].iter().all(|line| line.ends_with("  awaiting settlement")), "{listed:?}");
    let listed = run_at(&place, &["games", "nfl"], MONDAY);
    assert!(listed.out.contains("17-10 (away-home), settled") && listed.out.contains("postponed"), "{listed:?}");
}

#[test]
fn a_league_without_predictions_has_no_games_to_list() {
    let place = half_settled();
    let listed = run_at(&place, &["games", "nba", "--awaiting"], MONDAY);
    assert_eq!((listed.code, listed.out.as_str()), (Some(0), "nba: no predictions were published yet\n"));
}

#[test]
fn a_game_listed_on_two_dates_with_its_final_on_one_is_named_and_stays_unsettled() {
    let place = TestFolder::fresh();
    let folder = place.path().join("release");
    std::fs::create_dir_all(folder.join("games")).expect("a folder");
    let manifest = r#"{"sport": "nfl", "slate_date": "2024-09-12"}"#;
    std::fs::write(folder.join("release.json"), manifest).expect("written");
    let rows = "date,away_team,home_team,game_type,away_score,home_score\n\
                2024-09-08,Bills,Jets,regular,,\n2024-09-09,Bills,Jets,regular,3,0\n";
    std::fs::write(folder.join("games/2024-25.csv"), rows).expect("written");
    let at = "2024-09-12T17:00:00Z";
    let published = run_at(&place, &["publish", folder.to_str().expect("text")], at);
    let named =
        "2024-09-08 buffalo_bills at new_york_jets has no final, and 2024-09-09 buffalo_bills at new_york_jets has one";
    assert!(published.code == Some(0) && published.err.contains(named), "{published:?}");
    let unsettled = games(&place, &["--season", "2024-25", "--unsettled"], at);
    let dates: Vec<_> = unsettled["games"].as_array().expect("games").iter().map(|game| &game["date"]).collect();
    assert_eq!(dates, [&json!("2024-09-08")]);
}
