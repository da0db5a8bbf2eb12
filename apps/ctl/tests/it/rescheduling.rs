//! Games whose start a release changes, by mistake and on purpose.

use serde_json::{Value, json};
use sports_testkit::programs::TestFolder;

use crate::slates::{CELTICS, Game, JAZZ, SUNS, Slate, at, moved};
use crate::support::{Completed, entries, run, run_json};

const MORNING: &str = "2025-12-10T15:00:00Z";
const NOON: &str = "2025-12-10T17:00:00Z";
/// Five minutes after the Celtics' game began; the other games are still to come.
const UNDER_WAY: &str = "2025-12-11T00:05:00Z";

fn published(games: &[Game<'_>]) -> TestFolder {
    let place = TestFolder::fresh();
    let output = Slate::of_games(games).publish(&place, MORNING);
    assert_eq!(output.code, Some(0), "{output:?}");
    place
}

fn refused(place: &TestFolder, output: &Completed, expected: &[&str]) {
    assert_eq!(output.code, Some(2), "{output:?}");
    for part in expected {
        assert!(output.err.contains(part), "{part}: {output:?}");
    }
    assert_eq!(entries(place, "nba"), 1, "nothing was published");
}

fn settle(place: &TestFolder, game: Game<'_>, as_of: &str) -> Completed {
    let finals = place.path().join("finals.csv");
    let (_, date, time, away, home) = game;
    let row = format!("date,time_est,away_team,home_team,away_score,home_score\n{date},{time},{away},{home},101,99\n");
    std::fs::write(&finals, row).expect("written");
    run(place, ["settle", "nba", finals.to_str().expect("text"), "--as-of", as_of])
}

#[test]
fn odds_of_a_wrong_year_are_refused_with_and_without_a_season() {
    let wrong = [at(CELTICS, "2027-12-10", "19:00"), at(SUNS, "2027-12-10", "21:30")];
    for fields in ["", r#""season":"2025-26""#] {
        let place = published(&[CELTICS, SUNS]);
        let mut refresh = Slate::refresh(&wrong, 222.0);
        if !fields.is_empty() {
            refresh = refresh.with_fields(fields);
        }
        let expected = ["rows 2–3, 2 times, column date: `2027-12-10`"];
        refused(&place, &refresh.publish(&place, NOON), &expected);
    }
    // A league without a season on record accepts the years around its slate.
    let place = TestFolder::fresh();
    let output = Slate::refresh(&wrong, 222.0).publish(&place, NOON);
    assert_eq!((output.code, entries(&place, "nba")), (Some(2), 0), "{output:?}");
}

#[test]
fn an_id_alone_reschedules_by_fourteen_days_and_moved_by_more() {
    let near = at(CELTICS, "2025-12-24", "19:30");
    let place = published(&[CELTICS, SUNS]);
    let output = Slate::refresh(&[near, SUNS], 222.0).publish(&place, NOON);
    assert_eq!(output.code, Some(0), "{output:?}");
    assert!(output.err.contains("warning: rescheduled to another date"), "{output:?}");
    let far = at(CELTICS, "2025-12-25", "19:30");
    let place = published(&[CELTICS, SUNS]);
    let refresh = Slate::refresh(&[far, SUNS], 222.0);
    refused(
        &place,
        &refresh.publish(&place, NOON),
        &["within 14 days", "2025-12-10 19:00:00 boston_celtics", "`moved`"],
    );
    let output = refresh.with_fields(&moved(&[(CELTICS, far)])).publish(&place, NOON);
    assert_eq!(output.code, Some(0), "{output:?}");
    assert!(output.out.contains("rescheduled: 2025-12-10 19:00:00"), "{output:?}");
}

#[test]
fn a_file_in_the_times_of_another_zone_is_refused_with_that_reason() {
    // Pacific times: three hours earlier than Eastern ones.
    let pacific = [at(CELTICS, "2025-12-10", "16:00"), at(SUNS, "2025-12-10", "18:30")];
    let place = published(&[CELTICS, SUNS]);
    let expected = ["odds.csv, column time", "all 2 games", "3 hours earlier", "UTC", "`moved`"];
    refused(&place, &Slate::refresh(&pacific, 222.0).publish(&place, NOON), &expected);
    // Without ids, too; and in predictions.
    let nameless = pacific.map(|game| ("", game.1, game.2, game.3, game.4));
    refused(&place, &Slate::refresh(&nameless, 222.0).publish(&place, NOON), &expected);
    let output = Slate { odds: None, ..Slate::of_games(&pacific) }.publish(&place, NOON);
    refused(&place, &output, &["predictions/over_under.csv, column time", "3 hours earlier"]);
    // A single game, other differences, or a whole day are a reschedule.
    for games in [
        [at(CELTICS, "2025-12-10", "20:00"), SUNS],
        [at(CELTICS, "2025-12-10", "20:00"), at(SUNS, "2025-12-10", "22:00")],
        [at(CELTICS, "2025-12-11", "19:00"), at(SUNS, "2025-12-11", "21:30")],
    ] {
        let place = published(&[CELTICS, SUNS]);
        let output = Slate::refresh(&games, 222.0).publish(&place, NOON);
        assert_eq!(output.code, Some(0), "{games:?} {output:?}");
    }
    // If all of them really start later, `moved` states it.
    let later = [at(CELTICS, "2025-12-10", "20:00"), at(SUNS, "2025-12-10", "22:30")];
    let stated = moved(&[(CELTICS, later[0]), (SUNS, later[1])]);
    let output = Slate::refresh(&later, 222.0).with_fields(&stated).publish(&place, NOON);
    assert_eq!(output.code, Some(0), "{output:?}");
}

/// Returns the games in the stored totals by their current keys.
fn served(place: &TestFolder, games: &[Game<'_>]) -> Vec<Value> {
    let catalog = crate::support::catalog(place, "nba", entries(place, "nba") as u64);
    let named = catalog["predictions"].as_array().expect("a list");
    let totals = named.iter().find(|entry| entry["model_type"] == "over_under").expect("totals");
    let object = totals["object"].as_str().expect("a name");
    let text = std::fs::read_to_string(place.store().join("sports/nba/objects").join(object)).expect("the object");
    let all: Value = serde_json::from_str(&text).expect("JSON");
    let all = all["games"].as_array().expect("games").clone();
    let of = |game: &Game<'_>| {
        let same = |row: &&Value| row["match_id"] == game.0;
        all.iter().find(same).cloned().unwrap_or(Value::Null)
    };
    games.iter().map(of).collect()
}

#[test]
fn moved_undoes_a_wrong_rescheduling_at_any_time_and_keeps_forecast_and_prices() {
    let wrong = at(CELTICS, "2025-12-11", "19:10");
    for undone_at in [NOON, UNDER_WAY, "2025-12-12T09:00:00Z"] {
        let place = published(&[CELTICS, SUNS, JAZZ]);
        let before = served(&place, &[CELTICS]);
        let output = Slate::refresh(&[wrong, SUNS, JAZZ], 223.5).publish(&place, "2025-12-10T16:00:00Z");
        assert_eq!(output.code, Some(0), "{output:?}");
        assert_eq!(served(&place, &[CELTICS])[0]["date"], "2025-12-11");
        let back = Slate::refresh(&[CELTICS, SUNS, JAZZ], 224.5).with_fields(&moved(&[(wrong, CELTICS)]));
        let output = back.publish(&place, undone_at);
        assert_eq!(output.code, Some(0), "{undone_at}: {output:?}");
        assert_eq!(served(&place, &[CELTICS]), before, "{undone_at}: forecast and prices as they were");
        assert_eq!(run(&place, ["verify", "nba"]).code, Some(0));
        let output = settle(&place, CELTICS, "2025-12-12T10:00:00Z");
        assert!(output.out.starts_with("1 settled"), "{output:?}");
    }
}

/// Returns the slate of the next day.
fn next_day<'g>(games: &[Game<'g>]) -> Slate<'g> {
    let run = r#""season":"2025-26","run":{"id":"next","started_at":"2025-12-11T13:50:00Z","completed_at":"2025-12-11T14:00:00Z"}"#;
    Slate { date: "2025-12-11", ..Slate::of_games(games) }.with_fields(run)
}

