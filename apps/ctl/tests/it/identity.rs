//! One game has one identity, whatever start and whichever id a release lists it under.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use sports_testkit::programs::TestFolder;

use crate::slates::{CELTICS, Game, JAZZ, SUNS, Slate, at};
use crate::support::{Completed, entries, run, run_json};

const MORNING: &str = "2025-12-10T15:00:00Z";
/// Two hours after the Celtics' game began.
const UNDER_WAY: &str = "2025-12-11T02:05:00Z";
const NIGHT: &str = "2025-12-11T09:00:00Z";

fn published(games: &[Game<'_>]) -> TestFolder {
    let place = TestFolder::fresh();
    let said = Slate::of_games(games).publish(&place, MORNING);
    assert_eq!(said.code, Some(0), "{said:?}");
    place
}

/// The games on record in the live season.
fn games(place: &TestFolder) -> Vec<Value> {
    run_json(place, ["games", "nba"])["games"].as_array().expect("a list").clone()
}

fn ids(place: &TestFolder) -> Vec<String> {
    let id = |game: &Value| game["game_id"].as_str().expect("an identity").to_owned();
    games(place).iter().map(id).collect()
}

/// Writes a folder of history: `release.json` with these fields, and files with their rows.
fn history(place: &TestFolder, fields: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = place.path().join(format!("history-{}", place.path().read_dir().expect("a folder").count()));
    for (file, rows) in files {
        let path = folder.join(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, rows).expect("written");
    }
    fs::write(folder.join("release.json"), format!("{{{fields}}}")).expect("written");
    folder
}

fn publish(place: &TestFolder, folder: &Path, as_of: &str) -> Completed {
    run(place, ["publish", folder.to_str().expect("text"), "--as-of", as_of])
}

/// Predictions alone, of a run that ended at an instant.
fn forecast<'g>(games: &[Game<'g>], probability: f64, completed_at: &str) -> Slate<'g> {
    let run = format!(
        r#""season":"2025-26","run":{{"id":"r-{completed_at}","started_at":"{completed_at}","completed_at":"{completed_at}"}}"#
    );
    Slate { odds: None, ..Slate::of_games(games) }.forecasting(probability).with_fields(&run)
}

const NBA: &str = r#""sport":"nba","slate_date":"2025-12-11""#;
const HEADER: &str = "match_id,date,time_est,away_team,home_team,away_score,home_score\n";

#[test]
fn a_live_games_start_is_not_changed_by_history() {
    let place = published(&[CELTICS, SUNS]);
    for row in [
        "g1,2025-12-10,23:00,Boston Celtics,New York Knicks,,\n",
        ",2025-12-10,19:05,Boston Celtics,New York Knicks,,\n",
    ] {
        let folder = history(&place, NBA, &[("games/2025-26.csv", &(HEADER.to_owned() + row))]);
        let said = publish(&place, &folder, "2025-12-10T16:00:00Z");
        assert_eq!((said.code, entries(&place, "nba")), (Some(2), 1), "{said:?}");
        assert!(
            said.err.contains("`moved` in release.json may") && said.err.contains("2025-12-10 19:00:00"),
            "{said:?}"
        );
    }
}

#[test]
fn a_game_under_way_takes_no_forecast_at_another_start_whatever_its_id() {
    for id in ["g1", "", "other"] {
        let place = published(&[CELTICS, SUNS, JAZZ]);
        let delayed = (id, "2025-12-10", "21:30", CELTICS.3, CELTICS.4);
        let said = forecast(&[delayed, JAZZ], 0.99, "2025-12-11T02:00:00Z").publish(&place, UNDER_WAY);
        assert_eq!(said.code, Some(0), "{id}: {said:?}");
        assert_eq!(games(&place).len(), 3, "{id}: {said:?}");
        // Nor once the new start has passed; and the final settles the one game there is.
        let finals = place.path().join("finals.csv");
        let row = "date,time_est,away_team,home_team,away_score,home_score\n2025-12-10,19:00,Boston Celtics,New York \
                   Knicks,101,99\n";
        fs::write(&finals, row).expect("written");
        let said = run(&place, ["settle", "nba", finals.to_str().expect("text"), "--as-of", NIGHT]);
        assert!(said.out.contains("1 settled"), "{id}: {said:?}");
        assert_eq!(run(&place, ["verify", "nba"]).code, Some(0));
        let rows = blends(&place);
        assert!(rows.iter().all(|blend| (blend - 0.55).abs() < 1e-9), "{id}: {rows:?}");
    }
}

