use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::folder::Folder;
use crate::rows;
use crate::service::{Answer, Service, Site};

/// Filters of the season 2024-25, and the number of its 20 games that match.
const FILTERS: [(&str, usize); 14] = [
    ("from=2024-09-15", 14),
    ("to=2024-09-15", 11),
    ("from=2024-09-15&to=2024-09-15", 5),
    ("from=2024-09-10&to=2024-09-11", 0),
    ("from=2025-01-20", 0),
    ("from=1999-01-01&to=2999-12-31", 20),
    ("team=houston_texans", 3),
    ("team=Houston", 3),
    ("team=houston_texans&from=2024-09-13", 2),
    ("team=houston_texans&from=2024-09-13&to=2024-09-30", 1),
    ("team=arizona_cardinals", 0),
    ("state=final", 18),
    ("state=scheduled", 2),
    ("team=houston_texans&state=final", 2),
];

async fn history() -> (Site, Service) {
    let site = Site::publishing(&["nfl-2023-week-18", "edge-cases"]);
    let service = site.app().await;
    (site, service)
}

/// Returns whether a row matches a filter, by the row's own cells.
fn is_left(filter: &str, row: &Value) -> bool {
    let date = row["date"].as_str().expect("a date");
    filter.split('&').all(|part| match part.split_once('=').expect("a name and a value") {
        ("from", from) => date >= from,
        ("to", to) => date <= to,
        ("state", "final") => row["home_score"].is_number(),
        ("state", "graded") => row["graded"] == true,
        ("state", _) => row["home_score"].is_null() && row["settlement_status"].is_null(),
        (_, team) => {
            let name = if team == "Houston" { "houston_texans" } else { team };
            row["away_team"] == name || row["home_team"] == name
        }
    })
}

/// Returns the rows of a page that match a filter.
fn left<'p>(filter: &str, whole: &'p Answer) -> Vec<&'p str> {
    let rows = rows::texts(whole).into_iter();
    rows.filter(|row| is_left(filter, &serde_json::from_str(row).expect("JSON"))).collect()
}

#[tokio::test]
async fn pages_of_a_filtered_season_cover_the_matching_games_in_both_orders() {
    let (_site, service) = history().await;
    for market in ["nfl/over_under", "nfl/won_on_spread"] {
        for season in ["season=2024-25", ""] {
            let whole = service.page(&format!("{market}?{season}&limit=1000")).await;
            for (filter, total) in FILTERS {
                let left = left(filter, &whole);
                assert_eq!(left.len(), total, "{filter}");
                let (mut seen, mut next, mut pinned) = (Vec::new(), Some(0), String::new());
                while let Some(offset) = next {
                    let page = format!("{market}?{season}&{filter}&limit=2&offset={offset}{pinned}");
                    let page = service.page(&page).await;
                    let body = page.json();
                    assert_eq!((&body["total"], &body["offset"]), (&total.into(), &offset.into()), "{filter}");
                    for field in ["snapshot", "season", "source_start", "source_end", "last_updated"] {
                        assert_eq!(body[field], whole.json()[field], "{filter} {field}");
                    }
                    let rows: Vec<_> = rows::texts(&page).into_iter().map(str::to_owned).collect();
                    assert_eq!(body["returned"], rows.len());
                    assert!(rows.len() <= 2);
                    seen.extend(rows);
                    next = body["next_offset"].as_u64();
                    assert_eq!(next, (seen.len() < total).then_some(seen.len() as u64), "{filter}");
                    if !season.is_empty() {
                        pinned = format!("&snapshot={}", body["snapshot"].as_str().expect("a snapshot"));
                    }
                }
                assert_eq!(seen, left, "{market} {season} {filter}");
            }
        }
    }
}

#[tokio::test]
async fn every_form_has_the_rows_that_match_a_filter() {
    let (_site, service) = history().await;
    for (filter, total) in FILTERS {
        let query = format!("nfl/over_under?season=2024-25&{filter}");
        let json = service.page(&query).await;
        let lines = service.page(&format!("{query}&format=ndjson")).await;
        let of_line = |line: &str| serde_json::from_str::<Value>(line).expect("JSON")["date"].clone();
        let dates_of_lines: Vec<_> = lines.text().lines().map(of_line).collect();
        let csv = service.page(&format!("{query}&format=csv")).await;
        let dates = csv::Reader::from_reader(&*csv.body)
            .records()
            .map(|row| row.expect("a row")[0].to_owned())
            .collect::<Vec<_>>();
        let expected: Vec<_> =
            json.json()["results"].as_array().expect("rows").iter().map(|row| row["date"].clone()).collect();
        assert_eq!(dates, expected, "{filter}");
        assert_eq!(dates_of_lines, expected, "{filter}");
        for form in [&lines, &csv] {
            assert_eq!(form.header("x-results-total"), Some(&*total.to_string()), "{filter}");
        }
        assert_eq!(
            service.page(&format!("{query}&format=parquet")).await.header("x-results-total"),
            Some(&*total.to_string())
        );
    }
}

#[tokio::test]
async fn a_filtered_page_is_compressed_and_revalidated_like_any_other() {
    let (_site, service) = history().await;
    for filter in ["team=houston_texans", "from=2024-09-15"] {
        let path = format!("/api/v1/results/nfl/over_under?season=2024-25&{filter}");
        let plain = service.get(&path).await;
        for encoding in ["gzip", "br", "zstd"] {
            let answer = Answer::to(service.keyed(&path).header("Accept-Encoding", encoding)).await;
            assert_eq!(answer.header("content-encoding"), Some(encoding), "{filter}");
            assert_ne!(answer.header("etag"), plain.header("etag"));
            let tag = answer.header("etag").expect("an ETag");
            let same = service.keyed(&path).header("Accept-Encoding", encoding).header("If-None-Match", tag);
            assert_eq!(Answer::to(same).await.status, 304);
        }
        let unfiltered = service.get("/api/v1/results/nfl/over_under?season=2024-25").await;
        assert_ne!(unfiltered.header("etag"), plain.header("etag"));
    }
}

