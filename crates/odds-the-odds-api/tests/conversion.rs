//! Feeds made by hand, and what becomes of them.

use std::error::Error;

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use sports_domain::Sport;
use sports_odds_the_odds_api::{
    Conversion, Feed, FeedError, KnownStarts, Reason, TeamNames, Wanted, convert, odds_file,
};

const NOW: &str = "2026-11-21T20:30:00Z";

/// A hockey game at seven in the evening, Eastern, of which one bookmaker has all markets and one only
/// the moneyline. The home team comes last in the alphabet in none of them.
fn a_game() -> Value {
    json!({
        "id": "aa01", "sport_key": "icehockey_nhl", "sport_title": "NHL", "commence_time": "2026-11-22T00:00:00Z",
        "home_team": "Boston Bruins", "away_team": "Montréal Canadiens",
        "bookmakers": [
            {
                "key": "draftkings", "title": "DraftKings", "last_update": "2026-11-21T20:20:00Z",
                "markets": [
                    { "key": "h2h", "last_update": "2026-11-21T20:15:10Z", "outcomes": [
                        { "name": "Montréal Canadiens", "price": 114 }, { "name": "Boston Bruins", "price": -135 } ] },
                    { "key": "spreads", "last_update": "2026-11-21T20:15:12Z", "outcomes": [
                        { "name": "Boston Bruins", "price": 180, "point": -1.5 },
                        { "name": "Montréal Canadiens", "price": -218, "point": 1.5 } ] },
                    { "key": "totals", "last_update": "2026-11-21T20:15:11Z", "outcomes": [
                        { "name": "Under", "price": -112, "point": 6 }, { "name": "Over", "price": -108, "point": 6 } ] },
                    { "key": "h2h_lay", "last_update": "2026-11-21T20:29:00Z", "outcomes": [
                        { "name": "Boston Bruins", "price": 1, "point": null } ] },
                ],
            },
            {
                "key": "betrivers", "title": "BetRivers", "last_update": "2026-11-21T20:14:55Z",
                "markets": [{ "key": "h2h", "outcomes": [
                    { "name": "Boston Bruins", "price": -134 }, { "name": "Montréal Canadiens", "price": 112 } ] }],
            },
        ],
    })
}

/// The same game with one field changed.
fn with(field: &str, value: impl Into<Value>) -> Value {
    let mut game = a_game();
    *game.pointer_mut(field).expect("a field") = value.into();
    game
}

struct World {
    sport: Sport,
    bookmaker: &'static str,
    starts: KnownStarts,
}

impl World {
    fn nhl() -> Self {
        Self { sport: Sport::Nhl, bookmaker: "draftkings", starts: KnownStarts::default() }
    }

    fn convert(&self, feed: &Value) -> Result<Conversion, FeedError> {
        let now: DateTime<Utc> = NOW.parse().expect("an instant");
        let feed = Feed::read(feed.to_string().as_bytes())?;
        let teams = TeamNames::new(self.sport);
        let wanted =
            Wanted { sport: self.sport, bookmaker: self.bookmaker, now, teams: &teams, known_starts: &self.starts };
        convert(&feed, &wanted)
    }

    /// The rows of the file, without the header.
    fn rows(&self, feed: &Value) -> Vec<String> {
        let file = odds_file(&self.convert(feed).expect("converts").games);
        String::from_utf8(file).expect("text").lines().skip(1).map(str::to_owned).collect()
    }

    fn reasons(&self, feed: &Value) -> Vec<Reason> {
        self.convert(feed).expect("converts").left_out.iter().map(|left| left.reason).collect()
    }
}