/// BLEND of the Celtics' game in every market that serves it.
fn blends(place: &TestFolder) -> Vec<f64> {
    let catalog = crate::support::catalog(place, "nba", entries(place, "nba") as u64);
    let objects = place.store().join("sports/nba/objects");
    let of_market = |entry: &Value| {
        let text = fs::read_to_string(objects.join(entry["object"].as_str().expect("a name"))).expect("the object");
        let all: Value = serde_json::from_str(&text).expect("JSON");
        let games = all["games"].as_array().expect("games").clone();
        let game = games.into_iter().find(|game| game["home_team"] == "new_york_knicks")?;
        assert_eq!(game["game_id"], "nba-2025-12-10-boston_celtics-new_york_knicks");
        game["predictions"]["BLEND"].as_f64()
    };
    catalog["predictions"].as_array().expect("a list").iter().filter_map(of_market).collect()
}

#[test]
fn ids_that_shift_by_one_game_are_refused_in_history_and_in_the_slate() {
    let place = published(&[CELTICS, SUNS, JAZZ]);
    let shifted = [("g2", CELTICS), ("g3", SUNS)].map(|(id, game)| (id, game.1, game.2, game.3, game.4));
    let row = |(id, date, time, away, home): Game<'_>| format!("{id},{date},{time},{away},{home},,\n");
    let rows = HEADER.to_owned() + &shifted.map(row).concat();
    let folder = history(&place, NBA, &[("games/2025-26.csv", &rows)]);
    let said = publish(&place, &folder, "2025-12-10T16:00:00Z");
    assert_eq!(said.code, Some(2), "{said:?}");
    let both = ["`g2`", "`g3`", "2025-12-10 21:30:00 phoenix_suns", "2025-12-10 22:00:00 utah_jazz"];
    assert!(both.iter().all(|part| said.err.contains(part)), "{said:?}");
    let said = forecast(&shifted, 0.6, "2025-12-10T15:50:00Z").publish(&place, "2025-12-10T16:10:00Z");
    assert_eq!((said.code, entries(&place, "nba")), (Some(2), 1), "{said:?}");
}

#[test]
fn a_final_whose_id_and_start_are_of_two_games_is_refused() {
    let place = published(&[CELTICS, SUNS]);
    let finals = place.path().join("finals.csv");
    let crossed = "match_id,date,time_est,away_team,home_team,away_score,home_score\n\
                   g2,2025-12-10,19:00,Boston Celtics,New York Knicks,101,99\n\
                   g1,2025-12-10,21:30,Phoenix Suns,Denver Nuggets,88,90\n";
    fs::write(&finals, crossed).expect("written");
    let said = run(&place, ["settle", "nba", finals.to_str().expect("text"), "--as-of", NIGHT]);
    assert_eq!((said.code, entries(&place, "nba")), (Some(2), 1), "{said:?}");
    assert!(said.err.contains("a row of one game") && said.err.contains("Problems found: 2"), "{said:?}");
}

