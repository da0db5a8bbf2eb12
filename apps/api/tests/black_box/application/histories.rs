//! The lines and forecasts of games as they moved, of the real server and the command.

use std::fs;
use std::path::Path;

use serde_json::{Map, Value, json};

use crate::folder::{Folder, League};
use crate::service::{Answer, Service, Site};

pub const RAVENS: &str = "nfl-2024-01-06-pittsburgh_steelers-baltimore_ravens";
const COLTS: &str = "nfl-2024-01-06-houston_texans-indianapolis_colts";
/// A day after the last game.
const NOW: &str = "2024-01-08T12:00:00Z";
pub const AT_NOW: (&str, &str) = ("SPORTS_CLOCK__AS_OF", NOW);

/// Returns the slate of the season's last week with the odds alone, read at this time.
fn odds(source_as_of: &str) -> Folder {
    let odds = Folder::copy_of("nfl-2023-week-18-slate");
    fs::remove_dir_all(odds.path().join("predictions")).expect("removed");
    let manifest = json!({
        "sport": "nfl", "slate_date": "2024-01-06", "slate": "active", "source_as_of": { "odds": source_as_of },
    });
    fs::write(odds.path().join("release.json"), manifest.to_string()).expect("written");
    odds
}

/// Changes the Ravens' money lines, which are +130 and -155 in the morning.
fn ravens(odds: Folder, home: i32, away: i32) -> Folder {
    let morning = r#""home_team": "Baltimore Ravens", "home_money_line": 130, "away_money_line": -155"#;
    let now = format!(r#""home_team": "Baltimore Ravens", "home_money_line": {home}, "away_money_line": {away}"#);
    odds.replace("odds.json", morning, &now)
}

/// Changes the Colts' money lines, which are +105 and -125 in the morning.
fn colts(odds: Folder, home: i32, away: i32) -> Folder {
    let now = format!(r#""home_money_line": {home}, "away_money_line": {away}"#);
    odds.replace("odds.json", r#""home_money_line": 105, "away_money_line": -125"#, &now)
}

/// Removes a game from a file with a line for each game.
fn without(folder: Folder, file: &str, match_id: &str) -> Folder {
    folder.edit(file, |text| text.lines().filter(|line| !line.contains(match_id)).collect::<Vec<_>>().join("\n"))
}

fn publish(site: &Site, folder: &Path, at: &str) {
    let printed = site.place.ctl(["publish", folder.to_str().expect("text"), "--as-of", at]);
    assert!(printed.contains("published: "), "{printed}");
}

/// Publishes the morning of the week's first games.
pub fn morning() -> Site {
    let site = Site::empty();
    publish(&site, Folder::copy_of("nfl-2023-week-18-slate").path(), "2024-01-06T15:00:00Z");
    site
}

/// Publishes the odds of the afternoon, which have moved for the Colts.
pub fn publish_afternoon(site: &Site) {
    publish(site, colts(odds("2024-01-06T17:30:00Z"), 110, -130).path(), "2024-01-06T18:00:00Z");
}

/// Publishes a day: odds of the afternoon, of the evening after the Ravens' start, and of the night without the Colts.
pub fn day() -> Site {
    let site = morning();
    publish_afternoon(&site);
    let evening = || colts(ravens(odds("2024-01-06T22:30:00Z"), -400, 300), -150, 130);
    publish(&site, evening().path(), "2024-01-06T22:30:00Z");
    let night = without(evening(), "odds.json", "week18-HOU-IND");
    publish(&site, night.path(), "2024-01-06T23:30:00Z");
    site
}

async fn wired(site: &Site) -> Service {
    site.app_with(&[AT_NOW]).await
}

pub async fn found(service: &Service, path: &str) -> Value {
    let answer = service.get(path).await;
    assert_eq!(answer.status, 200, "{path}: {}", answer.text());
    answer.json()
}

/// Returns each line as generation, home money line and mark.
fn lines(history: &Value) -> Vec<(u64, Option<i64>, Option<String>)> {
    let lines = history["lines"].as_array().expect("lines").iter();
    lines
        .map(|line| {
            let mark = line["mark"].as_str().map(str::to_owned);
            (line["generation"].as_u64().expect("a number"), line["home_money_line"].as_i64(), mark)
        })
        .collect()
}

fn line(generation: u64, home: impl Into<Option<i64>>, mark: Option<&str>) -> (u64, Option<i64>, Option<String>) {
    (generation, home.into(), mark.map(str::to_owned))
}

#[tokio::test]
async fn odds_after_the_start_are_counted_and_the_morning_is_open_and_close() {
    let site = morning();
    publish(&site, ravens(odds("2024-01-06T22:30:00Z"), -400, 300).path(), "2024-01-06T22:30:00Z");
    let service = wired(&site).await;
    let history = found(&service, &format!("/api/v1/odds/nfl/history?game_id={RAVENS}")).await;
    assert_eq!(lines(&history), [line(1, 130, Some("first_and_close"))]);
    assert_eq!((&history["complete"], &history["quoted_after_start"]), (&json!(true), &json!(1)));
    assert_eq!((&history["close"]["generation"], &history["close"]["age_seconds"]), (&json!(1), &json!(25200)));
    assert_eq!((&history["starts_at"], &history["earlier_starts"]), (&json!("2024-01-06T21:30:00Z"), &json!([])));
    let game = json!({
        "game_id": RAVENS, "date": "2024-01-06", "time": "16:30:00", "away_team": "pittsburgh_steelers",
        "home_team": "baltimore_ravens", "match_id": "week18-PIT-BAL",
    });
    assert_eq!(history["game"], game);
    let first = &history["lines"][0];
    let nine = [
        ("away_point_spread", json!(-3.0)),
        ("away_point_spread_line", json!(-105)),
        ("home_point_spread", json!(3.0)),
        ("home_point_spread_line", json!(-115)),
        ("away_money_line", json!(-155)),
        ("over_under", json!(34.0)),
        ("over_line", json!(-110)),
        ("under_line", json!(-110)),
        ("source_as_of", json!("2024-01-06T14:30:00Z")),
    ];
    for (field, value) in nine {
        assert_eq!(first[field], value, "{field}");
    }
}

#[tokio::test]
async fn a_file_that_drops_a_game_makes_its_close_older() {
    let site = day();
    let service = wired(&site).await;
    let history = found(&service, "/api/v1/odds/nfl/history?match_id=week18-HOU-IND").await;
    let expected = [line(1, 105, Some("first")), line(2, 110, None), line(3, -150, Some("close")), line(4, None, None)];
    assert_eq!(lines(&history), expected);
    // From 22:30 to 01:15 of the next day.
    assert_eq!((&history["close"]["generation"], &history["close"]["age_seconds"]), (&json!(3), &json!(9900)));
    assert_eq!(history["quoted_after_start"], 0);
}

#[tokio::test]
async fn a_game_has_one_history_under_each_of_its_names() {
    let site = day();
    let service = wired(&site).await;
    let history = found(&service, &format!("/api/v1/odds/nfl/history?game_id={COLTS}")).await;
    let pair = "date=2024-01-06&away_team=texans&home_team=Indianapolis%20Colts";
    for name in ["match_id=week18-HOU-IND", pair, &format!("{pair}&time=20:15"), &format!("{pair}&time=20:15:00")] {
        assert_eq!(found(&service, &format!("/api/v1/odds/nfl/history?{name}")).await, history, "{name}");
    }
    let short = found(&service, &format!("/api/v1/odds/nfl/history?game_id={COLTS}&days=1")).await;
    assert_eq!(short, history, "every release is of the last day");
}

#[tokio::test]
async fn a_bad_name_of_a_game_is_refused_with_its_remedy() {
    let site = day();
    let service = wired(&site).await;
    let (odds, forecasts) = ("/api/v1/odds/nfl/history", "/api/v1/predictions/nfl/over_under/history");
    let unknown = "?date=2024-01-06&away_team=houston_texans&home_team=baltimore_ravens";
    for query in ["?game_id=nfl-2024-01-06-a-b", "?game_id=nothing", "?match_id=nothing", unknown] {
        let refused = service.get(&format!("{odds}{query}")).await.failure(404);
        assert_eq!(refused, "No odds of that game are on record", "{query}");
        let refused = service.get(&format!("{forecasts}{query}")).await.failure(404);
        assert_eq!(refused, "No forecast of that game is on record", "{query}");
    }
    let day = "?date=2024-01-06";
    for (query, hint) in [
        ("?game_id=nba-2024-01-06-a-b".to_owned(), "; `game_id` is of a game of nba"),
        (
            format!("{day}&away_team=colts&home_team=houston_texans"),
            "; did you mean `home_team=colts`? The teams meet the other way round",
        ),
        (format!("{day}&away_team=houston_texnas&home_team=indianapolis_colts"), "; did you mean `houston_texans`?"),
        (format!("{day}&away_team=boston_celtics&home_team=indianapolis_colts"), "; `boston_celtics` is a team of nba"),
    ] {
        for (path, what) in [(odds, "No odds of that game are"), (forecasts, "No forecast of that game is")] {
            let refused = service.get(&format!("{path}{query}")).await.failure(404);
            assert_eq!(refused, format!("{what} on record{hint}"), "{query}");
        }
    }
    for (query, part) in [
        ("", "A game is named by `game_id`, by `match_id`, or by `date`"),
        ("?date=2024-01-06&away_team=texans", "A game is named by"),
        ("?match_id=week18-HOU-IND&time=20:15", "`match_id` names the game alone"),
        ("?match_id=week18-HOU-IND&game_id=a", "`game_id` names the game alone"),
        ("?match_id=week18-HOU-IND&days=0", "`days` must be a whole number from 1 to 60"),
        ("?match_id=week18-HOU-IND&days=61", "`days` must be a whole number from 1 to 60"),
        ("?match_id=week18-HOU-IND&time=8pm", "`time` must be a time"),
        ("?match_id=week18-HOU-IND&as_of=2024-01-06T21:00:00Z", "`as_of` is not a parameter here"),
        ("?match_id=week18-HOU-IND&generation=1", "`generation` is not a parameter here"),
        ("?match_id=week18-HOU-IND&match_id=b", "`match_id` is given more than once"),
    ] {
        for path in [odds, forecasts] {
            let refused = service.get(&format!("{path}{query}")).await.failure(400);
            assert!(refused.starts_with(part), "{query}: {refused}");
        }
    }
    let other = service.get("/api/v1/odds/nba/history?match_id=a").await.failure(404);
    assert_eq!(other, "No odds of that game are on record");
    assert_eq!(Answer::to(service.request(odds)).await.status, 401);
}

#[tokio::test]
async fn forecasts_are_listed_where_they_change_and_one_stands() {
    let site = morning();
    let predictions = |source: &str| {
        Folder::copy_of("nfl-2023-week-18-slate").replace(
            "release.json",
            "2024-01-06T14:50:00Z\"}",
            &format!("{source}\"}}"),
        )
    };
    let changed = predictions("2024-01-06T15:50:00Z").replace("predictions/won_on_points.json", "0.5661", "0.6");
    publish(&site, changed.path(), "2024-01-06T16:00:00Z");
    let dropped = without(predictions("2024-01-06T16:50:00Z"), "predictions/won_on_points.json", "week18-PIT-BAL");
    publish(&site, dropped.path(), "2024-01-06T17:00:00Z");
    let service = wired(&site).await;
    let path = format!("/api/v1/predictions/nfl/won_on_points/history?game_id={RAVENS}");
    let history = found(&service, &path).await;
    let items: Vec<_> = history["forecasts"].as_array().expect("a list").iter().collect();
    let of = |field: &str| items.iter().map(|item| item[field].clone()).collect::<Vec<_>>();
    assert_eq!(of("generation"), [json!(1), json!(2), json!(3)]);
    assert_eq!(of("standing"), [json!(false), json!(true), json!(false)]);
    let leaf = |generation: u64| {
        let text = format!(
            "sports-record/v1 forecast\nnfl won_on_points 2023-24 {generation}\n2024-01-06 16:30:00 pittsburgh_steelers baltimore_ravens\nsha256:"
        );
        League::nfl(&site.place.store()).leaf(generation, &text).expect("a leaf")
    };
    assert_eq!(of("record_index"), [json!(leaf(1)), json!(leaf(2)), Value::Null]);
    let blend = |item: &Value| item["probabilities"]["BLEND"].clone();
    assert_eq!(items.iter().map(|item| blend(item)).collect::<Vec<_>>(), [json!(0.5661), json!(0.6), Value::Null]);
    assert_eq!(items[2]["probabilities"], json!({}));
    assert_eq!(items[2]["lines"]["home_money_line"], Value::Null);
    assert_eq!(items[0]["lines"]["home_money_line"], 130);
    assert_eq!(items[1]["source_as_of"], "2024-01-06T15:50:00Z");
    assert_eq!(history["complete"], true);
    let csv = service.get(&format!("{path}&format=csv")).await;
    let mut reader = csv::Reader::from_reader(&*csv.body);
    let header = reader.headers().expect("a header").clone();
    let column = |name: &str| header.iter().position(|column| column == name).unwrap_or_else(|| panic!("{header:?}"));
    let rows: Vec<_> = reader.records().map(|row| row.expect("a row")).collect();
    let cells = |name: &str| rows.iter().map(|row| row[column(name)].to_owned()).collect::<Vec<_>>();
    assert_eq!(cells("BLEND"), ["0.5661", "0.6", ""]);
    assert_eq!(cells("home_money_line"), ["130", "130", ""]);
    assert_eq!(cells("standing"), ["false", "true", "false"]);
}

/// Returns the slate with a value of the publisher's own model for the Ravens, read at this time.
fn with_elo(value: f64, source_as_of: &str) -> Folder {
    let ravens = |text: &str| {
        text.replace("\"match_id\": \"week18-PIT-BAL\"", &format!("\"ELO\": {value}, \"match_id\": \"week18-PIT-BAL\""))
    };
    let declared = r#""models": {"ELO": {"title": "Elo with travel"}}, "sport": "nfl""#;
    Folder::copy_of("nfl-2023-week-18-slate")
        .edit("predictions/won_on_points.json", ravens)
        .replace("release.json", r#""sport": "nfl""#, declared)
        .replace("release.json", "2024-01-06T14:50:00Z\"}", &format!("{source_as_of}\"}}"))
}

#[tokio::test]
async fn a_forecast_of_an_own_model_is_listed_where_it_changes() {
    let site = Site::empty();
    publish(&site, with_elo(0.55, "2024-01-06T14:50:00Z").path(), "2024-01-06T15:00:00Z");
    publish(&site, with_elo(0.61, "2024-01-06T15:50:00Z").path(), "2024-01-06T16:00:00Z");
    let service = wired(&site).await;
    let path = format!("/api/v1/predictions/nfl/won_on_points/history?game_id={RAVENS}");
    let history = found(&service, &path).await;
    let items = history["forecasts"].as_array().expect("a list").iter();
    let given = items.map(|item| {
        let of = |model: &str| item["probabilities"][model].clone();
        (item["generation"].clone(), of("ELO"), of("BLEND"), item["standing"].clone())
    });
    let expected =
        [(json!(1), json!(0.55), json!(0.5661), json!(false)), (json!(2), json!(0.61), json!(0.5661), json!(true))];
    assert_eq!(given.collect::<Vec<_>>(), expected);
    let csv = service.get(&format!("{path}&format=csv")).await;
    let mut reader = csv::Reader::from_reader(&*csv.body);
    let column = reader.headers().expect("a header").iter().position(|column| column == "ELO").expect("a column");
    let cells: Vec<_> = reader.records().map(|row| row.expect("a row")[column].to_owned()).collect();
    assert_eq!(cells, ["0.55", "0.61"]);
    let colts = found(&service, &path.replace(RAVENS, COLTS)).await;
    assert!(colts["forecasts"][0]["probabilities"].get("ELO").is_none(), "{colts}");
}

/// Publishes the morning, and a later start of the Colts' game with moved odds.
pub fn moved_start() -> Site {
    let site = morning();
    let moved = ["predictions/over_under.csv", "predictions/won_on_points.json", "predictions/won_on_spread.csv"];
    let later = |text: &str| text.replace("20:15:00", "21:00:00");
    let folder = moved.iter().fold(Folder::copy_of("nfl-2023-week-18-slate"), |folder, file| folder.edit(file, later));
    let folder = colts(folder.edit("odds.json", later), 120, -140).replace("release.json", "T14:30:00Z", "T17:30:00Z");
    publish(&site, folder.path(), "2024-01-06T18:00:00Z");
    site
}

#[tokio::test]
async fn a_game_that_moves_is_followed_to_its_new_start() {
    let site = moved_start();
    let service = wired(&site).await;
    let history = found(&service, &format!("/api/v1/odds/nfl/history?game_id={COLTS}")).await;
    assert_eq!(history["starts_at"], "2024-01-07T02:00:00Z");
    assert_eq!(history["earlier_starts"], json!(["2024-01-07T01:15:00Z"]));
    assert_eq!(lines(&history), [line(1, 105, Some("first")), line(2, 120, Some("close"))]);
    // From 17:30 to 02:00 of the next day.
    assert_eq!(history["close"]["age_seconds"], 30_600);
    let by_old_start = "date=2024-01-06&time=20:15&away_team=houston_texans&home_team=indianapolis_colts";
    assert_eq!(found(&service, &format!("/api/v1/odds/nfl/history?{by_old_start}")).await, history);
}

#[tokio::test]
async fn a_started_game_may_be_kept_for_a_day_and_another_is_revalidated() {
    let site = day();
    let path = format!("/api/v1/odds/nfl/history?game_id={COLTS}");
    for (now, caching) in [("2024-01-07T00:00:00Z", "private, no-cache"), (NOW, "private, max-age=86400")] {
        let service = site.app_with(&[("SPORTS_CLOCK__AS_OF", now)]).await;
        let answer = service.get(&path).await;
        assert_eq!(answer.header("cache-control"), Some(caching), "{now}");
        assert_eq!(answer.header("x-generation"), Some("4"));
        let etag = answer.header("etag").expect("a validator").to_owned();
        let again = Answer::to(service.keyed(&path).header("If-None-Match", etag)).await;
        assert_eq!((again.status, again.header("cache-control")), (304, Some(caching)), "{now}");
        service.stop();
    }
}

#[tokio::test]
async fn closing_lines_are_those_of_each_history_in_every_format() {
    let site = day();
    let service = wired(&site).await;
    let page = found(&service, "/api/v1/odds/nfl/closing?season=2023-24").await;
    let games = page["games"].as_array().expect("games");
    assert_eq!((games.len(), &page["total"], &page["next_offset"]), (16, &json!(16), &Value::Null));
    for game in games {
        let id = game["game_id"].as_str().expect("an id");
        let history = found(&service, &format!("/api/v1/odds/nfl/history?game_id={id}&days=60")).await;
        let marked = |mark: &str| {
            let mut lines = history["lines"].as_array().expect("lines").iter();
            lines.find(|line| line["mark"].as_str().is_some_and(|marked| marked.contains(mark))).expect("marked")
        };
        let (first, close) = (marked("first"), marked("close"));
        assert_eq!((&game["mark"], &game["starts_at"]), (&json!("close"), &history["starts_at"]), "{id}");
        for field in [
            "away_point_spread",
            "away_point_spread_line",
            "home_point_spread",
            "home_point_spread_line",
            "away_money_line",
            "home_money_line",
            "over_under",
            "over_line",
            "under_line",
        ] {
            assert_eq!(game[format!("first_{field}")], first[field], "{id} {field}");
            assert_eq!(game[format!("close_{field}")], close[field], "{id} {field}");
        }
        assert_eq!(game["first_published_at"], first["published_at"]);
        assert_eq!(game["close_published_at"], history["close"]["published_at"]);
        assert_eq!(game["close_age_seconds"], history["close"]["age_seconds"]);
        assert_eq!(game["quotes"], history["lines"].as_array().map_or(0, Vec::len));
    }
    let lines = service.get("/api/v1/odds/nfl/closing?season=2023-24&format=ndjson").await;
    let lines: Vec<Map<String, Value>> =
        lines.text().lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let csv = service.get("/api/v1/odds/nfl/closing?season=2023-24&format=csv").await;
    let mut csv = csv::Reader::from_reader(&*csv.body);
    let header = csv.headers().expect("a header").clone();
    let rows: Vec<_> = csv.records().map(|row| row.expect("a row")).collect();
    assert_eq!((lines.len(), rows.len()), (16, 16));
    for ((game, line), row) in games.iter().zip(&lines).zip(&rows) {
        for (field, value) in game.as_object().expect("an object") {
            assert_eq!(line.get(field).unwrap_or(&Value::Null), value, "{field}");
            let place = header.iter().position(|name| name == field).unwrap_or_else(|| panic!("{field}"));
            let cell = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let same = match value {
                Value::Null => row[place].is_empty(),
                Value::Number(number) => row[place].parse().ok() == number.as_f64(),
                _ => row[place] == cell,
            };
            assert!(same, "{field}: {} and {cell}", &row[place]);
        }
    }
    let parquet = service.get("/api/v1/odds/nfl/closing?season=2023-24&format=parquet").await;
    assert_eq!((parquet.status, &parquet.body[..4]), (200, &b"PAR1"[..]));
}

#[tokio::test]
async fn closing_lines_come_in_pages_of_one_version() {
    let site = day();
    let service = wired(&site).await;
    let closing = "/api/v1/odds/nfl/closing";
    let first = found(&service, &format!("{closing}?season=2023-24&limit=10")).await;
    assert_eq!((first["games"].as_array().map(Vec::len), &first["next_offset"]), (Some(10), &json!(10)));
    let snapshot = first["snapshot"].as_str().expect("a snapshot");
    let next = format!("{closing}?season=2023-24&limit=10&offset=10&snapshot={snapshot}");
    let second = found(&service, &next).await;
    assert_eq!((second["games"].as_array().map(Vec::len), &second["next_offset"]), (Some(6), &Value::Null));
    let newest = found(&service, &format!("{closing}?limit=1")).await;
    assert_eq!(newest["games"][0], second["games"][5], "without a season the newest game is first");
    service.get(&format!("{closing}?season=2023-24&offset=10&snapshot=0123456789abcdef")).await.failure(409);
    service.get(&format!("{closing}?season=2023-24&offset=10")).await.failure(400);
    let table = service.get(&format!("{closing}?season=2023-24&limit=10&format=csv")).await.failure(400);
    assert!(table.starts_with("`limit`, `offset` and `snapshot` are of JSON pages"), "{table}");
    let unknown = service.get(&format!("{closing}?season=1990-91")).await.failure(404);
    assert_eq!(unknown, "Season 1990-91 of nfl is not on record");
    assert_eq!(service.get("/api/v1/odds/nba/closing").await.failure(404), "No odds are published for nba");
}

#[tokio::test]
async fn a_line_is_the_latest_until_its_game_starts_and_a_close_from_then_on() {
    let site = day();
    // The Ravens start at 21:30, the Colts at 01:15; both had one line with another price long before. The clock goes on.
    let before = ("2024-01-06T20:30:00Z", [Some("first_and_latest"), Some("latest")]);
    let between = ("2024-01-07T00:15:00Z", [Some("first_and_close"), Some("latest")]);
    let after = ("2024-01-07T01:15:00Z", [Some("first_and_close"), Some("close")]);
    let mut snapshots = Vec::new();
    for (now, marks) in [before, between, after] {
        let service = site.app_with(&[("SPORTS_CLOCK__AS_OF", now)]).await;
        let mut closed = Vec::new();
        for (game, mark) in [RAVENS, COLTS].into_iter().zip(marks) {
            let history = found(&service, &format!("/api/v1/odds/nfl/history?game_id={game}")).await;
            let last = lines(&history).into_iter().filter_map(|(.., mark)| mark).next_back();
            assert_eq!(last.as_deref(), mark, "{now}");
            let is_closed = mark.is_some_and(|mark| mark.contains("close"));
            assert_eq!(history["close"].is_object(), is_closed, "{now}");
            closed.extend(is_closed.then_some(json!(game)));
        }
        let closing = |query: &str| format!("/api/v1/odds/nfl/closing?season=2023-24{query}");
        let started = found(&service, &closing("")).await;
        let ids = |page: &Value| {
            page["games"].as_array().expect("games").iter().map(|game| game["game_id"].clone()).collect::<Vec<_>>()
        };
        assert_eq!((ids(&started), &started["total"]), (closed.clone(), &json!(closed.len())), "{now}");
        let all = found(&service, &closing("&state=all")).await;
        assert_eq!((ids(&all).len(), &all["total"]), (16, &json!(16)), "{now}");
        for game in all["games"].as_array().expect("games") {
            let mark = if closed.contains(&game["game_id"]) { "close" } else { "latest" };
            assert_eq!(game["mark"], mark, "{now}");
        }
        let csv = service.get(&closing("&state=all&format=csv")).await;
        assert_eq!(csv.text().matches(",latest,").count(), 16 - closed.len(), "{now}");
        snapshots.push([started["snapshot"].clone(), all["snapshot"].clone()]);
        service.stop();
    }
    // A start changes both lists.
    let distinct: std::collections::HashSet<_> = snapshots.iter().flatten().map(ToString::to_string).collect();
    assert_eq!(distinct.len(), 6, "{snapshots:?}");
}

#[tokio::test]
async fn a_running_server_moves_a_game_to_the_closing_lines_at_its_start() {
    let site = day();
    let service = site.app_with(&[("SPORTS_CLOCK__AS_OF", "2024-01-06T21:29:45Z")]).await;
    let path = "/api/v1/odds/nfl/closing";
    let first = service.get(path).await;
    let etag = first.header("etag").expect("a validator").to_owned();
    assert_eq!(first.json()["total"], 0);
    let started = tokio::time::Instant::now();
    loop {
        let answer = Answer::to(service.keyed(path).header("If-None-Match", etag.as_str())).await;
        if answer.status == 200 {
            assert_eq!(answer.json()["games"][0]["game_id"], RAVENS);
            return;
        }
        assert!(started.elapsed().as_secs() < 120, "the cached answer outlives the start");
        tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    }
}

#[tokio::test]
async fn a_game_that_was_called_off_has_no_close() {
    let site = day();
    let finals = site.place.path().join("off.csv");
    let row = "date,time_est,away_team,home_team,away_score,home_score,settlement_status\n\
               2024-01-06,20:15:00,houston_texans,indianapolis_colts,,,canceled\n";
    fs::write(&finals, row).expect("written");
    let _ = site.place.ctl(["settle", "nfl", finals.to_str().expect("text"), "--as-of", "2024-01-07T12:00:00Z"]);
    let service = wired(&site).await;
    let history = found(&service, &format!("/api/v1/odds/nfl/history?game_id={COLTS}")).await;
    assert_eq!((&history["close"], &history["lines"][2]["mark"]), (&Value::Null, &json!("latest")));
    for query in ["", "?state=all"] {
        let page = found(&service, &format!("/api/v1/odds/nfl/closing{query}")).await;
        let games = page["games"].as_array().expect("games");
        assert_eq!((games.len(), games.iter().any(|game| game["game_id"] == COLTS)), (15, false), "{query}");
    }
}

#[tokio::test]
async fn the_command_prints_the_body_of_the_answer() {
    let site = day();
    let service = wired(&site).await;
    let pair = "2024-01-06 20:15 houston_texans at indianapolis_colts";
    for (subject, path) in [
        ("odds", "odds/nfl/history"),
        ("won_on_points", "predictions/nfl/won_on_points/history"),
        ("won_on_spread", "predictions/nfl/won_on_spread/history"),
        ("over_under", "predictions/nfl/over_under/history"),
    ] {
        let expected = found(&service, &format!("/api/v1/{path}?game_id={COLTS}")).await;
        for game in [COLTS, "week18-HOU-IND", pair] {
            let printed = site.place.ctl(["history", subject, "nfl", game, "--json"]);
            assert_eq!(serde_json::from_str::<Value>(&printed).expect("JSON"), expected, "{subject} {game}");
        }
    }
    let text = site.place.ctl(["history", "odds", "nfl", COLTS]);
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines.len(), 6, "{text}");
    assert!(lines[1].contains("  first   ") && lines[3].contains("  close   "), "{text}");
    assert!(lines[4].contains("not quoted"), "{text}");
    assert_eq!(lines[5], "close: generation 3, 165 minutes before the start");
    let unknown = site.place.sportsctl(["history", "odds", "nfl", "nothing"]).output().expect("sportsctl runs");
    assert_eq!(unknown.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("No odds of that game are on record"));
    for arguments in [["--days", "0"], ["--days", "61"]] {
        let refused = site.place.sportsctl(["history", "odds", "nfl", COLTS].iter().chain(&arguments)).output();
        assert_eq!(refused.expect("sportsctl runs").status.code(), Some(2), "{arguments:?}");
    }
}
