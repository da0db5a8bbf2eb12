//! Feeds of The Odds API, converted on the command line and checked cell by cell by a script that shares no code with
//! the converter.

use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use sports_testkit::programs::{TestFolder, real_data};

use crate::support::{Completed, run};

const AS_OF: &str = "2025-12-14T18:00:00Z";

fn feed() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/odds-feed.json")
}

/// Returns the arguments of a conversion of a feed into an odds file.
fn arguments<'a>(feed: &'a str, out: &'a str, bookmaker: &'a str, as_of: &'a str) -> [&'a str; 11] {
    ["convert", "the-odds-api", feed, "--sport", "nfl", "--bookmaker", bookmaker, "--out", out, "--as-of", as_of]
}

fn converted(place: &TestFolder, feed: &Path, bookmaker: &str, as_of: &str) -> (Completed, PathBuf) {
    let out = place.path().join("release").join("odds.csv");
    let (feed, path) = (feed.to_str().expect("text"), out.to_str().expect("text"));
    (run(place, arguments(feed, path, bookmaker, as_of).iter().chain(&["--json"])), out)
}

/// Returns the script's report about a file; `None`, with a message, if Python is missing and not required.
fn checked(feed: &Path, odds: &Path, bookmaker: &str, as_of: &str) -> Option<Value> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/check_odds.py");
    let mut command = Command::new("python3");
    match command.arg(script).args([feed, odds]).args([bookmaker, as_of]).stderr(Stdio::inherit()).output() {
        Ok(output) => {
            assert!(output.status.success(), "{} differs from its feed", odds.display());
            Some(serde_json::from_slice(&output.stdout).expect("JSON"))
        }
        Err(error) if env::var_os("REQUIRE_SERVICES").is_some() => panic!("python3 is required: {error}"),
        Err(error) => {
            eprintln!("skipped: the script needs python3: {error}");
            None
        }
    }
}

/// Converts a feed and asserts that the script agrees, and the number of games.
fn agrees(feed: &Path, bookmaker: &str, as_of: &str, games: usize) {
    let place = TestFolder::fresh();
    let (output, out) = converted(&place, feed, bookmaker, as_of);
    assert_eq!((output.code, &output.json()["games"]), (Some(0), &json!(games)), "{bookmaker}: {output:?}");
    if let Some(opinion) = checked(feed, &out, bookmaker, as_of) {
        assert_eq!(opinion, json!({ "rows": games, "cells": games * 16 }), "{bookmaker}");
    }
}

#[test]
fn every_cell_equals_the_feed() {
    agrees(&feed(), "draftkings", AS_OF, 3);
    agrees(&feed(), "betrivers", AS_OF, 2);
}

#[test]
fn every_cell_of_recorded_feeds_equals_the_feed() {
    let Some(data) = real_data() else { return };
    let recorded = data.join("the-odds-api");
    // The capture of the 15th was taken while its first game was played.
    let table = [
        ("nfl_2025-12-23.json", "2025-12-23T11:10:00Z", 8),
        ("nfl_2025-12-15_one_live_game.json", "2025-12-15T03:00:00Z", 4),
    ];
    for (file, as_of, games) in table {
        for bookmaker in ["fanduel", "draftkings", "betmgm", "betus", "betrivers"] {
            agrees(&recorded.join(file), bookmaker, as_of, games);
        }
    }
}

#[test]
fn a_conversion_reports_what_it_wrote_and_what_it_left_out() {
    let place = TestFolder::fresh();
    let (output, out) = converted(&place, &feed(), "BetRivers", AS_OF);
    let left = |id: &str, away: &str, home: &str, reason: &str| json!({ "match_id": id.repeat(32), "away_team": away, "home_team": home, "reason": reason });
    let expected = json!({
        "out": out.to_str(), "sport": "nfl", "bookmaker": "BetRivers", "games": 2, "unknown_teams": [], "warnings": [],
        "other_sports": {},
        "left_out": [
            left("a", "Buffalo Bills", "New England Patriots", "started"),
            left("c", "Los Angeles Rams", "Seattle Seahawks", "no_prices"),
        ],
    });
    assert_eq!(output.json(), expected);
    let (feed, out) = (feed(), out.to_str().expect("text"));
    let output = run(&place, arguments(feed.to_str().expect("text"), out, "BetRivers", AS_OF));
    let lines = format!(
        "{out}: 2 games of nfl, prices of BetRivers\n\
         left out: Buffalo Bills at New England Patriots: it has started\n\
         left out: Los Angeles Rams at Seattle Seahawks: the bookmaker posts nothing on it\n"
    );
    assert_eq!((output.code, output.out, output.err.as_str()), (Some(0), lines, ""));
}

