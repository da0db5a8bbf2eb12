use serde_json::Value;

use crate::folder::Folder;
use crate::rows;
use crate::service::{Answer, Service, Site};

const FORMS: [(&str, &str); 4] = [
    ("json", "application/json"),
    ("csv", "text/csv"),
    ("ndjson", "application/x-ndjson"),
    ("parquet", "application/vnd.apache.parquet"),
];

/// Pages of both modes, with an answer's `X-Results-Season`, `-Total` and `-Next-Offset`.
const PAGES: [(&str, &str, &str, Option<&str>); 4] = [
    ("nfl/over_under?season=2024-25", "2024-25", "20", None),
    ("nfl/won_on_spread?limit=7", "2024-25", "20", Some("7")),
    ("nfl/won_on_points?offset=14&limit=7", "2024-25", "20", None),
    ("mlb/over_under?season=2017&limit=3", "2017", "5", Some("3")),
];

async fn history() -> (Site, Service) {
    let site = Site::publishing(&["edge-cases", "doubleheader"]);
    let service = site.app().await;
    (site, service)
}

async fn in_form(service: &Service, page: &str, form: &str) -> Answer {
    let joint = if page.contains('?') { '&' } else { '?' };
    service.page(&format!("{page}{joint}format={form}")).await
}

#[tokio::test]
async fn a_form_is_chosen_by_name_or_by_accept() {
    let (_site, service) = history().await;
    for (page, season, total, next_offset) in PAGES {
        for (form, media) in FORMS {
            let named = in_form(&service, page, form).await;
            assert_eq!(named.header("content-type"), Some(media), "{page} {form}");
            assert_eq!(named.header("x-results-season"), Some(season));
            assert_eq!(named.header("x-results-total"), Some(total));
            assert_eq!(named.header("x-results-next-offset"), next_offset, "{page}");
            assert_eq!(named.header("x-grading-rules"), Some("1.0.0"));
            let snapshot = service.page(page).await.json()["snapshot"].clone();
            assert_eq!(named.header("x-results-snapshot"), snapshot.as_str());

            let path = format!("/api/v1/results/{page}");
            let accepted = Answer::to(service.keyed(&path).header("Accept", media)).await;
            assert_eq!((accepted.status, accepted.header("content-type")), (200, Some(media)));
            assert_eq!((&accepted.body, accepted.header("etag")), (&named.body, named.header("etag")));
        }
    }
}

#[tokio::test]
async fn format_takes_precedence_over_accept_and_unknown_media_types_get_json() {
    let (_site, service) = history().await;
    let page = "/api/v1/results/nfl/over_under";
    let named = service.keyed(&format!("{page}?format=ndjson")).header("Accept", "text/csv");
    assert_eq!(Answer::to(named).await.header("content-type"), Some("application/x-ndjson"));
    let table = [
        ("*/*", "application/json"),
        ("text/html,application/xhtml+xml;q=0.9,*/*;q=0.8", "application/json"),
        ("text/csv;q=0.5, application/x-ndjson", "application/x-ndjson"),
        ("text/csv; charset=utf-8", "text/csv"),
        ("nonsense", "application/json"),
    ];
    for (accept, media) in table {
        let answer = Answer::to(service.keyed(page).header("Accept", accept)).await;
        assert_eq!((answer.status, answer.header("content-type")), (200, Some(media)), "{accept}");
    }
    // Whatever the requested form, a failure is JSON.
    let refused = service.keyed(&format!("{page}?limit=0")).header("Accept", "text/csv");
    Answer::to(refused).await.failure(400);
}

#[tokio::test]
async fn ndjson_lines_are_the_rows_of_the_json_page_with_every_column_in_each() {
    let without_nulls = |row: &Value| -> Vec<(String, Value)> {
        let fields = row.as_object().expect("an object").clone();
        fields.into_iter().filter(|(_, value)| !value.is_null()).collect()
    };
    let (_site, service) = history().await;
    for (page, ..) in PAGES {
        let json = service.page(page).await.json();
        let lines = in_form(&service, page, "ndjson").await;
        let lines: Vec<Value> = lines.text().lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        let rows = json["results"].as_array().expect("rows");
        let [of_lines, of_rows] = [&lines, rows].map(|rows| rows.iter().map(without_nulls).collect::<Vec<_>>());
        assert_eq!(of_lines, of_rows, "{page}");
        let columns = |row: &Value| row.as_object().map(|fields| fields.keys().cloned().collect::<Vec<_>>());
        assert!(lines.iter().all(|line| columns(line) == columns(&lines[0])), "{page}");
    }
}

