//! Tables of several seasons: those of the fixtures `own-models` (2023-24) and `edge-cases` (2024-25).

use reqwest::Method;
use serde_json::{Map, Value};

use crate::service::{Answer, Service, Site};

const PATH: &str = "/api/v1/results/nfl/won_on_points";

async fn league() -> (Site, Service) {
    let site = Site::publishing(&["own-models", "edge-cases"]);
    let service = site.app().await;
    (site, service)
}

/// Returns the rows of a season by JSON.
pub async fn rows(service: &Service, path: &str, season: &str, list: &str) -> Vec<Map<String, Value>> {
    let joint = if path.contains('?') { '&' } else { '?' };
    let answer = service.get(&format!("{path}{joint}season={season}&limit=1000")).await;
    assert_eq!(answer.status, 200, "{path}: {}", answer.text());
    let page = answer.json();
    page[list].as_array().expect("rows").iter().map(|row| row.as_object().expect("an object").clone()).collect()
}

/// Returns the lines of a table as objects.
pub fn lines(answer: &Answer) -> Vec<Map<String, Value>> {
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.text().lines().map(|line| serde_json::from_str(line).expect("an object")).collect()
}

/// Asserts that lines have the rows of JSON: each value, and null in every other column.
fn assert_same(lines: &[Map<String, Value>], rows: &[Map<String, Value>]) {
    assert_eq!(lines.len(), rows.len());
    for (line, row) in lines.iter().zip(rows) {
        assert!(row.keys().all(|name| line.contains_key(name)), "{line:?} lacks a column of {row:?}");
        for (name, value) in line {
            assert_eq!(value, row.get(name).unwrap_or(&Value::Null), "{name}");
        }
        assert_eq!(line.len(), lines[0].len(), "every line has every column");
    }
}

async fn both_seasons(service: &Service, query: &str) -> Vec<Map<String, Value>> {
    let mut every = rows(service, &format!("{PATH}{query}"), "2023-24", "results").await;
    every.extend(rows(service, &format!("{PATH}{query}"), "2024-25", "results").await);
    every
}

#[tokio::test]
async fn a_table_of_seasons_has_the_rows_of_each_oldest_first() {
    let (_site, service) = league().await;
    let every = both_seasons(&service, "").await;
    for season in ["all", "2023-24,2024-25", "2024-25,2023-24"] {
        let table = service.get(&format!("{PATH}?season={season}&format=ndjson")).await;
        assert_same(&lines(&table), &every);
        assert_eq!(table.header("x-results-season"), Some("2023-24,2024-25"));
        assert_eq!(table.header("x-results-total"), Some(&*every.len().to_string()));
        assert_eq!((table.header("x-results-next-offset"), table.header("link")), (None, None));
    }
    let csv = service.get(&format!("{PATH}?season=all&format=csv")).await;
    let mut reader = csv::Reader::from_reader(&*csv.body);
    let header = reader.headers().expect("a header").clone();
    let records: Vec<_> = reader.records().map(|record| record.expect("a full row")).collect();
    assert_eq!(records.len(), every.len());
    for (record, row) in records.iter().zip(&every) {
        for (name, cell) in header.iter().zip(record) {
            let written = match row.get(name).unwrap_or(&Value::Null) {
                Value::Null => String::new(),
                Value::String(text) => text.clone(),
                Value::Number(number) => {
                    assert_eq!(cell.parse().ok(), number.as_f64(), "{name}");
                    continue;
                }
                other => other.to_string(),
            };
            assert_eq!(cell, written, "{name}");
        }
    }
    // Own models stand where they stand in their season, and are empty in the other.
    let place = |of: &str| header.iter().position(|name| name == of).unwrap_or_else(|| panic!("{of} in {header:?}"));
    assert_eq!((place("ELO"), place("nn_v2")), (place("XT") + 1, place("XT") + 2));
    assert!(
        records
            .iter()
            .filter(|record| &record[place("season")] == "2024-25")
            .all(|record| record[place("ELO")].is_empty())
    );
    assert_eq!(records.iter().filter(|record| !record[place("ELO")].is_empty()).count(), 4);
}

#[tokio::test]
async fn one_season_by_all_has_its_rows() {
    let site = Site::publishing(&["own-models"]);
    let service = site.app().await;
    let table = service.get(&format!("{PATH}?season=all&format=ndjson")).await;
    assert_same(&lines(&table), &rows(&service, PATH, "2023-24", "results").await);
}

