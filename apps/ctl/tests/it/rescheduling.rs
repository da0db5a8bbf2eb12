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
        let expected = ["rows 2–3, 2 times, column date: first `2027-12-10`: expected a date of the season 2025-26"];
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
fn a_file_in_universal_time_is_refused_with_that_reason() {
    // Midnight and half past two of the next day: five hours later than Eastern winter time.
    let universal = [at(CELTICS, "2025-12-11", "00:00"), at(SUNS, "2025-12-11", "02:30")];
    let place = published(&[CELTICS, SUNS]);
    let expected = ["odds.csv, column time", "all 2 games", "5 hours later", "UTC", "`moved`"];
    refused(&place, &Slate::refresh(&universal, 222.0).publish(&place, NOON), &expected);
    // Without ids, too; and in predictions.
    let nameless = universal.map(|game| ("", game.1, game.2, game.3, game.4));
    refused(&place, &Slate::refresh(&nameless, 222.0).publish(&place, NOON), &expected);
    let output = Slate { odds: None, ..Slate::of_games(&universal) }.publish(&place, NOON);
    refused(&place, &output, &["predictions/over_under.csv, column time", "5 hours later"]);
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

#[test]
fn a_game_rescheduled_to_a_past_start_by_mistake_goes_back_and_keeps_its_forecast() {
    let wrong = at(CELTICS, "2025-12-10", "12:10");
    let place = published(&[CELTICS, SUNS]);
    assert_eq!(Slate::refresh(&[wrong, SUNS], 223.5).publish(&place, "2025-12-10T16:00:00Z").code, Some(0));
    let back = Slate::refresh(&[CELTICS, SUNS], 223.5).with_fields(&moved(&[(wrong, CELTICS)]));
    let output = back.publish(&place, "2025-12-10T17:30:00Z");
    assert_eq!(output.code, Some(0), "{output:?}");
    assert_eq!(served(&place, &[CELTICS])[0]["time_est"], "19:00:00");
    let anew = Slate::of_games(&[CELTICS, SUNS]).forecasting(0.6).with_fields(
        r#""season":"2025-26","run":{"id":"noon","started_at":"2025-12-10T17:40:00Z","completed_at":"2025-12-10T17:50:00Z"}"#,
    );
    let output = anew.publish(&place, "2025-12-10T17:55:00Z");
    assert!(output.out.contains("predictions/over_under: 1 changed, 1 frozen"), "a start of it has passed: {output:?}");
}

#[test]
fn a_forecast_made_after_the_start_under_a_wrong_time_does_not_count() {
    let wrong = at(CELTICS, "2025-12-11", "19:10");
    let place = published(&[CELTICS, SUNS]);
    let before = served(&place, &[CELTICS]);
    assert_eq!(Slate::refresh(&[wrong, SUNS], 223.5).publish(&place, NOON).code, Some(0));
    // During the game, the publisher forecasts it once more.
    let knowing = Slate { odds: None, ..Slate::of_games(&[wrong, SUNS]) }.forecasting(0.99).with_fields(
        r#""season":"2025-26","run":{"id":"knowing","started_at":"2025-12-11T01:00:00Z","completed_at":"2025-12-11T01:10:00Z"}"#,
    );
    assert_eq!(knowing.publish(&place, "2025-12-11T01:15:00Z").code, Some(0));
    assert_eq!(served(&place, &[CELTICS])[0]["predictions"]["BLEND"], 0.99);
    let back = Slate::refresh(&[SUNS], 223.5).with_fields(&moved(&[(wrong, CELTICS)]));
    let output = back.publish(&place, "2025-12-11T02:00:00Z");
    assert_eq!(output.code, Some(0), "{output:?}");
    assert_eq!(served(&place, &[CELTICS]), before, "as it was when the game began");
}

#[test]
fn a_game_under_way_that_is_delayed_takes_no_other_forecast() {
    let place = published(&[CELTICS, SUNS]);
    let before = served(&place, &[CELTICS]);
    let delayed = at(CELTICS, "2025-12-10", "23:00");
    let said = Slate::refresh(&[SUNS], 222.0).with_fields(&moved(&[(CELTICS, delayed)])).publish(&place, UNDER_WAY);
    assert_eq!(said.code, Some(0), "{said:?}");
    let knowing = forecast(&[delayed, SUNS], 0.99, "2025-12-11T00:20:00Z").publish(&place, "2025-12-11T00:25:00Z");
    assert!(knowing.out.contains("1 changed, 1 frozen"), "{knowing:?}");
    let after = served(&place, &[CELTICS]);
    assert_eq!((&after[0]["predictions"], &after[0]["time_est"]), (&before[0]["predictions"], &json!("23:00:00")));
}

/// Returns the slate of the next day.
fn next_day<'g>(games: &[Game<'g>]) -> Slate<'g> {
    let run = r#""season":"2025-26","run":{"id":"next","started_at":"2025-12-11T13:50:00Z","completed_at":"2025-12-11T14:00:00Z"}"#;
    Slate { date: "2025-12-11", ..Slate::of_games(games) }.with_fields(run)
}

