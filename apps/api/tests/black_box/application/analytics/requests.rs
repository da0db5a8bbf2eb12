//! Requests for analytics: keys, parameters, missing data, headers and validators.

use serde_json::{Value, json};

use crate::folder::Folder;
use crate::service::{Answer, Site};

/// Every operation with a market in its path.
const PATHS: [&str; 8] = [
    "/api/v1/summary/nfl/won_on_spread",
    "/api/v1/results/nfl/won_on_spread/rolling",
    "/api/v1/results/nfl/won_on_spread/density",
    "/api/v1/results/nfl/won_on_spread/team-form",
    "/api/v1/model-tracking/nfl/won_on_spread",
    "/api/v1/strategies/nfl/won_on_spread",
    "/api/v1/strategies/nfl/won_on_spread/follow_line_home/replay",
    "/api/v1/calibration/nfl/won_on_spread",
];

#[tokio::test]
async fn codes_are_read_in_any_case_and_missing_data_is_404() {
    let site = Site::publishing(&["nfl-2023-week-18"]);
    let service = site.app().await;
    for path in PATHS {
        let shouted = path.replace("nfl", "NFL").replace("won_on_spread", "Won_On_Spread");
        assert_eq!(service.get(&shouted).await.body, service.get(path).await.body, "{shouted}");
        let detail = service.get(&path.replace("nfl", "nhl")).await.failure(404);
        assert_eq!(detail, "No results are published for nhl won_on_spread");
        service.get(&path.replace("nfl", "xfl")).await.failure(400);
        service.get(&path.replace("won_on_spread", "spread")).await.failure(400);
    }
    let unknown = service.get("/api/v1/strategies/nfl/won_on_spread/follow_line_over/replay").await.failure(404);
    assert!(
        unknown.starts_with("`follow_line_over` is not a strategy of this market; known strategies: follow_line_home"),
        "{unknown}"
    );
}

#[tokio::test]
async fn each_operation_takes_its_own_parameters_only() {
    let site = Site::publishing(&["nfl-2023-week-18"]);
    let service = site.app().await;
    let seasonal = [PATHS[0], PATHS[4], PATHS[5], PATHS[6], PATHS[7]];
    for path in PATHS {
        let answer = service.get(&format!("{path}?season=2023-24")).await;
        if seasonal.contains(&path) {
            assert_eq!(answer.body, service.get(path).await.body, "{path}");
            assert!(service.get(&format!("{path}?season=2023")).await.failure(400).starts_with("`season`: "));
            let missing = service.get(&format!("{path}?season=1999-00")).await.failure(404);
            assert!(missing.contains("/api/v1/results/nfl/won_on_spread/seasons"), "{missing}");
        } else {
            assert!(answer.failure(400).starts_with("`season` is not a parameter here"), "{path}");
        }
        let elsewhere = service.get(&format!("{path}?upcoming_only=true")).await.failure(400);
        assert!(elsewhere.starts_with("`upcoming_only` is not a parameter here"), "{elsewhere}");
    }
    let leaderboard = PATHS[5];
    let refused = service.get(&format!("{leaderboard}?accounting=v3")).await.failure(400);
    assert_eq!(refused, "`accounting`: `v3` is not a way of accounting; there are legacy_v1 and recorded_v2");
    let refused = service.get(&format!("{leaderboard}?include_excluded=true")).await.failure(400);
    assert!(refused.starts_with("`include_excluded` is not a parameter here"), "{refused}");
    let refused = service.get(&format!("{}?include_excluded=yes", PATHS[6])).await.failure(400);
    assert_eq!(refused, "`include_excluded` must be true or false");
    let calibration = PATHS[7];
    for (query, detail) in [
        ("from=2024-02-30", "`from` must be a date, YYYY-MM-DD"),
        ("to=today", "`to` must be a date, YYYY-MM-DD"),
        ("from=2024-01-08&to=2024-01-07", "`from` must be `to` or earlier: 2024-01-08 is after 2024-01-07"),
        (
            "forecast_source=backtest",
            "`forecast_source`: `backtest` is no source of forecasts; there are live, walk_forward and recorded",
        ),
    ] {
        assert_eq!(service.get(&format!("{calibration}?{query}")).await.failure(400), detail);
    }
    let refused = service.get(&format!("{leaderboard}?from=2024-01-07")).await.failure(400);
    assert!(refused.starts_with("`from` is not a parameter here"), "{refused}");
}

#[tokio::test]
async fn graded_answers_have_a_rules_header_and_legacy_ones_a_deprecation_header() {
    let site = Site::publishing(&["nfl-2023-week-18"]);
    let service = site.app().await;
    for path in PATHS {
        let answer = service.get(path).await;
        assert_eq!(answer.header("x-grading-rules"), Some("1.0.0"), "{path}");
        assert_eq!(answer.header("cache-control"), Some("private, no-cache"), "{path}");
        assert_eq!(answer.header("deprecation").is_some(), path == PATHS[5], "{path}");
    }
    let legacy = service.get(&format!("{}?accounting=LEGACY_V1", PATHS[6])).await;
    assert_eq!(legacy.header("deprecation"), Some("@1795219200"));
    assert_eq!(legacy.header("link"), Some("</docs#deprecated>; rel=\"deprecation\"; type=\"text/html\""));
    let recorded = service.get(&format!("{}?accounting=recorded_v2", PATHS[5])).await;
    assert!(recorded.header("deprecation").is_none() && recorded.header("link").is_none());
}