/// Finals of The Odds API have the ids of its odds; a game in play has scores and no final.
#[test]
fn scores_become_a_file_of_finals() {
    let place = TestFolder::fresh();
    let scores = place.path().join("scores.json");
    let game = |id: &str, completed: bool, teams: [&str; 2], points: Value| {
        json!({
            "id": id, "sport_key": "basketball_nba", "commence_time": "2024-01-11T00:40:00Z", "completed": completed,
            "home_team": teams[1], "away_team": teams[0], "last_update": "2024-01-11T03:10:00Z", "scores": points,
        })
    };
    let points = |teams: [&str; 2], points: [&str; 2]| json!([{ "name": teams[1], "score": points[1] }, { "name": teams[0], "score": points[0] }]);
    let (over, in_play) = (["Boston Celtics", "New York Knicks"], ["Miami Heat", "Chicago Bulls"]);
    let feed = json!([
        game("a1", true, over, points(over, ["110", "99"])),
        game("b2", false, in_play, points(in_play, ["50", "47"])),
        game("c3", false, ["Denver Nuggets", "Utah Jazz"], json!(null)),
    ]);
    fs::write(&scores, feed.to_string()).expect("written");
    let out = place.path().join("finals.csv");
    let (scores, path) = (scores.to_str().expect("text"), out.to_str().expect("text"));
    let output = run(&place, ["convert", "the-odds-api", "--scores", scores, "--sport", "nba", "--out", path]);
    assert_eq!(
        (output.code, output.out, output.err.as_str()),
        (
            Some(0),
            format!(
                "{path}: 1 finals of nba\nleft out: Miami Heat at Chicago Bulls: it is not completed\n\
                 left out: Denver Nuggets at Utah Jazz: it is not completed\n"
            ),
            ""
        )
    );
    assert_eq!(
        fs::read_to_string(out).expect("a file"),
        "match_id,date,time,away_team,home_team,away_score,home_score\n\
         a1,2024-01-10,,boston_celtics,new_york_knicks,110,99\n"
    );
}

#[test]
fn events_of_other_leagues_are_counted_and_a_league_is_known_in_any_letter_case() {
    let place = TestFolder::fresh();
    let mut events: Value = serde_json::from_slice(&fs::read(feed()).expect("the feed")).expect("JSON");
    events[1]["sport_key"] = json!("AMERICANFOOTBALL_NFL");
    events[2]["sport_key"] = json!("americanfootball_nfl_preseason");
    let mixed = place.path().join("mixed.json");
    fs::write(&mixed, events.to_string()).expect("written");
    let (output, out) = converted(&place, &mixed, "draftkings", AS_OF);
    let other = json!({ "americanfootball_nfl_preseason": 1 });
    assert_eq!((&output.json()["games"], &output.json()["other_sports"]), (&json!(2), &other), "{output:?}");
    let (mixed, out) = (mixed.to_str().expect("text"), out.to_str().expect("text"));
    let output = run(&place, arguments(mixed, out, "draftkings", AS_OF));
    assert!(
        output.out.ends_with("left out: 1 event of `americanfootball_nfl_preseason`, which is not nfl\n"),
        "{output:?}"
    );
}

#[test]
fn an_invalid_price_is_quoted_as_the_feed_wrote_it() {
    let place = TestFolder::fresh();
    let mut events: Value = serde_json::from_slice(&fs::read(feed()).expect("the feed")).expect("JSON");
    events[1]["bookmakers"][0]["markets"][0]["outcomes"][0]["price"] = json!(1e308);
    let bookmaker = events[1]["bookmakers"][0]["key"].as_str().expect("a key").to_owned();
    let priced = place.path().join("priced.json");
    fs::write(&priced, events.to_string()).expect("written");
    let (output, _) = converted(&place, &priced, &bookmaker, AS_OF);
    let error = output.json()["error"].as_str().expect("text").to_owned();
    assert!(output.code == Some(2) && error.contains(": 1e+308 on "), "{error}");
}

