//! Answers as tables: one row for each element of their list, the same cells in each form.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::service::{Answer, Service, Site};

/// The morning of a slate, and a day after the last game of the season that followed.
const THEN: &str = "2024-01-06T15:00:00Z";
const NOW: &str = "2025-01-20T15:00:00Z";

/// An answer, the list that is its table's rows, and the fields before the list that all rows share.
struct Listed {
    path: &'static str,
    list: &'static str,
    common: &'static [&'static str],
}

const fn listed(path: &'static str, list: &'static str, common: &'static [&'static str]) -> Listed {
    Listed { path, list, common }
}

const MARKET: &[&str] = &["sport", "model_type"];
const SEASON: &[&str] = &["sport", "model_type", "season"];
const ACCOUNTED: &[&str] = &["sport", "model_type", "season", "accounting"];

const ANSWERS: [Listed; 19] = [
    listed("/api/v1/predictions/nfl/over_under?upcoming_only=false", "games", MARKET),
    listed("/api/v1/predictions/nfl/won_on_points?upcoming_only=false", "games", MARKET),
    listed("/api/v1/predictions/nfl/won_on_spread?upcoming_only=false", "games", MARKET),
    listed("/api/v1/odds/nfl", "games", &["sport"]),
    listed("/api/v1/odds/nfl?changed_after=1", "games", &["sport"]),
    listed("/api/v1/odds/nfl/moves", "moves", &["sport"]),
    listed("/api/v1/predictions/nfl/won_on_spread/moves", "moves", MARKET),
    listed("/api/v1/slate/nfl?upcoming_only=false", "games", &["sport"]),
    listed("/api/v1/slate/nfl?changed_after=1&upcoming_only=false", "games", &["sport"]),
    listed("/api/v1/summary/nfl/over_under", "summaries", SEASON),
    listed("/api/v1/summary/nfl/won_on_spread?season=2024-25", "summaries", SEASON),
    listed("/api/v1/results/nfl/won_on_points/team-form", "teams", SEASON),
    listed("/api/v1/strategies/nfl/won_on_spread", "strategies", ACCOUNTED),
    listed("/api/v1/strategies/nfl/over_under?season=2024-25&accounting=recorded_v2", "strategies", ACCOUNTED),
    listed("/api/v1/strategies/nfl/won_on_spread/follow_line_home/replay", "rows", ACCOUNTED),
    listed("/api/v1/strategies/nfl/over_under/fade_line_over/replay?season=2024-25", "rows", ACCOUNTED),
    listed("/api/v1/strategies/nfl/won_on_points/follow_edge_home/replay?season=2023-24", "rows", ACCOUNTED),
    listed("/api/v1/results/nfl/over_under?season=2024-25", "results", &[]),
    listed("/api/v1/results/nfl/won_on_spread", "results", &[]),
];

/// Creates a slate, and the season after it.
async fn league() -> (Site, Service) {
    let site = Site::empty();
    for (fixture, at) in [("nfl-2023-week-18-slate", THEN), ("edge-cases", NOW)] {
        let folder = sports_testkit::programs::fixture(fixture).join("release");
        let _ = site.place.ctl(["publish", folder.to_str().expect("text"), "--as-of", at]);
    }
    let service = site.app_with(&[("SPORTS_CLOCK__AS_OF", NOW)]).await;
    (site, service)
}

async fn in_form(service: &Service, path: &str, form: &str) -> Answer {
    let joint = if path.contains('?') { '&' } else { '?' };
    let answer = service.get(&format!("{path}{joint}format={form}")).await;
    assert_eq!(answer.status, 200, "{path} {form}: {}", answer.text());
    answer
}

/// Returns a JSON row in the form of a table: a model's probability by the model's name, other nested fields by both
/// names, lists as JSON.
fn flat(row: &Map<String, Value>) -> BTreeMap<String, Value> {
    let mut cells = BTreeMap::new();
    for (name, value) in row {
        match value {
            Value::Object(part) if name == "predictions" => cells.extend(part.clone()),
            Value::Object(part) => {
                cells.extend(flat(part).into_iter().map(|(inner, value)| (format!("{name}_{inner}"), value)));
            }
            Value::Array(_) => drop(cells.insert(name.clone(), Value::from(value.to_string()))),
            value => drop(cells.insert(name.clone(), value.clone())),
        }
    }
    cells
}