#[test]
fn a_slate_under_a_wrong_season_is_refused_and_corrected_by_moved() {
    let place = TestFolder::fresh();
    let wrong = r#""season":"2026-27","run":{"id":"w","started_at":"2026-04-01T12:00:00Z","completed_at":"2026-04-01T12:00:00Z"}"#;
    let game = ("g1", "2026-04-01", "19:00", CELTICS.3, CELTICS.4);
    let slate = |fields: &str| Slate { date: "2026-04-01", ..Slate::of_games(&[game]).with_fields(fields) };
    assert_eq!(slate(wrong).publish(&place, "2026-04-01T13:00:00Z").code, Some(0));
    let right = r#""season":"2025-26","run":{"id":"r","started_at":"2026-04-01T13:30:00Z","completed_at":"2026-04-01T13:30:00Z"}"#;
    let said = slate(right).publish(&place, "2026-04-01T14:00:00Z");
    assert_eq!((said.code, entries(&place, "nba")), (Some(2), 1), "{said:?}");
    let id = "nba-2026-04-01-boston_celtics-new_york_knicks";
    assert!(said.err.contains("the season 2026-27") && said.err.contains(id), "{said:?}");
    let moved = format!(
        r#"{right},"moved":[{{"game_id":"{id}","to":{{"date":"2026-04-01","time":"19:00","away_team":"Boston Celtics","home_team":"New York Knicks"}}}}]"#
    );
    let said = slate(&moved).publish(&place, "2026-04-01T14:10:00Z");
    assert_eq!(said.code, Some(0), "{said:?}");
    let catalog = crate::support::catalog(&place, "nba", 2);
    let seasons: Vec<_> = catalog["results"].as_array().expect("a list").iter().map(|entry| &entry["season"]).collect();
    assert_eq!(seasons, ["2025-26"; 3], "in all markets");
    assert_eq!(ids(&place), [id]);
}

