//! Corrections of what was recorded, of the real server, from the leaves of the tree.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};
use sports_testkit::programs::fixture;

use crate::folder::{Folder, League};
use crate::service::{Answer, Service, Site};

const PATH: &str = "/api/v1/corrections/nfl";
const SLATE: &str = "nfl-2023-week-18-slate";
const RAVENS: &str = "2024-01-06 16:30:00 pittsburgh_steelers baltimore_ravens";
const COLTS: &str = "2024-01-06 20:15:00 houston_texans indianapolis_colts";
const PACKERS: &str = "2024-01-07 16:25:00 chicago_bears green_bay_packers";

fn publish(site: &Site, folder: &Folder, at: &str) {
    let _ = site.place.ctl(["publish", folder.path().to_str().expect("text"), "--as-of", at]);
}

/// Returns a folder in which the Colts play later, and the moneyline of the Packers has no forecast.
fn noon() -> Folder {
    let later = |text: &str| text.replace("20:15:00", "21:00:00");
    let files =
        ["odds.json", "predictions/over_under.csv", "predictions/won_on_points.json", "predictions/won_on_spread.csv"];
    let folder = files.iter().fold(Folder::copy_of(SLATE), |folder, file| folder.edit(file, later));
    let emptied = |line: &str| match line.split_once(", \"BLEND\"") {
        Some((game, _)) if line.contains("week18-CHI-GB") => format!("{game}}},"),
        _ => line.to_owned(),
    };
    folder.edit("predictions/won_on_points.json", |text| text.lines().map(emptied).collect::<Vec<_>>().join("\n"))
}

/// Settles Saturday's games, the Ravens' with these points at home.
fn settle(site: &Site, ravens: &str, at: &str) {
    let finals = fs::read_to_string(fixture(SLATE).join("finals.csv")).expect("finals");
    let saturday: String = finals.split_inclusive('\n').take(3).collect();
    let file: PathBuf = site.place.path().join("saturday.csv");
    fs::write(&file, saturday.replace("ravens,17,10", &format!("ravens,17,{ravens}"))).expect("written");
    let _ = site.place.ctl(["settle", "nfl", file.to_str().expect("text"), "--correct", "--as-of", at]);
}

/// A record in which the second entry moves a game and withdraws a forecast, the third has first finals, and the fourth
/// corrects one of them.
fn record() -> Site {
    let site = Site::on_one_machine();
    publish(&site, &Folder::copy_of(SLATE), "2024-01-06T15:00:00Z");
    publish(&site, &noon(), "2024-01-06T17:00:00Z");
    settle(&site, "10", "2024-01-07T12:00:00Z");
    settle(&site, "13", "2024-01-07T13:00:00Z");
    site
}

fn published_at(site: &Site, generation: u64) -> Value {
    let text = fs::read_to_string(League::nfl(&site.place.store()).entry(generation)).expect("an entry");
    serde_json::from_str::<Value>(&text).expect("JSON")["published_at"].clone()
}

/// Returns the corrections of the record, put together by hand.
fn expected(site: &Site) -> [Value; 3] {
    let league = League::nfl(&site.place.store());
    let leaf = |generation: u64, text: &str| league.leaf(generation, text).expect("a leaf");
    let game = |date: &str, time: &str, away: &str, home: &str| json!({ "date": date, "time": time, "away_team": away, "home_team": home });
    let ending =
        |away: u32, home: u32| json!({ "away_score": away, "home_score": home, "settlement_status": "settled" });
    [
        json!({
            "generation": 2, "published_at": published_at(site, 2), "kind": "rescheduled", "model_type": null,
            "season": "2023-24", "game": game("2024-01-06", "21:00:00", "houston_texans", "indianapolis_colts"),
            "before": { "date": "2024-01-06", "time": "20:15:00", "starts_at": "2024-01-07T01:15:00Z" },
            "after": { "date": "2024-01-06", "time": "21:00:00", "starts_at": "2024-01-07T02:00:00Z" },
            "record_index": leaf(2, &format!("sports-record/v1 moved\nnfl 2023-24 2\n{COLTS}\n")),
        }),
        json!({
            "generation": 2, "published_at": published_at(site, 2), "kind": "forecast_withdrawn",
            "model_type": "won_on_points", "season": "2023-24",
            "game": game("2024-01-07", "16:25:00", "chicago_bears", "green_bay_packers"),
            "before": null, "after": null,
            "record_index": leaf(2, &format!("sports-record/v1 withdrawn\nnfl won_on_points 2023-24 2\n{PACKERS}\n")),
        }),
        json!({
            "generation": 4, "published_at": published_at(site, 4), "kind": "final_corrected", "model_type": null,
            "season": "2023-24", "game": game("2024-01-06", "16:30:00", "pittsburgh_steelers", "baltimore_ravens"),
            "before": ending(17, 10), "after": ending(17, 13),
            "record_index": leaf(4, &format!("sports-record/v1 final\nnfl 2023-24 4\n{RAVENS}\n17 13 settled\n")),
        }),
    ]
}