#[tokio::test]
async fn csv_rows_have_the_values_of_the_json_page() {
    let (_site, service) = history().await;
    for (page, ..) in PAGES {
        let json = service.page(page).await.json();
        let table = in_form(&service, page, "csv").await;
        let mut reader = csv::Reader::from_reader(&*table.body);
        let header = reader.headers().expect("a header").clone();
        let records: Vec<_> = reader.records().map(|record| record.expect("a full row")).collect();
        let rows = json["results"].as_array().expect("rows");
        assert_eq!(records.len(), rows.len(), "{page}");
        for (record, row) in records.iter().zip(rows) {
            let fields = row.as_object().expect("an object");
            assert!(fields.keys().all(|name| header.iter().any(|column| column == name)), "{header:?}");
            for (column, cell) in header.iter().zip(record) {
                assert!(equals(cell, fields.get(column).unwrap_or(&Value::Null)), "{page} {column}: {cell} for {row}");
            }
        }
    }
}

/// Returns whether a cell of a text file equals this JSON value.
fn equals(cell: &str, value: &Value) -> bool {
    match value {
        Value::Null => cell.is_empty(),
        Value::Bool(flag) => cell == flag.to_string(),
        Value::Number(number) => cell.parse::<f64>().ok() == number.as_f64(),
        Value::String(text) => cell == text,
        Value::Array(_) | Value::Object(_) => false,
    }
}

#[tokio::test]
async fn columns_are_the_same_on_every_page_even_an_empty_one() {
    let (_site, service) = history().await;
    let header = |table: &Answer| table.text().lines().next().expect("a header").to_owned();
    let whole = in_form(&service, "nfl/over_under", "csv").await;
    assert!(header(&whole).starts_with("date,time_est,season,game_type,away_team,home_team,"));
    for page in ["nfl/over_under?limit=1", "nfl/over_under?offset=19", "nfl/over_under?offset=20"] {
        assert_eq!(header(&in_form(&service, page, "csv").await), header(&whole), "{page}");
    }
    let empty = in_form(&service, "nfl/over_under?offset=20", "csv").await;
    assert_eq!(empty.text().lines().count(), 1);
    assert!(in_form(&service, "nfl/over_under?offset=20", "ndjson").await.body.is_empty());
}

/// A publisher's texts, and their form in CSV.
const FORMULAS: [(&str, &str); 4] = [("=1+1", "'=1+1"), ("@A1", "'@A1"), ("-A1", "'-A1"), ("-2.5", "-2.5")];

#[tokio::test]
async fn a_text_in_csv_is_no_formula_in_a_spreadsheet() {
    for (text, cell) in FORMULAS {
        let site = Site::empty();
        site.publish(
            Folder::copy_of("edge-cases").replace("games/2024-25.csv", "\"Invented Park, North\"", text).path(),
        );
        let service = site.app().await;
        let page = "nfl/over_under?season=2024-25";
        let csv = in_form(&service, page, "csv").await;
        let mut reader = csv::Reader::from_reader(csv.body.as_ref());
        let cells: Vec<_> = reader
            .records()
            .flat_map(|row| row.expect("a row").iter().map(str::to_owned).collect::<Vec<_>>())
            .collect();
        assert!(cells.iter().any(|found| found == cell), "{text}: {cells:?}");
        assert!(cells.iter().all(|found| found == cell || found != text), "{text}");
        let json = in_form(&service, page, "json").await;
        assert!(rows::raw(&json).contains(text), "{text}");
        // Prices are numbers.
        assert!(cells.iter().any(|found| found == "-110"), "{cells:?}");
    }
}
