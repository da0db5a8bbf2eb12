//! Conversions of valid feeds.

use serde_json::{Value, json};
use sports_domain::Sport;
use sports_publisher_files::convert::the_odds_api::{FeedError, KnownStarts, Reason, odds_file};

use super::support::{ROW, World, a_game, with};

#[test]
fn outcomes_are_found_by_name_and_times_are_eastern() {
    assert_eq!(World::nhl().rows(&json!([a_game()])), [ROW]);
}

#[test]
fn a_market_the_bookmaker_does_not_have_is_empty() {
    let rows = World { bookmaker: "BetRivers", ..World::nhl() }.rows(&json!([a_game()]));
    assert_eq!(
        rows,
        ["aa01,2026-11-21,19:00:00,montreal_canadiens,boston_bruins,,,,,112,-134,,,,betrivers,2026-11-21 15:14:55"],
        "for a market without an update, the bookmaker's update counts"
    );
}

#[test]
fn times_may_be_unix_seconds() {
    // 1795305600 is 2026-11-22T00:00:00Z; the market's update is then 15:15:12 Eastern of the day before.
    let mut game = with("/commence_time", 1_795_305_600);
    *game.pointer_mut("/bookmakers/0/markets/1/last_update").expect("a field") = json!(1_795_292_112);
    assert_eq!(World::nhl().rows(&json!([game])), [ROW]);
}

#[test]
fn a_leap_second_is_the_one_before_it() {
    let game = with("/bookmakers/0/markets/1/last_update", "2026-11-21T20:15:60Z");
    assert_eq!(World::nhl().rows(&json!([game])), [ROW.replace("15:15:12", "15:15:59")]);
}

#[test]
fn a_snapshot_is_converted_as_of_the_time_at_which_it_was_taken() {
    let taken = |at: &str| json!({ "timestamp": at, "previous_timestamp": null, "data": [a_game()] });
    assert_eq!(World::nhl().rows(&taken("2026-11-21T23:59:59Z")), [ROW]);
    assert_eq!(World::nhl().reasons(&taken("2026-11-22T00:00:00Z")), [Reason::Started]);
    let at_no_time = json!({ "timestamp": null, "data": [a_game()] });
    assert_eq!(World::nhl().rows(&at_no_time), [ROW], "without its own time, the present time applies");
}

#[test]
fn a_started_game_is_left_out() {
    let at = |start: &str| World::nhl().reasons(&json!([with("/commence_time", start)]));
    assert_eq!(at("2026-11-21T20:31:00Z"), []);
    assert_eq!(at("2026-11-21T20:30:00Z"), [Reason::Started]);
    assert_eq!(at("2026-11-22T00:02:59Z"), [Reason::Started], "an odd second is the mark of a game in play");
}

#[test]
fn a_start_in_a_year_of_more_than_four_digits_is_refused() {
    for start in [json!("+262142-12-31T23:59:00Z"), json!("0000-01-01T00:00:00Z"), json!(8_000_000_000_000_i64)] {
        let refused = World::nhl().convert(&json!([with("/commence_time", start.clone())]));
        assert!(matches!(refused, Err(FeedError::BadEvent { .. })), "{start}: {refused:?}");
    }
}

#[test]
fn a_known_start_stays_once_it_has_passed() {
    // The present time is 15:30 Eastern.
    let known = |time: &str| {
        let file = format!("match_id,date,time\naa01,2026-11-21,{time}\n");
        World { starts: KnownStarts::read(file.as_bytes()).expect("an odds file"), ..World::nhl() }
    };
    assert_eq!(known("15:30:00").reasons(&json!([a_game()])), [Reason::Started]);
    assert_eq!(known("15:31:00").rows(&json!([a_game()])), [ROW], "before it, a game may be rescheduled");
    // The game of 07:00 was postponed by twelve hours, so it has another start.
    assert_eq!(known("07:00:00").rows(&json!([a_game()])), [ROW]);
    assert_eq!(known("07:01:00").reasons(&json!([a_game()])), [Reason::Started]);
}

#[test]
fn starts_are_kept_from_one_conversion_to_the_next() {
    let file = |world: &World, feed: &Value| {
        String::from_utf8(world.convert(feed).expect("converts").starts.file()).expect("text")
    };
    let kept = |starts: &str| KnownStarts::remembered(starts.as_bytes()).expect("a file of starts");
    let head = "match_id,date,time\n";
    assert_eq!(file(&World::nhl(), &json!([a_game()])), format!("{head}aa01,2026-11-21,19:00:00\n"));
    // The start may change until the game begins. A game in play keeps its start; without a known start it gets the
    // present time.
    let rescheduled = World { starts: kept(&format!("{head}aa01,2026-11-21,18:00:00\n")), ..World::nhl() };
    assert_eq!(file(&rescheduled, &json!([a_game()])), format!("{head}aa01,2026-11-21,19:00:00\n"));
    let begun = World { starts: kept(&format!("{head}aa01,2026-11-21,15:00:00\n")), ..World::nhl() };
    assert_eq!(file(&begun, &json!([a_game()])), format!("{head}aa01,2026-11-21,15:00:00\n"));
    let seen = file(&World::nhl(), &json!([with("/commence_time", "2026-11-22T00:02:59Z")]));
    assert_eq!(seen, format!("{head}aa01,2026-11-21,15:30:00\n"));
    // Events that are no longer in the feed are kept for twelve hours.
    let old = kept(&format!("{head}old,2026-11-21,03:30:00\nyoung,2026-11-21,03:31:00\n"));
    assert_eq!(file(&World { starts: old, ..World::nhl() }, &json!([])), format!("{head}young,2026-11-21,03:31:00\n"));
    let beyond = KnownStarts::remembered(format!("{head}aa01,+262142-12-31,19:00:00\n").as_bytes());
    assert_eq!(
        beyond.expect_err("no such year").to_string(),
        "row 2: `+262142-12-31 19:00:00` is not a date and a time"
    );
    let odds = "match_id,date,time,away_team\naa01,2026-11-21,15:00:00,montreal_canadiens\n";
    let refused = KnownStarts::remembered(odds.as_bytes()).expect_err("an odds file");
    assert_eq!(refused.to_string(), "its columns are not match_id, date, time");
}