async fn listed(service: &Service, query: &str) -> Value {
    let answer = service.get(&format!("{PATH}{query}")).await;
    assert_eq!(answer.status, 200, "{query}: {}", answer.text());
    answer.json()
}

fn page(corrections: &[Value], next_generation: Option<u64>) -> Value {
    json!({
        "sport": "nfl", "corrections": corrections, "next_generation": next_generation, "complete_since": 1,
    })
}

#[tokio::test]
async fn corrections_are_listed_page_by_page_from_the_leaves() {
    let site = record();
    let service = site.app().await;
    let all = expected(&site);
    assert_eq!(listed(&service, "").await, page(&all, None));
    assert_eq!(listed(&service, "?limit=1").await, page(&all[..2], Some(4)), "a page ends with a generation");
    assert_eq!(listed(&service, "?since_generation=4&limit=1").await, page(&all[2..], None));
    assert_eq!(listed(&service, "?since_generation=2").await, page(&all, None), "inclusive");
    assert_eq!(listed(&service, "?since_generation=3").await, page(&all[2..], None));
    for above in ["5", "9000000000000000000"] {
        assert_eq!(listed(&service, &format!("?since_generation={above}")).await, page(&[], None));
    }
    let answer = service.get(PATH).await;
    let etag = answer.header("etag").expect("a validator");
    assert_eq!(Answer::to(service.keyed(PATH).header("If-None-Match", etag)).await.status, 304);
    assert_eq!(answer.header("x-generation"), Some("4"));
}

#[tokio::test]
async fn a_running_server_reads_on_to_the_list_of_one_that_starts() {
    let site = record();
    let service = site.app().await;
    assert_eq!(listed(&service, "").await["corrections"].as_array().map(Vec::len), Some(3));
    settle(&site, "10", "2024-01-07T14:00:00Z");
    let after = service.until(PATH, |answer| answer.header("x-generation") == Some("5")).await.json();
    let back = &after["corrections"][3];
    assert_eq!((&back["before"]["home_score"], &back["after"]["home_score"]), (&json!(13), &json!(10)), "{after}");
    service.stop();
    assert_eq!(listed(&site.app().await, "").await, after);
}