#[tokio::test]
async fn dates_and_a_team_select_from_every_season() {
    let (_site, service) = league().await;
    let every = both_seasons(&service, "").await;
    let text = |row: &Map<String, Value>, name: &str| row[name].as_str().expect("text").to_owned();
    let team = text(&every[0], "home_team");
    let by_team: Vec<_> =
        every.iter().filter(|row| text(row, "home_team") == team || text(row, "away_team") == team).cloned().collect();
    let table = service.get(&format!("{PATH}?season=all&format=ndjson&team={team}")).await;
    assert_same(&lines(&table), &by_team);
    assert_eq!(table.header("x-results-total"), Some(&*by_team.len().to_string()));

    let (from, to) = (text(&every[1], "date"), text(&every[every.len() - 2], "date"));
    let by_date: Vec<_> =
        every.iter().filter(|row| (from.clone()..=to.clone()).contains(&text(row, "date"))).cloned().collect();
    assert!(by_date.len() < every.len());
    let table = service.get(&format!("{PATH}?season=all&format=ndjson&from={from}&to={to}")).await;
    assert_same(&lines(&table), &by_date);

    // Seasons without such dates are left out.
    let first = service.get(&format!("{PATH}?season=all&format=ndjson&to={}", text(&every[0], "date"))).await;
    assert_eq!(first.header("x-results-season"), Some("2023-24"));
    let none = service.get(&format!("{PATH}?season=all&format=csv&to=1999-01-01")).await.failure(400);
    assert_eq!(none, "`from`, `to`: no requested season of nfl won_on_points has such dates; no season has");
    let unknown = service.get(&format!("{PATH}?season=all&format=csv&team=melchester_rovers")).await.failure(404);
    assert!(
        unknown.starts_with("No game of the requested seasons of nfl won_on_points has a team `melchester_rovers`")
    );
}

#[tokio::test]
async fn a_choice_of_seasons_that_no_answer_can_have_is_refused_with_the_remedy() {
    let (_site, service) = league().await;
    let several = "a table of several seasons is always whole; leave it out, or request one season";
    for (query, detail) in [
        (
            "season=all",
            "`season` must be one label in JSON; several seasons are one table: add format=csv, ndjson or parquet"
                .to_owned(),
        ),
        (
            "season=2023-24,2024-25&format=json",
            "`season` must be one label in JSON; several seasons are one table: add format=csv, ndjson or parquet"
                .to_owned(),
        ),
        ("season=all&format=csv&limit=5", format!("`limit`: {several}")),
        ("season=all&format=csv&offset=0", format!("`offset`: {several}")),
        ("season=all&format=csv&snapshot=9f2c4e01d7ab3356", format!("`snapshot`: {several}")),
        ("season=2023-24,2023-24&format=csv", "`season` names 2023-24 more than once".to_owned()),
    ] {
        assert_eq!(service.get(&format!("{PATH}?{query}")).await.failure(400), detail, "{query}");
    }
    for season in ["2023-24,", "2023-24,2024", "All", "2023-24,all"] {
        let refused = service.get(&format!("{PATH}?season={season}&format=csv")).await.failure(400);
        assert!(refused.contains("is not a season of nfl; expected YYYY-YY"), "{refused}");
    }
    let hint = service.get(&format!("{PATH}?seasons=2023-24,2024-25&format=csv")).await.failure(400);
    assert!(hint.starts_with("`seasons` is not a parameter here, did you mean `season`?"), "{hint}");
    let missing = service.get(&format!("{PATH}?season=2019-20,2023-24&format=csv")).await.failure(404);
    assert_eq!(missing, "No results are published for nfl won_on_points in season 2019-20; there are 2023-24, 2024-25");
    let stranger = service.request(&format!("{PATH}?season=all&format=csv"));
    Answer::to(stranger).await.failure(401);
}

#[tokio::test]
async fn a_table_of_seasons_has_ranges_and_a_validator_over_all_of_them() {
    let site = Site::publishing(&["own-models"]);
    let service = site.app().await;
    let mut tags = Vec::new();
    for format in ["csv", "ndjson", "parquet"] {
        let path = format!("{PATH}?season=all&format={format}");
        let whole = service.get(&path).await;
        let tag = whole.header("etag").expect("a tag").to_owned();
        let again = Answer::to(service.keyed(&path).header("If-None-Match", &tag)).await;
        assert_eq!((again.status, again.header("etag")), (304, Some(&*tag)));
        let part = Answer::to(service.keyed(&path).header("Range", "bytes=1-99").header("If-Range", &tag)).await;
        assert_eq!((part.status, &part.body[..]), (206, &whole.body[1..100]), "{format}");
        let head = Answer::to(service.call(Method::HEAD, &path)).await;
        assert_eq!((head.status, head.header("etag")), (200, Some(&*tag)));
        tags.push((path, tag));
    }
    let file = service.get(&tags[2].0).await;
    assert_eq!(file.header("content-disposition"), Some("attachment; filename=\"nfl-won_on_points-2023-24.parquet\""));
    site.publish_fixture("edge-cases");
    for (path, tag) in &tags {
        let changed = service.until(path, |answer| answer.header("etag") != Some(tag)).await;
        assert_eq!(changed.header("x-results-season"), Some("2023-24,2024-25"));
        let fresh = Answer::to(service.keyed(path).header("If-None-Match", tag)).await;
        assert_eq!((fresh.status, fresh.body), (200, changed.body), "another season is another file");
    }
    let file = service.get(&tags[2].0).await;
    let name = "attachment; filename=\"nfl-won_on_points-2023-24-to-2024-25.parquet\"";
    assert_eq!(file.header("content-disposition"), Some(name));
}
