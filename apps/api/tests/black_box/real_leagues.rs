//! Five real leagues through both programs, row by row against the counts of the second opinion: an independent
//! grader in another language that reads the same files.

use std::cmp::Ordering;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde::Deserialize;
use serde_json::{Map, Value, json};
use sports_testkit::programs::{copy_folder, real_data};

use crate::service::{Service, Site};

const SECOND_OPINION: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../crates/grading/tests/second_opinion.py");

#[derive(Deserialize)]
struct Page<'a> {
    season: &'a str,
    #[serde(borrow)]
    results: Vec<Row<'a>>,
    total: usize,
    returned: usize,
    next_offset: Option<usize>,
    source_start: &'a str,
    source_end: &'a str,
}

/// The columns of a row that are counted.
#[derive(Deserialize)]
#[serde(rename_all = "UPPERCASE")]
struct Row<'a> {
    #[serde(rename = "date")]
    date: &'a str,
    #[serde(rename = "over", alias = "won_on_points", alias = "won_on_spread")]
    outcome: Option<u8>,
    #[serde(rename = "push")]
    push: Option<bool>,
    #[serde(rename = "graded")]
    graded: bool,
    #[serde(rename = "ungraded_reason")]
    reason: Option<&'a str>,
    implied: Option<f64>,
    blend: Option<f64>,
    catb: Option<f64>,
    rf: Option<f64>,
    lgb: Option<f64>,
    logr: Option<f64>,
    xgb: Option<f64>,
    xt: Option<f64>,
}

impl Row<'_> {
    fn probabilities(&self) -> [(&'static str, Option<f64>); 8] {
        [
            ("IMPLIED", self.implied),
            ("BLEND", self.blend),
            ("CATB", self.catb),
            ("RF", self.rf),
            ("LGB", self.lgb),
            ("LOGR", self.logr),
            ("XGB", self.xgb),
            ("XT", self.xt),
        ]
    }
}