#[tokio::test]
async fn tables_hold_every_correction_with_its_values_as_columns() {
    let site = record();
    let service = site.app().await;
    let csv = service.get(&format!("{PATH}?format=csv")).await;
    let mut reader = csv::Reader::from_reader(&*csv.body);
    let header = reader.headers().expect("a header").clone();
    let rows: Vec<_> = reader.records().map(|row| row.expect("a row")).collect();
    let cells = |name: &str| {
        let column = header.iter().position(|column| column == name).unwrap_or_else(|| panic!("{header:?}"));
        rows.iter().map(|row| row[column].to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(cells("kind"), ["rescheduled", "forecast_withdrawn", "final_corrected"]);
    assert_eq!(cells("model_type"), ["", "won_on_points", ""]);
    assert_eq!(
        (cells("before_time"), cells("after_time")),
        (
            vec!["20:15:00".to_owned(), String::new(), String::new()],
            vec!["21:00:00".to_owned(), String::new(), String::new()],
        )
    );
    assert_eq!(
        (cells("before_home_score"), cells("after_home_score")),
        (vec![String::new(), String::new(), "10".to_owned()], vec![String::new(), String::new(), "13".to_owned()],)
    );
    let lines = service.get(&format!("{PATH}?format=ndjson&since_generation=4")).await;
    let line: Value = serde_json::from_str(lines.text().trim_end()).expect("one line");
    assert_eq!((&line["after_settlement_status"], &line["before_date"]), (&json!("settled"), &Value::Null));
    let parquet = service.get(&format!("{PATH}?format=parquet")).await;
    assert!(parquet.body.starts_with(b"PAR1"), "{}", parquet.text());
    let refused = service.get(&format!("{PATH}?format=csv&limit=1")).await.failure(400);
    assert!(refused.starts_with("`limit` applies to JSON"), "{refused}");
}

#[tokio::test]
async fn a_list_of_another_moment_number_or_caller_is_refused() {
    let site = record();
    let service = site.app().await;
    for (query, detail) in [
        ("since_generation=0", "`since_generation` must be a whole number from 1"),
        ("since_generation=-1", "`since_generation` must be a whole number from 1"),
        ("since_generation=18446744073709551616", "`since_generation` must be a whole number from 1"),
        ("limit=0", "`limit` must be a whole number from 1 to 1000"),
        ("limit=1001", "`limit` must be a whole number from 1 to 1000"),
    ] {
        assert_eq!(service.get(&format!("{PATH}?{query}")).await.failure(400), detail, "{query}");
    }
    for query in ["as_of=2024-01-06T15:00:00Z", "generation=1"] {
        let refused = service.get(&format!("{PATH}?{query}")).await.failure(400);
        assert!(refused.contains("is not a parameter here"), "{refused}");
    }
    assert_eq!(service.get("/api/v1/corrections/nba").await.failure(404), "Nothing is published for nba");
    assert_eq!(Answer::to(service.request(PATH)).await.status, 401);
}

/// A reader of feeds in Python, which prints the entries.
const FEED_READER: &str = r#"
import sys, urllib.request, xml.etree.ElementTree as tree
with urllib.request.urlopen(sys.argv[1]) as answer:
    assert answer.headers["Content-Type"] == "application/atom+xml; charset=utf-8", answer.headers
    feed = tree.fromstring(answer.read())
atom = "{http://www.w3.org/2005/Atom}"
assert feed.find(atom + "link").get("href") == sys.argv[1] == feed.find(atom + "id").text
entries = feed.findall(atom + "entry")
assert feed.find(atom + "updated").text == entries[0].find(atom + "updated").text
ids = [entry.find(atom + "id").text for entry in entries]
assert len(set(ids)) == len(ids), ids
for entry in entries:
    with urllib.request.urlopen(urllib.request.Request(entry.find(atom + "link").get("href"), headers={"X-API-Key": sys.argv[2]})):
        pass
    print(*(entry.find(atom + part).text for part in ("updated", "title", "summary")), sep="|")
"#;

#[tokio::test]
async fn releases_and_corrections_are_an_atom_feed_without_values() {
    let site = record();
    let (_, key) = site.customer("reader@example.com", "ai");
    let service = site.serve().await;
    let address = service.url("/api/v1/releases/nfl/feed");
    let read = Command::new("python3").args(["-c", FEED_READER, &address, &key]).output().expect("python3 runs");
    assert!(read.status.success(), "{}", String::from_utf8_lossy(&read.stderr));
    let text = String::from_utf8(read.stdout).expect("text");
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split('|').collect()).collect();
    let corrected: Vec<_> =
        lines.iter().filter(|line| line[1].contains("correction: ")).map(|line| line[1..].to_vec()).collect();
    let expected = [
        ["nfl correction: 2024-01-06 16:30:00 pittsburgh_steelers at baltimore_ravens", "its final is corrected"],
        [
            "nfl correction: 2024-01-07 16:25:00 chicago_bears at green_bay_packers",
            "the forecast of won_on_points is withdrawn",
        ],
        ["nfl correction: 2024-01-06 21:00:00 houston_texans at indianapolis_colts", "it has another start"],
    ];
    assert_eq!(corrected, expected.map(|line| line.to_vec()), "{text}");
    assert_eq!(lines.len(), 4 + expected.len(), "{text}");
    assert!(lines.is_sorted_by(|one, next| one[0] >= next[0]), "newest first: {text}");
    service.get("/api/v1/releases/nba/feed").await.failure(404);
}