const ROW: &str = "aa01,2026-11-21,19:00:00,montreal_canadiens,boston_bruins,1.5,-218,-1.5,180,114,-135,6,-108,-112,\
                   draftkings,2026-11-21 15:15:12";

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
        "without a market's own, the bookmaker's update counts"
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
fn a_snapshot_is_judged_by_when_it_was_taken() {
    let taken = |at: &str| json!({ "timestamp": at, "previous_timestamp": null, "data": [a_game()] });
    assert_eq!(World::nhl().rows(&taken("2026-11-21T23:59:59Z")), [ROW]);
    assert_eq!(World::nhl().reasons(&taken("2026-11-22T00:00:00Z")), [Reason::Started]);
    let at_no_time = json!({ "timestamp": null, "data": [a_game()] });
    assert_eq!(World::nhl().rows(&at_no_time), [ROW], "without a time of its own it is of now");
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
fn a_start_that_was_known_stays_once_it_has_passed() {
    // 15:30 Eastern is the instant it is.
    let known = |time: &str| {
        let file = format!("match_id,date,time\naa01,2026-11-21,{time}\n");
        World { starts: KnownStarts::read(file.as_bytes()).expect("an odds file"), ..World::nhl() }
    };
    assert_eq!(known("15:30:00").reasons(&json!([a_game()])), [Reason::Started]);
    assert_eq!(known("15:31:00").rows(&json!([a_game()])), [ROW], "before it, a game may move");
    // The game of 07:00 was put off by twelve hours: that is another appointment.
    assert_eq!(known("07:00:00").rows(&json!([a_game()])), [ROW]);
    assert_eq!(known("07:01:00").reasons(&json!([a_game()])), [Reason::Started]);
}

#[test]
fn starts_are_remembered_from_one_conversion_to_the_next() {
    let file = |world: &World, feed: &Value| {
        String::from_utf8(world.convert(feed).expect("converts").starts.file()).expect("text")
    };
    let told = |starts: &str| KnownStarts::remembered(starts.as_bytes()).expect("a file of starts");
    let head = "match_id,date,time\n";
    assert_eq!(file(&World::nhl(), &json!([a_game()])), format!("{head}aa01,2026-11-21,19:00:00\n"));
    // It moves until it begins. One in play keeps its start, or gets the instant at which it was first seen.
    let moved = World { starts: told(&format!("{head}aa01,2026-11-21,18:00:00\n")), ..World::nhl() };
    assert_eq!(file(&moved, &json!([a_game()])), format!("{head}aa01,2026-11-21,19:00:00\n"));
    let begun = World { starts: told(&format!("{head}aa01,2026-11-21,15:00:00\n")), ..World::nhl() };
    assert_eq!(file(&begun, &json!([a_game()])), format!("{head}aa01,2026-11-21,15:00:00\n"));
    let seen = file(&World::nhl(), &json!([with("/commence_time", "2026-11-22T00:02:59Z")]));
    assert_eq!(seen, format!("{head}aa01,2026-11-21,15:30:00\n"));
    // What the feed does not list any more is kept for twelve hours.
    let old = told(&format!("{head}old,2026-11-21,03:30:00\nyoung,2026-11-21,03:31:00\n"));
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
    ]);
    let converted = World::nhl().convert(&feed).expect("converts");
    let left: Vec<_> = converted.left_out.iter().map(|left| (&*left.match_id, left.reason)).collect();
    assert_eq!(left, [("aa02", Reason::NoPrices), ("aa03", Reason::UnknownTeam), ("aa04", Reason::UnknownTeam)]);
    assert_eq!(converted.unknown_teams, ["Team Hughes", "Team Matthews"]);
    assert_eq!(converted.games.len(), 1);
}

#[test]
fn sides_that_speak_of_different_lines_make_none() {
    let converted = World::nhl().convert(&json!([with("/bookmakers/0/markets/1/outcomes/0/point", -2.5)]));
    let converted = converted.expect("converts");
    assert_eq!((converted.games[0].lines.spread, converted.games[0].lines.spread_prices.any()), (None, false));
    assert!(converted.games[0].lines.total.is_some());
    let warning = "montreal_canadiens at boston_bruins (event aa01), draftkings, spreads: it is -2.5 on one side and \
                   -1.5 on the other, so it is left empty";
    assert_eq!(converted.warnings, [warning]);
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
    assert!(World::nhl().convert(&feed).expect("converts").warnings.is_empty());
}

