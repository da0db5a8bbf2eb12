use serde_json::{Value, json};

use crate::invented::{Ended, InventedSeason};
use crate::rows;
use crate::service::{Answer, Service, Site};

/// Markets with the requested season, its games, and the first and last of their dates.
const SEASONS: [(&str, &str, usize, &str, &str); 4] = [
    ("nfl", "2023-24", 16, "2024-01-06", "2024-01-07"),
    ("nfl", "2024-25", 20, "2024-09-08", "2025-01-19"),
    ("mlb", "2016", 3, "2016-08-16", "2016-08-16"),
    ("mlb", "2017", 5, "2017-07-01", "2017-07-01"),
];

const MODEL_TYPES: [&str; 3] = ["over_under", "won_on_points", "won_on_spread"];

async fn history() -> (Site, Service) {
    let site = Site::publishing(&["nfl-2023-week-18", "edge-cases", "doubleheader"]);
    let service = site.app().await;
    (site, service)
}

/// Returns the whole of a market's season on one page, and its rows.
async fn whole(service: &Service, market: &str, season: &str) -> (Answer, Vec<String>) {
    let page = service.page(&format!("{market}?season={season}&limit=100000")).await;
    let rows = rows::texts(&page).into_iter().map(str::to_owned).collect();
    (page, rows)
}

/// Returns the fields of a page beside its rows.
fn facts(page: &Answer) -> Value {
    let mut body = page.json();
    let fields = body.as_object_mut().expect("an object");
    for field in ["results", "last_updated", "snapshot"] {
        assert!(fields.remove(field).is_some(), "{field}");
    }
    body
}

#[tokio::test]
async fn pages_of_a_season_have_the_bytes_of_the_whole() {
    let (_site, service) = history().await;
    for (sport, season, total, first, last) in SEASONS {
        for model_type in MODEL_TYPES {
            let market = format!("{sport}/{model_type}");
            let (page, all) = whole(&service, &market, season).await;
            assert_eq!((page.json()["total"].as_u64(), all.len()), (Some(total as u64), total));
            let snapshot = page.json()["snapshot"].as_str().expect("a snapshot").to_owned();

            let mut query = format!("{market}?season={season}&limit=7");
            let (mut offset, mut pages) = (0, Vec::new());
            loop {
                let page = service.page(&query).await;
                let end = total.min(offset + 7);
                let next = (end < total).then_some(end);
                let expected = json!({
                    "sport": sport, "model_type": model_type, "season": season,
                    "total": total, "returned": end - offset, "offset": offset, "next_offset": next,
                    "source_start": first, "source_end": last,
                });
                assert_eq!(facts(&page), expected);
                assert_eq!(page.json()["snapshot"], *snapshot);
                assert_eq!(rows::raw(&page), all[offset..end].join(","), "{query}");
                pages.push(rows::raw(&page).to_owned());
                let Some(next) = page.json()["next_offset"].as_u64() else { break };
                query = format!("{market}?season={season}&limit=7&offset={next}&snapshot={snapshot}");
                offset = end;
            }
            assert_eq!(pages.join(","), rows::raw(&page));
        }
    }
}

#[tokio::test]
async fn the_current_season_is_paged_newest_first_in_the_exact_reverse() {
    let (_site, service) = history().await;
    for (sport, season, total, first, last) in [SEASONS[1], SEASONS[3]] {
        for model_type in MODEL_TYPES {
            let market = format!("{sport}/{model_type}");
            let (_, mut all) = whole(&service, &market, season).await;
            all.reverse();
            let page = service.page(&format!("{market}?limit=100000")).await;
            assert_eq!(rows::raw(&page), all.join(","));

            let mut seen = Vec::new();
            let mut next = Some(0);
            while let Some(offset) = next {
                let page = service.page(&format!("{market}?limit=7&offset={offset}")).await;
                let end = total.min(offset + 7);
                let expected = json!({
                    "sport": sport, "model_type": model_type, "season": season,
                    "total": total, "returned": end - offset, "offset": offset,
                    "next_offset": (end < total).then_some(end), "source_start": first, "source_end": last,
                });
                assert_eq!(facts(&page), expected);
                assert_eq!(rows::raw(&page), all[offset..end].join(","));
                seen.push(rows::raw(&page).to_owned());
                next = page.json()["next_offset"].as_u64().map(|next| usize::try_from(next).expect("small"));
            }
            assert_eq!(seen.join(","), all.join(","));
        }
    }
}

