//! Refused feeds, and events and outcomes that are left out and named.

use std::error::Error;

use serde_json::{Value, json};
use sports_publisher_files::convert::the_odds_api::{Feed, FeedError, KnownStarts, Reason};

use super::support::{World, a_game, with};

#[test]
fn an_event_without_prices_or_known_teams_is_left_out_and_named() {
    let feed = json!([
        a_game(),
        { "id": "aa02", "sport_key": "icehockey_nhl", "commence_time": "2026-11-22T00:00:00Z",
          "home_team": "Dallas Stars", "away_team": "St Louis Blues", "bookmakers": [] },
        { "id": "aa03", "sport_key": "icehockey_nhl", "commence_time": "2026-11-22T00:00:00Z",
          "home_team": "Team Matthews", "away_team": "Team Hughes", "bookmakers": [] },
        { "id": "aa04", "sport_key": "icehockey_nhl", "commence_time": "2026-11-22T00:00:00Z",
          "home_team": null, "away_team": null },
        { "id": "aa05", "sport_key": "icehockey_nhl_preseason", "commence_time": "2026-11-22T00:00:00Z",
          "home_team": "Dallas Stars", "away_team": "St Louis Blues" },
        { "id": "aa06", "sport_key": "basketball_nba", "commence_time": "2026-11-22T00:00:00Z",
          "home_team": "Dallas Mavericks", "away_team": "Utah Jazz" },
        { "id": "aa07", "sport_key": "basketball_nba", "commence_time": "2026-11-22T00:00:00Z",
          "home_team": "Chicago Bulls", "away_team": "Phoenix Suns" },
    ]);
    let converted = World::nhl().convert(&feed).expect("converts");
    let left: Vec<_> = converted.account.left_out.iter().map(|left| (&*left.match_id, left.reason)).collect();
    assert_eq!(left, [("aa02", Reason::NoPrices), ("aa03", Reason::UnknownTeam), ("aa04", Reason::UnknownTeam)]);
    assert_eq!(converted.account.unknown_teams, ["Team Hughes", "Team Matthews"]);
    assert_eq!(converted.games.len(), 1);
    let others: Vec<_> = converted.account.other_sports.iter().map(|(key, count)| (&**key, *count)).collect();
    assert_eq!(others, [("basketball_nba", 2), ("icehockey_nhl_preseason", 1)]);
}

#[test]
fn a_league_is_found_in_any_letter_case() {
    let converted = World::nhl().convert(&json!([with("/sport_key", "IceHockey_NHL")])).expect("converts");
    assert_eq!((converted.games.len(), converted.account.other_sports.len()), (1, 0));
}

#[test]
fn a_bookmakers_key_has_precedence_over_anothers_title() {
    let feed = json!([with("/bookmakers/1/title", "draftkings")]);
    let converted = World::nhl().convert(&feed).expect("converts");
    assert_eq!(converted.games[0].quote_source, "draftkings");
    let mut game = with("/bookmakers/1/title", "Exchange");
    *game.pointer_mut("/bookmakers/0/title").expect("a field") = json!("Exchange");
    let refused = World { bookmaker: "exchange", ..World::nhl() }.convert(&json!([game])).expect_err("two of them");
    let message =
        "event aa01 has the bookmaker `exchange` more than once, as draftkings and betrivers; name one by its key";
    assert!(refused.to_string().starts_with(message), "{refused}");
}

#[test]
fn sides_with_different_lines_make_no_line() {
    let converted = World::nhl().convert(&json!([with("/bookmakers/0/markets/1/outcomes/0/point", -2.5)]));
    let converted = converted.expect("converts");
    assert_eq!((converted.games[0].lines.spread, converted.games[0].lines.spread_prices.any()), (None, false));
    assert!(converted.games[0].lines.total.is_some());
    let warning = "montreal_canadiens at boston_bruins (event aa01), draftkings, spreads: it is -2.5 on one side and \
                   -1.5 on the other, so it is left empty";
    assert_eq!(converted.account.warnings, [warning]);
}