#[tokio::test]
async fn a_current_etag_is_answered_304_in_every_encoding() {
    let site = Site::publishing(&["nfl-2023-week-18", "edge-cases"]);
    let service = site.app().await;
    let mut tags = Vec::new();
    for path in PATHS {
        for encoding in ["identity", "gzip", "br", "zstd"] {
            let request = || service.keyed(path).header("Accept-Encoding", encoding);
            let answer = Answer::to(request()).await;
            assert_eq!(answer.status, 200);
            assert_eq!(answer.header("content-encoding").unwrap_or("identity"), encoding, "{path}");
            let tag = answer.header("etag").expect("an ETag").to_owned();
            let same = Answer::to(request().header("If-None-Match", &tag)).await;
            assert_eq!((same.status, same.body.len()), (304, 0), "{path} {encoding}");
            for header in ["etag", "x-grading-rules", "cache-control", "deprecation", "link"] {
                assert_eq!(same.header(header), answer.header(header), "{path} {header}");
            }
            tags.push(tag);
        }
    }
    let expected = tags.len();
    tags.sort();
    tags.dedup();
    assert_eq!(tags.len(), expected, "every answer in every encoding has its own name");
}

#[tokio::test]
async fn a_new_generation_changes_only_dependent_answers() {
    let site = Site::publishing(&["nfl-2023-week-18"]);
    let service = site.app().await;
    let mut before = Vec::new();
    for path in PATHS {
        before.push((path, service.get(path).await));
    }
    let neighbour = "/api/v1/summary/nfl/won_on_points";
    let beside = service.get(neighbour).await;
    // With another blend for one game, the spread's archive changes and the moneyline's does not.
    let folder =
        Folder::copy_of("nfl-2023-week-18").replace("probabilities/won_on_spread/2023-24.csv", "0.5487", "0.4487");
    site.publish(folder.path());
    for (path, before) in before {
        let after = service.until(path, |answer| answer.header("etag") != before.header("etag")).await;
        assert_ne!(after.body, before.body, "{path} has its publication time");
    }
    let after = service.get(neighbour).await;
    assert_eq!((after.header("etag"), &after.body), (beside.header("etag"), &beside.body));
}

#[tokio::test]
async fn a_summary_of_an_earlier_season_equals_the_one_when_it_was_current() {
    let site = Site::publishing(&["nfl-2023-week-18"]);
    let service = site.app().await;
    let then = service.get(PATHS[0]).await.json();
    site.publish_fixture("edge-cases");
    let now = service.until(PATHS[0], |answer| answer.json()["season"] == "2024-25").await.json();
    assert_ne!(now["summaries"], then["summaries"]);
    let mut earlier = service.get(&format!("{}?season=2023-24", PATHS[0])).await.json();
    assert_eq!(earlier["current_season"].take(), json!("2024-25"));
    assert!((earlier["season"] == "2023-24") && (earlier["summaries"] == then["summaries"]), "{earlier}");
}

/// Creates a release with a season of one recorded game, which is not played yet.
fn an_unplayed_season() -> Folder {
    let folder = Folder::copy_of("edge-cases");
    let games = std::fs::read_to_string(folder.path().join("games/2024-25.csv")).expect("a file");
    let kept = |line: &&str| line.starts_with("date,") || line.starts_with("2025-01-18");
    let text: Vec<_> = games.lines().filter(kept).collect();
    std::fs::write(folder.path().join("games/2024-25.csv"), text.join("\n")).expect("written");
    std::fs::remove_dir_all(folder.path().join("probabilities")).expect("removed");
    folder
}

#[tokio::test]
async fn before_the_first_game_no_season_is_current_and_the_newest_is_served() {
    let site = Site::empty();
    site.publish(an_unplayed_season().path());
    let service = site.app().await;
    for path in [PATHS[0], PATHS[3]] {
        let answer = service.get(path).await.json();
        assert_eq!((&answer["current_season"], &answer["season"]), (&Value::Null, &json!("2024-25")), "{path}");
    }
    let list = service.get("/api/v1/results/nfl/won_on_spread/seasons").await.json();
    let expected = json!({ "seasons": ["2024-25"], "current_season": null, "live": false, "live_season": null });
    assert_eq!(list, expected);
    for path in [PATHS[4], "/api/v1/results/nfl/won_on_spread"] {
        assert_eq!(service.get(path).await.json()["season"], "2024-25", "{path}");
    }
    let density = service.get(PATHS[2]).await.json();
    assert_eq!(density["current"]["seasons"], json!(["2024-25"]));
}

#[tokio::test]
async fn a_leaderboard_is_of_the_latest_season_and_a_summary_of_the_current_one() {
    let site = Site::publishing(&["nfl-2023-week-18"]);
    site.publish(an_unplayed_season().path());
    let service = site.app().await;
    let season = |path: String, field: &'static str| {
        let service = &service;
        async move { service.get(&path).await.json()[field].clone() }
    };
    for path in [PATHS[0], PATHS[3]] {
        assert_eq!(season(path.to_owned(), "season").await, "2023-24");
        assert_eq!(season(path.to_owned(), "current_season").await, "2023-24");
    }
    assert_eq!(season(PATHS[4].to_owned(), "season").await, "2023-24");
    assert_eq!(season(PATHS[5].to_owned(), "season").await, "2024-25");
    let empty = service.get(&format!("{}?accounting=recorded_v2", PATHS[5])).await.json();
    for entry in empty["strategies"].as_array().expect("sixteen") {
        assert!(entry["roi"].is_null() && entry["win_pct"].is_null() && entry["rank"].is_null(), "{entry}");
        assert_eq!((&entry["n"], &entry["stakes"]), (&0.into(), &0.into()));
    }
}