/// Counts wins and losses by model, of graded rows.
fn records(rows: &[Row<'_>]) -> Map<String, Value> {
    let mut records = [(0, 0); 8];
    for row in rows.iter().filter(|row| row.graded) {
        for ((_, probability), (wins, losses)) in row.probabilities().into_iter().zip(&mut records) {
            let positive = match probability.and_then(|probability| probability.partial_cmp(&0.5)) {
                None | Some(Ordering::Equal) => continue,
                Some(side) => side == Ordering::Greater,
            };
            *(if positive == (row.outcome == Some(1)) { wins } else { losses }) += 1;
        }
    }
    let names = ["IMPLIED", "BLEND", "CATB", "RF", "LGB", "LOGR", "XGB", "XT"];
    let named_records = names.into_iter().zip(records);
    named_records.map(|(name, (wins, losses))| (name.to_owned(), json!({ "wins": wins, "losses": losses }))).collect()
}

/// Counts the figures of the second opinion from served rows alone.
fn counts(page: &Page<'_>) -> Value {
    let rows = &page.results;
    let because = |reason: &str| rows.iter().filter(|row| row.reason == Some(reason)).count();
    let dates = |wanted: &dyn Fn(&Row<'_>) -> bool| rows.iter().filter(|row| wanted(row)).map(|row| row.date).collect();
    let decided: Vec<_> = dates(&|row| row.push == Some(false));
    let played: Vec<_> = dates(&|row| row.push.is_some());
    let unsettled: Vec<_> = dates(&|row| row.reason == Some("no_final"));
    json!({
        "rows": rows.len(),
        "graded": rows.iter().filter(|row| row.graded).count(),
        "decided": decided.len(),
        "pushes": rows.iter().filter(|row| row.push == Some(true)).count(),
        "ungraded": {
            "no_final": because("no_final"), "no_line": because("no_line"),
            "push": because("push"), "no_prediction": because("no_prediction"),
        },
        "models": records(rows),
        "first_date": page.source_start,
        "last_date": page.source_end,
        "last_decided_date": decided.iter().max(),
        "last_played_with_line_date": played.iter().max(),
        "oldest_unsettled_date": unsettled.iter().min(),
    })
}

/// Asserts the rules for any whole season on one page.
fn check(page: &Page<'_>, season: &str) {
    let rows = &page.results;
    assert_eq!((page.season, page.next_offset), (season, None));
    assert_eq!((page.total, page.returned), (rows.len(), rows.len()));
    assert!(rows.is_sorted_by_key(|row| row.date), "{season} is not oldest first");
    assert_eq!((rows.first().map(|row| row.date)), Some(page.source_start));
    assert_eq!((rows.last().map(|row| row.date)), Some(page.source_end));
    for row in rows {
        assert_eq!(row.graded, row.reason.is_none());
        assert!(!row.graded || (row.push == Some(false) && row.outcome.is_some()));
        assert!(row.push != Some(true) || row.outcome == Some(0), "a push reads as an under or a non-cover");
    }
}

/// Starts the second opinion; `None`, with a message, if Python is missing and not required.
fn second_opinion(data: &Path) -> Option<Child> {
    let started = Command::new("python3").arg(SECOND_OPINION).arg(data).stdout(Stdio::piped()).spawn();
    match started {
        Ok(started) => Some(started),
        Err(error) if std::env::var_os("REQUIRE_SERVICES").is_some() => panic!("python3 is required: {error}"),
        Err(error) => {
            eprintln!("skipped: the second opinion needs python3: {error}");
            None
        }
    }
}

/// Publishes a release folder with all files of one league.
fn publish(site: &Site, data: &Path, sport: &str) {
    let folder = site.place.path().join("releases").join(sport);
    fs::create_dir_all(&folder).expect("a folder");
    for part in ["games", "probabilities"] {
        copy_folder(&data.join(part).join(sport), &folder.join(part));
    }
    let manifest = json!({ "sport": sport, "slate_date": "2024-12-01" });
    fs::write(folder.join("release.json"), manifest.to_string()).expect("written");
    site.publish(&folder);
}

/// Compares one market, season by season.
async fn compare(service: &Service, market: &str, expected: &Map<String, Value>) -> usize {
    let list = service.get(&format!("/api/v1/results/{market}/seasons")).await.json();
    let newest_first: Vec<_> = expected.keys().rev().collect();
    assert_eq!(list["seasons"], json!(newest_first), "{market}");
    let played = |season: &&&String| !expected[**season]["last_played_with_line_date"].is_null();
    assert_eq!(list["current_season"], json!(newest_first.iter().find(played)), "{market}");

    let mut rows = 0;
    for (season, expected) in expected {
        let answer = service.page(&format!("{market}?season={season}&limit=100000")).await;
        let page: Page<'_> = serde_json::from_slice(&answer.body).expect("a page");
        check(&page, season);
        assert_eq!(counts(&page), *expected, "{market} {season}");
        rows += page.total;
    }
    rows
}

#[tokio::test]
async fn every_served_season_is_graded_like_the_second_opinion() {
    let Some(data) = real_data() else { return };
    let Some(opinion) = second_opinion(&data) else { return };
    let site = Site::empty();
    for sport in ["mlb", "nba", "ncaab", "ncaaf", "nfl"] {
        publish(&site, &data, sport);
    }
    let service = site.serve().await;
    let opinion = opinion.wait_with_output().expect("it ends");
    assert!(opinion.status.success(), "the second opinion failed");
    let opinion: Map<String, Value> = serde_json::from_slice(&opinion.stdout).expect("JSON");
    assert_eq!(opinion.keys().collect::<Vec<_>>(), ["mlb", "nba", "ncaab", "ncaaf", "nfl"]);
    let mut rows = 0;
    for (sport, markets) in &opinion {
        for (model_type, seasons) in markets.as_object().expect("markets") {
            let seasons = seasons.as_object().expect("seasons");
            rows += compare(&service, &format!("{sport}/{model_type}"), seasons).await;
        }
    }
    assert!(rows > 150_000, "only {rows} rows were compared");
}