/// Returns whether a cell equals this value; a date and time has a `T` in a table.
fn equals(cell: &str, value: &Value) -> bool {
    match value {
        Value::Null => cell.is_empty(),
        Value::Number(number) => cell.parse::<f64>().ok() == number.as_f64(),
        Value::String(text) => cell == text || (cell.replace('T', " ") == *text && cell.starts_with("20")),
        other => {
            let written = other.to_string();
            cell == written
        }
    }
}

/// Returns the rows made from the answer's list and the fields before it.
fn expected(answer: &Listed, json: &Value) -> Vec<BTreeMap<String, Value>> {
    let rows = json[answer.list].as_array().expect("a list").iter();
    let common = || answer.common.iter().map(|name| ((*name).to_owned(), json[*name].clone()));
    rows.map(|row| flat(row.as_object().expect("an object")).into_iter().chain(common()).collect()).collect()
}

#[tokio::test]
async fn each_form_of_a_table_has_the_cells_of_the_json_answer_and_no_others() {
    let (_site, service) = league().await;
    let mut rows = 0;
    for answer in &ANSWERS {
        let path = answer.path;
        let expected = expected(answer, &service.get(path).await.json());
        rows += expected.len();
        let csv = in_form(&service, path, "csv").await;
        let mut reader = csv::Reader::from_reader(&*csv.body);
        let header = reader.headers().expect("a header").clone();
        let records: Vec<_> = reader.records().map(|record| record.expect("a whole row")).collect();
        let lines = in_form(&service, path, "ndjson").await;
        let lines: Vec<Map<String, Value>> =
            lines.text().lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        assert_eq!((records.len(), lines.len()), (expected.len(), expected.len()), "{path}");
        for ((row, record), line) in expected.iter().zip(&records).zip(&lines) {
            let columns: Vec<_> = header.iter().map(str::to_owned).collect();
            assert!(row.keys().all(|name| columns.contains(name)), "{path}: {row:?} in {columns:?}");
            for (column, cell) in columns.iter().zip(record) {
                let known = row.get(column).cloned().unwrap_or_default();
                // A column with a part of the address is in no row of the answer.
                let value = if column == "strategy_id" { json!(path.split('/').nth(6)) } else { known };
                assert!(equals(cell, &value), "{path} {column}: {cell} for {value}");
                let in_line = line.get(column).cloned().unwrap_or_default();
                let same = in_line == value || in_line.as_str().is_some_and(|text| equals(text, &value));
                assert!(same, "{path} {column}: {in_line} for {value}");
            }
        }
    }
    assert!(rows > 150, "{rows}");
}

#[tokio::test]
async fn excluded_games_follow_the_bets_of_a_replay_with_their_reason() {
    let (_site, service) = league().await;
    let path = "/api/v1/strategies/nfl/over_under/follow_line_under/replay?season=2024-25&include_excluded=true";
    let json = service.get(path).await.json();
    let [bets, excluded] = ["rows", "excluded_rows"].map(|list| json[list].as_array().expect("a list"));
    assert!(!excluded.is_empty(), "{json}");
    let lines = in_form(&service, path, "ndjson").await;
    let lines: Vec<Value> = lines.text().lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.len(), bets.len() + excluded.len());
    for (line, row) in lines.iter().zip(bets.iter().chain(excluded)) {
        for name in ["date", "away_team", "side", "line", "price", "outcome", "profit", "total", "reason"] {
            assert_eq!(line[name], row[name], "{name}");
        }
    }
}

