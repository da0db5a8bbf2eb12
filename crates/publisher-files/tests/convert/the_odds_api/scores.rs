//! Finals of feeds of scores.

use serde_json::{Value, json};
use sports_domain::Sport;
use sports_publisher_files::convert::the_odds_api::{Feed, FeedError, Finals, Reason, TeamTable, finals, finals_file};

/// Returns a completed game of the evening of 10 January, Eastern.
fn completed() -> Value {
    json!({
        "id": "e912", "sport_key": "basketball_nba", "commence_time": "2024-01-11T00:00:00Z", "completed": true,
        "home_team": "New York Knicks", "away_team": "Boston Celtics", "last_update": "2024-01-11T03:00:00Z",
        "scores": [{ "name": "New York Knicks", "score": "99" }, { "name": "Boston Celtics", "score": "110" }],
    })
}

fn with(field: &str, value: impl Into<Value>) -> Value {
    let mut game = completed();
    *game.pointer_mut(field).expect("a field") = value.into();
    game
}

fn found(sport: Sport, feed: &Value) -> Result<Finals, FeedError> {
    finals(&Feed::read(feed.to_string().as_bytes())?, sport, &TeamTable::new(sport))
}

/// Returns the rows of the file, without the header.
fn rows(found: &Finals) -> Vec<String> {
    let file = String::from_utf8(finals_file(&found.games)).expect("text");
    assert!(file.starts_with("match_id,date,time,away_team,home_team,away_score,home_score\n"), "{file}");
    file.lines().skip(1).map(str::to_owned).collect()
}

const ROW: &str = "e912,2024-01-10,,boston_celtics,new_york_knicks,110,99";

#[test]
fn only_a_completed_game_has_a_final() {
    let mut in_play = with("/completed", false);
    (in_play["id"], in_play["home_team"]) = (json!("f012"), json!("Chicago Bulls"));
    let to_come = json!({
        "id": "f112", "sport_key": "basketball_nba", "commence_time": "2024-01-12T00:30:00Z", "completed": false,
        "home_team": "Utah Jazz", "away_team": "Denver Nuggets", "scores": null, "last_update": null,
    });
    let found = found(Sport::Nba, &json!([in_play, completed(), to_come])).expect("converts");
    assert_eq!(rows(&found), [ROW]);
    let left: Vec<_> = found.account.left_out.iter().map(|left| (&*left.match_id, left.reason)).collect();
    assert_eq!(left, [("f012", Reason::NotCompleted), ("f112", Reason::NotCompleted)]);
}

#[test]
fn a_score_is_a_whole_number_of_each_team_as_text_or_not() {
    let number = with("/scores/0/score", 99);
    assert_eq!(rows(&found(Sport::Nba, &json!([number])).expect("converts")), [ROW]);
    let reason = |game: Value| found(Sport::Nba, &json!([game])).expect("converts").account.left_out[0].reason;
    for (field, value) in [
        ("/scores/0/score", json!("99.5")),
        ("/scores/0/score", json!(null)),
        ("/scores/1/name", json!("Chicago Bulls")),
        ("/scores", json!(null)),
        ("/scores", json!([])),
    ] {
        assert_eq!(reason(with(field, value.clone())), Reason::NoScore, "{field} {value}");
    }
}

#[test]
fn the_newest_of_two_finals_of_a_game_is_taken() {
    let mut corrected = with("/scores/0/score", "101");
    corrected["last_update"] = json!("2024-01-11T03:10:00Z");
    let found = found(Sport::Nba, &json!([corrected, completed()])).expect("converts");
    assert_eq!((rows(&found), found.account.warnings.len()), (vec![ROW.replace(",99", ",101")], 1));
}

#[test]
fn starts_distinguish_the_games_of_a_doubleheader() {
    let game = |id: &str, start: &str, away: &str| {
        let teams = ["Boston Red Sox", "New York Yankees"];
        json!({
            "id": id, "sport_key": "baseball_mlb", "commence_time": start, "completed": true,
            "away_team": teams[0], "home_team": teams[1],
            "scores": [{ "name": teams[0], "score": away }, { "name": teams[1], "score": "4" }],
        })
    };
    let feed = json!([game("b", "2024-07-06T23:05:33Z", "3"), game("a", "2024-07-06T17:05:00Z", "2")]);
    let file = rows(&found(Sport::Mlb, &feed).expect("converts"));
    let teams = "boston_red_sox,new_york_yankees";
    assert_eq!(file, [format!("a,2024-07-06,13:05:00,{teams},2,4"), format!("b,2024-07-06,19:05:33,{teams},3,4")]);
}

#[test]
fn a_feed_without_finals_is_named() {
    let mut odds = completed();
    odds.as_object_mut().expect("an object").remove("completed");
    for (feed, message) in [
        (json!([odds]), "event e912 has no `completed`: the feed is not one of scores; ask the API for /scores"),
        (json!([with("/away_team", "Team Hughes")]), "no game is left: these teams are unknown: Team Hughes"),
        (json!([with("/sport_key", "icehockey_nhl")]), "the feed has no events of nba"),
        (json!([with("/scores/1/name", json!(null))]), "event e912, score 2, `name` is null"),
    ] {
        let refused = found(Sport::Nba, &feed).expect_err(message).to_string();
        assert!(refused.starts_with(message), "{refused}");
    }
    assert_eq!(rows(&found(Sport::Nba, &json!([])).expect("an empty feed")), [""; 0]);
}