#[tokio::test]
async fn a_page_without_a_limit_has_100_rows() {
    let mut season = InventedSeason::default();
    season.add(130, "42", Ended::Over);
    let site = Site::empty();
    season.publish(&site);
    let service = site.app().await;
    let (_, oldest_first) = whole(&service, "nfl/over_under", "2024-25").await;
    let newest_first: Vec<_> = oldest_first.iter().rev().cloned().collect();
    let first = service.page("nfl/over_under?season=2024-25").await;
    let next = format!("&offset=100&snapshot={}", first.json()["snapshot"].as_str().expect("a snapshot"));
    for (season, next, all) in [("", "?offset=100", newest_first), ("?season=2024-25", &*next, oldest_first)] {
        let first = service.page(&format!("nfl/over_under{season}")).await;
        assert_eq!(rows::texts(&first), all[..100]);
        let body = first.json();
        assert_eq!((&body["returned"], &body["total"], &body["next_offset"]), (&json!(100), &json!(130), &json!(100)));
        let rest = service.page(&format!("nfl/over_under{season}{next}")).await;
        assert_eq!(rows::texts(&rest), all[100..]);
        assert_eq!((&rest.json()["returned"], &rest.json()["next_offset"]), (&json!(30), &Value::Null));
    }
}

#[tokio::test]
async fn a_table_is_the_whole_season_and_with_a_limit_links_to_the_next_page() {
    let mut season = InventedSeason::default();
    season.add(130, "42", Ended::Over);
    let site = Site::empty();
    season.publish(&site);
    let service = site.app().await;
    for season in ["season=2024-25&", ""] {
        let lines = |answer: &Answer| answer.text().lines().map(str::to_owned).collect::<Vec<_>>();
        let whole = service.page(&format!("nfl/over_under?{season}format=csv")).await;
        assert_eq!((whole.header("link"), whole.header("x-results-next-offset")), (None, None));
        let all = lines(&whole);
        assert_eq!(all.len(), 1 + 130);
        let mut seen = vec![all[0].clone()];
        let mut next = Some(format!("?{season}format=csv&limit=50"));
        while let Some(query) = next {
            let page = service.page(&format!("nfl/over_under{query}")).await;
            assert_eq!(page.header("x-results-total"), Some("130"));
            seen.extend(lines(&page).into_iter().skip(1));
            next = page.header("link").map(|link| {
                let address = link.strip_suffix("; rel=\"next\"").expect("the next page");
                address.trim_matches(['<', '>']).to_owned()
            });
            assert_eq!(next.is_some(), page.header("x-results-next-offset").is_some());
        }
        assert_eq!(seen, all);
    }
    // Filters stay, and the key is left out.
    let filtered = "nfl/over_under?season=2024-25&format=ndjson&limit=3&team=away_3&to=2024-12-31&api_key=x";
    let page = service.page(filtered).await;
    assert_eq!(page.header("x-results-total"), Some("8"));
    let link = page.header("link").expect("a next page");
    assert!(link.contains("&to=2024-12-31&team=away_3") && !link.contains("api_key"), "{link}");
    // JSON has it in its body.
    assert_eq!(service.page("nfl/over_under?limit=50").await.header("link"), None);
}

#[tokio::test]
async fn a_page_has_one_row_at_least() {
    let (_site, service) = history().await;
    let (_, all) = whole(&service, "nfl/won_on_points", "2024-25").await;
    let one = service.page("nfl/won_on_points?season=2024-25&limit=1").await;
    assert_eq!(rows::texts(&one), [&all[0]]);
}

#[tokio::test]
async fn a_page_past_the_end_is_empty_and_the_last() {
    let (_site, service) = history().await;
    let first = service.page("nfl/over_under?season=2023-24&limit=1").await;
    let snapshot = first.json()["snapshot"].as_str().expect("a snapshot").to_owned();
    let queries = [
        (format!("nfl/over_under?season=2023-24&snapshot={snapshot}&offset=16"), 16),
        (format!("nfl/over_under?season=2023-24&snapshot={snapshot}&offset=5000"), 16),
        ("nfl/over_under?offset=20".to_owned(), 20),
        ("nfl/over_under?offset=2147483647&limit=100000".to_owned(), 20),
    ];
    for (query, total) in queries {
        let page = service.page(&query).await;
        let body = page.json();
        assert_eq!(rows::raw(&page), "", "{query}");
        assert_eq!((&body["returned"], &body["total"], &body["next_offset"]), (&json!(0), &json!(total), &Value::Null));
    }
}
