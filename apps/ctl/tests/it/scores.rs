//! Finals that are none: scores beside words for games that are not over, level scores, and scores beyond those of the league.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};
use sports_testkit::programs::TestFolder;

use crate::support::{Completed, catalog, entries, publish, run, run_json};

/// Writes a release folder with a table of games and probabilities of BLEND, 0.6 each, for a market.
fn release(place: &TestFolder, name: &str, sport: &str, season: &str, games: &str) -> PathBuf {
    let folder = place.path().join(name);
    fs::create_dir_all(folder.join("games")).expect("folders");
    let manifest = json!({ "sport": sport, "slate_date": "2024-02-01" });
    fs::write(folder.join("release.json"), manifest.to_string()).expect("written");
    fs::write(folder.join(format!("games/{season}.csv")), games).expect("written");
    folder
}

fn settle(place: &TestFolder, sport: &str, finals: &str, options: &[&str]) -> Completed {
    let path = place.path().join("finals.csv");
    fs::write(&path, finals).expect("written");
    run(place, ["settle", sport, path.to_str().expect("text")].iter().chain(options))
}

fn games(place: &TestFolder, sport: &str, season: &str) -> Value {
    run_json(place, ["games", sport, "--season", season])["games"].take()
}

#[test]
fn scores_during_play_settle_no_game_and_the_finals_of_the_morning_do() {
    let place = TestFolder::fresh();
    let header = "date,time_est,away_team,home_team,home_money_line,away_money_line\n";
    let rows =
        "2024-01-10,19:00,Utah Jazz,Denver Nuggets,-150,130\n2024-01-10,19:30,Phoenix Suns,LA Clippers,-150,130\n";
    publish(&place, &release(&place, "live", "nba", "2023-24", &format!("{header}{rows}")));
    let header = "date,away_team,home_team,away_score,home_score,settlement_status\n";
    let rows =
        "2024-01-10,Utah Jazz,Denver Nuggets,45,50,in progress\n2024-01-10,Phoenix Suns,LA Clippers,0,0,Scheduled\n";
    let refused = settle(&place, "nba", &format!("{header}{rows}"), &[]);
    assert_eq!((refused.code, entries(&place, "nba")), (Some(2), 1), "{refused:?}");
    for named in ["45-50 (away-home), `in progress` says", "0-0 (away-home), `Scheduled` says"] {
        assert!(refused.err.contains(named), "{}", refused.err);
    }
    let rows = "2024-01-10,Utah Jazz,Denver Nuggets,110,99,Final/OT\n2024-01-10,Phoenix Suns,LA Clippers,101,108,\n";
    let settled = settle(&place, "nba", &format!("{header}{rows}"), &["--json"]).json();
    assert_eq!((&settled["settled"], &settled["corrected"]), (&json!(2), &json!(0)), "{settled}");
}

#[test]
fn a_postponed_game_of_a_history_has_no_final_of_nil_nil() {
    let place = TestFolder::fresh();
    let header = "date,time_est,away_team,home_team,away_score,home_score,settlement_status,over_under\n";
    let rows = "2018-05-11,19:10,Chicago Cubs,Atlanta Braves,0,0,Postponed,8.5\n\
                2018-05-12,13:10,Chicago Cubs,Atlanta Braves,3,4,Final,8.5\n";
    let published = publish(&place, &release(&place, "hist", "mlb", "2018", &format!("{header}{rows}")));
    let warning = "games/2018.csv: the score 0-0 of 1 games that were called off is dropped";
    assert_eq!(published["warnings"][0], warning, "{published}");
    let listed = games(&place, "mlb", "2018");
    let ending =
        |game: &Value| [game["away_score"].clone(), game["home_score"].clone(), game["settlement_status"].clone()];
    let endings: Vec<_> = listed.as_array().expect("games").iter().map(ending).collect();
    assert_eq!(endings, [[Value::Null, Value::Null, json!("postponed")], [json!(3), json!(4), json!("settled")]]);
}

#[test]
fn a_level_final_of_a_league_with_overtime_is_refused_at_publish_and_settle() {
    let place = TestFolder::fresh();
    let game = "2021-10-14,22:00,Calgary Flames,Winnipeg Jets";
    let tie = format!("date,time_est,away_team,home_team,away_score,home_score\n{game},2,2\n");
    let level = release(&place, "level", "nhl", "2021-22", &tie);
    let open = format!("date,time_est,away_team,home_team\n{game}\n");
    publish(&place, &release(&place, "open", "nhl", "2021-22", &open));
    let refused =
        [run(&place, ["publish", level.to_str().expect("text"), "--dry-run"]), settle(&place, "nhl", &tie, &[])];
    for refused in refused {
        assert_eq!(refused.code, Some(2), "{refused:?}");
        let expected = "a winner: since 2005-06 games of nhl go into overtime until one team has won";
        assert!(refused.err.contains("`2-2`") && refused.err.contains(expected), "{}", refused.err);
    }
    let tie = "date,time_est,away_team,home_team,away_score,home_score\n2003-10-14,22:00,Calgary Flames,Edmonton Oilers,2,2\n";
    publish(&place, &release(&place, "ties", "nhl", "2003-04", tie));
}