#[test]
fn an_outcome_that_is_left_out_is_named() {
    let teams = "neither Boston Bruins nor Montréal Canadiens";
    let table = [
        (
            "/bookmakers/0/markets/0/outcomes/0/name",
            json!("Montreal"),
            format!("h2h: `Montreal` is {teams} and left out"),
        ),
        (
            "/bookmakers/0/markets/2/outcomes/1/name",
            json!("Ovr"),
            "totals: `Ovr` is neither Over nor Under and left out".to_owned(),
        ),
        (
            "/bookmakers/0/markets/2/outcomes/1/name",
            json!("under"),
            "totals: `under` is there more than once, so it is left empty".to_owned(),
        ),
        (
            "/bookmakers/0/markets/2/outcomes",
            json!([{ "name": "Under", "price": 120, "point": 6 }, { "name": "Over", "price": 130, "point": 6 },
                { "name": "Exactly", "price": 500, "point": 6 }]),
            "totals: `Exactly` is a third outcome of a market of two, so it is left empty".to_owned(),
        ),
        (
            "/bookmakers/0/markets/1/key",
            json!("h2h"),
            "h2h: it is there more than once, so it is left empty".to_owned(),
        ),
        (
            "/bookmakers/0/markets/0/outcomes/0/price",
            json!(0),
            "h2h: `Montréal Canadiens` has a price of 0, which is none, so it is left empty".to_owned(),
        ),
    ];
    for (place, value, loss) in table {
        let converted = World::nhl().convert(&json!([with(place, value)])).expect("converts");
        assert_eq!(
            converted.account.warnings,
            [format!("montreal_canadiens at boston_bruins (event aa01), draftkings, {loss}")]
        );
    }
    let mut game = a_game();
    for side in 0..2 {
        let outcome = game.pointer_mut(&format!("/bookmakers/0/markets/2/outcomes/{side}")).expect("an outcome");
        outcome["point"] = json!(null);
    }
    let converted = World::nhl().convert(&json!([game])).expect("converts");
    assert!(converted.account.warnings[0].ends_with("totals: it has no `point`, so it is left empty"), "{converted:?}");
}

#[test]
fn a_market_with_a_draw_is_no_moneyline() {
    // Prices on the result after regulation, in which each team wins less often than after overtime.
    let third = |name: &str| {
        let mut game = with("/bookmakers/0/markets/0/outcomes/0/price", 165);
        let outcomes = game.pointer_mut("/bookmakers/0/markets/0/outcomes").expect("a list");
        outcomes.as_array_mut().expect("a list").push(json!({ "name": name, "price": 320 }));
        World::nhl().convert(&json!([game])).expect("converts")
    };
    for name in ["Draw", "tie", "Neither"] {
        let converted = third(name);
        assert!(!converted.games[0].lines.money.any() && converted.games[0].lines.total.is_some(), "{name}");
        let warning = format!(
            "montreal_canadiens at boston_bruins (event aa01), draftkings, h2h: `{name}` is a third outcome of a \
             market of two, so it is left empty"
        );
        assert_eq!(converted.account.warnings, [warning]);
    }
    let only = json!([{ "key": "h2h", "outcomes": [
        { "name": "Boston Bruins", "price": 120 }, { "name": "Draw", "price": 320 } ] }]);
    let feed = json!([with("/bookmakers/0/markets", only)]);
    assert_eq!(World::nhl().reasons(&feed), [Reason::NoPrices]);
}

#[test]
fn no_team_plays_itself() {
    let refused = World::nhl().convert(&json!([with("/away_team", "BOSTON BRUINS")])).expect_err("refused").to_string();
    let message = "event aa01: `BOSTON BRUINS` and `Boston Bruins` are both boston_bruins, and no team plays itself";
    assert!(refused.starts_with(message), "{refused}");
}

#[test]
fn a_text_with_a_hidden_character_is_refused_by_its_event() {
    for (field, value, name, hidden) in [
        ("/id", "aa\u{202e}01", "id", "U+202E at character 3"),
        ("/away_team", "Boston\u{200b} Bruins", "away_team", "U+200B at character 7"),
        ("/bookmakers/1/key", "bet\0rivers", "key", "U+0000 at character 4"),
    ] {
        let refused = World::nhl().convert(&json!([with(field, value)])).expect_err(name).to_string();
        assert!(refused.contains(&format!(", {name}: expected a text without {hidden}")), "{refused}");
    }
}

fn with_cause(error: &FeedError) -> String {
    error.source().map_or_else(|| error.to_string(), |cause| format!("{error}: {cause}"))
}