#[test]
fn an_id_of_a_played_or_started_game_is_refused_for_another_date() {
    let tomorrow = [at(CELTICS, "2025-12-11", "19:00"), at(SUNS, "2025-12-11", "21:30")];
    let place = published(&[CELTICS, SUNS]);
    let both =
        ["2025-12-11 19:00:00 boston_celtics at new_york_knicks", "2025-12-10 19:00:00 boston_celtics", "has started"];
    refused(&place, &next_day(&tomorrow).publish(&place, "2025-12-11T15:00:00Z"), &both);
    assert_eq!(settle(&place, CELTICS, "2025-12-11T14:30:00Z").code, Some(0));
    let output = next_day(&tomorrow[..1]).publish(&place, "2025-12-11T15:00:00Z");
    assert_eq!(output.code, Some(2), "{output:?}");
    assert!(output.err.contains("has a final"), "{output:?}");
    let fresh = [("h1", "2025-12-11", "19:00", CELTICS.3, CELTICS.4)];
    let output = next_day(&fresh).publish(&place, "2025-12-11T15:00:00Z");
    assert_eq!(output.code, Some(0), "another id is another game: {output:?}");
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

/// Returns a release of the rescheduled game's own day, with a run that ended just before.
fn forecast<'g>(games: &[Game<'g>], probability: f64, completed_at: &str) -> Slate<'g> {
    let run = format!(
        r#""season":"2025-26","run":{{"id":"r-{completed_at}","started_at":"{completed_at}","completed_at":"{completed_at}"}}"#
    );
    Slate { odds: None, ..Slate::of_games(games) }.forecasting(probability).with_fields(&run)
}

#[test]
fn a_game_rescheduled_back_to_a_later_start_takes_no_forecast_made_during_play() {
    let early = at(CELTICS, "2025-12-10", "17:00");
    let place = published(&[CELTICS, SUNS]);
    // Rescheduled in good time, and forecast once more.
    assert_eq!(
        forecast(&[early, SUNS], 0.6, "2025-12-10T16:00:00Z").publish(&place, "2025-12-10T16:05:00Z").code,
        Some(0)
    );
    let frozen = served(&place, &[CELTICS]);
    // During the game the start of the morning is stated again, with another forecast.
    let mut knowing = forecast(&[CELTICS, SUNS], 0.01, "2025-12-10T22:30:00Z");
    knowing.fields = format!("{}{},", knowing.fields, moved(&[(early, CELTICS)]));
    let output = knowing.publish(&place, "2025-12-10T22:35:00Z");
    assert!(output.out.contains("1 changed, 1 frozen"), "{output:?}");
    let output = forecast(&[CELTICS, SUNS], 0.02, "2025-12-10T22:50:00Z").publish(&place, "2025-12-10T22:55:00Z");
    assert!(output.out.contains("1 changed, 1 frozen"), "nor any later release: {output:?}");
    let now = served(&place, &[CELTICS]);
    assert_eq!((&now[0]["predictions"], &now[0]["time_est"]), (&frozen[0]["predictions"], &json!("19:00:00")));
    assert_eq!(settle(&place, CELTICS, "2025-12-11T04:00:00Z").code, Some(0));
    assert_eq!(run(&place, ["verify", "nba"]).code, Some(0));
}

#[test]
fn a_choice_between_two_forecasts_is_refused_once_both_starts_have_passed() {
    let late = at(CELTICS, "2025-12-10", "21:10");
    let place = published(&[CELTICS, SUNS]);
    assert_eq!(Slate::refresh(&[late, SUNS], 222.5).publish(&place, NOON).code, Some(0));
    // Between the two starts, which is in time for the later one.
    assert_eq!(
        forecast(&[late, SUNS], 0.9, "2025-12-11T01:00:00Z").publish(&place, "2025-12-11T01:05:00Z").code,
        Some(0)
    );
    let recorded = served(&place, &[CELTICS]);
    assert_eq!(settle(&place, late, "2025-12-11T05:00:00Z").code, Some(0));
    let back = Slate::refresh(&[], 222.5).with_fields(&moved(&[(late, CELTICS)]));
    let output = Slate { odds: None, ..back }.publish(&place, "2025-12-11T06:00:00Z");
    assert_eq!(output.code, Some(2), "{output:?}");
    assert!(output.err.contains("which forecast counts is not chosen afterwards"), "{output:?}");
    assert_eq!(served(&place, &[CELTICS]), recorded);
}