#[test]
fn an_unknown_team_is_listed_and_a_table_names_it() {
    let place = TestFolder::fresh();
    let text = fs::read_to_string(feed()).expect("text").replace("Minnesota Vikings", "Vikings of the North");
    let strange = place.path().join("feed.json");
    fs::write(&strange, text).expect("written");
    let (output, _) = converted(&place, &strange, "draftkings", AS_OF);
    assert_eq!((output.code, &output.json()["games"]), (Some(0), &json!(2)), "{output:?}");
    assert_eq!(output.json()["unknown_teams"], json!(["Vikings of the North"]));

    let table = place.path().join("teams.csv");
    fs::write(&table, "name,team\nVikings of the North,minnesota_vikings\n").expect("written");
    let out = place.path().join("odds.csv");
    let (strange, out) = (strange.to_str().expect("text"), out.to_str().expect("text"));
    let named = ["--teams", table.to_str().expect("text")];
    let output = run(&place, arguments(strange, out, "draftkings", AS_OF).iter().chain(&named));
    assert_eq!(output.code, Some(0), "{output:?}");
    assert!(fs::read_to_string(out).expect("a file").contains(",minnesota_vikings,dallas_cowboys,"));
}

#[test]
fn starts_are_kept_in_the_named_file() {
    let place = TestFolder::fresh();
    let starts = place.path().join("starts.csv");
    let (feed, starts) = (feed(), starts.to_str().expect("text"));
    let games = |out: &str, as_of: &str, feed: &Path| {
        let out = place.path().join(out);
        let (feed, out) = (feed.to_str().expect("text"), out.to_str().expect("text"));
        let words = arguments(feed, out, "draftkings", as_of);
        run(&place, words.iter().chain(&["--starts", starts, "--json"])).json()["games"].clone()
    };
    assert_eq!(games("first/odds.csv", AS_OF, &feed), 3);
    let text = fs::read_to_string(&feed).expect("text").replace("2025-12-14T21:25:00Z", "2025-12-14T22:40:00Z");
    let moved = place.path().join("moved.json");
    fs::write(&moved, text).expect("written");
    assert_eq!(games("second/odds.csv", "2025-12-14T21:30:00Z", &moved), 2, "in a folder that was not there before");
    assert!(!place.path().join("first/.odds.csv.starts").exists());
}

