//! Tests of the games that `release.json` names.

use sports_domain::ModelType;

use crate::folder::Folder;

const A: &str =
    r#"{"date": "2024-09-08", "time_est": "13:00:00", "away_team": "Buffalo Bills", "home_team": "Miami Dolphins"}"#;
const LATER: &str =
    r#"{"date": "2024-09-08", "time": "16:25", "away_team": "buffalo_bills", "home_team": "miami_dolphins"}"#;
const NEXT_DAY: &str =
    r#"{"date": "2024-09-09", "time": "13:00", "away_team": "buffalo_bills", "home_team": "miami_dolphins"}"#;

fn naming(more: &str) -> Folder {
    Folder::of_season("nfl", "2024-25", &format!(", {more}"))
}

fn sentences(more: &str) -> Vec<String> {
    naming(more).sentences().iter().map(|sentence| sentence.replace("release.json, column ", "")).collect()
}

#[test]
fn held_games_are_listed_by_market() {
    let release = naming(&format!(
        r#""held_games": {{"won_on_points": [{A}, {LATER}], "over_under": [], "won_on_spread": null}}"#
    ));
    let held = release.release().held_games;
    assert_eq!(held.keys().copied().collect::<Vec<_>>(), [ModelType::WonOnPoints]);
    let games: Vec<_> = held[&ModelType::WonOnPoints].iter().map(|game| game.value.to_string()).collect();
    assert_eq!(
        games,
        ["2024-09-08 13:00:00 buffalo_bills at miami_dolphins", "2024-09-08 16:25:00 buffalo_bills at miami_dolphins"]
    );
    assert_eq!(&*held[&ModelType::WonOnPoints][0].place.file, "release.json");
}

#[test]
fn a_game_is_rescheduled_to_another_time_or_day() {
    let release =
        naming(&format!(r#""moved": [{{"from": {A}, "to": {LATER}}}, {{"from": {LATER}, "to": {NEXT_DAY}}}]"#));
    let moved = release.release().moved;
    let reschedules: Vec<_> = moved.iter().map(|moved| moved.value.to_string().replace(" to ", " -> ")).collect();
    assert_eq!(
        reschedules,
        [
            "2024-09-08 13:00:00 buffalo_bills at miami_dolphins -> 2024-09-08 16:25:00 buffalo_bills at miami_dolphins",
            "2024-09-08 16:25:00 buffalo_bills at miami_dolphins -> 2024-09-09 13:00:00 buffalo_bills at miami_dolphins",
        ]
    );
}

#[test]
fn every_wrong_field_of_a_held_game_is_named_by_its_path() {
    let key = r#"{"date": "9/8/2024", "time": "1 PM", "away_team": "?", "home_team": 7, "id": 3}"#;
    assert_eq!(
        sentences(&format!(r#""held_games": {{"over_under": [{key}, 5, {{}}], "totals": [], "won_on_spread": {{}}}}"#)),
        [
            "held_games.over_under[0].id: `3`: expected one of the fields date, time_est, away_team, home_team",
            "held_games.over_under[0].date: `9/8/2024`: expected a date as YYYY-MM-DD (2024-09-08)",
            "held_games.over_under[0].time: `1 PM`: expected an Eastern time as HH:MM:SS",
            "held_games.over_under[0].away_team: `?`: expected a team name with a letter or digit in it",
            "held_games.over_under[0].home_team: `7`: expected a team name with a letter or digit in it",
            "held_games.over_under[1]: `5`: expected an object with a game's key",
            "held_games.over_under[2].date: expected a date as YYYY-MM-DD",
            "held_games.over_under[2].time_est: expected an Eastern time as HH:MM:SS",
            "held_games.over_under[2].away_team: expected a team name with a letter or digit in it",
            "held_games.over_under[2].home_team: expected a team name with a letter or digit in it",
            "held_games.totals: `[]`: expected one of the fields over_under, won_on_points, won_on_spread",
            "held_games.won_on_spread: `{}`: expected a list",
        ]
    );
}

#[test]
fn a_key_with_a_wrong_year_equal_teams_or_two_times_is_a_problem() {
    let held = |key: &str| sentences(&format!(r#""held_games": {{"over_under": [{key}]}}"#));
    let lead = "held_games.over_under[0].";
    assert_eq!(
        held(&A.replace("2024-09-08", "2042-09-08")),
        [format!("{lead}date: `2042-09-08`: expected a date of the season 2024-25, in 2024 or 2025")]
    );
    assert_eq!(
        held(&A.replace("Miami Dolphins", "buffalo bills")),
        [format!("{lead}home_team: `buffalo bills`: expected another team than the away team")]
    );
    assert_eq!(
        held(&A.replace("\"time_est\"", "\"time\": \"13:00\", \"time_est\"")),
        [format!("{lead}time: `13:00`: expected either `time_est` or `time`, not both")]
    );
}

#[test]
fn a_reschedule_names_one_game_before_and_after() {
    let moved = |reschedules: &str| sentences(&format!(r#""moved": [{reschedules}]"#));
    assert_eq!(
        moved(&format!(r#"{{"from": {A}}}, {{"to": "later", "form": {A}}}, []"#)),
        [
            "moved[0].to: expected a game's key",
            "moved[1].form: `{\"away_team\":\"Buffalo Bills\",\"date\":\"2024-09-08\",\"home_team\":\"Miami Dolphins\",\
             \"time_est\":\"13:00:00\"}`: expected one of the fields game_id, match_id, from, to (did you mean `from`?)",
            "moved[1].from: expected a game's key",
            "moved[1].to: `later`: expected an object with a game's key",
            "moved[2]: `[]`: expected an object with `from` and `to`",
        ]
    );
    let swapped = LATER
        .replace("buffalo_bills", "x")
        .replace("miami_dolphins", "buffalo_bills")
        .replace("\"x\"", "\"miami_dolphins\"");
    assert_eq!(
        moved(&format!(r#"{{"from": {A}, "to": {swapped}}}"#)),
        ["moved[0].to: `miami_dolphins at buffalo_bills`: expected the same teams as in `from`, buffalo_bills at \
          miami_dolphins"]
    );
}

#[test]
fn no_game_is_rescheduled_twice_and_no_two_games_to_the_same_start() {
    let moved = |reschedules: [(&str, &str); 2]| {
        let reschedules = reschedules.map(|(from, to)| format!(r#"{{"from": {from}, "to": {to}}}"#));
        sentences(&format!(r#""moved": [{}]"#, reschedules.join(",")))
    };
    assert_eq!(
        moved([(A, LATER), (A, NEXT_DAY)]),
        ["moved[1].from: `2024-09-08 13:00:00 buffalo_bills at miami_dolphins`: expected each game rescheduled once"]
    );
    assert_eq!(
        moved([(A, LATER), (NEXT_DAY, LATER)]),
        ["moved[1].to: `2024-09-08 16:25:00 buffalo_bills at miami_dolphins`: expected each game rescheduled once"]
    );
}