#[test]
fn an_odds_refresh_reports_the_numbers_of_changed_games_and_prices() {
    let place = published(&[CELTICS, SUNS, JAZZ]);
    let mut refresh = Slate::refresh(&[CELTICS, SUNS, JAZZ], 221.5);
    refresh.odds.as_mut().expect("odds")[0].1 = 222.5;
    let output = refresh.publish(&place, NOON);
    assert!(output.out.contains("odds: 3 quoted: 1 changed (1 price)\n"), "{output:?}");
    let folder = place.path().join("slate");
    let json = run_json(&place, ["publish", folder.to_str().expect("text"), "--as-of", "2025-12-10T17:30:00Z"]);
    let odds = &json["slate"]["odds"];
    assert_eq!((&odds["repeated"], &odds["games"], &odds["changed"]), (&json!(true), &json!(3), &json!(0)));
}

#[test]
fn an_id_of_a_played_game_is_refused_in_history() {
    let place = published(&[CELTICS, SUNS]);
    assert_eq!(settle(&place, CELTICS, "2025-12-11T14:30:00Z").code, Some(0));
    let tomorrow = at(CELTICS, "2025-12-11", "19:00");
    let slate = next_day(&[tomorrow]);
    let folder = slate.write(&place);
    std::fs::create_dir_all(folder.join("games")).expect("a folder");
    let games = "match_id,date,time_est,away_team,home_team\ng1,2025-12-11,19:00,Boston Celtics,New York Knicks\n";
    std::fs::write(folder.join("games/2025-26.csv"), games).expect("written");
    let output = run(&place, ["publish", folder.to_str().expect("text"), "--as-of", "2025-12-11T15:00:00Z"]);
    assert_eq!(output.code, Some(2), "{output:?}");
    assert!(output.err.contains("which has a final"), "{output:?}");
}

#[test]
fn before_a_league_has_a_season_the_slate_date_decides_it() {
    for (date, code) in [("2025-12-10", Some(0)), ("2024-12-10", Some(2)), ("2027-01-10", Some(2))] {
        let place = TestFolder::fresh();
        let output = Slate::refresh(&[at(CELTICS, date, "19:00")], 222.0).publish(&place, MORNING);
        assert_eq!(output.code, code, "{date}: {output:?}");
    }
}