#[test]
fn a_season_corrected_with_one_markets_file_keeps_the_games_of_the_others() {
    let place = TestFolder::fresh();
    let fields = |season: &str, at: &str| {
        let at = format!("2026-04-01T{at}:00Z");
        format!(r#""season":"{season}","run":{{"id":"{at}","started_at":"{at}","completed_at":"{at}"}}"#)
    };
    let games = [("g1", "2026-04-01", "19:00", CELTICS.3, CELTICS.4), ("g2", "2026-04-01", "21:30", SUNS.3, SUNS.4)];
    let slate = |games: &[Game<'static>], fields: &str| {
        Slate { date: "2026-04-01", ..Slate::of_games(games).with_fields(fields) }.write(&place)
    };
    let said = publish(&place, &slate(&games, &fields("2026-27", "12:00")), "2026-04-01T13:00:00Z");
    assert_eq!(said.code, Some(0), "{said:?}");
    let moved = r#""moved":[{"game_id":"nba-2026-04-01-boston_celtics-new_york_knicks","to":{"date":"2026-04-01","time":"19:00","away_team":"Boston Celtics","home_team":"New York Knicks"}}]"#;
    let folder = slate(&games[..1], &format!("{},{moved}", fields("2025-26", "13:30")));
    for market in ["won_on_points", "won_on_spread"] {
        fs::remove_file(folder.join(format!("predictions/{market}.csv"))).expect("written before");
    }
    let said = publish(&place, &folder, "2026-04-01T14:00:00Z");
    assert_eq!(said.code, Some(0), "{said:?}");
    let catalog = crate::support::catalog(&place, "nba", 2);
    for entry in catalog["predictions"].as_array().expect("a list") {
        let object = place.store().join("sports/nba/objects").join(entry["object"].as_str().expect("a name"));
        let served: Value = serde_json::from_str(&fs::read_to_string(object).expect("the object")).expect("JSON");
        let expected = if entry["model_type"] == "over_under" { 1 } else { 2 };
        assert_eq!((&entry["season"], served["games"].as_array().map(Vec::len)), (&"2025-26".into(), Some(expected)));
    }
    assert_eq!(run(&place, ["verify", "nba"]).code, Some(0));
}

#[test]
fn a_doubleheaders_starts_may_change_twice_by_moved_in_any_order() {
    for crossed in [false, true] {
        let place = TestFolder::fresh();
        let day = "2025-05-03";
        let key = |time: &str| {
            format!(r#"{{"date":"{day}","time":"{time}","away_team":"New York Mets","home_team":"Miami Marlins"}}"#)
        };
        let write = |name: &str, fields: &str, rows: &[(&str, f64)]| {
            let rows: Vec<_> =
                rows.iter().map(|(time, blend)| format!("{day},{time},New York Mets,Miami Marlins,{blend}")).collect();
            let at = format!("2025-05-03T1{name}:00:00Z");
            let fields = format!(
                r#""sport":"mlb","slate_date":"{day}","season":"2025","run":{{"id":"r{name}","started_at":"{at}","completed_at":"{at}"}}{fields}"#
            );
            let file = format!("date,time,away_team,home_team,BLEND\n{}\n", rows.join("\n"));
            let folder = history(&place, &fields, &[("predictions/over_under.csv", &file)]);
            publish(&place, &folder, &at)
        };
        assert_eq!(write("2", "", &[("17:00", 0.4), ("21:00", 0.7)]).code, Some(0));
        let moved = |from: &str, to: &str| format!(r#"{{"from":{},"to":{}}}"#, key(from), key(to));
        let first = format!(r#","moved":[{}]"#, moved("17:00", "18:00"));
        assert_eq!(write("3", &first, &[("18:00", 0.4), ("21:00", 0.7)]).code, Some(0));
        let mut both = [moved("18:00", "17:00"), moved("21:00", "22:00")];
        if crossed {
            both.reverse();
        }
        let second = format!(r#","moved":[{}]"#, both.join(","));
        let said = write("4", &second, &[("17:00", 0.4), ("22:00", 0.7)]);
        assert_eq!(said.code, Some(0), "{said:?}");
        let games = run_json(&place, ["games", "mlb"])["games"].as_array().expect("a list").clone();
        let known: Vec<_> = games.iter().map(|game| (game["time_est"].as_str(), game["game_id"].as_str())).collect();
        let id = "mlb-2025-05-03-new_york_mets-miami_marlins";
        assert_eq!(known, [(Some("17:00:00"), Some(id)), (Some("22:00:00"), Some(&*format!("{id}-2")))]);
    }
}

#[test]
fn prices_of_an_import_do_not_reach_a_game_that_has_closed() {
    let place = TestFolder::fresh();
    let mut slate = forecast(&[CELTICS], 0.55, "2025-12-10T14:00:00Z");
    let folder = slate.write(&place);
    for market in ["won_on_points", "won_on_spread"] {
        fs::remove_file(folder.join(format!("predictions/{market}.csv"))).expect("written before");
    }
    assert_eq!(publish(&place, &folder, MORNING).code, Some(0));
    slate.fields.clear();
    let rows = "date,time_est,away_team,home_team,away_score,home_score,home_point_spread,home_point_spread_line\n\
                2025-12-10,19:00,Boston Celtics,New York Knicks,101,99,-7.5,-110\n";
    let folder = history(&place, NBA, &[("games/2025-26.csv", rows)]);
    let said = publish(&place, &folder, NIGHT);
    assert_eq!(said.code, Some(0), "{said:?}");
    let json = run_json(&place, ["publish", folder.to_str().expect("text"), "--as-of", "2025-12-11T10:00:00Z"]);
    let kept = json["seasons"].as_array().expect("a list").iter().map(|season| season["live_kept"].as_u64());
    assert_eq!(kept.sum::<Option<u64>>(), Some(3), "no market took them: {json}");
}

#[test]
fn a_game_id_in_a_file_is_that_of_a_game_on_record_or_the_one_it_would_get() {
    let place = published(&[CELTICS]);
    let rows = |id: &str| {
        format!("game_id,date,time_est,away_team,home_team\n{id},2025-12-12,19:00,Utah Jazz,Los Angeles Lakers\n")
    };
    let right = "nba-2025-12-12-utah_jazz-los_angeles_lakers";
    for (id, code) in [("nba-1", Some(2)), (&*format!("{right}-2"), Some(2)), (right, Some(0))] {
        let folder = history(&place, NBA, &[("games/2025-26.csv", &rows(id))]);
        let said = publish(&place, &folder, "2025-12-10T16:00:00Z");
        assert_eq!(said.code, code, "{id}: {said:?}");
    }
    assert_eq!(ids(&place), ["nba-2025-12-10-boston_celtics-new_york_knicks", right]);
}

#[test]
fn an_id_that_differs_by_case_alone_is_warned_of() {
    let place = published(&[CELTICS]);
    let other = ("G1", "2025-12-10", "22:00", JAZZ.3, JAZZ.4);
    let said = forecast(&[CELTICS, other], 0.5, "2025-12-10T15:50:00Z").publish(&place, "2025-12-10T16:00:00Z");
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.err.contains("`G1` differs from `g1` on record by upper and lower case alone"), "{said:?}");
}

#[test]
fn home_and_away_exchanged_are_refused_with_both_orders() {
    let place = published(&[CELTICS]);
    let swapped = ("", CELTICS.1, CELTICS.2, CELTICS.4, CELTICS.3);
    let said = forecast(&[swapped], 0.5, "2025-12-10T15:50:00Z").publish(&place, "2025-12-10T16:00:00Z");
    assert_eq!(said.code, Some(2), "{said:?}");
    let orders = ["boston_celtics at new_york_knicks", "new_york_knicks at boston_celtics"];
    assert!(orders.iter().all(|order| said.err.contains(order)), "{said:?}");
    let next = at(("", "", "", CELTICS.3, CELTICS.4), "2025-12-11", "13:00");
    let said = forecast(&[next], 0.5, "2025-12-10T15:50:00Z").publish(&place, "2025-12-10T16:00:00Z");
    assert!(said.err.contains("which is on record and not listed here"), "{said:?}");
}

#[test]
fn the_next_game_of_two_teams_is_new_as_soon_as_the_one_before_has_its_final() {
    let place = published(&[CELTICS]);
    let next = at(("", "", "", CELTICS.3, CELTICS.4), "2025-12-11", "19:00");
    let slate = || forecast(&[next], 0.5, "2025-12-11T10:50:00Z");
    let said = slate().publish(&place, "2025-12-11T11:00:00Z");
    assert!(said.err.contains("which is on record and not listed here"), "it may be late: {said:?}");
    let rows = "date,time_est,away_team,home_team,away_score,home_score\n\
                2025-12-10,19:00,Boston Celtics,New York Knicks,101,99\n";
    let folder = history(&place, NBA, &[("games/2025-26.csv", rows)]);
    assert_eq!(publish(&place, &folder, "2025-12-11T04:00:00Z").code, Some(0));
    let said = slate().publish(&place, "2025-12-11T11:00:00Z");
    assert_eq!(said.code, Some(0), "{said:?}");
    assert_eq!(ids(&place).len(), 2);
}

#[test]
fn a_closed_game_that_was_delayed_takes_nothing_from_history() {
    let place = TestFolder::fresh();
    let folder = forecast(&[CELTICS], 0.55, "2025-12-10T14:00:00Z").write(&place);
    for market in ["won_on_points", "won_on_spread"] {
        fs::remove_file(folder.join(format!("predictions/{market}.csv"))).expect("written before");
    }
    assert_eq!(publish(&place, &folder, MORNING).code, Some(0));
    let delayed = at(CELTICS, "2025-12-10", "23:00");
    let said = forecast(&[delayed], 0.9, "2025-12-11T00:50:00Z").publish(&place, "2025-12-11T01:00:00Z");
    assert_eq!(said.code, Some(0), "{said:?}");
    let games = "date,time_est,away_team,home_team,home_money_line,away_money_line\n\
                 2025-12-10,23:00,Boston Celtics,New York Knicks,-900,600\n";
    let probabilities = "date,time_est,away_team,home_team,BLEND\n\
                         2025-12-10,23:00,Boston Celtics,New York Knicks,0.98\n";
    let files = [("games/2025-26.csv", games), ("probabilities/won_on_spread/2025-26.csv", probabilities)];
    let folder = history(&place, NBA, &files);
    let json = run_json(&place, ["publish", folder.to_str().expect("text"), "--as-of", "2025-12-11T02:00:00Z"]);
    let changed = json["seasons"].as_array().expect("a list").iter();
    let changed: u64 = changed.map(|season| season["changed"].as_u64().expect("a count")).sum();
    assert_eq!(changed, 0, "{json}");
}

#[test]
fn a_game_is_not_rescheduled_to_within_twelve_hours_of_another() {
    for (away, home) in [(CELTICS.3, CELTICS.4), (CELTICS.4, CELTICS.3)] {
        let later = ("later", "2025-12-12", "19:00", away, home);
        let place = published(&[CELTICS, later]);
        let near = at(CELTICS, "2025-12-12", "18:55");
        let said = forecast(&[near], 0.6, "2025-12-10T15:50:00Z").publish(&place, "2025-12-10T16:00:00Z");
        assert_eq!((said.code, entries(&place, "nba")), (Some(2), 1), "{said:?}");
        assert!(said.err.contains("more than 12 hours from every other game"), "{said:?}");
    }
}

#[test]
fn a_row_beside_the_start_under_moved_is_refused() {
    let key = |time: &str| {
        format!(r#"{{"date":"2025-12-10","time":"{time}","away_team":"Boston Celtics","home_team":"New York Knicks"}}"#)
    };
    // The old start, and one between the two, while the game is under way.
    for (time, as_of) in [("19:00", "2025-12-10T16:00:00Z"), ("20:30", "2025-12-11T01:00:00Z")] {
        let place = published(&[CELTICS]);
        let run = format!(
            r#""season":"2025-26","run":{{"id":"m","started_at":"{as_of}","completed_at":"{as_of}"}},
               "moved":[{{"from":{},"to":{}}}]"#,
            key("19:00"),
            key("21:30")
        );
        let listed = ("", "2025-12-10", time, CELTICS.3, CELTICS.4);
        let slate = Slate { odds: None, ..Slate::of_games(&[listed]) }.forecasting(0.99).with_fields(&run);
        let said = slate.publish(&place, as_of);
        assert_eq!((said.code, entries(&place, "nba")), (Some(2), 1), "{time}: {said:?}");
        assert!(said.err.contains("the start that `moved` in release.json gives this game"), "{time}: {said:?}");
    }
}

/// Publishes rows of the Mets at the Marlins on 3 May 2025, each a start and two scores.
fn doubleheader(place: &TestFolder, rows: &[(&str, &str)]) -> Completed {
    let row = |(time, scores): &(&str, &str)| format!("2025-05-03,{time},New York Mets,Miami Marlins,{scores}\n");
    let rows = "date,time_est,away_team,home_team,away_score,home_score\n".to_owned()
        + &rows.iter().map(row).collect::<String>();
    let folder = history(place, r#""sport":"mlb","slate_date":"2025-05-04""#, &[("games/2025.csv", &rows)]);
    publish(place, &folder, "2025-05-05T12:00:00Z")
}

#[test]
fn the_games_of_a_doubleheader_in_two_folders_stay_two_by_their_finals() {
    let place = TestFolder::fresh();
    for row in [("13:00", "5,3"), ("19:00", "2,4")] {
        let said = doubleheader(&place, &[row]);
        assert_eq!(said.code, Some(0), "{said:?}");
    }
    let said = doubleheader(&place, &[("13:00", "5,3"), ("19:00", "2,4")]);
    assert!(said.out.contains("nothing to do"), "{said:?}");
    assert!(said.out.contains("over_under: 2 games"), "{said:?}");
}

#[test]
fn home_and_away_exchanged_at_one_start_are_refused_in_baseball_too() {
    let place = TestFolder::fresh();
    assert_eq!(doubleheader(&place, &[("13:00", "5,3")]).code, Some(0));
    let rows = "date,time_est,away_team,home_team,away_score,home_score\n\
                2025-05-03,13:00,Miami Marlins,New York Mets,3,5\n";
    let folder = history(&place, r#""sport":"mlb","slate_date":"2025-05-04""#, &[("games/2025.csv", rows)]);
    let said = publish(&place, &folder, "2025-05-05T12:00:00Z");
    assert!(said.code == Some(2) && said.err.contains("home and away as on record"), "{said:?}");
}

#[test]
fn an_id_of_a_game_of_a_season_long_ago_is_not_free() {
    let place = TestFolder::fresh();
    let season = |season: &str, date: &str| {
        let rows = HEADER.to_owned() + &format!("g1,{date},19:00,Boston Celtics,New York Knicks,101,99\n");
        let folder = history(&place, NBA, &[(&*format!("games/{season}.csv"), &rows)]);
        publish(&place, &folder, NIGHT)
    };
    assert_eq!(season("2021-22", "2021-12-10").code, Some(0));
    let said = season("2024-25", "2024-12-10");
    assert_eq!((said.code, entries(&place, "nba")), (Some(2), 1), "{said:?}");
    assert!(said.err.contains("2021-22") && said.err.contains("2021-12-10 19:00:00"), "{said:?}");
}

#[test]
fn one_game_in_two_seasons_of_a_release_is_refused() {
    let place = TestFolder::fresh();
    let rows = HEADER.to_owned() + ",2025-12-09,19:00,Boston Celtics,New York Knicks,101,99\n";
    let folder = history(&place, NBA, &[("games/2024-25.csv", &rows), ("games/2025-26.csv", &rows)]);
    let said = publish(&place, &folder, NIGHT);
    assert!(said.code == Some(2) && said.err.contains("one season for one game"), "{said:?}");
}

#[test]
fn a_final_at_the_start_of_a_called_off_game_is_of_the_game_that_replaced_it() {
    let place = published(&[CELTICS]);
    let settle = |rows: &str, as_of: &str| {
        let finals = place.path().join("finals.csv");
        let header = "date,time_est,away_team,home_team,away_score,home_score,settlement_status\n";
        fs::write(&finals, format!("{header}{rows}")).expect("written");
        run(&place, ["settle", "nba", finals.to_str().expect("text"), "--as-of", as_of])
    };
    let row = |scores: &str| format!("2025-12-10,19:00,Boston Celtics,New York Knicks,{scores}\n");
    assert_eq!(settle(&row(",,postponed"), "2025-12-10T17:00:00Z").code, Some(0));
    let again = ("", "2025-12-10", "19:05", CELTICS.3, CELTICS.4);
    let said = forecast(&[again], 0.7, "2025-12-10T17:50:00Z").publish(&place, "2025-12-10T18:00:00Z");
    assert_eq!(said.code, Some(0), "{said:?}");
    let said = settle(&row("101,99,"), NIGHT);
    assert!(said.code == Some(0) && said.out.contains("1 settled"), "{said:?}");
    let left = games(&place);
    let of = |id: &str| left.iter().find(|game| game["game_id"].as_str().is_some_and(|known| known.ends_with(id)));
    let status = |id: &str| of(id).map(|game| game["settlement_status"].clone());
    assert_eq!(status("knicks"), Some("postponed".into()), "{left:?}");
    assert_eq!(status("knicks-2"), Some("settled".into()), "{left:?}");
}

#[test]
fn a_game_that_was_called_off_during_play_is_not_listed_again_the_same_evening() {
    let place = published(&[CELTICS]);
    let finals = place.path().join("finals.csv");
    let rows = "date,time_est,away_team,home_team,away_score,home_score,settlement_status\n\
                2025-12-10,19:00,Boston Celtics,New York Knicks,,,postponed\n";
    fs::write(&finals, rows).expect("written");
    let said = run(&place, ["settle", "nba", finals.to_str().expect("text"), "--as-of", UNDER_WAY]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let again = at(CELTICS, "2025-12-10", "21:30");
    let said = forecast(&[again], 0.99, UNDER_WAY).publish(&place, "2025-12-11T02:10:00Z");
    assert!(said.code == Some(2) && said.err.contains("was called off after its start"), "{said:?}");
    let tomorrow = at(CELTICS, "2025-12-11", "19:00");
    let said = forecast(&[tomorrow], 0.6, UNDER_WAY).publish(&place, "2025-12-11T02:20:00Z");
    assert_eq!(said.code, Some(0), "{said:?}");
}

#[test]
fn settle_refuses_ids_that_no_game_or_another_game_has() {
    let place = published(&[CELTICS]);
    for (id, column) in [("nba-2025-12-09-boston_celtics-new_york_knicks", "game_id"), ("g9", "match_id")] {
        let finals = place.path().join("finals.csv");
        let row = format!("{id},2025-12-10,19:00,Boston Celtics,New York Knicks,101,99\n");
        let header = format!("{column},date,time_est,away_team,home_team,away_score,home_score\n");
        fs::write(&finals, header + &row).expect("written");
        let said = run(&place, ["settle", "nba", finals.to_str().expect("text"), "--as-of", NIGHT]);
        assert_eq!((said.code, entries(&place, "nba")), (Some(2), 1), "{column}: {said:?}");
    }
}

#[test]
fn an_id_that_one_market_changes_is_changed_in_all() {
    let place = published(&[CELTICS]);
    let folder = forecast(&[("x", CELTICS.1, CELTICS.2, CELTICS.3, CELTICS.4)], 0.6, "2025-12-10T15:50:00Z");
    let folder = folder.write(&place);
    for market in ["won_on_points", "won_on_spread"] {
        fs::remove_file(folder.join(format!("predictions/{market}.csv"))).expect("written before");
    }
    assert_eq!(publish(&place, &folder, "2025-12-10T16:00:00Z").code, Some(0));
    let catalog = crate::support::catalog(&place, "nba", entries(&place, "nba") as u64);
    let objects = place.store().join("sports/nba/objects");
    let slates = catalog["predictions"].as_array().expect("a list").iter().chain([&catalog["odds"]]);
    for slate in slates {
        let text = fs::read_to_string(objects.join(slate["object"].as_str().expect("a name"))).expect("the object");
        let all: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(all["games"][0]["match_id"], "x", "{all}");
    }
}

#[test]
fn problems_of_values_and_of_games_are_reported_together() {
    let place = published(&[CELTICS]);
    let folder = forecast(&[at(SUNS, "2025-12-10", "22:00"), JAZZ], 0.6, "2025-12-10T15:50:00Z").write(&place);
    let file = folder.join("predictions/over_under.csv");
    let rows = |rows: &str| format!("match_id,date,time,away_team,home_team,BLEND\n{rows}");
    let wrong_teams = "g1,2025-12-10,22:00,Utah Jazz,Los Angeles Lakers";
    fs::write(&file, rows(&format!("{wrong_teams},0.5\ng2,2025-12-10,21:30,Phoenix Suns,Denver Nuggets,high\n")))
        .expect("written");
    for market in ["won_on_points", "won_on_spread"] {
        fs::remove_file(folder.join(format!("predictions/{market}.csv"))).expect("written before");
    }
    let said = publish(&place, &folder, "2025-12-10T16:00:00Z");
    assert_eq!(said.code, Some(2), "{said:?}");
    let both = ["Problems found: 2", "row 2, column match_id: `g1`", "row 3, column BLEND: `high`"];
    assert!(both.iter().all(|part| said.err.contains(part)), "{said:?}");
    // A row of an unknown game could be the other game of a doubleheader.
    fs::write(&file, rows(&format!("{wrong_teams},0.5\ng2,2025-12-10,late,Phoenix Suns,Denver Nuggets,0.5\n")))
        .expect("written");
    let said = publish(&place, &folder, "2025-12-10T16:00:00Z");
    let alone = ["Problems found: 1", "`late`", "The games are compared with the record once these values are right."];
    assert!(alone.iter().all(|part| said.err.contains(part)), "{said:?}");
    assert_eq!(entries(&place, "nba"), 1);
}