#[test]
fn outcomes_are_found_in_any_letter_case() {
    let mut game = a_game();
    for (place, name) in [
        ("/bookmakers/0/markets/0/outcomes/0/name", "MONTRÉAL CANADIENS"),
        ("/bookmakers/0/markets/1/outcomes/0/name", "boston bruins "),
        ("/bookmakers/0/markets/2/outcomes/0/name", "UNDER"),
        ("/bookmakers/0/markets/2/outcomes/1/name", "over"),
    ] {
        *game.pointer_mut(place).expect("a field") = json!(name);
    }
    let feed = json!([game]);
    assert_eq!(World::nhl().rows(&feed), [ROW]);
    assert!(World::nhl().convert(&feed).expect("converts").account.warnings.is_empty());
}

#[test]
fn a_pick_em_is_a_line_and_zero_is_no_price() {
    let mut game = with("/bookmakers/0/markets/1/outcomes/0/point", 0.0);
    *game.pointer_mut("/bookmakers/0/markets/1/outcomes/1/point").expect("a field") = json!(-0.0);
    *game.pointer_mut("/bookmakers/0/markets/0/outcomes/0/price").expect("a field") = json!(0);
    assert_eq!(World::nhl().rows(&json!([game])), [ROW.replace("1.5,-218,-1.5,", "0,-218,0,").replace(",114,", ",,")]);
}

#[test]
fn of_a_game_that_is_there_twice_the_newest_update_is_taken() {
    // A later copy, with another price, of the bookmaker that is converted.
    let mut later = with("/bookmakers/0/last_update", "2026-11-21T20:20:01Z");
    *later.pointer_mut("/bookmakers/0/markets/0/outcomes/0/price").expect("a field") = json!(120);
    let newer = ROW.replace(",114,", ",120,");
    for feed in [json!([a_game(), later]), json!([later, a_game()])] {
        assert_eq!(World::nhl().rows(&feed).join("\n"), newer);
        let teams = "Montréal Canadiens at Boston Bruins";
        let warning = format!("event aa01 is in the feed twice, {teams}; taken is aa01 with the newest `last_update`");
        assert_eq!(World::nhl().convert(&feed).expect("converts").account.warnings, [warning]);
    }
    // Under another id and a start of a few minutes later it is one game too, and its id is that of the copy taken.
    (later["id"], later["commence_time"]) = (json!("aa02"), json!("2026-11-22T00:08:00Z"));
    let newer = newer.replace("aa01", "aa02").replace("19:00:00", "19:08:00");
    assert_eq!(World::nhl().rows(&json!([a_game(), later])), [newer]);
    let converted = World::nhl().convert(&json!([a_game(), later])).expect("converts");
    assert!(converted.account.warnings[0].starts_with("events aa01 and aa02 are one game, "), "{converted:?}");
    // What another bookmaker updated is of no concern.
    let other = with("/bookmakers/1/last_update", "2026-11-21T20:29:00Z");
    assert_eq!(World::nhl().rows(&json!([later, other])).len(), 1);
    assert!(World::nhl().rows(&json!([later, other]))[0].starts_with("aa02"));
    assert_eq!(World::nhl().rows(&json!([a_game(), a_game()])), [ROW], "both say the same");
}

#[test]
fn a_doubleheader_is_two_games() {
    let game = |id: &str, start: &str| {
        let mut game = a_game();
        (game["id"], game["sport_key"], game["commence_time"]) = (json!(id), json!("baseball_mlb"), json!(start));
        let text = game.to_string().replace("Montréal Canadiens", "Boston Red Sox");
        serde_json::from_str::<Value>(&text.replace("Boston Bruins", "New York Yankees")).expect("JSON")
    };
    let feed = json!([game("aa01", "2026-11-21T21:05:00Z"), game("aa02", "2026-11-22T00:35:00Z")]);
    let world = World { sport: Sport::Mlb, ..World::nhl() };
    let starts: Vec<_> = world.rows(&feed).iter().map(|row| row[..24].to_owned()).collect();
    assert_eq!(starts, ["aa01,2026-11-21,16:05:00", "aa02,2026-11-21,19:35:00"]);
}

#[test]
fn games_come_in_the_order_of_their_keys() {
    let mut later = with("/commence_time", "2026-11-23T23:00:00Z");
    later["id"] = "aa00".into();
    let rows = World::nhl().rows(&json!([later, a_game()]));
    assert_eq!(rows.iter().map(|row| &row[..4]).collect::<Vec<_>>(), ["aa01", "aa00"]);
}

#[test]
fn an_empty_feed_is_converted_to_an_empty_file() {
    let converted = World::nhl().convert(&json!([])).expect("converts");
    assert_eq!((converted.games.len(), converted.account.left_out.len()), (0, 0));
    let header = odds_file(&converted.games);
    assert!(header.starts_with(b"match_id,date,time,") && header.ends_with(b",last_updated\n"));
}