#[test]
fn what_is_not_taken_over_is_named() {
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
            "/bookmakers/0/markets/1/key",
            json!("h2h"),
            "h2h: it is there more than once, so it is left empty".to_owned(),
        ),
    ];
    for (place, value, loss) in table {
        let converted = World::nhl().convert(&json!([with(place, value)])).expect("converts");
        assert_eq!(
            converted.warnings,
            [format!("montreal_canadiens at boston_bruins (event aa01), draftkings, {loss}")]
        );
    }
    let mut game = a_game();
    for side in 0..2 {
        let outcome = game.pointer_mut(&format!("/bookmakers/0/markets/2/outcomes/{side}")).expect("an outcome");
        outcome["point"] = json!(null);
    }
    let converted = World::nhl().convert(&json!([game])).expect("converts");
    assert!(converted.warnings[0].ends_with("totals: it has no `point`, so it is left empty"), "{converted:?}");
}

#[test]
fn no_team_plays_itself() {
    let refused = World::nhl().convert(&json!([with("/away_team", "BOSTON BRUINS")])).expect_err("refused").to_string();
    let message = "event aa01: `BOSTON BRUINS` and `Boston Bruins` are both boston_bruins, and no team plays itself";
    assert!(refused.starts_with(message), "{refused}");
}

#[test]
fn a_pick_em_is_a_line_and_a_price_of_zero_none() {
    let mut game = with("/bookmakers/0/markets/1/outcomes/0/point", 0.0);
    *game.pointer_mut("/bookmakers/0/markets/1/outcomes/1/point").expect("a field") = json!(-0.0);
    *game.pointer_mut("/bookmakers/0/markets/0/outcomes/0/price").expect("a field") = json!(0);
    assert_eq!(World::nhl().rows(&json!([game])), [ROW.replace("1.5,-218,-1.5,", "0,-218,0,").replace(",114,", ",,")]);
}

#[test]
fn games_come_in_the_order_of_their_keys() {
    let mut earlier = with("/commence_time", "2026-11-21T23:00:00Z");
    earlier["id"] = "aa00".into();
    let rows = World::nhl().rows(&json!([a_game(), earlier]));
    assert_eq!(rows.iter().map(|row| &row[..4]).collect::<Vec<_>>(), ["aa00", "aa01"]);
}

#[test]
fn between_seasons_a_feed_is_empty() {
    let converted = World::nhl().convert(&json!([])).expect("converts");
    assert_eq!((converted.games.len(), converted.left_out.len()), (0, 0));
    let header = odds_file(&converted.games);
    assert!(header.starts_with(b"match_id,date,time,") && header.ends_with(b",last_updated\n"));
}

fn with_cause(error: &FeedError) -> String {
    error.source().map_or_else(|| error.to_string(), |cause| format!("{error}: {cause}"))
}

#[test]
fn what_is_no_feed_is_refused_with_what_it_is() {
    let nhl = World::nhl();
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
            "event aa01, bookmaker betrivers, market h2h, outcome Montréal Canadiens, `price` is \"evens\": invalid type",
        ),
        (
            json!([with("/bookmakers/0/markets/1/last_update", "noon")]),
            "event aa01, bookmaker draftkings, market spreads, `last_update` is \"noon\": expected an RFC 3339 instant",
        ),
        (
            json!([with("/bookmakers/0/markets/1/key", json!(null))]),
            "event aa01, bookmaker draftkings, market 2, `key` is null",
        ),
        (json!([a_game(), a_game()]), "event aa01 stands in the feed twice"),
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
            "event aa01, h2h of draftkings: 1000000000000 on Boston Bruins is not an American price",
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
fn an_unknown_bookmaker_is_answered_with_those_there_are() {
    let ask =
        |feed: Value| World { bookmaker: "pinnacle", ..World::nhl() }.convert(&feed).expect_err("unknown").to_string();
    assert_eq!(ask(json!([a_game()])), "the feed has no bookmaker `pinnacle`; it has betrivers, draftkings");
    assert_eq!(ask(json!([with("/bookmakers", json!([]))])), "the feed has no bookmaker `pinnacle`; it has none");
}

#[test]
fn a_file_that_is_no_odds_file_is_refused() {
    let table: [(&[u8], &str); 3] = [
        (b"a,b\n", "it has no column `match_id`"),
        (b"match_id,date,time\nx,2026-11-21,noon\n", "row 2: `2026-11-21 noon` is not a date and a time"),
        (b"match_id,date,time\nx\n", "it is not a CSV file"),
    ];
    for (file, message) in table {
        assert_eq!(KnownStarts::read(file).expect_err("refused").to_string(), message);
    }
}