#[tokio::test]
async fn a_form_is_chosen_by_name_or_by_accept_and_defaults_to_json() {
    let (_site, service) = league().await;
    for Listed { path, .. } in &ANSWERS {
        let mut tags = Vec::new();
        for (form, media) in [
            ("json", "application/json"),
            ("csv", "text/csv"),
            ("ndjson", "application/x-ndjson"),
            ("parquet", "application/vnd.apache.parquet"),
        ] {
            let named = in_form(&service, path, form).await;
            assert_eq!(named.header("content-type"), Some(media), "{path}");
            assert_eq!(named.header("vary"), Some("Accept, Accept-Encoding"), "{path}");
            assert_eq!(named.header("accept-ranges"), (form != "json").then_some("bytes"), "{path}");
            let accepted = Answer::to(service.keyed(path).header("Accept", media)).await;
            assert_eq!((&accepted.body, accepted.header("etag")), (&named.body, named.header("etag")), "{path} {form}");
            let tag = named.header("etag").expect("an ETag").to_owned();
            let request = service.keyed(path).header("Accept", media).header("If-None-Match", &tag);
            let unchanged = Answer::to(request).await;
            assert_eq!((unchanged.status, unchanged.header("etag")), (304, Some(&*tag)), "{path} {form}");
            assert_eq!(unchanged.header("accept-ranges"), named.header("accept-ranges"), "{path} {form}");
            let compressed =
                Answer::to(service.keyed(path).header("Accept", media).header("Accept-Encoding", "gzip")).await;
            assert!(form == "json" || compressed.header("content-encoding").is_none(), "{path} {form}");
            if form == "parquet" {
                assert!(named.body.starts_with(b"PAR1") && named.body.ends_with(b"PAR1"), "{path}");
                let name = named.header("content-disposition").expect("a name");
                assert!(name.starts_with("attachment; filename=\"") && name.ends_with(".parquet\""), "{name}");
            }
            tags.push(tag);
        }
        tags.sort();
        tags.dedup();
        assert_eq!(tags.len(), 4, "{path}");
        let browser = service.keyed(path).header("Accept", "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8");
        assert_eq!(Answer::to(browser).await.header("content-type"), Some("application/json"), "{path}");
        let refused = service.get(&format!("{path}{}format=xml", if path.contains('?') { '&' } else { '?' })).await;
        assert_eq!(refused.failure(400), "`format` must be json, csv, ndjson or parquet", "{path}");
    }
    // Other answers have no other form.
    let refused = service.get("/api/v1/results/nfl/over_under/rolling?format=csv").await.failure(400);
    assert!(refused.starts_with("`format` is not a parameter here"), "{refused}");
    let free = Answer::to(service.request("/api/v1/public/ml-picks/nfl/spread").header("Accept", "text/csv")).await;
    assert_eq!(free.header("content-type"), Some("application/json"));
}

#[tokio::test]
async fn ranges_of_every_table_are_served() {
    let (_site, service) = league().await;
    for Listed { path, .. } in &ANSWERS {
        let whole = in_form(&service, path, "parquet").await;
        let request =
            service.keyed(path).header("Accept", "application/vnd.apache.parquet").header("Range", "bytes=-8");
        let part = Answer::to(request).await;
        let size = whole.body.len();
        assert_eq!((part.status, &part.body), (206, &whole.body.slice(size - 8..)), "{path}");
    }
}

#[tokio::test]
async fn an_empty_slate_is_a_table_with_its_header_and_no_rows() {
    let (site, service) = league().await;
    let header = |table: &Answer| table.text().lines().next().expect("a header").to_owned();
    let filled: Vec<_> = predictions_in_csv(&service, "?upcoming_only=false").await.iter().map(header).collect();
    // Once another run has completed, no game of that slate is upcoming.
    let off_day = site.place.path().join("off-day");
    std::fs::create_dir_all(&off_day).expect("a folder");
    let manifest = json!({
        "sport": "nfl", "slate_date": "2025-01-20", "slate": "none",
        "run": { "id": "r", "started_at": "2025-01-20T14:00:00Z", "completed_at": "2025-01-20T14:10:00Z" }
    });
    std::fs::write(off_day.join("release.json"), manifest.to_string()).expect("written");
    let _ = site.place.ctl(["publish", off_day.to_str().expect("text"), "--as-of", "2025-01-20T15:00:01Z"]);
    let path = "/api/v1/predictions/nfl/over_under";
    service.until(path, |answer| answer.json()["games"] == json!([])).await;
    for (table, header) in predictions_in_csv(&service, "").await.iter().zip(filled) {
        assert_eq!(table.text(), format!("{header}\n"));
    }
    assert!(in_form(&service, path, "ndjson").await.body.is_empty());
    let parquet = in_form(&service, path, "parquet").await;
    assert!(parquet.body.starts_with(b"PAR1") && parquet.body.len() > 500);
}

async fn predictions_in_csv(service: &Service, query: &str) -> Vec<Answer> {
    let mut tables = Vec::new();
    for market in ["over_under", "won_on_points", "won_on_spread"] {
        tables.push(in_form(service, &format!("/api/v1/predictions/nfl/{market}{query}"), "csv").await);
    }
    tables
}