#[test]
fn a_shortened_game_decides_its_moneyline_alone() {
    let place = TestFolder::fresh();
    let game = "2018-05-12,13:10,Chicago Cubs,Atlanta Braves";
    let header = "date,time_est,away_team,home_team,over_under,over_line,under_line,home_money_line,away_money_line\n";
    let folder = release(&place, "hist", "mlb", "2018", &format!("{header}{game},8.5,-110,-110,-120,110\n"));
    for market in ["over_under", "won_on_points"] {
        fs::create_dir_all(folder.join("probabilities").join(market)).expect("folders");
        let table = format!("date,time_est,away_team,home_team,BLEND\n{game},0.6\n");
        fs::write(folder.join(format!("probabilities/{market}/2018.csv")), table).expect("written");
    }
    publish(&place, &folder);
    let finals = |void: &str| {
        format!(
            "date,away_team,home_team,away_score,home_score,void_markets\n2018-05-12,Chicago Cubs,Atlanta Braves,3,4,{void}\n"
        )
    };
    let settled = settle(&place, "mlb", &finals("over_under; run_line"), &["--json"]).json();
    assert_eq!(settled["settled"], 1, "{settled}");
    let status = || games(&place, "mlb", "2018")[0]["settlement_status"].clone();
    assert_eq!(status(), "settled void over_under won_on_spread");
    let report = run_json(&place, ["publish", folder.to_str().expect("text"), "--dry-run"])["report"].take();
    let graded: Vec<_> =
        report.as_array().expect("markets").iter().map(|of| [&of["graded"], &of["ungraded"]["no_final"]]).collect();
    assert_eq!(graded, [[&json!(0), &json!(1)], [&json!(1), &json!(0)], [&json!(0), &json!(1)]], "{report}");
    let again = settle(&place, "mlb", &finals(""), &["--json"]).json();
    assert_eq!((&again["unchanged"], status()), (&json!(1), json!("settled void over_under won_on_spread")));
    assert_eq!(settle(&place, "mlb", &finals("none"), &[]).code, Some(2));
    settle(&place, "mlb", &finals("none"), &["--correct", "--json"]).json();
    assert_eq!(status(), "settled");
}

#[test]
fn a_score_beyond_the_league_is_refused_and_allowed_in_games_alone() {
    let place = TestFolder::fresh();
    let row = |away: &str| format!("1999-09-04,13:00,Iowa Hawkeyes,Iowa State Cyclones,{away},0\n");
    let table = |away: &str| format!("date,time_est,away_team,home_team,away_score,home_score\n{}", row(away));
    let folder = release(&place, "wide", "ncaaf", "1999-00", &table("222"));
    let folder = folder.to_str().expect("text");
    let refused = run(&place, ["publish", folder]);
    let expected = "1 scores are outside 0 to 120, the range of ncaaf: 1999-09-04 13:00:00 iowa_hawkeyes at \
                    iowa_state_cyclones (222-0); --allow score-range";
    assert!(refused.code == Some(2) && refused.err.contains(expected), "{}", refused.err);
    run_json(&place, ["publish", folder, "--allow", "score-range"]);
    assert_eq!(catalog(&place, "ncaaf", 1)["overrides"], json!(["score-range"]));
    let settled = settle(&place, "ncaaf", &table("223"), &["--correct"]);
    let expected = "`223-0`: expected scores of ncaaf, which are 0 to 120";
    assert!(settled.code == Some(2) && settled.err.contains(expected), "{}", settled.err);
    let results = place.path().join("results-alone");
    fs::create_dir_all(results.join("results/over_under")).expect("folders");
    fs::write(results.join("release.json"), json!({ "sport": "ncaaf" }).to_string()).expect("written");
    fs::write(results.join("results/over_under/1999-00.csv"), table("221")).expect("written");
    let refused = run(&place, ["publish", results.to_str().expect("text"), "--allow", "score-range"]);
    assert!(refused.code == Some(2) && refused.err.contains("`221-0`"), "{}", refused.err);
}