#[test]
fn a_file_that_is_no_feed_is_refused_with_a_description() {
    let nhl = World::nhl();
    let mut under_another_id = with("/bookmakers/0/markets/0/outcomes/0/price", 120);
    under_another_id["id"] = json!("aa02");
    let only_strangers = json!([with("/home_team", "Team Hughes")]);
    let table = [
        (
            json!({ "message": "Usage quota has been reached.", "error_code": "OUT_OF_USAGE_CREDITS", "details_url": "" }),
            "the file is not a feed but an error of The Odds API: OUT_OF_USAGE_CREDITS Usage quota has been reached.",
        ),
        (json!({ "events": [] }), "the file is not a feed of The Odds API: expected a list of events"),
        (json!("hello"), "the file is not a feed of The Odds API"),
        (json!([a_game(), {}]), "event 2 of the feed"),
        (
            json!([with("/commence_time", "tomorrow")]),
            "event aa01, `commence_time` is \"tomorrow\": expected an RFC 3339 instant",
        ),
        (
            json!([with("/bookmakers/1/markets/0/outcomes/1/price", "evens")]),
            "event aa01, bookmaker betrivers, market h2h, outcome Montréal Canadiens, `price` is \"evens\": expected a price, a whole number",
        ),
        (
            json!([with("/bookmakers/0/markets/1/last_update", "noon")]),
            "event aa01, bookmaker draftkings, market spreads, `last_update` is \"noon\": expected an RFC 3339 instant",
        ),
        (
            json!([with("/bookmakers/0/markets/1/key", json!(null))]),
            "event aa01, bookmaker draftkings, market 2, `key` is null",
        ),
        (
            json!([with("/bookmakers/1/markets/0/outcomes/1/price", json!(null))]),
            "event aa01, bookmaker betrivers, market h2h, outcome Montréal Canadiens, `price` is null: expected a price, a whole \
             number",
        ),
        (
            json!([with("/bookmakers/0/markets/0/outcomes/1/price", 1e308)]),
            "event aa01, h2h of draftkings: 1e+308 on Boston Bruins is not an American price",
        ),
        (json!([with("/bookmakers/1/markets", json!(null))]), "event aa01, bookmaker betrivers, `markets` is null: "),
        (
            json!([with("/bookmakers/1/markets", json!({}))]),
            "event aa01, bookmaker betrivers, `markets` is an object: ",
        ),
        (
            json!([with("/bookmakers/0/markets/1/outcomes", json!(null))]),
            "event aa01, bookmaker draftkings, market spreads, `outcomes` is null: ",
        ),
        (json!([with("/bookmakers", json!(null))]), "event aa01, `bookmakers` is null: "),
        (
            json!([with("/bookmakers/1/key", "DraftKings")]),
            "event aa01 has the bookmaker `draftkings` more than once, as draftkings and DraftKings; ",
        ),
        (
            json!([a_game(), under_another_id]),
            "events aa01 and aa02 are one game, Montréal Canadiens at Boston Bruins, and neither has the newer `last_update`",
        ),
        (
            json!([a_game(), with("/bookmakers/0/markets/0/outcomes/0/price", 120)]),
            "event aa01 is in the feed twice, Montréal Canadiens at Boston Bruins, and neither has the newer `last_update`",
        ),
        (
            json!([with("/sport_key", "icehockey_nhl_preseason")]),
            "the feed has no events of nhl, which are `icehockey_nhl` there; it has icehockey_nhl_preseason",
        ),
        (
            json!([with("/bookmakers/0/markets/0/outcomes/0/price", 1.91)]),
            "event aa01, h2h of draftkings: 1.91 on Montréal Canadiens is not an American price; ask the API with oddsFormat=american",
        ),
        (
            json!([with("/bookmakers/0/markets/2/outcomes/1/price", 114.5)]),
            "event aa01, totals of draftkings: 114.5 on Over is not an American price",
        ),
        (
            json!([with("/bookmakers/0/markets/0/outcomes/1/price", 1e12)]),
            "event aa01, h2h of draftkings: 1000000000000.0 on Boston Bruins is not an American price",
        ),
        (
            json!([with("/bookmakers/0/markets/1/outcomes/1/price", -2_147_483_649_i64)]),
            "event aa01, spreads of draftkings: -2147483649 on",
        ),
        (json!([with("/commence_time", i64::MAX)]), "event aa01, `commence_time` is 9223372036854775807: "),
        (
            json!({ "timestamp": "yesterday", "data": [a_game()] }),
            "the snapshot's `timestamp` is \"yesterday\": expected an RFC 3339 instant, such as \"2026-11-21T20:30:00Z\", or \
             Unix seconds",
        ),
        (json!({ "timestamp": i64::MAX, "data": [] }), "the snapshot's `timestamp` is 9223372036854775807: expected"),
        (json!({ "timestamp": ["now"], "data": [] }), "the snapshot's `timestamp` is [\"now\"]: expected"),
        (only_strangers, "no game is left: these teams are unknown: Team Hughes; name them in a table for --teams"),
    ];
    for (feed, message) in table {
        let error = with_cause(&nhl.convert(&feed).expect_err(message));
        assert!(error.starts_with(message), "{error}");
    }
    assert!(matches!(Feed::read(b"<html>"), Err(FeedError::NotJson(_))));
}

#[test]
fn an_unknown_bookmaker_is_refused_with_the_known_bookmakers() {
    let refusal =
        |feed: Value| World { bookmaker: "pinnacle", ..World::nhl() }.convert(&feed).expect_err("unknown").to_string();
    assert_eq!(refusal(json!([a_game()])), "the feed has no bookmaker `pinnacle`; it has betrivers, draftkings");
    assert_eq!(refusal(json!([with("/bookmakers", json!([]))])), "the feed has no bookmaker `pinnacle`; it has none");
}

#[test]
fn a_file_that_is_no_odds_file_is_refused() {
    let table: [(&[u8], &str); 3] = [
        (b"a,b\n", "it has no column `match_id`"),
        (b"match_id,date,time\nx,2026-11-21,noon\n", "row 2: `2026-11-21 noon` is not a date and a time"),
        (b"match_id,date,time\nx\n", "it is not a CSV file"),
    ];
    for (file, message) in table {
        let refused = KnownStarts::read(file).expect_err("refused").to_string();
        assert!(refused.starts_with(message), "{refused}");
    }
}