#[tokio::test]
async fn a_filtered_season_republished_between_pages_is_409() {
    let (site, service) = history().await;
    let query = "/api/v1/results/nfl/over_under?season=2023-24&from=2024-01-07&limit=5";
    let first = service.get(query).await.json();
    assert_eq!(first["total"], 14);
    let second = format!("{query}&offset=5&snapshot={}", first["snapshot"].as_str().expect("a snapshot"));
    assert_eq!(service.get(&second).await.json()["next_offset"], 10);
    let unknown = service.get(&format!("{query}&offset=5&snapshot=0123456789abcdef")).await.failure(409);
    assert!(unknown.starts_with("This is no snapshot of season 2023-24"), "{unknown}");
    let corrected =
        Folder::copy_of("nfl-2023-week-18").replace("probabilities/over_under/2023-24.csv", "0.4729", "0.4730");
    site.publish(corrected.path());
    let refused = service.until(&second, |answer| answer.status != 200).await.failure(409);
    assert!(refused.contains("was published anew since this snapshot"), "{refused}");
}

#[tokio::test]
async fn dates_outside_of_the_season_have_no_games() {
    let (_site, service) = history().await;
    for (path, rows) in [("/api/v1/results/nfl/over_under", "results"), ("/api/v1/games/nfl", "games")] {
        for dates in ["to=1999-01-01", "from=2024-01-01&to=2024-01-31"] {
            let page = service.get(&format!("{path}?{dates}")).await.json();
            assert_eq!((&page[rows], &page["total"]), (&json!([]), &json!(0)), "{path} {dates}");
            assert!(page["source_start"].is_string(), "the dates that the season has: {page}");
        }
    }
}

#[tokio::test]
async fn a_meaningless_filter_is_refused_by_name() {
    let (_site, service) = history().await;
    let table = [
        ("from=2024-09-16&to=2024-09-15", 400, "`from` must be `to` or earlier: 2024-09-16 is after 2024-09-15"),
        ("from=yesterday", 400, "`from` must be a date, YYYY-MM-DD"),
        ("from=", 400, "`from` must be a date, YYYY-MM-DD"),
        ("to=2024-9-1", 400, "`to` must be a date, YYYY-MM-DD"),
        ("to=2024-02-30", 400, "`to` must be a date, YYYY-MM-DD"),
        ("team=--", 400, "`team`: `--` is not a team name: it has no letter or digit"),
        ("team=New%20York", 400, "`team`: `new_york` may be new_york_giants or new_york_jets"),
        (
            "team=boston_celtics",
            404,
            "No game of season 2024-25 of nfl over_under has a team `boston_celtics`; \
             rows have the names of teams in `away_team` and `home_team`; `boston_celtics` is a team of nba",
        ),
        (
            "team=Minesota%20Vikings",
            404,
            "No game of season 2024-25 of nfl over_under has a team `minesota_vikings`; \
             rows have the names of teams in `away_team` and `home_team`; did you mean `minnesota_vikings`?",
        ),
        ("state=settled", 400, "`state` must be final, graded or scheduled"),
        ("from=2024-09-15&from=2024-09-16", 400, "`from` is given more than once"),
    ];
    for (query, status, detail) in table {
        let answer = service.get(&format!("/api/v1/results/nfl/over_under?season=2024-25&{query}")).await;
        assert_eq!(answer.failure(status), detail, "{query}");
    }
}

#[tokio::test]
async fn the_last_finals_are_one_call_and_graded_games_are_those_of_the_market() {
    let (_site, service) = history().await;
    let mut of_any_market = BTreeSet::new();
    for market in ["over_under", "won_on_points", "won_on_spread"] {
        let whole = service.page(&format!("nfl/{market}?season=2024-25")).await;
        let graded = left("state=graded", &whole);
        let page = service.page(&format!("nfl/{market}?season=2024-25&state=graded")).await;
        assert_eq!(rows::texts(&page), graded, "{market}");
        let shown = page.json()["results"].as_array().expect("rows").clone();
        of_any_market.extend(shown.iter().map(|row| row["game_id"].to_string()));
        assert!((1..18).contains(&graded.len()), "{market}: a push or a game without a line is final and not graded");
        assert_eq!(page.json()["snapshot"], whole.json()["snapshot"], "a filter leaves the snapshot of the season");
        assert_ne!(page.header("etag"), whole.header("etag"), "{market}");
    }
    let last = service.page("nfl/over_under?state=final&limit=2").await.json();
    let dates: Vec<_> = last["results"].as_array().expect("rows").iter().map(|row| row["date"].as_str()).collect();
    assert_eq!((dates, &last["total"]), (vec![Some("2025-01-12"), Some("2024-09-26")], &Value::from(18)));
    let both = service.get("/api/v1/results/nfl/over_under?season=all&state=scheduled&format=ndjson").await;
    assert_eq!((both.header("x-results-total"), both.text().lines().count()), (Some("2"), 2));
    for (state, total) in [("final", 18), ("graded", of_any_market.len()), ("scheduled", 2)] {
        let games = service.get(&format!("/api/v1/games/nfl?season=2024-25&state={state}")).await.json();
        assert_eq!(games["total"], total, "{state}");
    }
}