#[test]
fn a_restored_forecast_is_warned_of() {
    let wrong = at(CELTICS, "2025-12-11", "19:10");
    let place = published(&[CELTICS, SUNS]);
    assert_eq!(Slate::refresh(&[wrong, SUNS], 223.5).publish(&place, NOON).code, Some(0));
    assert_eq!(
        forecast(&[wrong, SUNS], 0.99, "2025-12-11T01:00:00Z").publish(&place, "2025-12-11T01:05:00Z").code,
        Some(0)
    );
    let back = Slate::refresh(&[SUNS], 223.5).with_fields(&moved(&[(wrong, CELTICS)]));
    let output = back.publish(&place, "2025-12-11T02:00:00Z");
    assert!(output.err.contains("what was forecast for it since then does not count any more"), "{output:?}");
}

#[test]
fn universal_times_are_found_in_a_series_without_ids_and_over_the_clock_change() {
    let nameless = |date, time| ("", date, time, CELTICS.3, CELTICS.4);
    let [first, second] = [nameless("2025-12-10", "19:00"), nameless("2025-12-11", "19:00")];
    let other = ("", SUNS.1, SUNS.2, SUNS.3, SUNS.4);
    let place = published(&[first, second, other]);
    let shifted = [nameless("2025-12-11", "00:00"), ("", "2025-12-11", "02:30", SUNS.3, SUNS.4)];
    let output = Slate::refresh(&shifted, 222.0).publish(&place, NOON);
    refused(&place, &output, &["odds.csv, column time", "UTC"]);
    // The clocks went back on 2 November 2025: four hours before, five after.
    let games = [at(CELTICS, "2025-11-01", "19:00"), at(SUNS, "2025-11-02", "19:00")];
    let place = TestFolder::fresh();
    let early = |slate: Slate<'static>| {
        let run = r#""season":"2025-26","run":{"id":"r","started_at":"2025-10-31T13:00:00Z","completed_at":"2025-10-31T14:00:00Z"}"#;
        Slate { date: "2025-10-31", ..slate.with_fields(run) }
    };
    assert_eq!(early(Slate::of_games(&games)).publish(&place, "2025-10-31T15:00:00Z").code, Some(0));
    let universal = [at(CELTICS, "2025-11-01", "23:00"), at(SUNS, "2025-11-03", "00:00")];
    let output =
        Slate { date: "2025-10-31", ..Slate::refresh(&universal, 222.0) }.publish(&place, "2025-10-31T16:00:00Z");
    refused(&place, &output, &["odds.csv, column time", "UTC"]);
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

#[test]
fn a_final_forecast_is_not_changed_through_a_later_start() {
    // On record at 17:00 with one forecast, at 19:00 with another, which the start at 19:00 makes final.
    let (early, late) = (at(CELTICS, "2025-12-10", "17:00"), at(CELTICS, "2025-12-10", "23:30"));
    let place = published(&[early, SUNS]);
    for (game, probability, minute) in [(late, 0.6, "10"), (CELTICS, 0.7, "20")] {
        let at = format!("2025-12-10T15:{minute}:00Z");
        let output = forecast(&[game, SUNS], probability, &at).publish(&place, &format!("2025-12-10T15:{minute}:30Z"));
        assert_eq!(output.code, Some(0), "{output:?}");
    }
    let forth = Slate::refresh(&[SUNS], 222.5).with_fields(&moved(&[(CELTICS, late)]));
    assert_eq!(forth.publish(&place, UNDER_WAY).code, Some(0));
    let back = Slate::refresh(&[SUNS], 223.5).with_fields(&moved(&[(late, early)]));
    let output = back.publish(&place, "2025-12-11T00:10:00Z");
    assert_eq!(output.code, Some(0), "the forecast of 15:20 was made before 17:00, so nothing is chosen: {output:?}");
    assert_eq!(served(&place, &[CELTICS])[0]["predictions"]["BLEND"], 0.7);
}