/// Ten conversions of feeds with a different start each, all into one odds file, keep every start.
#[test]
fn simultaneous_conversions_all_succeed_and_lose_no_start() {
    let place = TestFolder::fresh();
    let feed: Value = serde_json::from_slice(&fs::read(feed()).expect("the feed")).expect("JSON");
    let template = feed[3].clone();
    let out = place.path().join("release").join("odds.csv");
    let out = out.to_str().expect("text");
    let running: Vec<_> = (0..10)
        .map(|number| {
            let mut event = template.clone();
            event["id"] = json!(format!("game-{number}"));
            let file = place.path().join(format!("feed-{number}.json"));
            fs::write(&file, json!([event]).to_string()).expect("written");
            let bookmaker = event["bookmakers"][0]["key"].as_str().expect("a key");
            let mut command = place.sportsctl(arguments(file.to_str().expect("text"), out, bookmaker, AS_OF));
            command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("sportsctl runs")
        })
        .collect();
    for child in running {
        let output = child.wait_with_output().expect("ends");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let starts = fs::read_to_string(place.path().join("release/.odds.csv.starts")).expect("starts");
    let remembered = (0..10).filter(|number| starts.contains(&format!("game-{number},")));
    assert_eq!(remembered.count(), 10, "{starts}");
    assert_eq!(fs::read_to_string(out).expect("odds").lines().count(), 2, "one conversion's file, whole");
    let left = fs::read_dir(place.path().join("release")).expect("a folder");
    let left = left.filter(|entry| entry.as_ref().expect("an entry").file_name().to_string_lossy().contains("partial"));
    assert_eq!(left.count(), 0);
}

#[test]
fn a_feed_can_come_from_standard_input() {
    let place = TestFolder::fresh();
    let out = place.path().join("odds.csv");
    let mut command = place.sportsctl(arguments("-", out.to_str().expect("text"), "draftkings", AS_OF));
    let output = command.stdin(File::open(feed()).expect("the feed")).output().expect("sportsctl runs");
    assert!(output.status.success(), "{output:?}");
    assert_eq!(fs::read_to_string(&out).expect("a file").lines().count(), 4);
}

#[test]
fn bad_input_is_reported_and_changes_nothing() {
    let place = TestFolder::fresh();
    let write = |name: &str, text: &str| {
        let path = place.path().join(name);
        fs::write(&path, text).expect("written");
        path.to_str().expect("text").to_owned()
    };
    let good = feed().to_str().expect("text").to_owned();
    let quota =
        write("quota.json", r#"{"message":"Usage quota has been reached.","error_code":"OUT_OF_USAGE_CREDITS"}"#);
    let page = write("page.json", "<html>");
    let feed_text = fs::read_to_string(feed()).expect("text");
    let undated = write("undated.json", &format!(r#"{{"timestamp": "yesterday", "data": {feed_text}}}"#));
    let notes = write("notes.txt", "buy milk\n");
    let out = place.path().join("odds.csv").to_str().expect("text").to_owned();
    let table = [
        ([&*good, "nfl", "pinnacle", &out], "the feed has no bookmaker `pinnacle`; it has betrivers, draftkings"),
        (
            [&*good, "nba", "draftkings", &out],
            "the feed has no events of nba, which are `basketball_nba` there; it has americanfootball_nfl",
        ),
        (
            [&*quota, "nfl", "draftkings", &out],
            "an error of The Odds API: OUT_OF_USAGE_CREDITS Usage quota has been reached.",
        ),
        ([&*page, "nfl", "draftkings", &out], "page.json: the file is not JSON: "),
        ([&*undated, "nfl", "draftkings", &out], "undated.json: the snapshot's `timestamp` is \"yesterday\": expected"),
        (["missing.json", "nfl", "draftkings", &out], "missing.json: No such file"),
        ([&*good, "nfl", "draftkings", &notes], "notes.txt is there and no odds file: it has no column `match_id`"),
    ];
    for ([feed, sport, bookmaker, out], message) in table {
        let words = ["convert", "the-odds-api", feed, "--sport", sport, "--bookmaker", bookmaker, "--out", out];
        let output = run(&place, words.iter().chain(&["--as-of", AS_OF]));
        assert_eq!((output.code, output.out.as_str()), (Some(2), ""), "{output:?}");
        assert!(output.err.starts_with("sportsctl: ") && output.err.contains(message), "{output:?}");
    }
    let odds = write("odds-of-yesterday.csv", "match_id,date,time,away_team\n");
    let words = arguments(&good, &out, "draftkings", AS_OF);
    let output = run(&place, words.iter().chain(&["--starts", &odds]));
    let message = "odds-of-yesterday.csv is there and no file of starts: its columns are not match_id, date, time";
    assert!(output.code == Some(2) && output.err.contains(message), "{output:?}");
    for detour in ["./odds.csv", "new/../odds.csv", "new/../new/./../odds.csv"] {
        let detour = place.path().join(detour);
        let output = run(&place, words[..].iter().copied().chain(["--starts", detour.to_str().expect("text")]));
        assert!(output.code == Some(2) && output.err.contains("--starts and --out are one file"), "{output:?}");
    }
    assert!(!Path::new(&out).exists());
    assert_eq!(fs::read_to_string(notes).expect("a file"), "buy milk\n");
}

#[test]
fn an_unwritable_file_is_no_fault_of_the_input() {
    let place = TestFolder::fresh();
    fs::write(place.path().join("release"), "a file").expect("written");
    let (output, _) = converted(&place, &feed(), "draftkings", AS_OF);
    assert_eq!(output.code, Some(1), "{output:?}");
    assert!(output.json()["error"].as_str().expect("text").starts_with("cannot write "), "{output:?}");
}
